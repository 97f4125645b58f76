//! The client: a player at a server, with its own board and its own clock.

use std::{
    collections::VecDeque,
    io,
    net::TcpStream,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use agon_rules::{AnyPosition, Ending, Outcome, Random, RuleSet, Side, quote};

use super::{
    Console,
    connection::{Connection, Trouble},
    line::{Broken, Line, reason_of, shown},
    message::Message,
    player::{Heard, Player},
    verdict::{Offence, score_text, written_like_python},
};
use crate::{FirstLine, RelayGame};

const STARS: &str = "***********************************";

/// What a client is told.
#[derive(Clone, Copy, Debug)]
pub struct ClientOptions<'a> {
    /// How long to wait for each message of the server.
    pub patience: Duration,
    /// Set when the client is to give up, as by Ctrl-C.
    pub stop: &'a AtomicBool,
}

/// How a client's work ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientEnd {
    /// The game is over, whoever won; the opponent may have broken it.
    Finished,
    /// This client's player failed, or the connection did.
    Failed(String),
}

/// Plays a game at the server behind `stream`.
pub fn play_at(
    game: &'static dyn RelayGame,
    stream: TcpStream,
    player: Player,
    options: ClientOptions<'_>,
    console: &mut dyn Console,
) -> io::Result<ClientEnd> {
    let connection = Connection::new(stream, options.patience)?;
    let mut line = Line { connection, player, early: VecDeque::new(), options, console };
    let end = match line.begin(game) {
        Ok(first) => Seat::take(game, first, &mut line).map_or_else(|end| end, |mut seat| seat.play()),
        Err(end) => end,
    };
    line.player.stop();
    line.connection.close();
    Ok(end)
}

/// A player's place in a game.
struct Seat<'a, 'b> {
    line: &'a mut Line<'b>,
    side: Side,
    variant: String,
    position: Box<dyn AnyPosition>,
    /// Milliseconds left.
    left: i64,
}

impl<'a, 'b> Seat<'a, 'b> {
    /// Says who plays what, and tells the bot.
    fn take(game: &dyn RelayGame, first: FirstLine, line: &'a mut Line<'b>) -> Result<Seat<'a, 'b>, ClientEnd> {
        let position = game.game().open(&first.variant, RuleSet::Server).map_err(|problem| {
            line.console.print("ERROR IN SETTING UP CONNECTIONS. SORRY");
            ClientEnd::Failed(problem.to_string())
        })?;
        for text in [
            STARS,
            "",
            &format!("-> You are player {}", first.side.number()),
            &format!("-> You are alloted a time of {}s", first.seconds),
            "",
            STARS,
            "",
        ] {
            line.console.print(text);
        }
        line.player.tell(&game.first_line(&first));
        if line.player.is_person() {
            let name = game.game().sides()[first.side.index()];
            let example = position.random_turn(&mut Random::new(1)).unwrap_or_default();
            line.console.tell(&format!("you are {name}; type a turn when asked, for example: {example}"));
        }
        let left = i64::try_from(first.seconds).unwrap_or(i64::MAX / 1000).saturating_mul(1000);
        Ok(Seat { line, side: first.side, variant: first.variant, position, left })
    }

    fn play(&mut self) -> ClientEnd {
        if self.side == Side::Second
            && let Err(end) = self.other_turn()
        {
            return end;
        }
        loop {
            if let Err(end) = self.own_turn().and_then(|()| self.other_turn()) {
                return end;
            }
        }
    }

    /// A turn of this client's player. A person may try again while the clock runs.
    fn own_turn(&mut self) -> Result<(), ClientEnd> {
        self.line.console.show(&self.variant, &*self.position);
        self.line.console.print(&format!("Time remaining is: {}s", self.seconds_left()));
        loop {
            let line = self.wait_for_line()?;
            let turn = line.trim();
            match self.try_turn(turn) {
                Ok(()) => return self.hand_over(turn),
                Err(rule) if self.line.player.is_person() => {
                    let left = self.seconds_left();
                    self.line.console.tell(&format!("refused: {rule}; try again, {left} s are left"));
                }
                Err(rule) => {
                    self.line.console.print(&format!("You played : {}", shown(turn)));
                    return Err(self.invalid(&format!("{}: {rule}", quote(turn))));
                }
            }
        }
    }

