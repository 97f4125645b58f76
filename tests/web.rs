//! The arena in a real browser: every game played with the mouse and by keyboard alone, replayed, and judged.

mod keyboard;
mod lasting;

use std::{path::Path, process::Command};

use crate::site::{alone, driver, program};
use alone::{ADDRESS, was_run_alone};
use driver::Browser;
use program::Program;
use serde_json::Value;
use tempfile::TempDir;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

fn arena(db: &Path, port: u16) -> Program {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.arg("serve").arg("--port").arg(port.to_string()).arg("--db").arg(db);
    Program::start(&mut command, "http://127.0.0.1:")
}

/// Begins a match against `random` and gives the browser that shows it.
fn begin(browser: &Browser, arena: &Program, game: &str) {
    browser.go(&format!("http://127.0.0.1:{}/play/{game}", arena.port));
    browser.click("button.primary");
    browser.wait("location.pathname.startsWith('/match/') && document.querySelector('.spot.can') !== null");
}

/// The clicks of the turn that the engine would make, or null when the game is over.
const NEXT: &str = "
  const id = location.pathname.split('/').pop();
  const view = await (await fetch('/api/matches/' + id)).json();
  if (view.over) return null;
  const asked = { game: view.game, variant: view.variant, rules: view.rules, nodes: 1500,
    turns: view.turns.map((turn) => turn.text) };
  const answer = await fetch('/api/analyse', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked) });
  const thought = await answer.json();
  const turn = view.legal.find((legal) => legal.turn === thought.turn);
  return { clicks: turn.clicks, made: view.turns.length };";

/// Waits until the page shows a turn more and its answer, or that the match is over.
fn settle(browser: &Browser, made: usize) {
    let turns = "document.querySelectorAll('[data-turns] li').length";
    let again = "[...document.querySelectorAll('button')].some((b) => b.textContent.startsWith('Play again'))";
    browser.wait(&format!(
        "{turns} > {made} && ({again} || ({turns} > {made} + 1 && document.querySelector('.spot.can') !== null))"
    ));
}

/// Plays until the match is over; `enter` enters one click.
fn play_out(browser: &Browser, mut enter: impl FnMut(&Value)) -> usize {
    loop {
        let next = browser.run_async(NEXT);
        if next.is_null() {
            return browser.run("return document.querySelectorAll('[data-turns] li').length;").as_u64().unwrap()
                as usize;
        }
        assert!(next.is_object(), "{next}");
        for click in next["clicks"].as_array().expect("clicks") {
            match click.as_u64() {
                Some(spot) => {
                    browser.wait(&format!("document.querySelector('.spot.can[data-spot=\"{spot}\"]')?.dataset"))
                }
                None => browser.wait("document.querySelector('.choices button')?.textContent"),
            };
            enter(click);
        }
        settle(browser, next["made"].as_u64().expect("a number") as usize);
    }
}

fn plays_with_the_mouse(game: &str) {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1300, 900, false);
    begin(&browser, &arena, game);
    let turns = play_out(&browser, |click| match click {
        Value::Number(spot) => browser.click(&format!(".spot[data-spot=\"{spot}\"]")),
        other => {
            let text = other.as_str().expect("a choice");
            let script = format!(
                "return [...document.querySelectorAll('.choices button')].findIndex((b) => b.textContent === {text:?});"
            );
            let index = browser.run(&script).as_u64().expect("the button");
            browser.click(&format!(".choices button:nth-of-type({})", index + 1));
        }
    });
    let said = browser.text();
    assert!(said.contains("wins") || said.contains("draw"), "{said}");
    // Replayed: arrow keys walk through the turns, and the record has all of them.
    browser.run("document.activeElement.blur();");
    browser.press("\u{e011}");
    browser.wait("document.querySelectorAll('[data-turns] [aria-current]').length === 0");
    browser.press("\u{e014}\u{e014}");
    browser.wait("document.querySelectorAll('[data-turns] button')[1].getAttribute('aria-current') === 'step'");
    // Judged.
    browser.run("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Judge the match').click();");
    browser.wait(&format!(
        "document.querySelector('.curve-first')?.getAttribute('points').split(' ').length >= {} || null",
        turns.min(10)
    ));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

macro_rules! games {
    ($($game:ident)*) => {
        $(mod $game {
            #[test]
            fn is_played_with_the_mouse() {
                super::plays_with_the_mouse(stringify!($game));
            }

            #[test]
            fn is_played_by_keyboard_alone() {
                super::keyboard::plays(stringify!($game));
            }
        })*
    };
}

games! { breakthrough cannon connectx rivers rollerball yinsh }

