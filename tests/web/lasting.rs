//! Pages that live through what goes wrong: lost requests, forgotten tabs, an arena that is away.

use serde_json::Value;
use tempfile::TempDir;

use super::{ADDRESS, Browser, Program, TURNS, arena, begin, was_run_alone};

const LEFT: &str = "\u{e012}";
const END: &str = "\u{e010}";

fn press(browser: &Browser, text: &str) {
    let button = format!("[...document.querySelectorAll('button')].find((b) => b.textContent === {text:?})");
    browser.wait(&format!("{button} !== undefined"));
    browser.run(&format!("{button}.click();"));
}

fn has_button(text: &str) -> String {
    format!("[...document.querySelectorAll('button')].some((b) => b.textContent === {text:?})")
}

/// The next requests to addresses that end like this are lost on their way.
fn lose(browser: &Browser, end: &str, times: usize) {
    browser.run(&format!(
        "const reached = window.fetch; let left = {times}; window.lost = 0;
         window.fetch = (address, request) => {{
           if (left > 0 && String(address).includes({end:?})) {{ left--; window.lost++; return Promise.reject(new TypeError('lost')); }}
           return reached(address, request);
         }};"
    ));
}

fn status() -> &'static str {
    "document.querySelector('[data-status]').textContent"
}

/// What was left uncaught: requests that fail are the browser's to report.
fn uncaught(browser: &Browser) -> Vec<String> {
    // On plain HTTP the browser says of each page which of its headers it ignores.
    let others = ["ERR_", "Failed to load resource", "Cross-Origin-Opener-Policy"];
    let own = |error: &String| !others.iter().any(|other| error.contains(other));
    browser.errors().into_iter().filter(own).collect()
}

#[test]
fn a_turn_whose_request_was_lost_is_sent_again() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &arena, "connectx");
    lose(&browser, "/turns", 2);
    browser.click(".spot.can");
    browser.wait("document.querySelector('.banner').textContent.includes('is kept')");
    // Nothing but the page itself sends it: the stream of events has no news.
    browser.wait(&format!("{TURNS} === 2 && document.querySelector('.banner').hidden"));
    assert_eq!(browser.run("return window.lost;"), 2);
    browser.click(".spot.can");
    browser.wait(&format!("{TURNS} === 4"));
    assert_eq!(uncaught(&browser), Vec::<String>::new());
}

#[test]
fn a_tab_that_was_forgotten_says_again_what_it_shows() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &arena, "connectx");
    // As after a long sleep: whoever hands out the news takes this tab for gone.
    browser.run("window.dispatchEvent(new PageTransitionEvent('pagehide'));");
    browser.run_async(
        "const id = location.pathname.split('/').pop();
         const view = await (await fetch('/api/matches/' + id)).json();
         await new Promise((done) => setTimeout(done, 300));
         await fetch(`/api/matches/${id}/turns`, { method: 'POST', headers: { 'content-type': 'application/json' },
           body: JSON.stringify({ turn: view.legal[0].turn }) });",
    );
    browser.wait(&format!("{TURNS} === 2"));
}

#[test]
fn one_press_never_resigns_and_hints_do_not_stay() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &arena, "connectx");
    press(&browser, "Resign");
    browser.wait(&has_button("Resign: sure?"));
    // The bot's answer draws the buttons again; so does looking back.
    browser.click(".spot.can");
    browser.wait(&format!("{TURNS} === 2"));
    browser.press(LEFT);
    let sure = has_button("Resign: sure?");
    let plain = has_button("Resign");
    let now = browser.run(&format!("return [{sure}, {plain}];"));
    assert!(now[0] != now[1], "one of the two: {now}");
    browser.wait(&plain);
    press(&browser, "Resign");
    browser.wait(&sure);
    assert_eq!(browser.run(&format!("return {};", has_button("Play again, sides swapped"))), false);
    browser.press(END);
    browser.wait(&plain);
    // A hint is gone when its button loses the focus.
    let hint = "[...document.querySelectorAll('button')].find((b) => b.textContent === 'Hint (hold)')";
    browser.run(&format!("{hint}.focus(); {hint}.dispatchEvent(new KeyboardEvent('keydown', {{ key: ' ' }}));"));
    browser.wait(&format!("{}.includes('would play')", status()));
    browser.run(&format!("{hint}.blur();"));
    browser.wait(&format!("!{}.includes('would play') && document.querySelector('.spot.hint') === null", status()));
    assert_eq!(uncaught(&browser), Vec::<String>::new());
}