    /// The seconds on the clock; one that has begun counts.
    fn seconds_left(&self) -> i64 {
        self.left / 1000 + i64::from(self.left % 1000 > 0)
    }

    /// Waits for the player and counts the time: whole milliseconds, at least one. The originals wait until the end of the
    /// second that has begun, but a line that comes in it is too late.
    fn wait_for_line(&mut self) -> Result<String, ClientEnd> {
        let start = Instant::now();
        let deadline = start + Duration::from_secs(self.seconds_left().unsigned_abs());
        let heard = match self.line.next_line(deadline) {
            Ok(heard) => heard,
            Err(broken) => return Err(self.broken(broken)),
        };
        if self.line.early.front().is_some_and(Message::is_last)
            && let Some(last) = self.line.early.pop_front()
        {
            return Err(self.over(&last));
        }
        let used = i64::try_from(start.elapsed().as_millis()).unwrap_or(i64::MAX).max(1);
        self.left = self.left.saturating_sub(used);
        match heard {
            Heard::Line(_) | Heard::Unreadable(_) | Heard::Nothing if self.left <= 0 => Err(self.out_of_time()),
            Heard::Nothing => Err(self.out_of_time()),
            Heard::Line(line) => Ok(line),
            Heard::Unreadable(problem) => Err(self.invalid(&problem)),
            // The originals do not notice the end of a bot and wait until its time is up.
            Heard::End => {
                self.line.console.print("ERROR : THIS CLIENT STOPPED UNEXPECTEDLY OR TIMED OUT");
                let who = if self.line.player.is_person() { "the input" } else { "the bot" };
                Err(self.fault(self.side, Offence::UnexpectedStop, format!("{who} ended before the game did")))
            }
        }
    }

    fn try_turn(&mut self, turn: &str) -> Result<(), String> {
        if !Message::finish(" ".repeat(LONGEST_META), turn).fits() {
            return Err("a turn that long cannot be sent".to_owned());
        }
        self.position.play(turn).map(drop).map_err(|rule| rule.to_string())
    }

    /// Sends a turn that has been made.
    fn hand_over(&mut self, turn: &str) -> Result<(), ClientEnd> {
        self.line.console.print(&format!("You played : {turn}"));
        let Some(outcome) = self.position.outcome() else {
            return self.send(&Message::normal(turn));
        };
        self.print_result(outcome);
        self.line.player.stop();
        let scores = score_text(self.side, self.position.points(Ending::Over(outcome)));
        self.send(&Message::finish(scores, turn))?;
        Err(ClientEnd::Finished)
    }

    /// The opponent's turn, or the end of the game.
    fn other_turn(&mut self) -> Result<(), ClientEnd> {
        let message = match self.line.receive() {
            Ok(message) => message,
            Err(broken) => return Err(self.broken(broken)),
        };
        if message.is_last() {
            return Err(self.over(&message));
        }
        if message.action != "NORMAL" {
            let found = quote(&message.to_string());
            return Err(self.broken(Broken::Trouble(Trouble::Garbage(format!("expected a turn, found {found}")))));
        }
        let turn = message.data.split_whitespace().collect::<Vec<_>>().join(" ");
        self.print_other(&turn);
        if let Err(rule) = self.position.play(&turn) {
            // The originals play it all the same, on a board that is wrong from then on.
            let why = format!("player {} played {}: {rule}", self.side.other().number(), quote(&turn));
            self.line.console.tell(&format!("the opponent broke the rules: {why}"));
            return Err(self.fault(self.side.other(), Offence::InvalidMove, why));
        }
        if let Some(outcome) = self.position.outcome() {
            return Err(self.over_unsaid(outcome));
        }
        self.line.player.tell(&turn);
        Ok(())
    }

    /// The opponent's turn ended the game, and its client did not say so: the originals do not know every ending.
    fn over_unsaid(&mut self, outcome: Outcome) -> ClientEnd {
        self.line.player.stop();
        self.print_result(outcome);
        let scores = score_text(self.side, self.position.points(Ending::Over(outcome)));
        match self.send(&Message::finish(scores, "")) {
            Ok(()) => ClientEnd::Finished,
            Err(end) => end,
        }
    }