#[test]
fn a_match_survives_reloading_and_a_killed_arena() {
    let folder = TempDir::new().expect("a folder");
    let db = folder.path().join("arena.db");
    let first = arena(&db, 0);
    let port = first.port;
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &first, "yinsh");
    let one_turn = || {
        let next = browser.run_async(NEXT);
        for spot in next["clicks"].as_array().expect("clicks") {
            browser.click(&format!(".spot[data-spot=\"{spot}\"]"));
        }
        settle(&browser, next["made"].as_u64().expect("a number") as usize);
    };
    let list = "[...document.querySelectorAll('[data-turns] li')].map((turn) => turn.textContent).join()";
    one_turn();
    let before = browser.run(&format!("return {list};"));
    browser.run("location.reload();");
    browser.wait("document.querySelector('.spot.can') !== null");
    assert_eq!(browser.run(&format!("return {list};")), before);
    // Killed: it has no time to put anything away.
    drop(first);
    let second = arena(&db, port);
    assert_eq!(second.port, port);
    one_turn();
    assert!(browser.run(&format!("return {list};")).as_str().unwrap().starts_with(before.as_str().unwrap()));
}

/// How many turns the page lists.
const TURNS: &str = "document.querySelectorAll('[data-turns] li').length";

#[test]
fn an_open_tab_goes_on_after_a_restart_and_sends_what_was_played_meanwhile() {
    let folder = TempDir::new().expect("a folder");
    let db = folder.path().join("arena.db");
    let first = arena(&db, 0);
    let port = first.port;
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &first, "connectx");
    let turn = || {
        browser.wait("document.querySelector('.spot.can') !== null");
        browser.click(".spot.can");
    };
    turn();
    browser.wait(&format!("{TURNS} === 2"));
    drop(first);
    browser.wait("document.querySelector('.banner')?.hidden === false");
    assert!(browser.text().contains("Reconnecting"), "{}", browser.text());
    turn();
    browser.wait("document.querySelector('.banner').textContent.includes('is kept')");
    let _second = arena(&db, port);
    browser.wait(&format!("{TURNS} === 4 && document.querySelector('.banner').hidden"));
    turn();
    browser.wait(&format!("{TURNS} === 6"));
    let own = |error: &String| !error.contains("ERR_") && !error.contains("Failed to load resource");
    assert!(!browser.errors().iter().any(own), "nothing was left uncaught");
}

#[test]
fn ten_tabs_are_all_live() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    begin(&browser, &arena, "connectx");
    let match_page = browser.run("return location.href;").as_str().expect("an address").to_owned();
    let first = browser.tab();
    let tabs: Vec<String> = (0..9)
        .map(|number| {
            let tab = browser.new_tab();
            // Most look at the match, some at the list of all.
            let page =
                if number % 4 == 3 { format!("http://127.0.0.1:{}/watch", arena.port) } else { match_page.clone() };
            browser.go(&page);
            tab
        })
        .collect();
    browser.switch(&first);
    browser.wait("document.querySelector('.spot.can') !== null");
    browser.click(".spot.can");
    for tab in &tabs {
        browser.switch(tab);
        browser.wait(&format!("{TURNS} >= 2 || parseInt(document.querySelector('[data-turn]')?.textContent) >= 2"));
    }
    // There is room for a page more.
    browser.new_tab();
    browser.go(&format!("http://127.0.0.1:{}/", arena.port));
    browser.wait("document.querySelectorAll('.games li').length > 4");
}

#[test]
fn the_page_keeps_what_people_do() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    browser.go(&format!("http://127.0.0.1:{}/play/rollerball", arena.port));
    let board = "document.querySelector('[data-board]').innerHTML";
    let usual = browser.run(&format!("return {board};"));
    browser.run(
        "const boards = document.querySelector('[name=variant]'); boards.selectedIndex = 1; \
                 boards.dispatchEvent(new Event('change'));",
    );
    browser.wait(&format!("{board} !== {usual}"));
    begin(&browser, &arena, "connectx");
    browser.click(".spot.can");
    browser.wait(&format!("{TURNS} === 2"));
    // After the mouse, arrow keys walk through the turns.
    browser.press("\u{e012}");
    browser.wait("document.querySelector('[data-turns] [aria-current]')?.closest('li').matches(':first-child')");
    browser.press("\u{e014}");
    browser.wait("document.querySelector('.spot.can') !== null");
    // A turn that is refused can be mended.
    browser.run("document.querySelector('[name=turn]').value = '9 9';");
    browser.run("document.querySelector('[data-typed]').requestSubmit();");
    browser.wait("document.querySelector('[data-status]').textContent.includes('9 9')");
    assert_eq!(browser.run("return document.querySelector('[name=turn]').value;"), "9 9");
    let press = |text: &str| {
        let button = format!("[...document.querySelectorAll('button')].find((b) => b.textContent === {text:?})");
        browser.wait(&format!("{button} !== undefined"));
        browser.run(&format!("{button}.click();"));
    };
    press("Flip the board");
    browser.run("location.reload();");
    browser.wait("document.querySelector('.spot.can') !== null && document.querySelector('svg.flipped') !== null");
    // The opponent's turn is said.
    browser.click(".spot.can");
    browser.wait("/ played \\d/.test(document.querySelector('[data-status]').textContent)");
    press("Resign");
    press("Resign: sure?");
    press("Autoplay");
    press("Stop");
    browser.wait("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Autoplay')");
    assert_eq!(browser.errors().len(), 1, "only the refused turn: {:?}", browser.errors());
}