#[test]
fn what_happens_is_heard_while_one_looks_back() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &arena, "connectx");
    browser.click(".spot.can");
    browser.wait(&format!("{TURNS} === 2"));
    let heard = "document.querySelector('[data-status] + .aside').textContent";
    assert_eq!(browser.run(&format!("return {heard};")), "", "the line of the match says it");
    browser.press(LEFT);
    browser.wait("document.querySelector('[data-turns] [aria-current]')?.closest('li').matches(':first-child')");
    browser.run_async(
        "const id = location.pathname.split('/').pop();
         const view = await (await fetch('/api/matches/' + id)).json();
         await fetch(`/api/matches/${id}/turns`, { method: 'POST', headers: { 'content-type': 'application/json' },
           body: JSON.stringify({ turn: view.legal[0].turn }) });",
    );
    browser.wait(&format!("/ played \\d/.test({heard})"));
    // What is taken back is not announced as if it were new.
    browser.press(END);
    press(&browser, "Take back");
    browser.wait(&format!("{TURNS} === 2"));
    assert_eq!(browser.run(&format!("return {}.includes(' played ');", status())), false);
}

#[test]
fn judging_is_stopped_and_no_picture_is_no_error() {
    let folder = TempDir::new().expect("a folder");
    let first = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &first, "connectx");
    for turns in [2, 4, 6] {
        browser.wait("document.querySelector('.spot.can') !== null");
        browser.click(".spot.can");
        browser.wait(&format!("{TURNS} === {turns}"));
    }
    press(&browser, "Resign");
    press(&browser, "Resign: sure?");
    press(&browser, "Judge the match");
    press(&browser, "Stop judging");
    browser.wait(&has_button("Judge the match"));
    drop(first);
    press(&browser, "Picture (PNG)");
    browser.wait(&format!("{}.includes('cannot be reached')", status()));
    assert_eq!(uncaught(&browser), Vec::<String>::new());
}

#[test]
fn another_tab_wipes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &arena, "connectx");
    let first = browser.tab();
    browser.run("document.querySelector('[name=turn]').value = '9 9';");
    browser.run("document.querySelector('[data-typed]').requestSubmit();");
    browser.wait(&format!("{}.includes('9 9')", status()));
    browser.new_tab();
    browser.go(&format!("http://127.0.0.1:{}/watch", arena.port));
    // It hears of matches, so the stream that both share was opened anew.
    let other = browser.run_async(
        "const begun = await fetch('/api/matches', { method: 'POST', headers: { 'content-type': 'application/json' },
           body: JSON.stringify({ game: 'connectx', pace: 0.2, first: { kind: 'bot', spec: 'random' },
             second: { kind: 'bot', spec: 'random' } }) });
         return (await begun.json()).id;",
    );
    let card = format!("document.querySelector('[data-id={:?}]')", other.as_str().expect("a name"));
    browser.wait(&format!("{card} !== null"));
    browser.switch(&first);
    assert_eq!(browser.run(&format!("return {}.includes('9 9');", status())), true, "the refusal is still there");
}

