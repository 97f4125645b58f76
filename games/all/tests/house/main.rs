//! House bots at the other end of UGI.

mod conversation;

use std::{
    collections::VecDeque,
    io::{self, BufReader, Read, Write},
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::Duration,
};

use agon_rules::{Random, Side};
use agon_search::{Book, Personality, SearchVisitor, Searchable, Skill};
use agon_wire::{Ask, Brain, Budget, GameSetup, Info, serve_ugi, words};

/// What a brain was told, in order.
type Heard = Arc<Mutex<Vec<String>>>;

/// Writes down the positions that it is asked about, and plays the first legal turn.
struct Listener(Heard);

impl Listener {
    fn hear(&self, what: String) {
        self.0.lock().expect("one thread").push(what);
    }
}

impl Brain for Listener {
    fn name(&self) -> String {
        "listener".to_owned()
    }

    fn prepare(&mut self, setup: &GameSetup) {
        self.hear(format!("prepare {}", setup.variant));
    }

    fn new_game(&mut self, setup: &GameSetup, side: Side) {
        self.hear(format!("new game {} {}", setup.variant, side.number()));
    }

    fn choose(&mut self, ask: &Ask<'_>) -> String {
        self.hear(format!("{} after {}", ask.position.text(), ask.turns.join("; ")));
        ask.position.legal_turns(1000).expect("few turns")[0].spellings[0].clone()
    }
}

