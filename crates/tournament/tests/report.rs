//! The results of a tournament as a file.

mod support;

use std::{
    collections::BTreeMap,
    io::Read,
    sync::{LazyLock, Mutex},
};

use agon_picture::svg::layers;
use agon_referee::Record;
use agon_rules::{Side, Verdict};
use agon_tournament::{Event, Interventions, Outcome, Plan, Results, Secret, State, Team, derive, read, report};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::read::DeflateDecoder;
use serde_json::Value;

/// A name that would be a script, if it were not taken for what it is.
const HOSTILE: &str = "</script><script>alert(1)</script>";

fn format(stages: &str) -> String {
    let game = agon_all::GAMES[0];
    format!(
        "title = \"Cup & <b>Sons</b>\"\ngame = \"{}\"\nmax_turns = 60\n\
         [[part]]\nvariant = \"{}\"\nclock = \"nodes=20\"\n{stages}",
        game.name(),
        game.variants()[0]
    )
}

/// What the report of a played tournament is made of.
struct Played {
    plan: Plan,
    log: Vec<agon_tournament::Entry>,
    state: State,
    records: BTreeMap<(u32, u8), String>,
    html: String,
}

/// A tournament of groups and a knockout; played once for all tests.
static CUP: LazyLock<Mutex<Played>> = LazyLock::new(|| {
    let format = format(
        "[[stage]]\nname = \"Groups\"\nkind = \"groups\"\nsize = 3\nadvance = 2\n\
         ties = [\"points\", \"head-to-head\", \"coin\"]\n\
         [[stage]]\nname = \"Finals\"\nkind = \"knockout\"\nbracket = \"seeds\"\nthird_place = true\n\
         ties = [\"points\", \"rematch nodes=10\", \"coin\"]\n\
         [marks]\nreached = { winner = 10, runner-up = 8, third = 6.5 }\notherwise = 1\n",
    );
    let teams = [
        ("Anna", "greedy"),
        ("Boris & Clara", "random"),
        (HOSTILE, "greedy"),
        ("A team with a name that is far too long for any bracket", "random"),
        ("Emil", "greedy"),
        ("Broken", "./no-such-bot-anywhere"),
        ("Frida", "greedy"),
        ("Gustav", "random"),
        ("Hanna", "random"),
    ];
    let mut played = support::play(&format, &teams);
    played.tournament.add(Event::Paused { reason: "lunch".to_owned() }).expect("the log can be written");
    let records = played.records();
    let (tournament, state) = (&played.tournament, played.tournament.state());
    let html = report::html("spring", &tournament.plan, &tournament.log, &state, &records);
    // For whoever wants to look at it.
    let _ = std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/report.html"), &html);
    Mutex::new(Played { plan: tournament.plan.clone(), log: tournament.log.clone(), state, records, html })
});

fn cup() -> std::sync::MutexGuard<'static, Played> {
    CUP.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn everything_is_in_the_file() {
    let cup = cup();
    let html = &cup.html;
    for text in [
        "<h1>Cup &amp; &lt;b&gt;Sons&lt;/b&gt;</h1>",
        "Final standings",
        "Boris &amp; Clara",
        "Group 1",
        "Group 3",
        "Finals",
        "Quarter-finals to final",
        "Third place",
        "bye",
        "would not start",
        "Ratings",
        "Audit log",
        "Paused. lunch",
        "a rematch (10 nodes for each turn)",
        "winner 10, runner-up 8, third 6.5; everybody else 1",
        "20 nodes for each turn",
    ] {
        assert!(html.contains(text), "'{text}' is missing");
    }
    assert!(html.contains(&cup.plan.secret.digest()) && html.contains(&cup.plan.secret.0), "the coins can be checked");
    let first = &cup.state.standings.as_ref().expect("it is over")[0];
    let winner = cup.plan.name(first.team).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let row = html.find("<tr class=\"first\">").expect("a first place");
    assert!(html[row..row + 400].contains(&winner), "the winner comes first");
    let films = html.matches("data-film=").count();
    assert!(films >= cup.records.len(), "{films} buttons for {} matches", cup.records.len());
}

