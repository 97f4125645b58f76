//! The original's bot client: a house bot that plays at a server over HTTP.

use std::{
    io,
    thread::sleep,
    time::{Duration, Instant},
};

use agon_originals::{HouseCall, ServeError};
use agon_rules::{AnyGame, BySide, Game, RuleSet, Side, quote};
use agon_wire::{Ask, Brain, Budget, GameSetup};
use serde_json::{Value, json};
use ureq::Agent;

use super::shown::{shown, text_of_cells};
use crate::{Rivers, text::side_name};

const USAGE: &str = "usage: agon bot rivers circle|square PORT [--server HOST] [--strategy random] [-v]: \
plays at a server of the original's kind; `agon server rivers` is one, and `agon bot rivers` that is told `ugi` on stdin \
speaks UGI";

/// How soon to ask again whether it is our turn: soon at first, then less and less often.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
const PAUSE: Duration = Duration::from_millis(200);
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many questions in a row may go unanswered.
const FAILURES: u32 = 25;
/// No answer is longer.
const LONGEST_ANSWER: u64 = 1 << 20;

struct Arguments {
    side: Side,
    base: String,
    verbose: bool,
}

/// Plays one game.
pub(super) fn serve(call: HouseCall<'_>) -> Result<(), ServeError> {
    let arguments = Arguments::read(call.arguments).map_err(ServeError::Usage)?;
    let mut player = Player { http: agent(), arguments, call };
    let name = side_name(player.arguments.side);
    // As the original's bots did: the strategy, and the side.
    let strategy = player.call.name;
    let hello = json!({"name": format!("{strategy}_{name}"), "strategy": strategy, "version": "1.0"});
    let (status, answer) = player.ask("POST", &format!("bot/connect/{name}"), Some(&hello))?;
    if status != 200 {
        return Err(ServeError::Protocol(format!("the server does not let us in: {}", quote(&answer.to_string()))));
    }
    let played = player.play();
    // Whatever happened, the server should not wait for us.
    let _ = player.ask("POST", &format!("bot/disconnect/{name}"), None);
    played
}

impl Arguments {
    fn read(arguments: &[String]) -> Result<Arguments, String> {
        let (mut plain, mut host, mut verbose) = (Vec::new(), "localhost".to_owned(), false);
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (name, joined) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with('-') => (name, Some(value.to_owned())),
                _ => (argument.as_str(), None),
            };
            let mut value =
                || joined.clone().or_else(|| rest.next().cloned()).ok_or(format!("expected a value after {name}"));
            match name {
                "--server" => host = value()?,
                "--strategy" => match value()?.to_lowercase().as_str() {
                    "random" => {}
                    other => return Err(format!("unknown strategy {}, expected 'random'; {USAGE}", quote(other))),
                },
                "-v" | "--verbose" => verbose = true,
                _ if name.starts_with('-') => return Err(format!("unknown option {}; {USAGE}", quote(argument))),
                _ => plain.push(argument.as_str()),
            }
        }
        let [side, port] = plain.as_slice() else { return Err(USAGE.to_owned()) };
        let side = Side::BOTH.into_iter().find(|known| side_name(*known) == *side);
        let side = side.ok_or_else(|| format!("expected circle or square; {USAGE}"))?;
        let port: u16 = port.parse().map_err(|_| format!("port {}: expected a number; {USAGE}", quote(port)))?;
        Ok(Arguments { side, base: format!("http://{host}:{port}"), verbose })
    }
}

fn agent() -> Agent {
    // A proxy between us and a game in the same room would only be in the way.
    Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false).proxy(None).build().into()
}

struct Player<'a> {
    http: Agent,
    arguments: Arguments,
    call: HouseCall<'a>,
}

