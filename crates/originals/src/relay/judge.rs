//! A server that does not trust its clients: it checks every turn, and its clock is the one that counts.

use std::time::{Duration, Instant};

use agon_rules::{AnyPosition, BySide, Ending, Side, quote};

use super::{
    connection::Trouble,
    message::{Message, Received},
    server::{ServerEnd, Table},
    verdict::{Offence, score_text},
};

/// What the judge makes of a message.
enum Ruling {
    /// The game goes on.
    Accepted,
    /// The game is over, and the client has said so rightly.
    Finished,
    /// The game is over in another way than the client says, or without its saying so: the right last message, and why.
    Decided(Message, String),
}

impl Table<'_> {
    /// Plays a game by the rules. A player's time runs from the moment at which the turn is handed over, for the first turn from
    /// the first message, until the answer has arrived, less `allowance` for the way; a turn that costs nothing stays at nothing.
    pub(super) fn judge(&mut self, allowance: Duration) -> ServerEnd {
        let mut left = BySide::from_fn(|_| Duration::from_secs(self.options.seconds));
        let mut side = Side::First;
        loop {
            let start = Instant::now();
            let received = self.connections[side].receive(start + left[side] + allowance);
            left[side] = left[side].saturating_sub(start.elapsed().saturating_sub(allowance));
            let received = match received {
                Ok(received) if !left[side].is_zero() => received,
                Ok(_) | Err(Trouble::Silence) => return self.out_of_time(side),
                Err(Trouble::Gone(reason) | Trouble::Garbage(reason)) => return self.stopped(side, &reason),
            };
            match self.rule_on(side, &received) {
                Ruling::Accepted => {
                    self.record_received(side, &received);
                    self.show();
                    if !self.send(side.other(), &received.message) {
                        return self.stopped(side.other(), "could not be reached");
                    }
                }
                Ruling::Finished => {
                    self.record_received(side, &received);
                    self.show();
                    self.send(side.other(), &received.message);
                    return ServerEnd::Finished;
                }
                Ruling::Decided(verdict, why) => {
                    self.console.tell(&format!("client {} sent {}: {why}", side.index(), received.line()));
                    return self.decide(side, &verdict);
                }
            }
            side = side.other();
        }
    }

    fn out_of_time(&mut self, side: Side) -> ServerEnd {
        let points = self.position.as_ref().map(|position| position.points(Ending::Fault(side)));
        self.decide(side, &Message::finish(Offence::Timeout.text(side, points), ""))
    }

    /// Ends the game with a message of our own. Whoever made the last turn is not told it again. What the client said instead is
    /// not in the log: those who look for scores there must find one.
    fn decide(&mut self, mover: Side, verdict: &Message) -> ServerEnd {
        self.record_decision(verdict);
        if verdict.has_turn() {
            self.show();
        }
        self.send(mover.other(), verdict);
        // It may have hung up already, which is its right after a last message.
        let _ = self.connections[mover].send(&Message { data: String::new(), ..verdict.clone() });
        ServerEnd::Finished
    }

    fn rule_on(&mut self, side: Side, received: &Received) -> Ruling {
        let Some(position) = self.position.as_deref_mut() else {
            let verdict = Message::kill(Offence::UnexpectedStop.text(side, None));
            return Ruling::Decided(verdict, "the server knows no such board".to_owned());
        };
        let message = &received.message;
        match message.action.as_str() {
            "NORMAL" => rule_on_turn(position, side, message),
            "FINISH" if !message.data.trim().is_empty() => rule_on_turn(position, side, message),
            _ => rule_on_fault(position, side, message),
        }
    }
}

/// A turn, after which the client says that the game goes on, or that it is over.
fn rule_on_turn(position: &mut dyn AnyPosition, side: Side, message: &Message) -> Ruling {
    let turn = message.data.trim();
    if let Err(rule) = position.play(turn) {
        let verdict = fault(position, side, Offence::InvalidMove);
        return Ruling::Decided(verdict, format!("{} is no legal turn ({rule})", quote(turn)));
    }
    match position.outcome() {
        None if message.action == "NORMAL" => Ruling::Accepted,
        None => {
            let verdict = fault(position, side, Offence::InvalidMove);
            Ruling::Decided(verdict, "the game is not over".to_owned())
        }
        Some(outcome) => {
            let right = Message::finish(score_text(side, position.points(Ending::Over(outcome))), turn);
            let said = Message { data: turn.to_owned(), ..message.clone() };
            if said == right {
                return Ruling::Finished;
            }
            Ruling::Decided(right, format!("the game is over ({}), with other words or scores", outcome.reason))
        }
    }
}

/// A client gives up: by its own account, or with words that mean nothing. It can only speak for itself.
fn rule_on_fault(position: &dyn AnyPosition, side: Side, message: &Message) -> Ruling {
    let offence = match Offence::read(&message.meta) {
        Some((offence, offender)) if offender == side => offence,
        _ => Offence::UnexpectedStop,
    };
    let right = fault(position, side, offence);
    if *message == right {
        return Ruling::Finished;
    }
    Ruling::Decided(right, "with other words or scores than the rules give".to_owned())
}

fn fault(position: &dyn AnyPosition, side: Side, offence: Offence) -> Message {
    let text = offence.text(side, Some(position.points(Ending::Fault(side))));
    match offence {
        Offence::Timeout => Message::finish(text, ""),
        Offence::InvalidMove | Offence::UnexpectedStop => Message::kill(text),
    }
}
