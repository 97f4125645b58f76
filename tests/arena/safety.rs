//! What several programs do to one database, and what damage does to it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
};

use serde_json::json;

use super::{Arena, Program, agent, answer, serve};

fn database(arena: &Arena) -> PathBuf {
    arena.folder.path().join("arena.db")
}

#[test]
fn a_second_arena_on_the_same_database_is_refused() {
    let arena = Arena::open();
    let second = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["serve", "--port", "0", "--db"]).arg(database(&arena)).output().expect("agon")
    };
    let refused = second();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    let holder = format!("process {}", arena.program.pid());
    assert!(said.contains(&holder) && said.contains("--db"), "{said}");
    let Arena { program, folder, .. } = arena;
    drop(program);
    let third = serve(folder.path(), &[]);
    assert!(third.port > 0, "whoever held it is gone");
}

/// Holds the write lock of a database until it is dropped.
struct Holder(Child);

impl Holder {
    fn of(db: &Path) -> Holder {
        let script = "import sqlite3, sys\n\
                      db = sqlite3.connect(sys.argv[1], isolation_level=None)\n\
                      db.execute('BEGIN IMMEDIATE')\n\
                      print('held', flush=True)\n\
                      sys.stdin.read()\n\
                      db.execute('ROLLBACK')\n";
        let mut command = Command::new("python3");
        command.args(["-c", script]).arg(db).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("output")).read_line(&mut line).expect("a line");
        assert_eq!(line, "held\n");
        Holder(child)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// One thread answers everybody: if any request waited for the database on it, nobody else would get an answer.
#[test]
fn pages_are_there_while_another_program_holds_the_database() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "--port", "0", "--db"]).arg(folder.path().join("arena.db"));
    command.env("TOKIO_WORKER_THREADS", "1");
    let program = Program::start(&mut command, "http://127.0.0.1:");
    let arena = Arc::new(Arena { program, folder, agent: agent() });
    let [played, resigned, open] = [(); 3].map(|()| arena.begin("cannon", "random"));
    let turn = arena.after(&played, 0)["legal"][0]["turn"].clone();
    let link = arena.program.entrance().to_owned();
    let holder = Holder::of(&database(&arena));
    let house = json!({ "kind": "bot", "spec": "random" });
    let writers: Vec<_> = [
        (format!("/api/matches/{played}/turns"), json!({ "turn": turn, "after": 0 })),
        (format!("/api/matches/{resigned}/resign"), json!({})),
        ("/api/matches".to_owned(), json!({ "game": "yinsh", "first": { "kind": "me" }, "second": house })),
    ]
    .into_iter()
    .map(|(path, body)| {
        let arena = Arc::clone(&arena);
        thread::spawn(move || arena.post(&path, &body))
    })
    .collect();
    let organiser = thread::spawn(move || answer(agent().get(link).call()));
    let pages =
        ["/", "/watch", "/replay", "/tournaments", "/play/cannon", "/learn/cannon", "/analyse/cannon", "/enter"];
    let data = ["/api/games", "/api/matches", "/api/tournaments", "/api/picture?game=cannon"].map(str::to_owned);
    let own = [format!("/match/{open}"), format!("/api/matches/{open}"), format!("/api/matches/{played}/record")];
    for _ in 0..3 {
        for page in pages.map(str::to_owned).iter().chain(&data).chain(&own) {
            assert_eq!(arena.get(page).status, 200, "{page}");
        }
        assert_eq!(arena.post("/api/positions", &json!({ "game": "cannon" })).status, 200);
    }
    assert!(!organiser.is_finished(), "whoever writes waits");
    assert!(writers.iter().all(|writer| !writer.is_finished()), "and whoever only looks does not wait for them");
    assert_eq!(
        arena.get(&format!("/api/matches/{played}")).json()["turns"],
        json!([]),
        "what is not stored is not shown"
    );
    drop(holder);
    for writer in writers {
        let answer = writer.join().expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    assert_eq!(organiser.join().expect("an answer").status, 200);
    assert_eq!(arena.after(&played, 1)["turns"][0]["text"], turn, "the turn was not lost");
}

#[test]
fn what_another_program_holds_for_long_is_said_as_it_is() {
    let arena = Arena::open();
    let id = arena.begin("cannon", "random");
    let turn = arena.after(&id, 0)["legal"][0]["turn"].clone();
    let holder = Holder::of(&database(&arena));
    let body = json!({ "turn": turn, "after": 0 });
    let refused = arena.post(&format!("/api/matches/{id}/turns"), &body);
    assert_eq!(refused.status, 503, "{}", refused.body);
    let place = arena.folder.path().display().to_string();
    assert!(refused.error().contains("another program holds"), "{}", refused.body);
    assert!(!refused.body.contains("disk") && !refused.body.contains(&place), "{}", refused.body);
    assert_eq!(arena.get(&format!("/api/matches/{id}")).json()["halted"], true, "no clock runs meanwhile");
    drop(holder);
    assert_eq!(arena.post(&format!("/api/matches/{id}/turns"), &body).status, 200);
    assert_eq!(arena.after(&id, 2)["halted"], false);
}

