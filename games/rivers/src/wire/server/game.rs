//! A game between two bots that come and go as they like, and its clocks.

use std::time::{Duration, Instant};

use agon_rules::{AnyGame, AnyPosition, BySide, Ending, Reason, RuleSet, Side};
use serde_json::{Map, Value, json};

use super::{journal::Journal, unix_time};
use crate::REPETITION;
use crate::{
    Rivers,
    text::side_name,
    wire::shown::{Shown, shown},
};

/// A bot may take so long to notice that it is its turn: the original's client asks every second or two, and sleeps half a
/// second after its move. Its thinking begins when it is told, or else now: it must not think for free by not asking.
const NOTICING: Duration = Duration::from_millis(2500);

/// The ports that the original gave its players. They are only names.
const PORTS: BySide<u16> = BySide { first: 8181, second: 8182 };

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Waiting,
    Active,
    Paused,
    Finished,
}

impl Status {
    const fn name(self) -> &'static str {
        match self {
            Status::Waiting => "waiting",
            Status::Active => "active",
            Status::Paused => "paused",
            Status::Finished => "finished",
        }
    }
}

/// What came of a move.
pub(super) enum Verdict {
    /// An answer for the bot.
    Answer(Value),
    /// Not understood; the game goes on.
    Malformed(String),
}

pub(super) struct OnlineGame {
    id: String,
    size: &'static str,
    position: Box<dyn AnyPosition>,
    board: Box<dyn Shown>,
    status: Status,
    /// Who is to move; stays as it is when a move wins.
    current: Side,
    turn_count: u32,
    connected: BySide<bool>,
    bots: BySide<Option<Value>>,
    left: BySide<Duration>,
    /// Since when the mover's clock has been running, or will be.
    thinks_from: Instant,
    /// Since when a player has been away from a game that had begun: his clock runs.
    away_since: BySide<Option<Instant>>,
    winner: Option<Side>,
    scores: Option<BySide<f64>>,
    /// Who has run out of time and has not been told yet.
    late: Option<Side>,
}

impl OnlineGame {
    pub(super) fn new(id: String, size: &'static str, time: Duration) -> OnlineGame {
        let ready = "every listed variant can be set up";
        OnlineGame {
            id,
            size,
            position: Rivers.open(size, RuleSet::Server).expect(ready),
            board: shown(size, RuleSet::Server, None).expect(ready),
            status: Status::Waiting,
            current: Side::First,
            turn_count: 0,
            connected: BySide::default(),
            bots: BySide::default(),
            left: BySide::new(time, time),
            thinks_from: Instant::now(),
            away_since: BySide::default(),
            winner: None,
            scores: None,
            late: None,
        }
    }

    // ---- coming and going ----

    /// A bot has come, or come back.
    pub(super) fn connect(&mut self, side: Side, bot: Value, now: Instant, journal: &mut Journal) {
        self.connected[side] = true;
        self.bots[side] = Some(bot);
        journal.say(&format!("Bot connected: {} on port {}", side_name(side), PORTS[side]));
        if let Some(since) = self.away_since[side].take() {
            self.left[side] = self.left[side].saturating_sub(now.saturating_duration_since(since));
        }
        if !(self.connected.first && self.connected.second) {
            return;
        }
        match self.status {
            // Whoever comes back to a finished game does not revive it.
            Status::Active | Status::Finished => return,
            Status::Waiting => {
                self.thinks_from = now + NOTICING;
                journal.say(&format!("Game {} started - both players connected", self.id));
            }
            // No second grace: it would be time to think for whoever comes and goes.
            Status::Paused => self.thinks_from = now,
        }
        self.status = Status::Active;
    }

    /// A bot goes. Says whether it was there.
    pub(super) fn disconnect(&mut self, side: Side, now: Instant, journal: &mut Journal) -> bool {
        if !self.connected[side] {
            return false;
        }
        self.connected[side] = false;
        if self.status == Status::Active {
            let used = now.saturating_duration_since(self.thinks_from);
            self.left[self.current] = self.left[self.current].saturating_sub(used);
            self.status = Status::Paused;
            journal.say(&format!("Game paused - {} disconnected", side_name(side)));
        }
        if self.status == Status::Paused {
            self.away_since[side] = Some(now);
        }
        journal.say(&format!("Bot disconnected from port {}", PORTS[side]));
        true
    }

