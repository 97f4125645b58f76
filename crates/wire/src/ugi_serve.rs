//! The bot's end of UGI, for house bots: `agon bot`.
//!
//! A search runs in a thread of its own, so that `stop`, `isready` and `quit` are heard meanwhile.

use std::{
    io::{self, BufRead, Write},
    mem,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, Scope, ScopedJoinHandle},
    time::Duration,
};

use agon_rules::{AnyGame, AnyPosition, BySide, RuleSet};

use crate::{
    Info,
    bot::{Ask, Budget, GameSetup},
    house::{Brain, Onlooker},
    ugi::PLAYS,
    words,
};

/// Searches go deep.
const STACK: usize = 16 << 20;

/// Speaks UGI with whoever is at the other end until `quit` or the end of the input; both end a search, too.
///
/// `brain` makes a new mind for each game. What cannot be understood is answered with an `info string`, and ignored.
pub fn serve_ugi(
    game: &'static dyn AnyGame,
    brain: &mut dyn FnMut(&GameSetup) -> Box<dyn Brain>,
    input: impl BufRead,
    output: impl Write + Send,
) -> io::Result<()> {
    let voice = Voice(Mutex::new(output));
    let setup = GameSetup {
        game,
        variant: game.variants()[0].to_owned(),
        rules: game.rule_sets()[0],
        position: None,
        swapped: false,
    };
    let session = Session { brain: brain(&setup), setup, position: None, turns: Vec::new(), fresh: true };
    thread::scope(|scope| {
        let mut server = Server { scope, voice: &voice, doing: Doing::Nothing(Box::new(session)) };
        let heard = server.listen(brain, input);
        // Whatever happened, a search must not go on: the scope would wait for it.
        server.stop();
        heard.and(server.rest().map(drop))
    })
}

/// What everybody writes to, a whole line at a time.
struct Voice<W>(Mutex<W>);

impl<W: Write> Voice<W> {
    fn say(&self, text: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{text}")?;
        output.flush()
    }

    fn complain(&self, problem: &str) -> io::Result<()> {
        self.say(&format!("info string error: {problem}"))
    }
}

/// A search in its thread, which gives the session back.
struct Thinking<'scope> {
    thread: ScopedJoinHandle<'scope, (Box<Session>, io::Result<()>)>,
    stop: Arc<AtomicBool>,
    until_stopped: bool,
}

enum Doing<'scope> {
    Nothing(Box<Session>),
    Thinking(Thinking<'scope>),
    /// Only while one becomes the other.
    Changing,
}

struct Server<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    voice: &'scope Voice<W>,
    doing: Doing<'scope>,
}

impl<W: Write + Send> Server<'_, '_, W> {
    fn listen(&mut self, brain: &mut dyn FnMut(&GameSetup) -> Box<dyn Brain>, input: impl BufRead) -> io::Result<()> {
        for line in input.lines() {
            let words = match words::split(&line?) {
                Ok(words) => words,
                Err(problem) => {
                    self.voice.complain(&problem.to_string())?;
                    continue;
                }
            };
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words.as_slice() {
                [] => {}
                ["quit"] => break,
                ["stop"] => self.stop(),
                ["isready"] if self.is_thinking() => self.voice.say("readyok")?,
                ["ponderhit"] | ["go", "ponder", ..] => {
                    self.voice
                        .complain("this bot does not think on its opponent's time: send 'go' when it is to move")?;
                }
                [word, ..] if self.waits_for_stop() => {
                    let word = agon_rules::quote(word);
                    self.voice.complain(&format!(
                        "{word} while the bot thinks until it is told to stop: send 'stop' first"
                    ))?;
                }
                ["go", limits @ ..] => self.go(limits)?,
                words => {
                    let voice = self.voice;
                    self.rest()?.obey(words, brain, voice)?;
                }
            }
        }
        Ok(())
    }

    fn is_thinking(&self) -> bool {
        matches!(&self.doing, Doing::Thinking(search) if !search.thread.is_finished())
    }