#[test]
fn two_play_by_link_while_a_third_looks_on() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browsers: Vec<Browser> = (0..3).map(|_| Browser::open(1000, 800, false)).collect();
    let [host, guest, third] = browsers.as_slice() else { panic!("three browsers") };
    host.go(&format!("http://127.0.0.1:{}/play/connectx", arena.port));
    host.run("document.querySelector('input[value=friend]').click();");
    host.click("button.primary");
    let link = host.wait("document.querySelector('.link input')?.value");
    let link = link.as_str().expect("a link").to_owned();
    guest.go(&link);
    guest.wait("document.querySelector('.actions .primary') !== null");
    guest.run("document.querySelector('.actions input').value = 'Blaise';");
    guest.click(".actions .primary");
    host.wait("document.querySelector('[data-player=\"2\"] .name').textContent === 'Blaise'");
    third.go(&link);
    host.wait("document.querySelector('.spot.can') !== null");
    for (turn, player) in [host, guest, host, guest].into_iter().enumerate() {
        player.wait("document.querySelector('.spot.can') !== null");
        player.click(".spot.can");
        for looking in &browsers {
            looking.wait(&format!("document.querySelectorAll('[data-turns] li').length === {}", turn + 1));
        }
    }
    assert_eq!(third.run("return document.querySelectorAll('.spot.can').length;"), 0);
    for browser in &browsers {
        assert_eq!(browser.errors(), Vec::<String>::new());
    }
}

/// Where a rook may take the king in its next turn, unless something is done about it.
const THREATENED: &str = "....B../b.....R/..___k./..___../.P___p./....p../....K.. w";

#[test]
fn pieces_are_dragged_and_threats_are_marked() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    let query = THREATENED.replace('/', "%2F").replace(' ', "+");
    let address = format!("http://127.0.0.1:{}/play/rollerball?position={query}", arena.port);
    browser.go(&address);
    browser.run("document.querySelector('input[value=here]').click();");
    browser.click("button.primary");
    browser.wait("document.querySelector('.spot.can') !== null");
    // The winning move of this problem, found by the engine: now the other side is threatened.
    let next =
        browser.run_async(NEXT.replace("nodes: 1500,", &format!("nodes: 20000, position: {THREATENED:?},")).as_str());
    let [from, to] = [0, 1].map(|click| format!(".spot[data-spot=\"{}\"]", next["clicks"][click]));
    // A click chooses, Escape begins again.
    browser.click(&from);
    browser.wait("document.querySelectorAll('.spot.chosen').length === 1");
    browser.press(ESCAPE);
    browser.wait("document.querySelectorAll('.spot.chosen').length === 0");
    browser.drag(&from, &to);
    browser.wait("document.querySelectorAll('[data-turns] li').length === 1");
    browser.wait("document.querySelectorAll('.spot.threat').length > 0");
    assert!(browser.text().contains("would win"), "{}", browser.text());
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn both_clocks_are_seen_and_what_the_opponent_promises() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    let clocks = "[...document.querySelectorAll('[data-clock]')].map((clock) => clock.textContent).join(' ')";
    for (clock, shown, pace) in [("180+2", "/^[23]:.. [23]:..$/", "of its 180 s"), ("", "/^ $/", "up to 1 s a turn")] {
        browser.go(&format!("http://127.0.0.1:{}/play/yinsh", arena.port));
        for (name, value) in [("house", "level10"), ("clock", clock)] {
            browser.run(&format!("document.querySelector('[name={name}]').value = '{value}';"));
        }
        browser.click("button.primary");
        browser.wait("location.pathname.startsWith('/match/') && document.querySelector('.spot.can') !== null");
        browser.wait(&format!("{shown}.test({clocks})"));
        let said = browser.text();
        assert!(said.contains("level10") && said.contains(pace), "{said}");
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_position_is_set_up_by_hand() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    let press = |name: &str| {
        browser
            .run(&format!("[...document.querySelectorAll('button')].find((b) => b.textContent === {name:?}).click();"));
    };
    let text =
        |expected: &str| browser.wait(&format!("document.querySelector('[data-position]').value === {expected:?}"));
    browser.go(&format!("http://127.0.0.1:{}/analyse/cannon", arena.port));
    press("Edit the board");
    // A soldier from the bottom row to the middle, another one removed, a new one put, and the other side to move.
    browser.click(".spot[data-spot=\"56\"]");
    browser.click(".spot[data-spot=\"35\"]");
    text("tstststs/.s.s.s.s/.s.s.s.s/......../...S..../S.S.S.S./S.S.S.S./.TSTSTST 1");
    press("Remove");
    browser.click(".spot[data-spot=\"1\"]");
    text("t.tststs/.s.s.s.s/.s.s.s.s/......../...S..../S.S.S.S./S.S.S.S./.TSTSTST 1");
    press("white soldier");
    browser.click(".spot[data-spot=\"24\"]");
    text("t.tststs/.s.s.s.s/.s.s.s.s/s......./...S..../S.S.S.S./S.S.S.S./.TSTSTST 1");
    press("Swap the side to move");
    text("t.tststs/.s.s.s.s/.s.s.s.s/s......./...S..../S.S.S.S./S.S.S.S./.TSTSTST 2");
    // However fast they come, none is lost.
    press("Remove");
    browser.run(
        "[9, 11, 13, 15].map((spot) => document.querySelector(`.spot[data-spot='${spot}']`)) \
         .forEach((spot) => spot.dispatchEvent(new Event('click', { bubbles: true })));",
    );
    text("t.tststs/......../.s.s.s.s/s......./...S..../S.S.S.S./S.S.S.S./.TSTSTST 2");
    press("Done editing");
    browser.wait("document.querySelector('.spot.can') !== null");
    // By keyboard, too; and what cannot be is refused with a reason and changes nothing.
    browser.go(&format!("http://127.0.0.1:{}/analyse/rollerball", arena.port));
    press("Edit the board");
    press("Remove");
    browser.run("document.querySelector('.spot[aria-label*=\"white king\"]').focus();");
    browser.press(ENTER);
    browser.wait("document.querySelector('[data-status]').textContent.includes('king')");
    text("..rbp../..rkp../..___../..___../..___../..PKR../..PBR.. w");
}

