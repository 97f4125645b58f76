//! People who play many matches at once, and others who keep asking the engine.

use std::{
    io::{BufRead, BufReader},
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::program::PATIENCE;

/// Somebody who keeps cookies.
pub(crate) fn agent() -> ureq::Agent {
    let agent = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
    agent.build().into()
}

fn post(agent: &ureq::Agent, address: &str, body: &Value) -> (u16, Value) {
    let request = agent.post(address).header("content-type", "application/json");
    let mut response = request.send(body.to_string()).expect("an answer");
    let text = response.body_mut().with_config().limit(1 << 26).read_to_string().expect("text");
    (response.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// Begins a match against `random` and gives its name.
pub(crate) fn begin(agent: &ureq::Agent, site: &str, game: &str) -> String {
    let wanted = json!({ "game": game, "first": { "kind": "me" }, "second": { "kind": "bot", "spec": "random" } });
    let (status, created) = post(agent, &format!("{site}/api/matches"), &wanted);
    assert_eq!(status, 200, "{created}");
    created["id"].as_str().expect("a name").to_owned()
}

/// The events of a match, as they come.
pub(crate) fn events(site: &str, id: &str) -> impl BufRead + Send + use<> {
    // Streams may be silent for long: no time limit.
    let agent: ureq::Agent = ureq::Agent::config_builder().build().into();
    let stream = agent.get(format!("{site}/api/matches/{id}/events")).header("accept-encoding", "gzip").call();
    BufReader::new(stream.expect("a stream").into_body().into_reader())
}

/// The next event and when it came; `None` at the end of the stream.
pub(crate) fn next_event(events: &mut impl BufRead) -> Option<(Instant, Value)> {
    let mut line = String::new();
    loop {
        line.clear();
        if events.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let came = Instant::now();
        if let Some(data) = line.strip_prefix("data: ") {
            return Some((came, serde_json::from_str(data).expect("JSON")));
        }
    }
}

/// A match, seen through its events.
struct Table {
    site: String,
    game: &'static str,
    id: String,
    news: mpsc::Receiver<(Instant, Value)>,
    view: Value,
}

impl Table {
    fn set(agent: &ureq::Agent, site: &str, game: &'static str) -> Table {
        let id = begin(agent, site, game);
        let mut stream = events(site, &id);
        let (sender, news) = mpsc::channel();
        thread::spawn(move || {
            while let Some(event) = next_event(&mut stream) {
                if sender.send(event).is_err() {
                    return;
                }
            }
        });
        let (_, view) = news.recv_timeout(PATIENCE).expect("the match as it stands");
        Table { site: site.to_owned(), game, id, news, view }
    }

    fn made(&self) -> usize {
        self.view["turns"].as_array().map_or(0, Vec::len)
    }

    /// Makes a turn and waits for the answer: the time from the one to the other, unless the match ended.
    fn turn(&mut self, agent: &ureq::Agent) -> Option<Duration> {
        if self.view["over"] == true {
            *self = Table::set(agent, &self.site, self.game);
        }
        let made = self.made();
        let legal = self.view["legal"].as_array().expect("legal turns");
        let turn = &legal[made * 37 % legal.len()]["turn"];
        let body = json!({ "turn": turn, "after": made });
        let sent = Instant::now();
        let (status, said) = post(agent, &format!("{}/api/matches/{}/turns", self.site, self.id), &body);
        assert_eq!(status, 200, "{said}");
        loop {
            let (came, view) = self.news.recv_timeout(PATIENCE).expect("an event");
            self.view = view;
            if self.made() >= made + 2 {
                return Some(came - sent);
            }
            if self.view["over"] == true {
                return None;
            }
        }
    }
}

/// Threads that play, and turns a second of all of them: the arena allows one address 100 changes a second.
const HANDS: usize = 4;
const TURNS_A_SECOND: f64 = 80.0;

/// People at many tables.
pub(crate) struct Players {
    hands: Vec<(ureq::Agent, Vec<Table>)>,
}

impl Players {
    /// Begins so many matches, of all games.
    pub(crate) fn seat(site: &str, matches: usize) -> Players {
        let mut hands: Vec<_> = (0..HANDS).map(|_| (agent(), Vec::new())).collect();
        for number in 0..matches {
            let (agent, tables) = &mut hands[number % HANDS];
            let game = agon_all::GAMES[number % agon_all::GAMES.len()].name();
            tables.push(Table::set(agent, site, game));
        }
        Players { hands }
    }

    /// Makes so many turns, one table after the other, at a steady pace; the times that the answers took.
    pub(crate) fn play(&mut self, turns: usize) -> Vec<Duration> {
        let pause = Duration::from_secs_f64(HANDS as f64 / TURNS_A_SECOND);
        thread::scope(|scope| {
            let play = |(agent, tables): &mut (ureq::Agent, Vec<Table>)| {
                let mut times = Vec::new();
                for number in 0..turns / HANDS {
                    let began = Instant::now();
                    let table = number % tables.len();
                    times.extend(tables[table].turn(agent));
                    thread::sleep(pause.saturating_sub(began.elapsed()));
                }
                times
            };
            let playing: Vec<_> = self.hands.iter_mut().map(|hand| scope.spawn(move || play(hand))).collect();
            playing.into_iter().flat_map(|hand| hand.join().expect("the players play")).collect()
        })
    }
}

/// What the engine is asked to look at each time.
const NODES: u64 = 500_000;

/// Does something while clients ask the engine without a pause; also how many answers they got.
pub(crate) fn while_asking<T>(site: &str, askers: usize, doing: impl FnOnce() -> T) -> (T, usize) {
    let (stop, answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    let done = thread::scope(|scope| {
        for number in 0..askers {
            let (stop, answers) = (&stop, &answers);
            scope.spawn(move || {
                let agent = agent();
                let game = agon_all::GAMES[number % agon_all::GAMES.len()].name();
                while !stop.load(Ordering::Relaxed) {
                    let question = json!({ "game": game, "nodes": NODES });
                    let (status, _) = post(&agent, &format!("{site}/api/analyse"), &question);
                    if status == 200 {
                        answers.fetch_add(1, Ordering::Relaxed);
                    } else {
                        // Told to come back later.
                        thread::sleep(Duration::from_millis(500));
                    }
                }
            });
        }
        let done = doing();
        stop.store(true, Ordering::Relaxed);
        done
    });
    (done, answers.into_inner())
}
