//! The referee's end.

use std::time::Duration;

use agon_rules::{Clock, Side, quote};
use agon_wire::{
    Ask, Bot, BotFailure, BotProcess, Budget, Deadline, Fault, GameSetup, HostError, Moment, Program, Reach, Reply,
    WebsocketLink,
};

/// The only board of the A2 dialect.
const A2_BOARD: &str = "7-3";

/// What the original waited between `go` and `stop` unless somebody changed it.
const USUAL_THINKING: Duration = Duration::from_secs(2);

/// How long a bot without a clock thinks before it is told to stop.
const UNHURRIED_THINKING: Duration = Duration::from_secs(1);

/// The original's clock, for bots that must be told some time although none is measured.
const USUAL_CLOCK: Duration = Duration::from_secs(60);

/// The clock of the course's second round on the small board; the larger ones have theirs in any case.
const A5_CLOCK: Duration = Duration::from_secs(120);

/// What a bot needs between `stop` and its answer, at the least.
const ANSWERING: Duration = Duration::from_millis(50);

/// Which of the two protocols a bot speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    /// `go`, then `stop`.
    A2,
    /// `go MILLISECONDS`.
    A5,
}

/// An option that our own recipes set: the bot understands the name of the rule set behind the time.
pub(crate) const TELL_RULES: &str = "tell_rules";

/// A bot that is a websocket server. One that we start is started anew for every game; one that runs somewhere gets a new
/// connection.
pub(super) struct WebsocketBot {
    program: Program,
    link: Option<WebsocketLink>,
    /// What it speaks, as far as that is known.
    dialect: Option<Dialect>,
    /// How many turns of the game the bot knows of.
    known: usize,
    /// Whether the bot is told what it has left for the game, on a board where the first round gave each turn its time.
    is_for_a_whole_game: bool,
}

impl WebsocketBot {
    pub(super) fn new(program: Program) -> WebsocketBot {
        WebsocketBot { program, link: None, dialect: None, known: 0, is_for_a_whole_game: false }
    }

    fn is_elsewhere(&self) -> bool {
        matches!(self.program.reach, Reach::At(_))
    }

    /// Finds out which dialect the bot speaks, and makes it ready for a game.
    fn greet(&self, link: &mut WebsocketLink, setup: &GameSetup, seconds: u64) -> Result<Dialect, BotFailure> {
        let variant = setup.variant.as_str();
        let wanted = self.dialect_option()?;
        let deadline = Some(Deadline::from_now(link.limits().start));
        if wanted == Some(Dialect::A2) {
            check_board(variant)?;
        }
        link.send("uci");
        wait_for(link, &["uciok"], deadline)?;
        let mut new_game = format!("ucinewgame board-{variant} {seconds}");
        // The originals never said which rules are in force. A program that we built ourselves can be told.
        if self.program.options.contains_key(TELL_RULES) {
            new_game.push_str(&format!(" {}", setup.rules));
        }
        match wanted {
            Some(Dialect::A2) => {
                // The original never said so: its bots live for one game. One that runs somewhere may have played before.
                if self.is_elsewhere() {
                    link.send("ucinewgame");
                }
                link.send("isready");
                wait_for(link, &["readyok"], deadline)?;
                Ok(Dialect::A2)
            }
            Some(Dialect::A5) => {
                link.send(&new_game);
                wait_for(link, &["newgameok"], deadline)?;
                Ok(Dialect::A5)
            }
            None => {
                // Each dialect has an answer to one of these and only a line in its log for the other.
                link.send(&new_game);
                link.send("isready");
                if wait_for(link, &["newgameok", "readyok"], deadline)? == "newgameok" {
                    return Ok(Dialect::A5);
                }
                check_board(variant)?;
                Ok(Dialect::A2)
            }
        }
    }

    fn dialect_option(&self) -> Result<Option<Dialect>, Fault> {
        match self.program.options.get("dialect").map(String::as_str) {
            None => Ok(None),
            Some("a2") => Ok(Some(Dialect::A2)),
            Some("a5") => Ok(Some(Dialect::A5)),
            Some(other) => {
                let what = format!("its option 'dialect': expected 'a2' or 'a5', found {}", quote(other));
                Err(Fault::WouldNotStart(what))
            }
        }
    }
}