/// The lines of a conversation, and where the answers to them come. The end of the input would end a search, so that the answer to a `go`
/// is waited for before the next line is sent.
struct Script {
    lines: VecDeque<String>,
    answers: Receiver<()>,
    asked: bool,
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.asked {
            self.answers.recv().expect("an answer");
        }
        let Some(line) = self.lines.pop_front() else { return Ok(0) };
        self.asked = line.starts_with("go");
        let line = format!("{line}\n");
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// What a bot writes, told line by line.
struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let _ = self.0.send(String::from_utf8(line).expect("text").trim_end().to_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Says each line once the last `go` is answered. Gives all that was answered.
fn talk(game: &str, lines: &[&str], brain: &mut dyn FnMut(&GameSetup) -> Box<dyn Brain>) -> String {
    let (answered, answers) = mpsc::channel();
    let (written, said) = mpsc::channel::<String>();
    let script = Script { lines: lines.iter().map(|&line| line.to_owned()).collect(), answers, asked: false };
    let listener = thread::spawn(move || {
        let mut all = String::new();
        for line in said {
            if line.starts_with("bestmove") || line.contains("error") {
                let _ = answered.send(());
            }
            all += &format!("{line}\n");
        }
        all
    });
    let game = agon_all::find(game).expect("a game");
    serve_ugi(game, brain, BufReader::new(script), Lines(written, Vec::new())).expect("a conversation");
    listener.join().expect("a listener")
}

/// A conversation with a bot for Connect-X: what the brain heard, and what was answered.
fn converse(game: &str, lines: &[&str]) -> (Vec<String>, String) {
    let heard = Heard::default();
    let said = talk(game, lines, &mut |_| Box::new(Listener(Arc::clone(&heard))));
    let heard = heard.lock().expect("one thread").clone();
    (heard, said)
}

/// What a position looks like after turns from the start.
fn after(game: &str, turns: &[&str]) -> String {
    let game = agon_all::find(game).expect("a game");
    let mut position = game.open(game.variants()[0], game.rule_sets()[0]).expect("a start");
    for turn in turns {
        position.play(turn).expect("a legal turn");
    }
    format!("{} after {}", position.text(), turns.join("; "))
}

/// Writes down what it is told about its time.
struct Clockwatcher(Heard);

impl Brain for Clockwatcher {
    fn name(&self) -> String {
        "clockwatcher".to_owned()
    }

    fn new_game(&mut self, _setup: &GameSetup, _side: Side) {}

    fn choose(&mut self, ask: &Ask<'_>) -> String {
        self.0.lock().expect("one thread").push(format!("{:?}", ask.budget));
        ask.position.random_turn(&mut Random::new(1)).expect("a turn")
    }
}

#[test]
fn a_house_bot_reads_both_clocks_and_both_increments() {
    let heard = Heard::default();
    let lines = ["go p1time 60000 p2time 50000 p1inc 300 p2inc 400", "go p1time 7 p2time 8", "go movetime 9"];
    talk("connectx", &lines, &mut |_| Box::new(Clockwatcher(Arc::clone(&heard))));
    let times = |first, second| agon_rules::BySide::new(first, second).map(Duration::from_millis);
    let told = [
        Budget::Clocks { left: times(60_000, 50_000), increment: times(300, 400) },
        Budget::Clocks { left: times(7, 8), increment: times(0, 0) },
        Budget::Turn(Duration::from_millis(9)),
    ];
    assert_eq!(*heard.lock().expect("one thread"), told.map(|budget| format!("{budget:?}")));
}

/// Nothing was thought about, so that there is nothing to tell; others do tell.
#[test]
fn a_choice_at_random_is_no_thought() {
    let go = ["go nodes 50"];
    let random = talk("connectx", &go, &mut |_| agon_house::think("random", 1));
    assert!(random.contains("bestmove") && !random.contains("info"), "{random}");
    let thinks = talk("connectx", &go, &mut |_| agon_house::think("greedy", 1));
    assert!(thinks.contains("info depth"), "{thinks}");
}

#[test]
fn a_bot_gets_ready_before_its_clock_runs() {
    let (heard, _) = converse("connectx", &["ugi", "uginewgame", "isready", "position startpos", "go movetime 100"]);
    assert_eq!(heard[..2], ["prepare standard", "new game standard 1"]);
}

#[test]
fn positions_are_followed_wherever_they_go() {
    let go = "go nodes 1";
    let lines = [
        "position startpos moves \"3 3\"",
        go,
        // One that goes on from there.
        "position startpos moves \"3 3\" \"1 1\" \"5 5\"",
        go,
        // Another game, a shorter one, and one that breaks off.
        "position startpos moves \"3 4\" \"1 4\" \"4 4\"",
        go,
        "position startpos moves \"3 4\"",
        go,
        "position startpos moves \"3 4\" \"0 3\" \"8 8\"",
        "position startpos moves \"3 4\" \"0 4\"",
        go,
    ];
    let (heard, said) = converse("connectx", &lines);
    let expected: [&[&str]; 5] = [&["3 3"], &["3 3", "1 1", "5 5"], &["3 4", "1 4", "4 4"], &["3 4"], &["3 4", "0 4"]];
    let positions: Vec<&String> = heard.iter().filter(|line| line.contains(" after ")).collect();
    assert_eq!(positions, expected.map(|turns| after("connectx", turns)).iter().collect::<Vec<_>>());
    assert_eq!(said.matches("bestmove").count(), 5);
    assert_eq!(said.matches("info string error: turn '8 8'").count(), 1, "{said}");
}

#[test]
fn a_position_of_another_variant_is_not_gone_on_with() {
    let lines =
        ["position startpos", "go nodes 1", "setoption name Variant value 10x10", "position startpos", "go nodes 1"];
    let (heard, _) = converse("cannon", &lines);
    let boards: Vec<usize> = heard.iter().filter(|line| line.contains(" after ")).map(String::len).collect();
    assert!(boards[1] > boards[0], "{heard:?}");
    assert!(heard.contains(&"new game 10x10 1".to_owned()), "{heard:?}");
}

/// The house bot that thinks with the engine plays by any clock, however little it says.
#[test]
fn the_master_answers_by_every_kind_of_clock() {
    for game in agon_all::GAMES {
        let clocks =
            ["movetime 0", "movetime 1", "movetime 10", "p1time 0 p2time 0", "p1time 30 p2time 40 p1inc 0", "depth 1"];
        let lines: Vec<String> = ["isready".to_owned(), "position startpos".to_owned()]
            .into_iter()
            .chain(clocks.iter().map(|clock| format!("go {clock}")))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let said = talk(game.name(), &lines, &mut |_| agon_house::think("master", 1));
        assert_eq!(said.matches("bestmove").count(), clocks.len(), "{}: {said}", game.name());
    }
}

/// So does the one that grows a tree, on every board, and with few nodes it looks at no more.
#[test]
fn the_rival_answers_by_every_kind_of_clock() {
    for game in agon_all::GAMES {
        let clocks = [
            "movetime 0",
            "movetime 20",
            "p1time 0 p2time 0",
            "p1time 30 p2time 40",
            "depth 1",
            "depth 4",
            "nodes 1",
            "nodes 300",
        ];
        let lines: Vec<String> = clocks.iter().map(|clock| format!("go {clock}")).collect();
        let lines: Vec<&str> =
            ["isready", "position startpos"].into_iter().chain(lines.iter().map(String::as_str)).collect();
        let turns = answers(game.name(), "mcts", 1, &lines);
        assert_eq!(turns.len(), clocks.len(), "{}", game.name());
        for turn in &turns {
            let mut position = game.open(game.variants()[0], game.rule_sets()[0]).expect("a start");
            assert!(position.play(turn).is_ok(), "{}: {turn}", game.name());
        }
        // The same number of nodes gives the same turn.
        let again = ["position startpos", "go nodes 300"];
        assert_eq!(answers(game.name(), "mcts", 2, &again), turns[7..], "{}", game.name());
    }
    assert_eq!(agon_house::pace("mcts", Budget::Depth(3)).as_deref(), Some("looks at 64 positions for each turn"));
    assert_eq!(agon_house::title("mcts"), "MCTS");
}

/// What a house bot answers to these lines.
fn answers(game: &str, bot: &str, seed: u64, lines: &[&str]) -> Vec<String> {
    let said = talk(game, lines, &mut |_| agon_house::think(bot, seed));
    said.lines()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .map(|turn| turn.trim_matches('"').to_owned())
        .collect()
}

#[test]
fn every_house_bot_plays_every_variant_of_every_game() {
    for game in agon_all::GAMES {
        for variant in game.variants() {
            let choose = format!("setoption name Variant value {variant}");
            for bot in agon_house::NAMES {
                let lines = [choose.as_str(), "uginewgame", "position startpos", "go nodes 200"];
                let turns = answers(game.name(), bot, 1, &lines);
                let mut position = game.open(variant, game.rule_sets()[0]).expect("a start");
                let played =
                    turns.first().map(|turn| position.play(turn).map(|_| ()).map_err(|error| error.to_string()));
                assert_eq!(played, Some(Ok(())), "{bot} in {} {variant}: {turns:?}", game.name());
            }
        }
    }
}

#[test]
fn a_level_makes_the_same_mistakes_with_the_same_seed_and_others_with_another() {
    let lines = ["uginewgame", "position startpos", "go nodes 500"];
    let opening = |seed| answers("yinsh", "level2", seed, &lines);
    assert_eq!(opening(1), opening(1));
    assert!((2..12).any(|seed| opening(seed) != opening(1)), "ten other seeds, and always {:?}", opening(1));
}

#[test]
fn books_are_legal_in_every_rule_set_and_the_master_plays_from_them() {
    let mut books = 0;
    for game in agon_all::GAMES {
        let text = game.book();
        books += usize::from(!text.is_empty());
        let parts = text.lines().filter_map(|line| line.strip_prefix("variant "));
        for (variant, rules) in parts.flat_map(|variant| game.rule_sets().iter().map(move |&rules| (variant, rules))) {
            let check = CheckBook { text, variant };
            let positions = agon_all::start_search(game.name(), variant, rules, check).expect("a variant");
            assert!(positions > 0, "{} {variant} {rules}", game.name());
        }
    }
    assert_eq!(books, 5);
    // Its search knows no chance: only the book can make it open in different ways.
    let lines = ["uginewgame", "position startpos", "go nodes 50"];
    let openings: Vec<Vec<String>> = (1..16).map(|seed| answers("connectx", "master", seed, &lines)).collect();
    assert!(openings.iter().any(|opening| *opening != openings[0]), "always {:?}", openings[0]);
}

/// Reads a book and follows it from the start: how many positions it knows.
struct CheckBook<'a> {
    text: &'a str,
    variant: &'a str,
}

impl SearchVisitor for CheckBook<'_> {
    type Output = usize;