#[test]
fn a_damaged_row_hides_no_other() {
    let arena = Arena::open();
    let [ended, other_ended, live, other_live] = [(); 4].map(|()| arena.begin("cannon", "random"));
    for id in [&ended, &other_ended] {
        assert_eq!(arena.post(&format!("/api/matches/{id}/resign"), &json!({})).status, 200);
    }
    let Arena { program, folder, agent } = arena;
    drop(program);
    let db = rusqlite::Connection::open(folder.path().join("arena.db")).expect("a database");
    db.execute("UPDATE matches SET second_name = 'somebody' WHERE id = ?1", [&ended]).expect("damage");
    db.execute("UPDATE live SET second_name = 'somebody' WHERE id = ?1", [&live]).expect("damage");
    drop(db);
    let arena = Arena { program: serve(folder.path(), &[]), folder, agent };
    let listed = arena.get("/api/matches");
    assert_eq!(listed.status, 200, "{}", listed.body);
    for (id, is_there) in [(&ended, false), (&other_ended, true), (&live, false), (&other_live, true)] {
        assert_eq!(listed.body.contains(id.as_str()), is_there, "{}", listed.body);
        let page = arena.get(&format!("/match/{id}"));
        assert_eq!(page.status, if is_there { 200 } else { 503 }, "{}", page.body);
        assert_eq!(page.body.contains("changed since it was written"), !is_there, "{}", page.body);
        assert!(!page.body.contains("arena.db"), "{}", page.body);
    }
    for page in ["/", "/watch", "/replay"] {
        assert_eq!(arena.get(page).status, 200, "{page}");
    }
    assert!(!arena.program.logged("changed since it was written", 2).is_empty(), "whoever runs it is told");
}

/// A form as a browser sends it.
fn form(arena: &Arena, agent: &ureq::Agent, more: &[(&str, &str)], fields: &str) -> super::Answer {
    let mut request = agent.post(arena.at("/play/yinsh"));
    request = request.header("content-type", "application/x-www-form-urlencoded").header("accept", "text/html,*/*");
    for (name, value) in more {
        request = request.header(*name, *value);
    }
    answer(request.send(fields))
}

#[test]
fn a_form_that_is_refused_gets_a_page_and_is_not_lost() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let arena = Arena { program: serve(folder.path(), &["--token", "sesame"]), folder, agent: agent() };
    let fields = "side=second&opponent=house&house=level3&name=Ada+%3Cb%3E&clock=180%2B2";
    let refused = form(&arena, &arena.agent, &[], fields);
    assert_eq!(refused.status, 401, "{}", refused.body);
    for kept in [
        "<h1>",
        "needs the arena&apos;s token",
        "href=\"/enter\"",
        "name=\"house\" value=\"level3\"",
        "value=\"180+2\"",
    ] {
        assert!(
            refused.body.replace("&#39;", "&apos;").replace('\'', "&apos;").contains(kept),
            "{kept}: {}",
            refused.body
        );
    }
    assert!(refused.body.contains("Ada &lt;b&gt;"), "{}", refused.body);
    let crossed = form(&arena, &arena.agent, &[("origin", "https://example.org")], fields);
    assert_eq!(crossed.status, 403);
    assert!(crossed.body.contains("<h1>") && !crossed.body.contains("level3"), "another site's form is not sent again");
    assert!(arena.post("/api/matches", &json!({})).error().contains("token"), "programs get JSON");
    // The words fit how this arena was started: no link with a token was printed.
    let page = arena.get("/play/yinsh").body;
    assert!(page.contains("give the arena") && !page.contains("open the link"), "{page}");
    let mut stream = TcpStream::connect(("127.0.0.1", arena.program.port)).expect("a connection");
    stream.set_read_timeout(Some(super::PATIENCE)).expect("a timeout");
    let head = "POST /play/yinsh HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\ncontent-length: 3000000\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("sent");
    let mut long = String::new();
    stream.read_to_string(&mut long).expect("the connection ends");
    assert!(long.contains(" 413 ") && long.contains("<h1>"), "{long}");
}

