//! The clock of a check: the official kind, shortened only where the bot can live with it.

use super::*;

/// A UGI bot whose loop is `body`: it may use `session`, `rules` and `limits`, what it was told behind `go`.
fn ugi(body: &str) -> Folder {
    let lines: Vec<String> = body.lines().map(|line| format!("    {line}")).collect();
    let program = format!(
        "import sys, time\nsys.path.insert(0, '{BOTS}')\nfrom ugi import Rules, Session, bestmove, say\nsession = Session()\n\
         rules = Rules(session)\nwhile True:\n    limits = session.asked()\n{}\n",
        lines.join("\n")
    );
    let manifest = "name = 'told'\ngame = 'connectx'\nlanguage = 'cpp'\nrun = 'python3 bot.py'\n";
    Folder::new(&[("bot.toml", manifest), ("bot.py", &program)])
}

#[test]
fn a_bot_that_needs_the_official_time_is_ready() {
    let bot = ugi("say(bestmove(rules.choose() if int(limits[1]) >= 1000 else 'nothing yet'))");
    let checked = check(&[&bot.text(), "--json"]);
    checked.says(
        0,
        &[
            "told 0.2 s a turn to keep this short; the official clock has 1 s",
            "failed: illegal turn",
            "the official clock again, with 1 s a turn: the short clock may be to blame (0.2 s a turn were told). This takes longer",
            "warning: make sure that it also plays when little time is left",
            "It failed when it was told only 0.2 s a turn (illegal turn: 'nothing yet'",
            "ready for the official run, but see the warnings",
        ],
    );
    let verdict = checked.json();
    let clocks: Vec<&Value> = verdict["matches"].as_array().expect("matches").iter().map(|one| &one["clock"]).collect();
    assert_eq!(clocks, ["official", "official"], "the second match keeps to it: {verdict}");
}

#[test]
fn a_fault_at_both_clocks_says_so() {
    let bot = ugi("say(bestmove('nonsense'))");
    let checked = check(&[&bot.text(), "--json"]);
    checked.says(
        1,
        &[
            "again, with 1 s a turn",
            "That was at the official clock (1 s a turn).",
            "Before, with 0.2 s a turn: illegal turn",
        ],
    );
    assert_eq!(checked.json()["fault"]["clock"], "official");
    let bot = ugi("sys.exit('ModuleNotFoundError: No module named \\'numpy\\'')");
    let checked = check(&[&bot.text(), "--json"]);
    checked.says(1, &["numpy is not installed here"]);
    assert!(!checked.out.contains("again, with"), "no clock is to blame:\n{}", checked.out);
    assert_eq!(checked.json()["fault"]["clock"], "shortened");
}

/// A websocket bot that appends what it hears to a file.
fn websocket(mode: &str, dialect: &str, log: &Path) -> String {
    let log = log.display();
    format!(
        "cmd:python3 {BOTS}/websocket_bot.py {mode} --dialect {dialect} --log {log};proto=websocket;lang=python;name=subject"
    )
}

#[test]
fn a_bot_that_waits_for_stop_has_the_official_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("a2");
    // It is gone when it is asked for its second turn.
    let checked = check(&[&websocket("dies", "a2", &log), "--game", "rollerball", "--json"]);
    checked.says(1, &["clock 2 s a turn, as in the official run", "first turn ok: ", "failed: crash"]);
    assert!(!checked.out.contains("again, with"), "that was the official clock:\n{}", checked.out);
    assert!(!checked.out.contains("reserve"), "it is told when to stop:\n{}", checked.out);
    assert_eq!(checked.json()["fault"]["clock"], "official");
}

#[test]
fn a_bot_with_a_clock_for_the_game_is_given_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("a5");
    let checked = check(&[&websocket("null-move", "a5", &log), "--game", "rollerball"]);
    checked.says(
        1,
        &[
            "it was written for another kind of clock",
            "told 12 s for the whole match to keep this short; the official clock has 120 s",
        ],
    );
    let heard = fs::read_to_string(&log).expect("a log");
    let told: Vec<&str> = heard.lines().filter(|line| line.starts_with("go ")).collect();
    assert_eq!(told, ["go 12000", "go 120000"], "first a short clock, then the official one: {heard}");
}

#[test]
fn a_bot_that_thinks_too_long_for_its_clock_hears_when_that_runs_out() {
    let slow = "import sys, time\nsys.stdin.readline()\nfor turn in ['P 0 0', 'P 1 0', 'P 1 1', '\\x00']:\n    time.sleep(2.1)\n    \
                print(turn, flush=True)\n    sys.stdin.readline()\n";
    let bot = Folder::lines(slow);
    check(&[&bot.text(), "--game", "yinsh"]).says(
        1,
        &[
            "warning: let it think less when little time is left: at ",
            " s a turn, 120 s will run out at turn ",
            "protocol violation",
        ],
    );
    let bot = Folder::lines(&slow.replace("2.1", "1.1"));
    check(&[&bot.text(), "--game", "yinsh", "--tc", "3"])
        .says(1, &["What to do - Let it think less when little time is left", "Its 3 s ran out at turn "]);
}