    fn visit<P: Searchable>(self, start: P) -> usize {
        let book = Book::parse(self.text, self.variant, &start).expect("a book");
        let first = book.choose(&start, 1).expect("a first move");
        // What a symmetry makes of the start is known as well.
        for symmetry in 0..start.symmetries(8) {
            assert!(book.choose(&start.transform(symmetry), 1).is_some(), "symmetry {symmetry}");
        }
        let mut legal = Vec::new();
        start.generate(&mut legal);
        assert!(legal.contains(&first));
        book.len()
    }
}

/// The skill of a player of the house.
struct SkillOf<'a>(&'a str);

impl SearchVisitor for SkillOf<'_> {
    type Output = Skill;

    fn visit<P: Searchable>(self, _start: P) -> Skill {
        Personality::of::<P>(self.0).expect("a player").skill
    }
}

/// What a search is through with before anybody waits for it.
const AT_ONCE: (u64, i32) = (100_000, 3);

#[test]
fn who_is_said_to_answer_at_once_looks_at_little() {
    for game in agon_all::GAMES {
        for name in Personality::NAMES {
            let game_name = game.name();
            let (variant, rules) = (game.variants()[0], game.rule_sets()[0]);
            let skill = agon_all::start_search(game_name, variant, rules, SkillOf(name)).expect("a game");
            let (nodes, depth) = AT_ONCE;
            let little = (1..=nodes).contains(&skill.nodes) || (1..=depth).contains(&skill.depth);
            let said = agon_house::pace(name, Budget::Unlimited).expect("a player of the house");
            assert_eq!(said == "answers at once", little, "{game_name}: {name} {said}, {skill}");
        }
    }
    assert_eq!(agon_house::pace("somebody", Budget::Unlimited), None);
}