/// A match of `agon match` in the arena's database: the bot writes to stderr, and its file lies somewhere.
#[test]
fn what_bots_of_other_programs_write_is_for_the_organiser() {
    let arena = Arena::open();
    let bot = arena.folder.path().join("Secret_Bot_99.sh");
    let agon = env!("CARGO_BIN_EXE_agon");
    std::fs::write(&bot, format!("echo hush-hush >&2\nexec {agon} bot connectx\n")).expect("a bot");
    let spec = format!("cmd:sh {};proto=ugi", bot.display());
    let mut command = Command::new(agon);
    command.args([
        "match",
        "connectx",
        &spec,
        "random",
        "--battles",
        "1",
        "--sandbox",
        "none",
        "--run",
        "evening",
        "--db",
    ]);
    let played = command.arg(database(&arena)).output().expect("agon");
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let rows = arena.get("/api/matches").json();
    let id = rows[0]["id"].as_str().expect("a match").replace('/', "%2F");
    let looks = [format!("/api/matches/{id}"), format!("/api/matches/{id}/record"), format!("/match/{id}")];
    for page in &looks {
        let seen = arena.get(page);
        assert_eq!(seen.status, 200, "{}", seen.body);
        let place = arena.folder.path().display().to_string();
        for private in ["hush-hush", "Secret_Bot_99", &place] {
            assert!(!seen.body.contains(private), "{page} shows {private}: {}", seen.body);
        }
    }
    arena.enter();
    for page in &looks {
        assert!(arena.get(page).body.contains("hush-hush"), "{page}");
    }
}

/// Writes until the disk of this folder is full.
fn fill(disk: &Path) -> PathBuf {
    let filler = disk.join("filler");
    let mut file = std::fs::File::create(&filler).expect("a file");
    while file.write_all(&[0; 4096]).is_ok() {}
    filler
}

#[test]
fn the_end_of_a_match_is_stored_whole_or_not_at_all() {
    let (arena, disk) = super::people::on_a_small_disk();
    let id = arena.begin("cannon", "random");
    let filler = fill(&disk);
    let resign = || arena.post(&format!("/api/matches/{id}/resign"), &json!({}));
    // Pages that the database has already may hold a change or two.
    let mut left = filler.metadata().expect("a file").len();
    let file = std::fs::File::options().write(true).open(&filler).expect("a file");
    let mut tries = 0;
    while resign().status != 200 {
        let view = arena.get(&format!("/api/matches/{id}")).json();
        assert_eq!(view["over"], false, "{view}");
        let rows = arena.get("/api/matches").json();
        let row =
            rows.as_array().expect("rows").iter().find(|row| row["id"] == json!(id)).expect("it is listed").clone();
        assert_eq!(row["result"], "*", "no end is stored: {rows}");
        tries += 1;
        assert!(tries < 200, "it never fits");
        // A page more.
        left = left.saturating_sub(4096);
        file.set_len(left).expect("room");
    }
    let rows = arena.get("/api/matches").json();
    let own: Vec<_> = rows.as_array().expect("rows").iter().filter(|row| row["id"] == json!(id)).collect();
    assert_eq!(own.len(), 1, "{rows}");
    assert_eq!(own[0]["termination"], "resignation", "{rows}");
}

#[test]
fn bots_wait_for_room_on_the_disk() {
    let (arena, disk) = super::people::on_a_small_disk();
    let wanted = json!({ "game": "yinsh", "pace": 0.05, "first": { "kind": "bot", "spec": "random" },
        "second": { "kind": "bot", "spec": "random" } });
    let id = arena.post("/api/matches", &wanted).json()["id"].as_str().expect("a name").to_owned();
    arena.after(&id, 1);
    let filler = fill(&disk);
    let deadline = std::time::Instant::now() + super::PATIENCE;
    let halted = loop {
        let view = arena.get(&format!("/api/matches/{id}")).json();
        if view["halted"] == true || view["over"] == true {
            break view;
        }
        assert!(std::time::Instant::now() < deadline, "{view}");
        thread::sleep(std::time::Duration::from_millis(10));
    };
    let shown = halted["turns"].as_array().expect("turns").len();
    let copy = arena.folder.path().join("copy.db");
    let stored = |folder: &Path| {
        // Only a copy can be opened from out here.
        for end in ["", "-wal"] {
            let there = folder.join(format!("arena.db{end}"));
            std::fs::copy(there, format!("{}{end}", copy.display())).expect("a copy");
        }
        let db = rusqlite::Connection::open(&copy).expect("a database");
        let turns = db.query_row("SELECT turns FROM live WHERE id = ?1", [&id], |row| row.get::<_, u32>(0));
        turns.expect("a row")
    };
    assert_eq!(halted["over"], false, "{halted}");
    assert_eq!(stored(&disk) as usize, shown, "what is shown is stored");
    std::fs::remove_file(filler).expect("it is gone");
    assert!(arena.after(&id, shown + 2)["turns"].as_array().is_some_and(|turns| turns.len() >= shown + 2));
}