impl Bot for WebsocketBot {
    fn name(&self) -> String {
        self.program.name.clone()
    }

    fn begin(&mut self, setup: &GameSetup, side: Side, budget: Budget) -> Result<(), BotFailure> {
        if setup.position.is_some() {
            let problem = "the 'websocket' protocol knows only games from the start position";
            return Err(HostError(problem.to_owned()).into());
        }
        let clock = match budget {
            Budget::Clocks { left, .. } => left[side],
            Budget::Turn(_) | Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => USUAL_CLOCK,
        };
        let seconds = clock.as_secs() + u64::from(clock.subsec_nanos() > 0);
        self.known = 0;
        let mut link = WebsocketLink::new(self.program.launcher.clone());
        let ready = link
            .open(&self.program.reach, "-p")
            .and_then(|()| self.greet(&mut link, setup, seconds))
            .map_err(|failure| failure.before_the_first_turn(link.limits().start));
        // Kept even if it failed: what it wrote to stderr is asked for at the end.
        self.link = Some(link);
        let dialect = ready?;
        self.dialect = Some(dialect);
        self.is_for_a_whole_game = dialect == Dialect::A5 && setup.variant == A2_BOARD;
        Ok(())
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let Some((link, dialect)) = self.link.as_mut().zip(self.dialect) else {
            return Err(Fault::WouldNotStart("the bot is not running".to_owned()).into());
        };
        let unknown = ask.turns.len().saturating_sub(self.known);
        if unknown > 1 {
            let problem =
                "the 'websocket' protocol knows only games from the start: a bot cannot be told its own turns";
            return Err(HostError(problem.to_owned()).into());
        }
        refuse_unasked(link)?;
        let cpu_before = link.process().and_then(BotProcess::cpu_time);
        // The bot applies the last move of the list whatever it is: its own must never be that.
        if unknown > 0 || ask.turns.is_empty() {
            link.send(&format!("position startpos moves {}", ask.turns.join(" ")));
        }
        let start = Moment::now();
        let stop = match dialect {
            Dialect::A2 => {
                link.send("go");
                Some(Deadline::after(start, thinking_time(ask)))
            }
            Dialect::A5 => {
                link.send(&format!("go {}", time_to_tell(ask).as_millis()));
                None
            }
        };
        let answer = wait_for_bestmove(link, stop, ask.patience.map(|patience| Deadline::after(start, patience)))?;
        let wall = start.elapsed();
        self.known = ask.turns.len() + 1;
        if answer.turn == "0000" {
            return Err(null_move(ask).into());
        }
        let cpu_after = link.process().and_then(BotProcess::cpu_time);
        Ok(Reply {
            turn: answer.turn,
            wall,
            stalled: start.stalled(),
            cpu: cpu_after.zip(cpu_before).map(|(after, before)| after.saturating_sub(before)),
            stray: answer.stray,
            stderr: link.take_stderr(),
            info: answer.info,
            ..Reply::default()
        })
    }

    fn clock(&self) -> Option<Clock> {
        self.is_for_a_whole_game.then_some(Clock::Total(A5_CLOCK))
    }

    fn process(&mut self) -> Option<&mut BotProcess> {
        self.link.as_mut()?.process_mut()
    }

    fn end(&mut self) -> String {
        let elsewhere = self.is_elsewhere();
        let dialect = self.dialect.take();
        let Some(mut link) = self.link.take() else { return String::new() };
        // The original said `quit` to every bot. In A2 that ends the bot: one that somebody else started would be gone after the
        // first of two matches, so it is spared.
        let spare = elsewhere && dialect != Some(Dialect::A5);
        link.finish((!spare).then_some("quit"), dialect != Some(Dialect::A5))
    }
}

fn check_board(variant: &str) -> Result<(), Fault> {
    if variant == A2_BOARD {
        return Ok(());
    }
    let what = format!("its dialect is A2, which knows only the board {A2_BOARD}, not {variant}");
    Err(Fault::WouldNotStart(what))
}

