//! What is printed of a record.

use agon_rules::{Side, Verdict};

use super::Story;
use crate::describe::{self, clean};

/// Who played what, and how it ended.
pub(super) fn header(story: &Story) -> String {
    let tag = |name: &str| clean(story.record.tag(name).unwrap_or("unknown"));
    let [first, second] = story.game.sides();
    let mut text = format!("{}, {}, {} rules.\n", story.game.title(), tag("Variant"), tag("Rules"));
    text.push_str(&format!("{first} ({}) played against {second} ({}).\n", tag("First"), tag("Second")));
    text.push_str(&result(story));
    if let Some(evidence) = story.record.tag("Evidence") {
        text.push_str(&format!("Evidence: {}\n", clean(evidence)));
    }
    if let Some((first_points, second_points)) = story.record.tag("Points").and_then(|points| points.split_once(' ')) {
        text.push_str(&format!("Points: {first} {}, {second} {}.\n", clean(first_points), clean(second_points)));
    }
    let turns = describe::count(story.record.turns.len(), "turn");
    let facts = [("TimeControl", "time control"), ("Seed", "seed"), ("Sandbox", "sandbox"), ("Date", "played")];
    let known = facts.iter().filter_map(|(name, word)| Some(format!("{word} {}", clean(story.record.tag(name)?))));
    let facts: Vec<String> = [turns].into_iter().chain(known).collect();
    text.push_str(&format!("{}.\n", facts.join(", ")));
    text
}

fn result(story: &Story) -> String {
    let [first, second] = story.game.sides();
    let result = match story.record.tag("Result").map(str::parse) {
        Some(Ok(Verdict::Won(Side::First))) => format!("{first} won"),
        Some(Ok(Verdict::Won(Side::Second))) => format!("{second} won"),
        Some(Ok(Verdict::Drawn)) => "a draw".to_owned(),
        Some(Ok(Verdict::BothLost)) => "nobody won".to_owned(),
        _ => return "Result: not finished.\n".to_owned(),
    };
    let word = story.record.tag("Termination").unwrap_or("unknown");
    let by = match story.record.tag("FaultBy").and_then(|number| Side::from_number(number.parse().ok()?)) {
        Some(side) => format!(" by {}", story.game.sides()[side.index()]),
        None => String::new(),
    };
    format!("Result: {result}, {}{by}.\n", clean(describe::reason(word)))
}

/// The position after `at` turns with all that is known about the last of them; at most so many lines of stderr.
pub(super) fn position(story: &Story, at: usize, most_noise: usize) -> String {
    let mut text = describe::board(&*story.positions[at], story.style);
    let total = story.record.turns.len();
    let Some(turn) = at.checked_sub(1).and_then(|index| story.record.turns.get(index)) else {
        text.push_str(&format!("Before the first of {}.\n", describe::count(total, "turn")));
        return text;
    };
    let mover = story.game.sides()[story.positions[at - 1].turn().index()];
    let opening = story.record.tag("Opening").and_then(|count| count.parse::<usize>().ok()).is_some_and(|n| at <= n);
    let times = [
        ("", turn.wall, ""),
        ("", turn.left, " left"),
        ("cpu ", turn.cpu, ""),
        ("latency ", turn.latency, ""),
        ("machine stood still ", turn.stalled, ""),
    ];
    let times = times
        .iter()
        .filter_map(|(before, time, after)| time.map(|time| format!(", {before}{}{after}", describe::seconds(time))));
    let opening = if opening { ", opening" } else { "" };
    let times: String = times.collect();
    text.push_str(&format!("Turn {at} of {total}: {mover} {}{opening}{times}.\n", clean(&turn.text)));
    if let Some(belief) = turn.belief() {
        let sides = story.game.sides();
        text.push_str(&format!(
            "Believed: {}.\n",
            clean(&describe::belief(&belief, story.positions[at - 1].turn(), sides))
        ));
    }
    if let Some(info) = &turn.info {
        text.push_str(&format!("info: {}\n", clean(info)));
    }
    text.push_str(&noise("stderr", &turn.stderr, most_noise));
    if at == total {
        text.push_str(&last_words(story, most_noise));
    }
    text
}

/// What the bots wrote after their last turns, and how the match ended.
fn last_words(story: &Story, most_noise: usize) -> String {
    let mut text = String::new();
    for (side, tag) in Side::BOTH.into_iter().zip(["FirstStderr", "SecondStderr"]) {
        let name = format!("stderr of {} after its last turn", story.game.sides()[side.index()]);
        text.push_str(&noise(&name, story.record.tag(tag).unwrap_or_default(), most_noise));
    }
    text + &result(story)
}

fn noise(name: &str, noise: &str, most: usize) -> String {
    if noise.trim().is_empty() {
        return String::new();
    }
    let lines: Vec<&str> = noise.trim_end().lines().collect();
    let mut text = format!("{name}:\n");
    for line in lines.iter().take(most) {
        text.push_str(&format!("  {}\n", clean(line)));
    }
    if lines.len() > most {
        text.push_str(&format!("  ({} more; `more` shows them)\n", describe::count(lines.len() - most, "line")));
    }
    text
}