    /// The last message.
    fn over(&mut self, message: &Message) -> ClientEnd {
        self.line.player.stop();
        let meta = shown(&message.meta);
        if message.has_turn() {
            let turn = message.data.trim();
            self.print_other(turn);
            match self.position.play(turn).map(|_| self.position.outcome()) {
                Ok(Some(outcome)) => self.print_result(outcome),
                Ok(None) => {
                    self.line.console.tell(&format!("by our rules the game would go on; the server says: {meta}"));
                }
                Err(rule) => self.line.console.tell(&format!("that turn is illegal ({rule}); the server says: {meta}")),
            }
        } else if message.action == "KILLPROC" {
            self.line.console.print(&format!("ERROR : {meta} ,ON OTHER CLIENT"));
        } else if message.action == "STAGNANT" {
            self.line.console.print(&meta);
        } else {
            // The originals say nothing here.
            self.line.console.tell(&format!("the game is over: {meta}"));
        }
        match Offence::read(&message.meta) {
            Some((offence, side)) if side == self.side => {
                ClientEnd::Failed(format!("the server says of this client: {}", offence.words()))
            }
            _ => ClientEnd::Finished,
        }
    }

    fn print_other(&mut self, turn: &str) {
        let number = self.side.other().number();
        self.line.console.print(&format!("Player {number} played : {}", shown(turn)));
    }

    fn print_result(&mut self, outcome: Outcome) {
        self.line.console.show(&self.variant, &*self.position);
        let points = self.position.points(Ending::Over(outcome));
        self.line.console.print(match outcome.winner {
            Some(side) if side == self.side => "YOU WIN!",
            Some(_) => "OTHER PLAYER WINS!",
            None => "GAME DRAWN",
        });
        self.line.console.print(&format!("Your Score : {}", written_like_python(points[self.side])));
        self.line.console.print(&format!("Opponent's Score : {}", written_like_python(points[self.side.other()])));
    }

    fn invalid(&mut self, why: &str) -> ClientEnd {
        self.line.console.print("INVALID MOVE ON THIS CLIENT");
        self.fault(self.side, Offence::InvalidMove, why.to_owned())
    }

    fn out_of_time(&mut self) -> ClientEnd {
        self.line.console.print("ERROR : THIS CLIENT RAN OUT OF TIME!");
        self.fault(self.side, Offence::Timeout, "out of time".to_owned())
    }

    /// Ends the game because of a fault, and tells the server.
    fn fault(&mut self, offender: Side, offence: Offence, why: String) -> ClientEnd {
        self.line.player.stop();
        let text = offence.text(offender, Some(self.position.points(Ending::Fault(offender))));
        let message = if offence == Offence::Timeout { Message::finish(text, "") } else { Message::kill(text) };
        match self.send(&message) {
            Err(end) => end,
            Ok(()) if offender == self.side => ClientEnd::Failed(why),
            Ok(()) => ClientEnd::Finished,
        }
    }

    /// The server cannot be played with any more, or the client was told to stop.
    fn broken(&mut self, broken: Broken) -> ClientEnd {
        self.line.player.stop();
        match broken {
            Broken::Stopped => self.fault(self.side, Offence::UnexpectedStop, "stopped".to_owned()),
            Broken::Trouble(trouble) => {
                self.line.console.print("ERROR : TIMEOUT ON SERVER END");
                let gone = matches!(trouble, Trouble::Gone(_));
                let reason = reason_of(trouble, self.line.options.patience);
                // A server that is still there can tell the other client, which then need not wait.
                if gone { ClientEnd::Failed(reason) } else { self.fault(self.side, Offence::UnexpectedStop, reason) }
            }
        }
    }

    fn send(&mut self, message: &Message) -> Result<(), ClientEnd> {
        self.line.connection.send(message).map_err(|error| {
            self.line.console.print("ERROR : FAILED TO SEND DATA TO SERVER");
            self.line.player.stop();
            ClientEnd::Failed(format!("the server is gone: {error}"))
        })
    }
}

/// Room for the scores beside a turn.
const LONGEST_META: usize = 80;
