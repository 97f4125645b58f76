//! A house bot's game, as it hears of it. It understands both dialects at once.

use std::time::{Duration, Instant};

use agon_rules::{AnyGame, AnyPosition, Reason, RuleSet, quote};
use agon_wire::{Ask, Brain, Budget, GameSetup};

use super::tempo::Tempo;
use crate::{CHECKMATE, Rollerball};

/// What says that there is no legal move.
const NULL_MOVE: &str = "0000";

/// Makes a new mind for each game.
type MakeBrain<'a> = &'a mut dyn FnMut(&GameSetup) -> Box<dyn Brain>;

/// What to do about a message.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// It needs no answer.
    Nothing,
    /// Tell everybody.
    Say(String),
    /// Write down that it was not understood.
    Log(String),
    /// Go.
    Goodbye,
}

/// A move that waits for `stop`.
struct Ready {
    turn: String,
    /// When `go` came.
    asked: Instant,
    /// When the move was there.
    found: Instant,
}

/// A game from the bot's point of view.
pub(super) struct HouseGame<'a> {
    make_brain: MakeBrain<'a>,
    /// Made when the bot is first asked: only then does it know its side.
    brain: Option<Box<dyn Brain>>,
    setup: GameSetup,
    position: Box<dyn AnyPosition>,
    turns: Vec<String>,
    /// The move to answer `stop` with.
    ready: Option<Ready>,
    tempo: Tempo,
    /// Whether the game was begun in the later dialect, by the name of its board.
    named: bool,
}

impl<'a> HouseGame<'a> {
    pub(super) fn new(make_brain: MakeBrain<'a>) -> HouseGame<'a> {
        let variant = Rollerball.variants()[0].to_owned();
        let setup = GameSetup { game: &Rollerball, variant, rules: RuleSet::Server, position: None, swapped: false };
        let position = start(&setup.variant, setup.rules);
        HouseGame {
            make_brain,
            brain: None,
            setup,
            position,
            turns: Vec::new(),
            ready: None,
            tempo: Tempo::new(),
            named: false,
        }
    }

    /// Hears one message.
    pub(super) fn hear(&mut self, message: &str) -> Answer {
        let words: Vec<&str> = message.split_whitespace().collect();
        match words.as_slice() {
            ["uci", ..] => Answer::Say("uciok".to_owned()),
            ["isready", ..] => Answer::Say("readyok".to_owned()),
            ["ucinewgame"] => {
                self.named = false;
                self.begin(Rollerball.variants()[0]);
                Answer::Nothing
            }
            ["ucinewgame", board, ..] => match board.strip_prefix("board-") {
                Some(variant) if Rollerball.variants().contains(&variant) => {
                    self.named = true;
                    self.begin(variant);
                    Answer::Say("newgameok".to_owned())
                }
                _ => Answer::Log(format!("unknown board {}, expected 'board-7-3' or the like", quote(board))),
            },
            ["position", "startpos", "moves", turns @ ..] => {
                let bare: Vec<&str> = turns.iter().map(|turn| turn.trim_end_matches(['+', '#', '-'])).collect();
                self.follow(&bare)
            }
            ["go"] => {
                if self.ready.is_none() {
                    let asked = Instant::now();
                    let turn = self.choose(self.tempo.until_stop());
                    self.ready = Some(Ready { turn, asked, found: Instant::now() });
                }
                Answer::Nothing
            }
            ["go", time, ..] => match time.parse() {
                Ok(time) => {
                    self.ready = None;
                    let (asked, budget) = (Instant::now(), self.tempo.told(Duration::from_millis(time)));
                    let turn = self.choose(budget);
                    self.tempo.thought(asked.elapsed());
                    let turn = self.settle(&turn);
                    Answer::Say(format!("bestmove {turn}"))
                }
                Err(_) => self.hear("go"),
            },
            ["stop", ..] => match self.ready.take() {
                Some(Ready { turn, asked, found }) => {
                    self.tempo.stopped(asked.elapsed(), found.elapsed());
                    let turn = self.settle(&turn);
                    let mark = if turn == NULL_MOVE { "" } else { self.end_mark() };
                    Answer::Say(format!("bestmove {turn}{mark}"))
                }
                None => Answer::Nothing,
            },
            ["quit", ..] if !self.named => Answer::Goodbye,
            ["quit", ..] | [] => Answer::Nothing,
            [word, ..] => Answer::Log(format!("unsupported message {}", quote(word))),
        }
    }

    fn begin(&mut self, variant: &str) {
        variant.clone_into(&mut self.setup.variant);
        self.position = start(variant, self.setup.rules);
        self.turns.clear();
        self.brain = None;
        self.ready = None;
        self.tempo.begin();
    }

    /// The originals look only at the last move and apply it to their own board, so whoever speaks to them must be careful. So do we
    /// where that is what must be meant; but a list that is another game from the start is believed, for then it is our board that is
    /// wrong: somebody began a new game, or left and came back.
    fn follow(&mut self, turns: &[&str]) -> Answer {
        let Some((last, before)) = turns.split_last() else { return Answer::Nothing };
        if self.turns == turns {
            return Answer::Nothing;
        }
        // A lone move may be all that somebody sends of a longer game.
        if (self.turns == before || before.is_empty()) && self.play(last) {
            return Answer::Nothing;
        }
        let mut other = start(&self.setup.variant, self.setup.rules);
        let played: Option<Vec<String>> = turns.iter().map(|turn| play_on(&mut other, turn, &self.setup)).collect();
        if let Some(played) = played {
            self.position = other;
            self.turns = played;
            return Answer::Nothing;
        }
        if self.play(last) {
            return Answer::Nothing;
        }
        Answer::Log(format!("the move {} cannot be played on {}", quote(last), self.position.text()))
    }

    fn play(&mut self, turn: &str) -> bool {
        let played = play_on(&mut self.position, turn, &self.setup);
        let possible = played.is_some();
        self.turns.extend(played);
        possible
    }

    /// A legal move, or the null move.
    fn choose(&mut self, budget: Budget) -> String {
        forget_history(&mut self.position);
        if self.position.outcome().is_some() {
            return NULL_MOVE.to_owned();
        }
        let side = self.position.turn();
        let (setup, make_brain) = (&self.setup, &mut self.make_brain);
        let brain = self.brain.get_or_insert_with(|| {
            let mut brain = make_brain(setup);
            brain.new_game(setup, side);
            brain
        });
        brain.choose(&Ask { side, position: &*self.position, turns: &self.turns, budget, patience: None })
    }

    /// Plays a move on the own board and gives it, or another one if the board has changed between `go` and `stop`.
    fn settle(&mut self, turn: &str) -> String {
        let mut turn = turn.to_owned();
        if turn != NULL_MOVE && !self.play(&turn) {
            turn = self.choose(Budget::Turn(Duration::ZERO));
            self.play(&turn);
        }
        turn
    }

    /// What the page of the earlier dialect looks for behind a move that ends the game: without it the page goes on, asks the side that
    /// is mated for a move, and calls the end a draw. A move with a mark is the last one, so no bot reads it.
    fn end_mark(&self) -> &'static str {
        match self.position.outcome().map(|outcome| outcome.reason) {
            Some(CHECKMATE) => "#",
            Some(Reason::STALEMATE) => "-",
            _ => "",
        }
    }
}