/// Plays against a program by the form; the page of the match is there at the end.
fn seat_a_program(browser: &Browser) {
    browser.click("[name=opponent][value=bot]");
    let bot = format!("cmd:{} bot connectx;proto=ugi", env!("CARGO_BIN_EXE_agon"));
    browser.run(&format!("document.querySelector('[name=bot]').value = {bot:?};"));
    browser.click("button.primary");
    browser.wait("location.pathname.startsWith('/match/') && document.querySelector('.spot.can') !== null");
}

#[test]
fn whoever_opens_the_link_seats_a_program() {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1000, 800, false);
    let form = format!("http://127.0.0.1:{}/play/connectx", arena.port);
    browser.go(&form);
    assert_eq!(browser.run("return document.querySelector('[name=opponent][value=bot]');"), Value::Null);
    assert!(browser.text().contains("open the link that the arena printed"), "{}", browser.text());
    browser.go(arena.entrance());
    browser.wait("location.pathname === '/'");
    assert_eq!(browser.run("return location.search;"), "", "nobody reads the token over a shoulder");
    browser.go(&form);
    seat_a_program(&browser);
    assert!(browser.errors().is_empty(), "{:?}", browser.errors());
}

#[test]
fn the_token_of_an_open_address_is_given_once() {
    if was_run_alone("web::the_token_of_an_open_address_is_given_once") {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "--port", "0", "--bind", ADDRESS, "--db"]).arg(folder.path().join("arena.db"));
    let arena = Program::start(command.env("AGON_TOKEN", "sesame"), &format!("http://{ADDRESS}:"));
    let at = |path: &str| format!("http://{ADDRESS}:{}{path}", arena.port);
    let browser = Browser::open(1000, 800, false);
    let give = |token: &str| {
        browser.go(&at("/enter"));
        browser.run(&format!("document.querySelector('[name=token]').value = {token:?};"));
        browser.click("button.primary");
    };
    browser.go(&at("/play/connectx"));
    browser.click("button.primary");
    browser.wait("document.body.innerText.includes('needs the arena\\'s token')");
    give("open");
    browser.wait("document.body.innerText.includes('not the arena\\'s token')");
    give("sesame");
    browser.wait("location.pathname === '/'");
    browser.go(&at("/play/connectx"));
    browser.click("button.primary");
    browser.wait("location.pathname.startsWith('/match/') && document.querySelector('.spot.can') !== null");
}