    /// Whether a search runs that nothing but `stop` ends, and that has not been told to.
    fn waits_for_stop(&self) -> bool {
        matches!(&self.doing, Doing::Thinking(search) if search.until_stopped && !search.stop.load(Ordering::Acquire))
    }

    fn stop(&self) {
        if let Doing::Thinking(search) = &self.doing {
            search.stop.store(true, Ordering::Release);
            search.thread.thread().unpark();
        }
    }

    /// Waits for the end of the search, if there is one.
    fn rest(&mut self) -> io::Result<&mut Session> {
        let mut said = Ok(());
        self.doing = match mem::replace(&mut self.doing, Doing::Changing) {
            Doing::Thinking(search) => {
                let (session, result) = search.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                said = result;
                Doing::Nothing(session)
            }
            other => other,
        };
        said?;
        match &mut self.doing {
            Doing::Nothing(session) => Ok(session),
            Doing::Thinking(_) | Doing::Changing => Err(io::Error::other("the search was lost")),
        }
    }

    fn go(&mut self, limits: &[&str]) -> io::Result<()> {
        let voice = self.voice;
        if !self.rest()?.is_ready_to_think(voice)? {
            return Ok(());
        }
        let Doing::Nothing(mut session) = mem::replace(&mut self.doing, Doing::Changing) else { return Ok(()) };
        let (budget, until_stopped) = (read_limits(limits), limits.contains(&"infinite"));
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let search = move || {
            let said = session.think(budget, until_stopped, told, voice);
            (session, said)
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(self.scope, search)?;
        self.doing = Doing::Thinking(Thinking { thread, stop, until_stopped });
        Ok(())
    }
}

struct Session {
    setup: GameSetup,
    /// The position and whether it was set up without error.
    position: Option<Box<dyn AnyPosition>>,
    turns: Vec<String>,
    brain: Box<dyn Brain>,
    /// Whether the brain has not seen this game yet.
    fresh: bool,
}

impl Session {
    fn obey<W: Write>(
        &mut self,
        words: &[&str],
        brain: &mut dyn FnMut(&GameSetup) -> Box<dyn Brain>,
        voice: &Voice<W>,
    ) -> io::Result<()> {
        let done = match words {
            ["ugi"] => return voice.say(&self.introduction()),
            ["isready"] => {
                if self.fresh {
                    self.brain.prepare(&self.setup);
                }
                return voice.say("readyok");
            }
            ["uginewgame"] => {
                self.brain = brain(&self.setup);
                self.fresh = true;
                Ok(())
            }
            ["setoption", "name", "Game", "value", other] if *other != self.setup.game.name() => {
                return voice.say(&format!("{PLAYS}{}", self.setup.game.name()));
            }
            ["setoption", "name", name, "value", value] => self.set_option(name, value),
            ["position", rest @ ..] => self.set_position(rest),
            [word, ..] => Err(format!("cannot understand {}", agon_rules::quote(word))),
            [] => Ok(()),
        };
        done.or_else(|problem| voice.complain(&problem))
    }

    fn introduction(&self) -> String {
        let game = self.setup.game;
        [
            format!("id name agon {}", self.brain.name()),
            "id author the Agon authors".to_owned(),
            format!("option name Game type string default {}", game.name()),
            format!("option name Variant type string default {}", game.variants()[0]),
            format!("option name Rules type string default {}", game.rule_sets()[0]),
            "ugiok".to_owned(),
        ]
        .join("\n")
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "Game" => {}
            "Variant" => value.clone_into(&mut self.setup.variant),
            "Rules" => self.setup.rules = value.parse::<RuleSet>().map_err(|problem| problem.to_string())?,
            _ => return Err(format!("no option {}", agon_rules::quote(name))),
        }
        self.fresh = true;
        Ok(())
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let before = self.position.take().filter(|_| !self.fresh);
        self.position = Some(self.read_position(words, before)?);
        Ok(())
    }

