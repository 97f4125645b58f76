//! Every page of the arena, looked at in a real browser: in light and dark, from a small phone to a wide screen, and with the eyes
//! of axe-core. What it saw is left in `target/pictures`.

use std::fs;

use crate::site::{audit, driver, stage};
use driver::Browser;
use stage::Stage;

/// Somebody who looks at pages and writes down what is wrong.
struct Visitor<'a> {
    browser: &'a Browser,
    axe: String,
    wrong: Vec<String>,
}

/// Widths that pictures are taken at, and whether in the dark.
const PICTURES: [(u32, bool); 4] = [(360, false), (1600, false), (800, true), (800, false)];
/// No screen is narrower.
const NARROWEST: u32 = 320;

impl Visitor<'_> {
    fn new(browser: &Browser) -> Visitor<'_> {
        fs::create_dir_all(audit::build_folder().join("pictures")).expect("a folder for pictures");
        Visitor { browser, axe: audit::axe(), wrong: Vec::new() }
    }

    /// Goes to a page, waits until `ready`, and looks at it from all sides.
    fn visit(&mut self, name: &str, address: &str, ready: &str) {
        self.browser.screen(800, false);
        self.browser.go(address);
        self.browser.wait(ready);
        self.look(name);
    }

    /// Looks at the page that is shown.
    fn look(&mut self, name: &str) {
        let mut wrong = Vec::new();
        for (width, dark) in PICTURES {
            self.browser.screen(width, dark);
            if width == 800 {
                wrong.extend(audit::accessibility(self.browser, &self.axe));
                wrong.extend(audit::faint_men(self.browser));
            }
            let file = format!("pictures/{name}-{width}{}.png", if dark { "-dark" } else { "" });
            fs::write(audit::build_folder().join(file), self.browser.picture()).expect("a picture is written");
        }
        self.browser.screen(NARROWEST, false);
        wrong.extend(audit::sideways(self.browser));
        wrong.extend(audit::foreign(self.browser));
        wrong.extend(self.browser.errors().into_iter().map(|error| format!("the console says: {error}")));
        self.wrong.extend(wrong.into_iter().map(|wrong| format!("{name}: {wrong}")));
    }

    /// Says everything at once: the next run takes a while.
    fn content(self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

/// The page is there; modules make its boards live.
const LIVE: &str = "document.querySelector('.spot.can') !== null";
const THERE: &str = "document.readyState === 'complete'";

/// Presses the button with this text, as soon as it is there.
fn press(browser: &Browser, text: &str) {
    let button = format!("[...document.querySelectorAll('button')].find((b) => b.textContent === {text:?})");
    browser.wait(&format!("{button} !== undefined"));
    browser.run(&format!("{button}.click();"));
}

fn pages_of_a_game(game: &str) {
    let stage = Stage::open();
    let mut visitor = Visitor::new(&stage.browser);
    let playing = stage.in_progress(game);
    visitor.visit(&format!("{game}-setup"), &stage.at(&format!("/play/{game}")), THERE);
    visitor.visit(&format!("{game}-match"), &stage.at(&playing), LIVE);
    visitor.visit(&format!("{game}-analyse"), &stage.at(&format!("/analyse/{game}")), LIVE);
    press(&stage.browser, "Ask the engine");
    stage.browser.wait("document.querySelectorAll('[data-lines] li').length > 0");
    visitor.look(&format!("{game}-analyse-lines"));
    press(&stage.browser, "Edit the board");
    stage.browser.wait("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Done editing')");
    visitor.look(&format!("{game}-analyse-edit"));
    visitor.visit(&format!("{game}-learn"), &stage.at(&format!("/learn/{game}")), THERE);
    visitor.content();
}

macro_rules! games {
    ($($game:ident)*) => {
        $(#[test]
        fn $game() {
            pages_of_a_game(stringify!($game));
        })*
    };
}

games! { breakthrough cannon connectx rivers rollerball yinsh }

#[test]
fn pages_of_no_game() {
    let stage = Stage::open();
    let mut visitor = Visitor::new(&stage.browser);
    for game in agon_all::GAMES {
        stage.in_progress(game.name());
    }
    for (name, path) in [
        ("home", "/"),
        ("replay", "/replay"),
        ("analyse", "/analyse"),
        ("learn", "/learn"),
        ("enter", "/enter"),
        ("tournaments", "/tournaments"),
    ] {
        visitor.visit(name, &stage.at(path), THERE);
    }
    let boards = format!("document.querySelectorAll('[data-live] svg').length === {}", agon_all::GAMES.len());
    visitor.visit("watch", &stage.at("/watch"), &boards);
    visitor.content();
}

#[test]
fn a_finished_match() {
    let stage = Stage::open();
    let mut visitor = Visitor::new(&stage.browser);
    let page = stage.finished("connectx");
    stage.browser.screen(800, false);
    stage.browser.go(&stage.at(&page));
    press(&stage.browser, "Judge the match");
    // The curve has a point more than there are turns, and two corners.
    stage.browser.wait(
        "document.querySelector('.curve-first')?.getAttribute('points').split(' ').length \
         === document.querySelectorAll('[data-turns] li').length + 3",
    );
    visitor.look("match-finished");
    // The same match from its record, pasted.
    let record = format!("return await (await fetch('/api{}/record')).text();", page.replace("/match/", "/matches/"));
    let record = stage.browser.run_async(&record);
    stage.browser.go(&stage.at("/replay"));
    stage.browser.run(&format!(
        "const form = document.querySelector('form'); form.elements.record.value = {record}; form.requestSubmit();"
    ));
    stage.browser.wait("document.querySelector('[data-turns] button') !== null");
    visitor.look("replay-record");
    visitor.content();
}

#[test]
fn a_tournament() {
    let stage = Stage::open();
    let mut visitor = Visitor::new(&stage.browser);
    let page = stage.tournament("cannon");
    visitor.visit(
        "tournaments-one",
        &stage.at("/tournaments"),
        "document.querySelectorAll('.matches li').length === 1",
    );
    visitor.visit("tournament", &stage.at(&page), "document.querySelector('.bracket-tree') !== null");
    stage.browser.run("for (const details of document.querySelectorAll('details')) details.open = true;");
    visitor.look("tournament-unfolded");
    // Every match can be seen.
    stage.browser.click(".battles a");
    stage.browser.wait("document.querySelectorAll('[data-turns] li').length > 0");
    visitor.content();
}

/// The results page opens from disk, and its matches can be replayed there.
#[test]
fn a_results_page() {
    let stage = Stage::open();
    let mut visitor = Visitor::new(&stage.browser);
    stage.tournament("yinsh");
    visitor.visit("report", &stage.report(), "document.querySelector('.bracket-tree') !== null");
    stage.browser.run("for (const details of document.querySelectorAll('details')) details.open = true;");
    stage.browser.screen(800, false);
    stage.browser.run("document.querySelector('.battles [data-film]').click();");
    stage.browser.wait("document.querySelector('[data-board] svg') !== null");
    let board = || stage.browser.run("return document.querySelector('[data-board] svg').innerHTML;");
    let start = board();
    stage.browser.press("\u{E014}");
    stage.browser.wait("document.querySelector('[data-turn=\"1\"][aria-current]') !== null");
    assert_ne!(board(), start, "the arrow key goes to the next position");
    visitor.content();
}

#[test]
fn a_page_that_is_not_there() {
    let stage = Stage::open();
    let mut visitor = Visitor::new(&stage.browser);
    visitor.visit("not-found", &stage.at("/nowhere"), THERE);
    // That it is not there is all that the console may say.
    visitor.wrong.retain(|wrong| !wrong.contains("/nowhere - Failed to load resource"));
    visitor.content();
}
