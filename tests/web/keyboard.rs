//! Games played by keyboard alone.

use std::collections::HashMap;

use serde_json::Value;
use tempfile::TempDir;

use super::{Browser, ENTER, arena, begin, play_out};

const TAB: &str = "\u{e004}";
const ARROWS: [&str; 4] = ["\u{e012}", "\u{e013}", "\u{e014}", "\u{e015}"];

/// The spots that each arrow key leads to, found by pressing them.
fn map_of_keys(browser: &Browser) -> HashMap<u64, [Option<u64>; 4]> {
    let focused = || browser.run("return document.activeElement?.dataset?.spot ?? null;");
    let number = |value: &Value| value.as_str().and_then(|text| text.parse::<u64>().ok());
    let start = number(&focused()).expect("the board has the focus");
    let (mut map, mut open) = (HashMap::new(), vec![start]);
    while let Some(from) = open.pop() {
        if map.contains_key(&from) {
            continue;
        }
        let ways = ARROWS.map(|arrow| {
            browser.run(&format!("document.querySelector('.spot[data-spot=\"{from}\"]').focus();"));
            browser.press(arrow);
            number(&focused()).filter(|&to| to != from)
        });
        open.extend(ways.iter().flatten());
        map.insert(from, ways);
    }
    map
}

/// The keys that lead from one spot to another.
fn keys(map: &HashMap<u64, [Option<u64>; 4]>, from: u64, to: u64) -> String {
    let mut paths = HashMap::from([(from, String::new())]);
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        if at == to {
            return paths[&to].clone();
        }
        for (arrow, next) in ARROWS.iter().zip(map[&at]) {
            if let Some(next) = next.filter(|next| !paths.contains_key(next)) {
                paths.insert(next, format!("{}{arrow}", paths[&at]));
                open.push_back(next);
            }
        }
    }
    panic!("no keys lead from spot {from} to spot {to}");
}

pub(super) fn plays(game: &str) {
    let folder = TempDir::new().expect("a folder");
    let arena = arena(&folder.path().join("arena.db"), 0);
    let browser = Browser::open(1300, 900, true);
    begin(&browser, &arena, game);
    let on_board = || browser.run("return document.activeElement.classList.contains('spot');") == Value::Bool(true);
    let reach = |wanted: &dyn Fn() -> bool| {
        for _ in 0..60 {
            if wanted() {
                return;
            }
            browser.press(TAB);
        }
        panic!("the tabulator key does not lead there\n{}", browser.text());
    };
    reach(&on_board);
    let map = map_of_keys(&browser);
    let spots = browser.run("return document.querySelectorAll('.spot').length;").as_u64().unwrap() as usize;
    assert_eq!(map.len(), spots, "keys lead to every spot");
    named_points(&browser, spots);
    play_out(&browser, |click| {
        let Value::Number(spot) = click else {
            let text = click.as_str().expect("a choice").to_owned();
            let there = || browser.run("return document.activeElement.textContent;") == Value::String(text.clone());
            reach(&there);
            browser.press(ENTER);
            return;
        };
        if !on_board() {
            reach(&on_board);
        }
        let at = browser.run("return Number(document.activeElement.dataset.spot);").as_u64().expect("a spot");
        let keys = keys(&map, at, spot.as_u64().expect("a spot"));
        if !keys.is_empty() {
            browser.press(&keys);
        }
        browser.press(ENTER);
    });
    assert!(browser.text().contains("wins") || browser.text().contains("draw"), "{}", browser.text());
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// Every point of the board has a name of its own in the accessibility tree.
fn named_points(browser: &Browser, spots: usize) {
    let tree = browser.devtools("Accessibility.getFullAXTree", &serde_json::json!({}));
    let buttons = tree["nodes"].as_array().expect("nodes").iter().filter(|node| node["role"]["value"] == "button");
    let names: Vec<&str> = buttons.filter_map(|node| node["name"]["value"].as_str()).collect();
    let on_board: std::collections::BTreeSet<&str> =
        names.iter().copied().filter(|name| name.chars().any(|c| c.is_ascii_digit())).collect();
    assert!(on_board.len() >= spots, "{} names for {spots} points: {on_board:?}", on_board.len());
}