/// Waits for a message that is one of `words`, and gives it. Whatever else comes is chatter, an answer too: a bot that runs
/// somewhere may still be thinking about its last game.
fn wait_for(link: &mut WebsocketLink, words: &[&str], deadline: Option<Deadline>) -> Result<String, BotFailure> {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    loop {
        let line = link.next_line(deadline, &quoted.join(" or "))?;
        if words.contains(&line.trim()) {
            return Ok(line.trim().to_owned());
        }
    }
}

/// Chatter may come at any time, an answer only after a question.
fn refuse_unasked(link: &mut WebsocketLink) -> Result<(), BotFailure> {
    let lines = link.unasked_lines("'bestmove'")?;
    match lines.iter().find(|line| line.split_whitespace().next() == Some("bestmove")) {
        Some(line) => {
            Err(Fault::ProtocolViolation(format!("an answer that was not asked for: {}", quote(line))).into())
        }
        None => Ok(()),
    }
}

/// How long to wait before `stop`.
fn thinking_time(ask: &Ask<'_>) -> Duration {
    let thinking = match ask.budget {
        Budget::Turn(time) => time,
        // Thirty moves more, as good a guess as any: the bot cannot be asked how much it wants.
        Budget::Clocks { left, .. } => (left[ask.side] / 30).clamp(Duration::from_millis(10), USUAL_THINKING),
        Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => UNHURRIED_THINKING,
    };
    // The answer comes after `stop`. Where no grace is left for it, `stop` must come sooner.
    ask.patience.map_or(thinking, |patience| thinking.min(patience.saturating_sub(ANSWERING).max(patience / 2)))
}

/// What a bot is told that it has left.
fn time_to_tell(ask: &Ask<'_>) -> Duration {
    match ask.budget {
        Budget::Turn(time) => time,
        Budget::Clocks { left, .. } => left[ask.side],
        Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => USUAL_CLOCK,
    }
}

#[derive(Default)]
struct Answer {
    turn: String,
    info: Option<String>,
    stray: Vec<String>,
}

/// Says `stop` when it is time to, and waits for the answer. One that comes sooner is as good.
fn wait_for_bestmove(
    link: &mut WebsocketLink,
    mut stop: Option<Deadline>,
    deadline: Option<Deadline>,
) -> Result<Answer, BotFailure> {
    let waiting_for = "'bestmove'";
    let mut answer = Answer::default();
    loop {
        let line = match stop {
            None => link.next_line(deadline, waiting_for)?,
            Some(_) => match link.line_until(stop, waiting_for)? {
                Some(line) => line,
                None => {
                    link.send("stop");
                    stop = None;
                    continue;
                }
            },
        };
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match word {
            "bestmove" => {
                answer.turn = read_bestmove(&line, rest)?;
                return Ok(answer);
            }
            "info" => answer.info = Some(rest.trim().to_owned()),
            // Late answers to what both dialects were asked at the beginning.
            "readyok" | "newgameok" => {}
            _ => answer.stray.push(line),
        }
    }
}

/// The move without `+`, `#` or `-`: the originals worked these out and forgot to send them, so some bots do send them.
fn read_bestmove(line: &str, rest: &str) -> Result<String, Fault> {
    let Some(turn) = rest.split_whitespace().next() else {
        return Err(Fault::ProtocolViolation(format!("bestmove without a move: {}", quote(line))));
    };
    Ok(turn.strip_suffix(['+', '#', '-']).unwrap_or(turn).to_owned())
}

/// A bot says so when it has no legal move. It is never asked then.
fn null_move(ask: &Ask<'_>) -> Fault {
    let legal = ask.position.legal_turns(1000).unwrap_or_default();
    let example = legal.first().and_then(|turn| turn.spellings.first()).map_or("one", String::as_str);
    let rule = format!("the null move says that there is no legal one, but {example} is ({} in all)", legal.len());
    Fault::IllegalTurn { turn: "0000".to_owned(), rule }
}