    /// The position that `words` describe. If it comes after the one `before`, only what is new is played: in a long game the clock
    /// would run through all of it at every turn.
    fn read_position(
        &mut self,
        words: &[&str],
        before: Option<Box<dyn AnyPosition>>,
    ) -> Result<Box<dyn AnyPosition>, String> {
        let (start, rest) = match words {
            ["startpos", rest @ ..] => (None, rest),
            ["fen", text, rest @ ..] => (Some(*text), rest),
            _ => return Err("expected 'position startpos' or 'position fen \"…\"'".to_owned()),
        };
        let turns = match rest {
            [] => &[],
            ["moves", turns @ ..] => turns,
            [word, ..] => return Err(format!("expected 'moves', found {}", agon_rules::quote(word))),
        };
        let goes_on = |position: &dyn AnyPosition| {
            position.start_text().as_deref() == start
                && turns.len() >= self.turns.len()
                && self.turns.iter().eq(&turns[..self.turns.len()])
        };
        let mut position = match before.filter(|before| goes_on(&**before)) {
            Some(position) => position,
            None => {
                self.turns.clear();
                self.set_up(start)?
            }
        };
        for turn in &turns[self.turns.len()..] {
            position.play(turn).map_err(|e| format!("turn {}: {e}", agon_rules::quote(turn)))?;
            self.turns.push((*turn).to_owned());
        }
        Ok(position)
    }

    fn set_up(&self, start: Option<&str>) -> Result<Box<dyn AnyPosition>, String> {
        let mut position =
            self.setup.game.open(&self.setup.variant, self.setup.rules).map_err(|e| format!("set-up: {e}"))?;
        if let Some(text) = start {
            position.set_up(text).map_err(|e| format!("position: {e}"))?;
        }
        Ok(position)
    }

    /// Whether there is a position to think about. Says what is wrong, if there is none.
    fn is_ready_to_think<W: Write>(&mut self, voice: &Voice<W>) -> io::Result<bool> {
        if self.position.is_none()
            && let Err(problem) = self.set_position(&["startpos"])
        {
            voice.complain(&problem)?;
            return Ok(false);
        }
        let outcome = self.position.as_ref().and_then(|position| position.outcome());
        if let Some(outcome) = outcome {
            voice.complain(&format!("the game is over ({})", outcome.reason))?;
        }
        Ok(outcome.is_none())
    }

    /// Thinks, says what it finds, and answers; not before it is told to stop, if only that ends the search.
    fn think<W: Write>(
        &mut self,
        budget: Budget,
        until_stopped: bool,
        stop: Arc<AtomicBool>,
        voice: &Voice<W>,
    ) -> io::Result<()> {
        let Some(position) = &self.position else { return Ok(()) };
        let side = position.turn();
        if mem::take(&mut self.fresh) {
            self.brain.new_game(&self.setup, side);
        }
        let ask = Ask { side, position: &**position, turns: &self.turns, budget, patience: None };
        let mut said = Ok(());
        let mut tell = |info: &Info| {
            if said.is_ok() {
                said = voice.say(&format!("info {info}"));
            }
        };
        let onlooker = Onlooker { tell: &mut tell, stop: Some(Arc::clone(&stop)), until_stopped };
        let turn = self.brain.think(&ask, onlooker);
        said?;
        while until_stopped && !stop.load(Ordering::Acquire) {
            thread::park();
        }
        voice.say(&words::joined(["bestmove", turn.as_str()]))
    }
}

/// The limits of a `go`.
fn read_limits(words: &[&str]) -> Budget {
    let number = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let milliseconds = |first: &str, second: &str| {
        BySide::new(number(first), number(second)).map(|time| time.map(Duration::from_millis))
    };
    if let Some(nodes) = number("nodes") {
        return Budget::Nodes(nodes);
    }
    if let Some(depth) = number("depth") {
        return Budget::Depth(depth.try_into().unwrap_or(u32::MAX));
    }
    if let Some(time) = number("movetime") {
        return Budget::Turn(Duration::from_millis(time));
    }
    let left = milliseconds("p1time", "p2time");
    if left == BySide::default() {
        return Budget::Unlimited;
    }
    Budget::Clocks {
        left: left.map(|time| time.unwrap_or(Duration::from_secs(1))),
        increment: milliseconds("p1inc", "p2inc").map(Option::unwrap_or_default),
    }
}