impl Player<'_> {
    /// Asks the server: its status and what it said, null if that is no JSON.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> io::Result<(u16, Value)> {
        let url = format!("{}/{path}", self.arguments.base);
        let answer = match method {
            "GET" => self.http.get(&url).call(),
            _ => {
                let post = self.http.post(&url).header("content-type", "application/json");
                post.send(body.unwrap_or(&json!({})).to_string())
            }
        };
        let failed = |error: ureq::Error| io::Error::other(format!("{url}: {error}"));
        let mut answer = answer.map_err(failed)?;
        let text = answer.body_mut().with_config().limit(LONGEST_ANSWER).read_to_string().map_err(failed)?;
        Ok((answer.status().as_u16(), serde_json::from_str(&text).unwrap_or_default()))
    }

    fn play(&mut self) -> Result<(), ServeError> {
        let path = format!("bot/game_state/{}", side_name(self.arguments.side));
        let mut brain: Option<Box<dyn Brain>> = None;
        let mut failures = 0;
        let mut pause = SHORTEST_PAUSE;
        loop {
            let state = match self.ask("GET", &path, None) {
                Ok((200, state)) => state,
                failed => {
                    failures += 1;
                    if failures >= FAILURES {
                        let said = failed.map(|(status, said)| io::Error::other(format!("status {status}: {said}")));
                        return Err(ServeError::Io(said.unwrap_or_else(|error| error)));
                    }
                    sleep(PAUSE);
                    continue;
                }
            };
            failures = 0;
            let status = state["game_status"].as_str().unwrap_or_default();
            if status == "finished" {
                return self.say_goodbye();
            }
            if status == "active" && state["your_turn"] == json!(true) {
                self.make_move(&state, &mut brain)?;
                pause = SHORTEST_PAUSE;
            } else {
                sleep(pause);
                pause = PAUSE.min(2 * pause);
            }
        }
    }

    fn make_move(&mut self, state: &Value, brain: &mut Option<Box<dyn Brain>>) -> Result<(), ServeError> {
        let begun = Instant::now();
        let side = self.arguments.side;
        let strange = |what: &str| ServeError::Protocol(format!("the server sent {what}"));
        let rows = state["board"].as_array().map_or(0, Vec::len);
        let variant = Rivers::VARIANTS[match rows {
            13 => 0,
            15 => 1,
            17 => 2,
            _ => return Err(strange(&format!("a board of {rows} rows"))),
        }];
        let text = text_of_cells(&state["board"], side).ok_or_else(|| strange("a board that is none"))?;
        let board = shown(variant, RuleSet::Server, Some(&text)).map_err(|e| strange(&format!("a bad board: {e}")))?;
        let mut position = Rivers.open(variant, RuleSet::Server).map_err(|e| strange(&e.to_string()))?;
        position.set_up(&text).map_err(|e| strange(&format!("a bad board: {e}")))?;
        let brain = brain.get_or_insert_with(|| {
            let (game, rules) = (&Rivers, RuleSet::Server);
            let setup = GameSetup { game, variant: variant.to_owned(), rules, position: None, swapped: false };
            let mut brain = (self.call.brain)(&setup);
            brain.new_game(&setup, side);
            brain
        });
        let time = |name: &str| Duration::try_from_secs_f64(state[name].as_f64().unwrap_or(0.0)).unwrap_or_default();
        let mut left = BySide::default();
        left[side] = time("time_left");
        left[side.other()] = time("opponent_time");
        let budget = Budget::clocks(left);
        let turn = brain.choose(&Ask { side, position: &*position, turns: &[], budget, patience: None });
        let step = board.read(&turn).map_err(|e| strange(&format!("a board without moves: {e}")))?;
        let found: Value = serde_json::from_str(&step.object).unwrap_or_default();
        let body = json!({"move": found, "thinking_time": begun.elapsed().as_secs_f64()});
        let (_, answer) = self.ask("POST", &format!("bot/move/{}", side_name(side)), Some(&body))?;
        if self.arguments.verbose {
            writeln!(self.call.output, "{} {answer}", step.object)?;
        }
        if answer["invalid_move"] == json!(true) {
            let refused = format!("the server refused our move {}: {answer}", step.object);
            return Err(ServeError::Protocol(refused));
        }
        if answer["success"] != json!(true) {
            // Somebody has gone, or the clock has fallen: the state will say so.
            sleep(PAUSE);
        }
        Ok(())
    }

    /// Says how the game ended, if the server tells.
    fn say_goodbye(&mut self) -> Result<(), ServeError> {
        let (_, state) = self.ask("GET", "api/game_state", None).unwrap_or_default();
        let winner = state["winner"].as_str().unwrap_or("nobody");
        let scores = &state["final_scores"];
        let points = |name: &str| scores[name].as_f64().map_or("?".to_owned(), |points| format!("{points:.2}"));
        writeln!(
            self.call.output,
            "winner: {}; circle {}, square {}",
            quote(winner),
            points("circle"),
            points("square")
        )?;
        self.call.output.flush()?;
        Ok(())
    }
}