    // ---- clocks ----

    /// For how long a side's clock has been running.
    fn running(&self, side: Side, now: Instant) -> Duration {
        let since = match self.status {
            Status::Active if side == self.current => Some(self.thinks_from),
            Status::Paused => self.away_since[side],
            Status::Active | Status::Waiting | Status::Finished => None,
        };
        since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    fn time_left(&self, side: Side, now: Instant) -> f64 {
        self.left[side].saturating_sub(self.running(side, now)).as_secs_f64()
    }

    /// Ends the game if a clock has fallen.
    pub(super) fn look_at_clocks(&mut self, now: Instant, journal: &mut Journal) {
        let overdue = |side: &Side| self.running(*side, now).checked_sub(self.left[*side]);
        let running = Side::BOTH.into_iter().filter(|side| !self.running(*side, now).is_zero());
        // The one that fell first.
        let fallen = running.filter(|side| overdue(side).is_some()).max_by_key(|side| overdue(side));
        let Some(side) = fallen else { return };
        journal.say(&format!("TIMEOUT - {} ran out of time. Winner: {}", side_name(side), side_name(side.other())));
        self.left[side] = Duration::ZERO;
        self.late = Some(side);
        self.finish(Some(side.other()), Ending::Fault(side), journal);
    }

    fn finish(&mut self, winner: Option<Side>, ending: Ending, journal: &mut Journal) {
        let scores = self.position.points(ending);
        self.status = Status::Finished;
        self.winner = winner;
        self.scores = Some(scores);
        journal.say(&format!("Final Scores - Circle: {:.2}, Square: {:.2}", scores.first, scores.second));
    }

    // ---- moves ----

    /// A move has come.
    pub(super) fn make_move(&mut self, player: &str, found: &Value, now: Instant, journal: &mut Journal) -> Verdict {
        let side = side_of(player);
        self.look_at_clocks(now, journal);
        if self.late.is_some() && self.late == side {
            self.late = None;
            return Verdict::Answer(
                self.with_scores(json!({"success": true, "timeout": true, "winner": self.winner_name()})),
            );
        }
        let refused = |error: &str| Verdict::Answer(json!({"success": false, "error": error}));
        if self.status != Status::Active {
            return refused("Game not active");
        }
        let Some(side) = side.filter(|side| *side == self.current) else { return refused("Not your turn") };
        let step = match found {
            Value::Object(_) => self.board.read(&found.to_string()).map_err(|error| error.to_string()),
            _ => Err("move must be dict".to_owned()),
        };
        match step {
            Ok(step) => {
                let used = now.saturating_duration_since(self.thinks_from);
                self.left[side] = self.left[side].saturating_sub(used);
                let left = self.left[side].as_secs_f64();
                journal.note(&format!(
                    "{} {} {:.3} s, {left:.3} s left",
                    side_name(side),
                    step.text,
                    used.as_secs_f64()
                ));
                Verdict::Answer(self.accept(side, &step.text, step.message, now, journal))
            }
            Err(problem) => match original_message(&problem) {
                Some(message) => Verdict::Answer(self.refuse(side, message, &problem, journal)),
                None => Verdict::Malformed(problem),
            },
        }
    }

    fn accept(&mut self, side: Side, turn: &str, message: &str, now: Instant, journal: &mut Journal) -> Value {
        // It was read by the same rules a moment ago.
        let _ = self.position.play(turn);
        self.board.play(turn);
        let outcome = self.position.outcome();
        let mut message = message;
        match outcome.map(|outcome| outcome.reason) {
            Some(Reason::GOAL) => {}
            Some(REPETITION) => message = "Repetition detected - draw",
            _ => {
                self.current = side.other();
                self.turn_count += 1;
                self.thinks_from = now + NOTICING;
            }
        }
        if let Some(outcome) = outcome {
            let said = outcome.winner.map_or("Draw".to_owned(), |winner| format!("Winner: {}", side_name(winner)));
            journal.say(&format!("Game finished! {said} ({})", outcome.reason));
            self.finish(outcome.winner, Ending::Over(outcome), journal);
        }
        self.with_scores(json!({"success": true, "message": message, "winner": self.winner_name()}))
    }

    fn refuse(&mut self, side: Side, message: &str, problem: &str, journal: &mut Journal) -> Value {
        let winner = side.other();
        journal.say(&format!("INVALID MOVE by {}: {problem}. Winner: {}", side_name(side), side_name(winner)));
        self.finish(Some(winner), Ending::Fault(side), journal);
        self.with_scores(
            json!({"success": false, "error": message, "invalid_move": true, "winner": self.winner_name()}),
        )
    }

    fn winner_name(&self) -> Option<&'static str> {
        self.winner.map(side_name)
    }

