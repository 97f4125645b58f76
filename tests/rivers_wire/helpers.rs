//! What students may import from the course's files.

use super::*;

/// The cells of a position's text, as the original's board has them.
fn cells(text: &str) -> Value {
    let board = text.split(' ').next().expect("a board");
    let row = |row: &str| {
        let mut cells = Vec::new();
        let mut run = 0;
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                run = run * 10 + digit;
                continue;
            }
            cells.extend((0..std::mem::take(&mut run)).map(|_| Value::Null));
            let owner = if letter.is_uppercase() { "circle" } else { "square" };
            let (side, orientation) = match letter.to_ascii_lowercase() {
                's' => ("stone", "horizontal"),
                'h' => ("river", "horizontal"),
                _ => ("river", "vertical"),
            };
            cells.push(json!({"owner": owner, "side": side, "orientation": orientation}));
        }
        cells.extend((0..run).map(|_| Value::Null));
        Value::Array(cells)
    };
    board.split('/').map(row).collect()
}

const HELPERS: &str = r#"
import json, sys
sys.path.insert(0, sys.argv[1])
from agent import RandomAgent
from gameEngine import Piece, compute_final_scores, score_cols_for, validate_and_apply_move
for line in sys.stdin:
    rows, player = json.loads(line)
    board = [[Piece.from_dict(cell) for cell in row] for row in rows]
    size = (len(board), len(board[0]), score_cols_for(len(board[0])))
    agent = RandomAgent(player)
    moves = agent.generate_all_moves(board, *size)
    for move in moves:
        legal, after = agent.simulate_move(board, move, *size)
        assert legal, (move, after)
    for move in moves:
        if move["action"] == "rotate" or move["orientation" if "orientation" in move else "action"] is None:
            del move["orientation"]
    scores = [compute_final_scores(board, winner, *size) for winner in (None, "circle")]
    print(json.dumps([moves, [[score["circle"], score["square"]] for score in scores]]))
"#;

/// The moves and the points that the helpers find in positions.
fn ask_helpers(positions: &[Box<dyn AnyPosition>]) -> Vec<Value> {
    let mut python = Command::new("python3")
        .args(["-B", "-c", HELPERS, DRIVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    let mut stdin = python.stdin.take().expect("a pipe");
    let questions: Vec<String> = positions
        .iter()
        .map(|position| json!([cells(&position.text()), rivers().sides()[position.turn().index()]]).to_string())
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all((questions.join("\n") + "\n").as_bytes()));
    let output = python.wait_with_output().expect("python3 ends");
    writer.join().expect("a thread").expect("all is written");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn helpers_know_the_rules_of_the_referee() {
    let mut positions = Vec::new();
    for (number, variant) in ["small", "medium", "large"].into_iter().cycle().take(12).enumerate() {
        let mut random = Random::new(number as u64);
        let mut game = rivers().open(variant, RuleSet::Server).expect("a variant");
        for ply in 0..120 {
            let Some(turn) = game.random_turn(&mut random) else { break };
            game.play(&turn).expect("legal");
            if ply % 12 == 0 {
                // Fresh stones, as the question has them.
                let mut fresh = rivers().open(variant, RuleSet::Server).expect("a variant");
                fresh.set_up(&game.text()).expect("a position");
                positions.push(fresh);
            }
        }
    }
    assert!(positions.len() > 100);
    for (position, answer) in positions.iter().zip(ask_helpers(&positions)) {
        let sorted = |mut moves: Vec<String>| {
            moves.sort();
            moves
        };
        let found = answer[0].as_array().expect("moves").iter().map(Value::to_string).collect();
        let legal = position.legal_turns(10_000).expect("not so many");
        let expected = legal.into_iter().map(|turn| turn.object.expect("an object")).collect();
        assert_eq!(sorted(found), sorted(expected), "{}", position.text());
        let endings =
            [Ending::Over(Outcome::draw(Reason::MOVE_LIMIT)), Ending::Over(Outcome::win(Side::First, Reason::GOAL))];
        for (ending, scores) in endings.into_iter().zip(answer[1].as_array().expect("scores")) {
            let points = position.points(ending);
            for (side, found) in Side::BOTH.into_iter().zip(scores.as_array().expect("two")) {
                let found = found.as_f64().expect("points");
                assert!((found - points[side]).abs() < 1e-9, "{}: {found}", position.text());
            }
        }
    }
}