#[test]
fn matches_that_are_over_leave_the_page_of_all() {
    let folder = TempDir::new().expect("a folder");
    let db = folder.path().join("arena.db");
    let first = arena(&db, 0);
    let port = first.port;
    let browser = Browser::open(1000, 800, false);
    browser.go(&format!("http://127.0.0.1:{port}/watch"));
    let bots =
        "const begun = await fetch('/api/matches', { method: 'POST', headers: { 'content-type': 'application/json' },
           body: JSON.stringify({ game: 'connectx', pace: PACE, first: { kind: 'bot', spec: 'random' },
             second: { kind: 'bot', spec: 'random' } }) });
         return (await begun.json()).id;";
    let begin = |pace: &str| browser.run_async(&bots.replace("PACE", pace)).as_str().expect("a name").to_owned();
    let card = |id: &str| format!("document.querySelector('[data-id={id:?}]')");
    let short = begin("0.05");
    browser.wait(&format!("{} !== null", card(&short)));
    browser.wait(&format!("{} === null", card(&short)));
    let long = begin("60");
    browser.wait(&format!("{} !== null", card(&long)));
    drop(first);
    browser.wait("document.querySelector('.banner')?.hidden === false");
    // Meanwhile it is over: whoever was away is brought up to date.
    let forgotten = rusqlite::Connection::open(&db).expect("a database");
    forgotten.execute("DELETE FROM live", []).expect("written");
    drop(forgotten);
    let _second = arena(&db, port);
    browser.wait(&format!("{} === null && document.querySelector('.banner').hidden", card(&long)));
}

#[test]
fn another_match_is_offered_declined_and_begun() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let [host, guest] = [0, 1].map(|_| Browser::open(1000, 800, false));
    host.go(&format!("http://127.0.0.1:{}/play/connectx", arena.port));
    host.run("document.querySelector('input[value=friend]').click();");
    host.click("button.primary");
    let link = host.wait("document.querySelector('.link input')?.value");
    guest.go(link.as_str().expect("a link"));
    guest.wait("document.querySelector('.actions .primary') !== null");
    guest.click(".actions .primary");
    host.wait("document.querySelector('.spot.can') !== null");
    press(&host, "Resign");
    press(&host, "Resign: sure?");
    let again = "Play again, sides swapped";
    let accept = "[...document.querySelectorAll('button')].find((b) => b.textContent.endsWith(': accept'))";
    press(&host, again);
    guest.wait(&format!("{accept} !== undefined"));
    press(&guest, "Decline");
    host.wait(&has_button(again));
    press(&host, again);
    guest.wait(&format!("{accept} !== undefined"));
    press(&host, "Withdraw the offer");
    guest.wait(&has_button(again));
    press(&host, again);
    guest.wait(&format!("{accept} !== undefined"));
    let before = guest.run("return location.pathname;");
    guest.run(&format!("{accept}.click();"));
    for browser in [&guest, &host] {
        browser.wait(&format!("location.pathname !== {before} && document.querySelector('.spot') !== null"));
    }
    assert_eq!(guest.run("return location.pathname;"), host.run("return location.pathname;"));
    assert_ne!(guest.run("return location.pathname;"), Value::Null);
}

#[test]
fn links_are_copied_on_plain_http() {
    if was_run_alone("web::lasting::links_are_copied_on_plain_http") {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "--port", "0", "--bind", ADDRESS, "--db"]).arg(folder.path().join("arena.db"));
    let arena = Program::start(command.env("AGON_TOKEN", "sesame"), &format!("http://{ADDRESS}:"));
    let browser = Browser::open(1000, 800, false);
    browser.go(&format!("http://{ADDRESS}:{}/enter", arena.port));
    browser.run("document.querySelector('[name=token]').value = 'sesame';");
    browser.click("button.primary");
    browser.wait("location.pathname === '/'");
    browser.go(&format!("http://{ADDRESS}:{}/play/connectx", arena.port));
    browser.click("button.primary");
    browser.wait("location.pathname.startsWith('/match/') && document.querySelector('.spot.can') !== null");
    assert_eq!(browser.run("return window.isSecureContext;"), false);
    for (button, said) in [("Share", "link"), ("Copy position", "position")] {
        press(&browser, button);
        browser.wait(&format!(
            "/on the clipboard|Copy this/.test({0}) && {0}.includes({said:?}) || {0}.includes('Copy this')",
            status()
        ));
    }
    assert_eq!(uncaught(&browser), Vec::<String>::new());
}