#[test]
fn nothing_comes_from_elsewhere() {
    let html = &cup().html;
    for door in ["<link", "src=", "@import", "url(", "fetch(", "import(", "XMLHttpRequest"] {
        assert!(!html.contains(door), "the file asks for something by {door}");
    }
    // The only addresses are names of things, never places.
    let rest = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!rest.contains("http:") && !rest.contains("https:"));
    assert!(html.contains("default-src 'none'"));
}

#[test]
fn names_are_text_wherever_they_stand() {
    let html = &cup().html;
    assert!(html.contains("&lt;/script&gt;&lt;script&gt;alert(1)"), "the team is named");
    assert!(!html.contains("<script>alert(1)"), "and its name is no script");
    assert_eq!(html.matches("<script").count(), 2, "the data and the program");
    assert!(!html.contains("<b>Sons"));
}

#[test]
fn the_secret_is_kept_until_the_end() {
    let cup = cup();
    let some = cup.records.iter().take(4).map(|(key, record)| (*key, record.clone())).collect::<BTreeMap<_, _>>();
    let results = cup.state.battles.iter().flat_map(|battle| &battle.halves);
    let results = results
        .filter(|half| some.contains_key(&(half.number, half.half)))
        .filter_map(|half| Some(((half.number, half.half), half.outcome?)))
        .collect();
    let state = derive(&cup.plan, &Interventions::default(), &results);
    let html = report::html("spring", &cup.plan, &cup.log, &state, &some);
    assert!(html.contains("Standings so far") && html.contains("It is not over."));
    assert!(html.contains(&cup.plan.secret.digest()), "the digest is published");
    assert!(!html.contains(&cup.plan.secret.0), "the secret is not");
    assert!(html.contains("to play"));
}

fn unpacked(text: &Value) -> Value {
    let bytes = STANDARD.decode(text.as_str().expect("a text")).expect("base64");
    let mut json = String::new();
    DeflateDecoder::new(&bytes[..]).read_to_string(&mut json).expect("deflated text");
    serde_json::from_str(&json).expect("JSON")
}

fn data(html: &str) -> Value {
    let begin = html.find("<script id=\"films\"").expect("the films");
    let begin = begin + html[begin..].find('>').expect("a tag") + 1;
    let end = begin + html[begin..].find('<').expect("an end");
    serde_json::from_str(&html[begin..end]).expect("JSON")
}

/// What stands where after a frame, as the page finds it out.
fn advance(men: &mut BTreeMap<usize, String>, changes: &str) {
    for change in changes.split(',').filter(|change| !change.is_empty()) {
        let digits = change.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(change.len());
        let (spot, letters) = (change[..digits].parse().expect("a number"), &change[digits..]);
        if letters.is_empty() {
            men.remove(&spot);
        } else {
            men.insert(spot, letters.to_owned());
        }
    }
}

#[test]
fn replays_show_the_positions_of_the_records() {
    for game in agon_all::GAMES {
        let format = format!(
            "title = \"Two\"\ngame = \"{}\"\nmax_turns = 50\n[[part]]\nvariant = \"{}\"\nclock = \"nodes=10\"\n\
             [[stage]]\nkind = \"round-robin\"\nties = [\"points\"]\n",
            game.name(),
            game.variants()[0]
        );
        let mut played = support::play(&format, &[("One", "random"), ("Two", "greedy")]);
        let records = played.records();
        let html =
            report::html("two", &played.tournament.plan, &played.tournament.log, &played.tournament.state(), &records);
        let data = data(&html);
        let shared = unpacked(&data["shared"]);
        assert_eq!(data["films"].as_array().map(Vec::len), Some(records.len()), "{}", game.name());
        for (film, text) in data["films"].as_array().expect("films").iter().zip(records.values()) {
            let (film, record) = (unpacked(film), Record::parse(text).expect("a record"));
            let positions = record.replay(agon_all::rules).expect("a legal match");
            assert_eq!(film["frames"].as_array().map(Vec::len), Some(positions.len()));
            let mut men = BTreeMap::new();
            for (frame, position) in film["frames"].as_array().expect("frames").iter().zip(&positions) {
                advance(&mut men, frame[4].as_str().expect("changes"));
                let picture = position.picture();
                let mut expected: BTreeMap<usize, String> = BTreeMap::new();
                for piece in &picture.pieces {
                    let man = layers::man(piece.shape, picture.looks[piece.side.index()]);
                    let number = shared["men"].as_array().expect("men").iter().position(|known| *known == man);
                    let letter = char::from(b'a' + number.expect("a known man") as u8);
                    expected.entry(piece.spot).or_default().push(letter);
                }
                assert_eq!(men, expected, "{}", game.name());
                assert_eq!(frame[5], picture.caption.as_str());
                let at = |layer: &str, index: usize| {
                    shared[layer][frame[index].as_u64().expect("a number") as usize].clone()
                };
                assert_eq!(at("grounds", 1), layers::ground(&picture).as_str());
                assert_eq!(at("labels", 2), layers::labels(&picture).as_str());
                assert_eq!(at("plans", 0)["spots"].as_array().map(Vec::len), Some(picture.spots.len()));
            }
        }
    }
}