fn start(variant: &str, rules: RuleSet) -> Box<dyn AnyPosition> {
    Rollerball.open(variant, rules).expect("a board of this game")
}

/// Plays a move and gives it as it is printed; `None` if it cannot be played.
fn play_on(position: &mut Box<dyn AnyPosition>, turn: &str, setup: &GameSetup) -> Option<String> {
    forget_history(position);
    if let Ok(turn) = position.play(turn) {
        return Some(turn);
    }
    // The later generation of originals has another rule for bishops in the corner. Our own moves are legal in both, but one of
    // theirs may be legal only there.
    let mut other = start(&setup.variant, RuleSet::Text);
    other.set_up(&position.text()).ok()?;
    let played = other.play(turn).ok()?;
    position.set_up(&other.text()).ok()?;
    Some(played)
}

/// Not every conductor knows the draws by repetition and by too many moves: whoever plays on wants an answer.
fn forget_history(position: &mut Box<dyn AnyPosition>) {
    let outcome = position.outcome();
    if outcome.is_some_and(|outcome| !matches!(outcome.reason, CHECKMATE | Reason::STALEMATE)) {
        let text = position.text();
        let _ = position.set_up(&text);
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::{Random, Side};

    use super::*;

    /// Plays one move, whatever it is asked.
    struct Script(String);

    impl Brain for Script {
        fn name(&self) -> String {
            "script".to_owned()
        }

        fn new_game(&mut self, _setup: &GameSetup, _side: Side) {}

        fn choose(&mut self, _ask: &Ask<'_>) -> String {
            self.0.clone()
        }
    }

    /// A random game that ends like this.
    fn game_with(reason: Reason) -> Vec<String> {
        for seed in 1.. {
            let (mut position, mut random) = (start("7-3", RuleSet::Server), Random::new(seed));
            let mut turns = Vec::new();
            while let Some(turn) = position.random_turn(&mut random) {
                turns.push(position.play(&turn).expect("a legal turn"));
            }
            if position.outcome().is_some_and(|outcome| outcome.reason == reason) {
                return turns;
            }
        }
        unreachable!("there is such a game");
    }

    #[test]
    fn a_last_move_is_marked_after_stop_and_only_there() {
        for (reason, mark) in [(CHECKMATE, "#"), (Reason::STALEMATE, "-")] {
            let turns = game_with(reason);
            let (last, before) = turns.split_last().expect("a game");
            let mut make_brain = |_: &GameSetup| -> Box<dyn Brain> { Box::new(Script(last.clone())) };
            let mut bot = HouseGame::new(&mut make_brain);
            let told = format!("position startpos moves {}", before.join(" "));
            for question in [told.as_str(), "go"] {
                assert_eq!(bot.hear(question), Answer::Nothing);
            }
            assert_eq!(bot.hear("stop"), Answer::Say(format!("bestmove {last}{mark}")));
            bot.hear("ucinewgame board-7-3 60");
            bot.hear(&told);
            assert_eq!(bot.hear("go 60000"), Answer::Say(format!("bestmove {last}")));
        }
    }
}
