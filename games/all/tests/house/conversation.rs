//! Searches that are stopped, and what is said meanwhile.

use super::*;

/// A bot that is talked to line by line.
struct Conversation {
    to: Option<Sender<String>>,
    from: Receiver<String>,
    served: thread::JoinHandle<io::Result<()>>,
}

/// What is sent, as an input that ends when nothing more can come.
struct Input(Receiver<String>);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Ok(line) = self.0.recv() else { return Ok(0) };
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

impl Conversation {
    fn with(game: &'static str, make: impl Fn() -> Box<dyn Brain> + Send + 'static) -> Conversation {
        let (to, heard) = mpsc::channel();
        let (written, from) = mpsc::channel();
        let served = thread::spawn(move || {
            let game = agon_all::find(game).expect("a game");
            serve_ugi(game, &mut |_| make(), BufReader::new(Input(heard)), Lines(written, Vec::new()))
        });
        Conversation { to: Some(to), from, served }
    }

    fn say(&self, line: &str) {
        self.to.as_ref().expect("an open input").send(format!("{line}\n")).expect("a listener");
    }

    /// The next lines, up to one that begins with `word`.
    fn until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(word)) {
            lines.push(self.from.recv().unwrap_or_else(|_| panic!("no '{word}' after {lines:?}")));
        }
        lines
    }

    /// Waits for the end of the bot. Gives what it still said.
    fn end(self) -> Vec<String> {
        drop(self.to);
        self.served.join().expect("no panic").expect("a conversation");
        self.from.try_iter().collect()
    }
}

fn master() -> Box<dyn Brain> {
    agon_house::think("master", 1)
}

#[test]
fn who_is_asked_without_an_end_answers_when_it_is_stopped_and_not_before() {
    for game in agon_all::GAMES.iter().map(|game| game.name()) {
        let talk = Conversation::with(game, master);
        talk.say("position startpos");
        talk.say("go infinite");
        let before = [talk.until("info depth 3 "), {
            talk.say("isready");
            talk.until("readyok")
        }]
        .concat();
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{game}: {before:?}");
        talk.say("position startpos");
        let refused = talk.until("info string error");
        assert!(refused.last().is_some_and(|line| line.contains("send 'stop' first")), "{game}: {refused:?}");
        talk.say("stop");
        talk.say("position startpos");
        talk.say("go depth 1");
        let (first, second) = (talk.until("bestmove"), talk.until("bestmove"));
        assert!(!first.iter().chain(&second).any(|line| line.contains("error")), "{game}: {first:?} {second:?}");
        assert!(talk.end().is_empty(), "{game}: one answer to each question");
    }
}

#[test]
fn an_answer_that_is_there_at_once_waits_for_stop_all_the_same() {
    let heard = Heard::default();
    let listener = Arc::clone(&heard);
    let talk = Conversation::with("connectx", move || Box::new(Listener(Arc::clone(&listener))));
    talk.say("go infinite");
    while heard.lock().expect("no panic").len() < 2 {
        thread::yield_now();
    }
    for _ in 0..50 {
        talk.say("isready");
        assert_eq!(talk.until("readyok"), ["readyok"], "the answer came before 'stop'");
    }
    talk.say("stop");
    talk.until("bestmove");
    talk.say("stop");
    talk.say("isready");
    assert_eq!(talk.until("readyok"), ["readyok"], "one answer, however often it is stopped");
}

#[test]
fn a_search_ends_when_the_other_end_quits_or_goes_away() {
    for quits in [true, false] {
        let talk = Conversation::with("yinsh", master);
        talk.say("go infinite");
        talk.until("info depth 2 ");
        if quits {
            talk.say("quit");
        }
        // The test hangs if it goes on.
        talk.end();
    }
}

#[test]
fn pondering_is_refused_in_words() {
    let talk = Conversation::with("connectx", master);
    for line in ["ponderhit", "go ponder p1time 1000 p2time 1000"] {
        talk.say(line);
        let said = talk.until("info string error");
        assert!(said[0].contains("does not think on its opponent's time"), "{line}: {said:?}");
    }
    talk.say("go depth 1");
    talk.until("bestmove");
}

#[test]
fn what_is_found_is_said_depth_by_depth() {
    for game in agon_all::GAMES {
        let talk = Conversation::with(game.name(), || agon_house::think("adept", 1));
        let mut position = game.open(game.variants()[0], game.rule_sets()[0]).expect("a start");
        let mut random = Random::new(7);
        let turns: Vec<String> = (0..4)
            .map(|_| {
                let turn = position.random_turn(&mut random).expect("a turn");
                position.play(&turn).expect("a legal turn")
            })
            .collect();
        talk.say(&format!("position startpos moves {}", words::joined(&turns)));
        talk.say("go nodes 3000");
        let said = talk.until("bestmove");
        let infos: Vec<Info> = said.iter().filter_map(|line| line.strip_prefix("info ")).map(Info::read).collect();
        let best = words::split(said.last().expect("an answer")).expect("words")[1].clone();
        assert!(infos.len() >= 2, "{}: {said:?}", game.name());
        for (number, info) in infos.iter().enumerate() {
            let all = [info.nodes, info.nps].iter().all(Option::is_some) && info.time.is_some() && info.score.is_some();
            assert!(all && info.seldepth >= info.depth, "{}: {said:?}", game.name());
            assert!(number == 0 || info.nodes >= infos[number - 1].nodes, "{}: {said:?}", game.name());
            let mut after = position.boxed();
            for turn in &info.pv {
                assert_eq!(after.play(turn).as_ref(), Ok(turn), "{}: a line of complete turns: {said:?}", game.name());
            }
        }
        let last = &infos[infos.len() - 1].pv;
        assert!(last.first().is_none_or(|first| *first == best), "{}: {said:?}", game.name());
        assert!(infos.iter().any(|info| info.pv.len() >= 2), "{}: {said:?}", game.name());
    }
}

#[test]
fn a_forced_win_is_said_in_turns() {
    // The first side has three in a row and is sent to the board with the fourth cell.
    let position = "111....../........./........./........./........./........./2......../2......2./2........ 1 1";
    let talk = Conversation::with("connectx", || agon_house::think("level9", 1));
    talk.say(&format!("position fen {}", words::quoted(position)));
    talk.say("go depth 4");
    let said = talk.until("bestmove");
    assert!(said[said.len() - 2].contains(" score mate 1 "), "{said:?}");
}