    /// Adds the points of both to an answer that ends the game.
    fn with_scores(&self, mut answer: Value) -> Value {
        if let Some(scores) = self.scores {
            answer["circle_score"] = json!(scores.first);
            answer["square_score"] = json!(scores.second);
        }
        answer
    }

    // ---- what is seen of it ----

    /// What both kinds of onlookers see.
    fn seen(&self) -> Map<String, Value> {
        let (rows, columns) = self.board.size();
        let seen = json!({
            "board": self.board.cells(),
            "rows": rows,
            "cols": columns,
            "score_cols": self.board.score_columns(),
            "current_player": side_name(self.current),
            "game_status": self.status.name(),
            "turn_count": self.turn_count,
        });
        match seen {
            Value::Object(seen) => seen,
            _ => Map::new(),
        }
    }

    /// What a bot sees. The mover's thinking begins when it is told.
    pub(super) fn seen_by(&mut self, side: Side, now: Instant) -> Value {
        if self.status == Status::Active && side == self.current {
            self.thinks_from = self.thinks_from.min(now);
        }
        let mut seen = self.seen();
        seen.insert("your_turn".to_owned(), json!(side == self.current));
        seen.insert("time_left".to_owned(), json!(self.time_left(side, now)));
        seen.insert("opponent_time".to_owned(), json!(self.time_left(side.other(), now)));
        seen.insert("timestamp".to_owned(), json!(unix_time().as_secs_f64()));
        Value::Object(seen)
    }

    /// What everyone may see.
    pub(super) fn seen_by_all(&self, now: Instant) -> Value {
        let player = |side: Side| {
            let mut player = json!({
                "connected": self.connected[side],
                "port": PORTS[side],
                "time_left": self.time_left(side, now),
            });
            if let Some(bot) = &self.bots[side] {
                player["bot_info"] = bot.clone();
            }
            player
        };
        let mut seen = self.seen();
        let more = [
            ("id", json!(self.id)),
            ("board_size", json!(self.size)),
            ("win_count", json!(self.board.score_columns().len())),
            ("players", json!({"circle": player(Side::First), "square": player(Side::Second)})),
            ("winner", json!(self.winner_name())),
            ("final_scores", json!(self.scores.map(|scores| json!({"circle": scores.first, "square": scores.second})))),
        ];
        seen.extend(more.map(|(name, value)| (name.to_owned(), value)));
        Value::Object(seen)
    }

    /// What whoever made it is told.
    pub(super) fn introduction(&self) -> Value {
        let (rows, columns) = self.board.size();
        json!({
            "success": true,
            "game_id": self.id,
            "board_size": self.size,
            "rows": rows,
            "cols": columns,
            "ports": {"circle": PORTS.first, "square": PORTS.second},
        })
    }
}

/// The side of this name.
pub(super) fn side_of(player: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side_name(*side) == player)
}

/// What the original said about an illegal move: our refusals begin with it. `None` is a move that it could not even read.
fn original_message(problem: &str) -> Option<&str> {
    let message = problem.split_once(": ").map_or(problem, |(message, _)| message);
    let unread = ["from", "to", "pushed_to"].contains(&message);
    (!unread).then_some(message)
}
