//! Formats are read strictly: whatever is wrong is refused, with the line and with what was expected.

use agon_tournament::{Format, Stage, read};

/// A format whose first two lines are right.
fn written(rest: &str) -> String {
    format!("title = \"Test\"\ngame = \"{}\"\n{rest}", agon_all::GAMES[0].name())
}

/// What is refused, in which line (absent: it is about the whole), and a part of the sentence.
const WRONG: &[(&str, Option<usize>, &str)] = &[
    // Keys that nobody knows, or that mean nothing here.
    ("colour = 1\n[[stage]]\nkind = \"knockout\"", Some(3), "unknown field `colour`"),
    ("[[stage]]\nkind = \"knockout\"\nsize = 4", Some(5), "size means nothing to a stage of kind 'knockout'"),
    ("[[stage]]\nkind = \"swiss\"\nrounds = 3\nhouse = [\"random\"]", Some(6), "house means nothing"),
    ("[[stage]]\nkind = \"round-robin\"\n\nbudget = 3", Some(6), "budget means nothing"),
    (
        "[[stage]]\nkind = \"knockout\"\nlevel = 4",
        Some(5),
        "unknown field `level`, expected one of `kind`, `name`, `house`, `groups`, `smallest`, `size`, `seeding`, `rounds`, \
         `bracket`, `until`, `third_place`, `budget`, `ties`, `advance`",
    ),
    ("[[part]]\nboard = \"x\"\n[[stage]]\nkind = \"knockout\"", Some(4), "unknown field `board`"),
    ("[[stage]]\nkind = \"knockout\"\n[marks]\ntable = [1]", Some(6), "unknown field `table`"),
    ("[[stage]]\nkind = \"knockout\"\n[elo]\nstep = 1", Some(6), "unknown field `step`"),
    (
        "[[stage]]\nkind = \"knockout\"\n[series]\nwinner_leaves = true\nfull_marks = 1\nmore = 2",
        Some(8),
        "unknown field `more`",
    ),
    // Kinds and words.
    (
        "[[stage]]\nkind = \"cup\"",
        Some(4),
        "expected gauntlet, groups, knockout, round-robin, swiss or ladder, found 'cup'",
    ),
    ("[[stage]]\nname = \"x\"", None, "missing field `kind`"),
    ("[[stage]]\nkind = 3", Some(4), "invalid type"),
    (
        "[[stage]]\nkind = \"groups\"\ngroups = 2\nseeding = \"random\"",
        Some(6),
        "expected one of modulo, serpentine, tennis",
    ),
    ("[[stage]]\nkind = \"knockout\"\nbracket = \"luck\"", Some(5), "expected one of seeds, crossing"),
    ("rules = \"mine\"\n[[stage]]\nkind = \"knockout\"", Some(3), "rules: "),
    ("cores = \"all\"\n[[stage]]\nkind = \"knockout\"", Some(3), "cores: "),
    ("ranking = \"coin\"\n[[stage]]\nkind = \"knockout\"", Some(3), "ranking: expected elo, rating, points or score"),
    ("[[part]]\nclock = \"soon\"\n[[stage]]\nkind = \"knockout\"", Some(4), "time control"),
    ("[[part]]\nvariant = \"moon\"\n[[stage]]\nkind = \"knockout\"", Some(4), "moon"),
    // Numbers.
    ("matches = 3\n[[stage]]\nkind = \"knockout\"", Some(3), "expected 1 or an even number"),
    ("matches = 0\n[[stage]]\nkind = \"knockout\"", Some(3), "expected a number from 1 to 100, found 0"),
    ("matches = -2\n[[stage]]\nkind = \"knockout\"", Some(3), "invalid value"),
    ("matches = \"two\"\n[[stage]]\nkind = \"knockout\"", Some(3), "invalid type"),
    ("max_turns = 1\n[[stage]]\nkind = \"knockout\"", Some(3), "expected a number from 2"),
    ("grace_ms = 99999999\n[[stage]]\nkind = \"knockout\"", Some(3), "grace_ms"),
    ("[[stage]]\nkind = \"swiss\"\nrounds = \"x\"", Some(5), "invalid type: string \"x\", expected u32"),
    ("[[stage]]\nkind = \"swiss\"\nrounds = -1", Some(5), "invalid value: integer `-1`, expected u32"),
    ("[[stage]]\nkind = \"groups\"\nsize = true", Some(5), "invalid type: boolean `true`, expected usize"),
    (
        "[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\", 3]",
        Some(5),
        "invalid type: integer `3`, expected a string",
    ),
    ("stage = [3]", Some(3), "invalid type: integer `3`, expected struct StageSource"),
    ("[[stage]]\nkind = \"groups\"\ngroups = 0", Some(5), "expected a number from 1"),
    ("[[stage]]\nkind = \"groups\"\nsize = 1", Some(5), "expected a number from 2"),
    ("[[stage]]\nkind = \"groups\"\ngroups = 2\nrounds = 0", Some(6), "expected a number from 1 to 100"),
    ("[[stage]]\nkind = \"knockout\"\nuntil = 3", Some(5), "until: expected 1, 2, 4, 8 …, found 3"),
    ("[[stage]]\nkind = \"groups\"\ngroups = 9\nsmallest = 1", Some(6), "smallest: expected a number from 2"),
    ("[[stage]]\nkind = \"groups\"\nsize = 9\nsmallest = 4", Some(6), "it goes with groups = N"),
    ("[[stage]]\nkind = \"swiss\"\nrounds = 1001", Some(5), "expected a number from 1 to 1000"),
    ("[[stage]]\nkind = \"ladder\"\nbudget = 0", Some(5), "expected a number from 1"),
    ("[[stage]]\nkind = \"swiss\"\nrounds = 3\nadvance = 0\n[[stage]]\nkind = \"knockout\"", Some(6), "advance"),
    // What is missing, or there twice.
    ("", None, "expected at least one [[stage]]"),
    ("[[stage]]\nkind = \"gauntlet\"", Some(3), "a gauntlet needs house"),
    ("[[stage]]\nkind = \"gauntlet\"\nhouse = []", Some(5), "expected at least one house bot"),
    ("[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\", \"nobody\"]", Some(5), "found 'nobody'"),
    ("[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\", \"random\"]", Some(5), "'random' is there twice"),
    ("[[stage]]\nkind = \"groups\"", Some(3), "expected either groups = N or size = N"),
    ("[[stage]]\nkind = \"groups\"\ngroups = 2\nsize = 3", Some(3), "expected either groups = N or size = N"),
    ("[[stage]]\nkind = \"swiss\"", Some(3), "a swiss stage needs rounds"),
    ("[[stage]]\nkind = \"ladder\"", Some(3), "a ladder needs budget"),
    ("[[part]]\n[[part]]\n[[stage]]\nkind = \"knockout\"", Some(4), "two parts are called"),
    // Ladders.
    ("[[stage]]\nkind = \"knockout\"\nties = []", Some(5), "expected at least one rung"),
    ("[[stage]]\nkind = \"knockout\"\nties = [\"points\",\n\"luck\"]", Some(6), "expected one of points, score"),
    ("[[stage]]\nkind = \"knockout\"\nties = [\"points\"]", Some(5), "somebody must win a battle of a knockout"),
    ("[[stage]]\nkind = \"swiss\"\nrounds = 2\nties = [\"points\", \"rematch 60\"]", Some(6), "there are no rematches"),
    ("[[stage]]\nkind = \"knockout\"\nties = [\"rematch now\", \"coin\"]", Some(5), "time control"),
    (
        "[[stage]]\nkind = \"knockout\"\nties = [\"rematch 9\", \"rematch 8\", \"rematch 7\", \"rematch 6\", \"rematch 5\", \
         \"rematch 4\", \"rematch 3\", \"rematch 2\", \"coin\"]",
        Some(5),
        "at most 7 rematches, found 8",
    ),
    (
        "[[stage]]\nkind = \"groups\"\ngroups = 2\nadvance = 1\nties = [\"points\"]\n[[stage]]\nkind = \"knockout\"",
        Some(7),
        "some go on and some do not",
    ),
    // Stages that do not fit together.
    ("[[stage]]\nkind = \"swiss\"\nrounds = 3\nadvance = 4", Some(6), "there is no stage after this one"),
    ("[[stage]]\nkind = \"knockout\"\n[[stage]]\nkind = \"round-robin\"", Some(3), "only one team is left"),
    (
        "[[stage]]\nkind = \"knockout\"\nuntil = 4\nadvance = 4\n[[stage]]\nkind = \"round-robin\"",
        Some(6),
        "a knockout passes on those that are left",
    ),
    ("[[stage]]\nkind = \"knockout\"\nuntil = 4\nthird_place = true", Some(6), "has no third place"),
    ("[[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"", Some(3), "needs groups before it"),
    (
        "[[stage]]\nkind = \"groups\"\ngroups = 2\nadvance = 3\n[[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"",
        Some(7),
        "of which 1, 2 or 4 advance",
    ),
    // Marks, series and constants.
    ("[[stage]]\nkind = \"knockout\"\n[marks]\n", Some(5), "expected exactly one of reached, places, share and rank"),
    ("[[stage]]\nkind = \"knockout\"\n[marks]\nplaces = [1]\nrank = { of = 3 }", Some(5), "expected exactly one"),
    (
        "[[stage]]\nkind = \"knockout\"\n[marks]\nplaces = [1, -1]",
        Some(5),
        "expected a number from 0 to 1000000, found -1",
    ),
    ("[[stage]]\nkind = \"knockout\"\n[marks]\nplaces = [nan]", Some(5), "found NaN"),
    ("[[stage]]\nkind = \"knockout\"\n[marks]\nshare = { of = 5, full = 0 }", Some(5), "expected full points above 0"),
    ("[[stage]]\nkind = \"knockout\"\n[marks.reached]\nwinner = 3\nround-of-5 = 3", Some(7), "round-of-16"),
    ("[[stage]]\nkind = \"knockout\"\n[marks.reached]\nchampion = 3", Some(6), "expected winner, runner-up"),
    ("[[stage]]\nkind = \"knockout\"\n[series]\nwinner_leaves = true", None, "missing field `full_marks`"),
    ("[[stage]]\nkind = \"knockout\"\n[series]\nwinner_leaves = true\nfull_marks = -1", Some(5), "full_marks"),
    (
        "[[stage]]\nkind = \"round-robin\"\nties = [\"points\"]\n[series]\nwinner_leaves = true\nfull_marks = 1",
        Some(6),
        "the ties of the last stage must end with",
    ),
    ("[[stage]]\nkind = \"knockout\"\n[elo]\nk = 0", Some(5), "expected a start and k"),
    // No TOML at all.
    ("[[stage]\nkind = \"knockout\"", Some(3), ""),
    ("[[stage]]\nkind = \"knockout\"\nkind = \"swiss\"", Some(5), "duplicate key"),
    ("\u{0}\u{1}", Some(3), ""),
];

#[test]
fn whatever_is_wrong_is_refused_with_its_line() {
    let mut problems = Vec::new();
    for (rest, line, part) in WRONG {
        let text = written(rest);
        match read(&text) {
            Ok(_) => problems.push(format!("this was read:\n{text}")),
            Err(error) if error.problem.contains(part) && (line.is_none() || error.line == *line) => {}
            Err(error) => problems.push(format!("expected line {line:?} and '{part}', found {error:?} for\n{text}")),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

#[test]
fn an_unknown_game_is_refused_with_those_that_there_are() {
    let error = read("title = \"Test\"\ngame = \"go\"\n[[stage]]\nkind = \"knockout\"").unwrap_err();
    assert_eq!(error.line, Some(2));
    for game in agon_all::GAMES {
        assert!(error.problem.contains(game.name()), "{error}");
    }
}

#[test]
fn a_format_is_stored_whole() {
    for rest in [
        "[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\"]\nadvance = 8\n[[stage]]\nkind = \"groups\"\nsize = 4\nadvance = 2\n\
         [[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"\nthird_place = true\nties = [\"points\", \"rematch 60\", \"coin\"]\n\
         [marks]\nreached = { winner = 3, round-of-16 = 1 }",
        "ranking = \"elo\"\ncores = \"forfeit\"\n[[part]]\nname = \"a\"\nclock = \"60+1\"\n[[part]]\nname = \"b\"\nclock = \"1/turn\"\n\
         [[stage]]\nkind = \"swiss\"\nrounds = 3\n[[stage]]\nkind = \"ladder\"\nbudget = 30\n[marks]\nrank = { of = 3 }",
    ] {
        let text = written(rest);
        let Ok(format) = read(&text).map(|written| written.format) else { panic!("{:?}", read(&text)) };
        let stored = serde_json::to_string(&format).expect("JSON");
        let again: Format = serde_json::from_str(&stored).expect("the same format");
        assert_eq!(again, format);
    }
}

/// Stages, and how the last of them stands in the databases and records of tournaments, those of older programs included.
const STORED: &[(&str, &str)] = &[
    (
        "[[stage]]\nkind = \"gauntlet\"\nhouse = [\"random\", \"level1\"]",
        r#"{"name":"Gauntlet","kind":"gauntlet","house":["random","level1"],"ties":["points","house","coin"],"advance":null}"#,
    ),
    (
        "[[stage]]\nkind = \"groups\"\ngroups = 4\nseeding = \"tennis\"\nrounds = 2",
        r#"{"name":"Groups","kind":"groups","groups":{"number":4},"seeding":"tennis-teams","rounds":2,"ties":["points","head-to-head","margin","coin"],"advance":null}"#,
    ),
    (
        "[[stage]]\nkind = \"groups\"\nsize = 4\nseeding = \"tennis-slots\"\nties = [\"score\", \"rematch 60\", \"coin\"]",
        r#"{"name":"Groups","kind":"groups","groups":{"size":4},"seeding":"tennis","rounds":1,"ties":["score","rematch 60","coin"],"advance":null}"#,
    ),
    (
        "[[stage]]\nkind = \"round-robin\"\nname = \"League\"",
        r#"{"name":"League","kind":"groups","groups":{"number":1},"seeding":"modulo","rounds":1,"ties":["points","head-to-head","margin","coin"],"advance":null}"#,
    ),
    (
        "[[stage]]\nkind = \"knockout\"\nthird_place = true",
        r#"{"name":"Knockout","kind":"knockout","bracket":"seeds","until":1,"third_place":true,"ties":["points","group","earlier","coin"],"advance":null}"#,
    ),
    (
        "[[stage]]\nkind = \"groups\"\nsize = 4\nadvance = 2\n[[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"\nuntil = 2",
        r#"{"name":"Knockout","kind":"knockout","bracket":"crossed","until":2,"third_place":false,"ties":["points","group","earlier","coin"],"advance":null}"#,
    ),
    (
        "[[stage]]\nkind = \"groups\"\nsize = 4\nadvance = 2\n[[stage]]\nkind = \"knockout\"\nbracket = \"neighbours\"",
        r#"{"name":"Knockout","kind":"knockout","bracket":"crossing","until":1,"third_place":false,"ties":["points","group","earlier","coin"],"advance":null}"#,
    ),
    (
        "[[stage]]\nkind = \"swiss\"\nrounds = 5",
        r#"{"name":"Swiss","kind":"swiss","rounds":5,"ties":["battles","points","margin","coin"],"advance":null}"#,
    ),
    (
        "[[stage]]\nkind = \"ladder\"\nbudget = 300",
        r#"{"name":"Ladder","kind":"ladder","budget":300,"ties":["rating","coin"],"advance":null}"#,
    ),
];

#[test]
fn stages_are_stored_as_they_always_were() {
    for (rest, stored) in STORED {
        let format = read(&written(rest)).unwrap_or_else(|e| panic!("{e}\n{rest}")).format;
        let stage = format.stages.last().expect("a stage");
        assert_eq!(serde_json::to_string(stage).expect("JSON"), *stored);
        assert_eq!(serde_json::from_str::<Stage>(stored).expect("a stage"), *stage);
    }
}

#[test]
fn what_a_format_does_not_say_is_filled_in() {
    let format = read(&written("[[stage]]\nkind = \"knockout\"")).expect("a format").format;
    let game = agon_all::GAMES[0];
    assert_eq!((format.matches, format.parts.len()), (2, 1));
    assert_eq!(format.parts[0].variant, game.variants()[0]);
    assert_eq!(format.rules, game.rule_sets()[0]);
    let ties: Vec<String> = format.stages[0].ties.iter().map(ToString::to_string).collect();
    assert_eq!(ties, ["points", "group", "earlier", "coin"]);
}