#[test]
fn a_hundred_matches_fit_into_a_megabyte() {
    let names: Vec<String> = (1..=9).map(|number| format!("Team {number}")).collect();
    let teams: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "random")).collect();
    let mut played = support::play(&format("[[stage]]\nkind = \"round-robin\"\nties = [\"points\"]\n"), &teams);
    let records = played.records();
    assert_eq!(records.len(), 72);
    let html =
        report::html("size", &played.tournament.plan, &played.tournament.log, &played.tournament.state(), &records);
    let turns: usize = records.values().map(|text| Record::parse(text).expect("a record").turns.len()).sum();
    assert!(turns > 72 * 20, "the matches have some length: {turns} turns");
    assert!(html.len() < 1_000_000, "{} bytes for 72 matches of {} turns", html.len(), turns / 72);
}

/// A tournament whose results are made up: the better seed wins, and now and then nobody.
fn imagined(format: &str, teams: usize) -> (Plan, State) {
    let team = |number: usize| Team {
        name: format!("Team {number:03}"),
        bot: "random".to_owned(),
        hash: "0123456789abcdef".to_owned(),
        language: "rust".to_owned(),
        score: None,
        house: None,
        broken: None,
        more: Vec::new(),
    };
    let plan = Plan {
        format: read(format).expect("a good format").format,
        teams: (1..=teams).map(team).collect(),
        seed: 1,
        secret: Secret("secret".to_owned()),
    };
    let mut results = Results::new();
    loop {
        let state = derive(&plan, &Interventions::default(), &results);
        if state.is_over() {
            return (plan, state);
        }
        for battle in state.open() {
            for half in &battle.halves {
                let better = usize::from(battle.players[1] < battle.players[0]);
                let side = if half.seat(Side::First) == better { Side::First } else { Side::Second };
                let winner = (half.number % 7 != 0).then_some(side);
                let points = match winner {
                    None => [0.5, 0.5],
                    Some(Side::First) => [1.0, 0.0],
                    Some(Side::Second) => [0.0, 1.0],
                };
                results.insert(
                    (half.number, half.half),
                    Outcome {
                        verdict: winner.map_or(Verdict::Drawn, Verdict::Won),
                        points,
                        turns: 30,
                        margins: None,
                        forfeit: false,
                    },
                );
            }
        }
    }
}

#[test]
fn a_large_bracket_is_cut_into_pieces_that_fit_on_paper() {
    let knockout = "[[stage]]\nkind = \"knockout\"\nthird_place = true\nties = [\"points\", \"coin\"]\n";
    let (plan, state) = imagined(&format(knockout), 130);
    let html = report::html("large", &plan, &[], &state, &BTreeMap::new());
    let _ = std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/large.html"), &html);
    // Sixteen battles each of the first round, and the rounds in which their winners meet.
    assert_eq!(html.matches("<figure").count(), 128 / 16 + 1);
    let heights = html.split("class=\"bracket-tree\"").skip(1).map(|svg| {
        let after = &svg[svg.find("height=\"").expect("a height") + 8..];
        after[..after.find('"').expect("an end")].parse::<usize>().expect("a number")
    });
    assert!(heights.into_iter().all(|height| height < 1100));
    for team in &plan.teams {
        assert!(html.matches(team.name.as_str()).count() >= 3, "{} stands in the bracket, too", team.name);
    }
    assert!(html.contains("a coin decided"), "what decided is said");
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
}
