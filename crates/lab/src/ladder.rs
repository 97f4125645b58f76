//! The ladder of the house bots: who meets whom, what they are worth, and a picture of it.

mod measure;

use agon_picture::chart::{Anchor, Chart, Label, Scale, place};
use agon_rating::{BradleyTerry, CrossTable, Draws, Interval, Score};

pub use measure::Measure;

/// Two rungs that meet: the lower one first.
pub type Meeting = (&'static str, &'static str);

/// Who meets whom. Neighbours tell how high each step is; the others hold what the house promises.
pub const MEETINGS: [Meeting; 16] = [
    ("random", "level1"),
    ("level1", "level2"),
    ("level2", "level3"),
    ("level3", "level4"),
    ("level4", "level5"),
    ("level5", "level6"),
    ("level6", "level7"),
    ("level7", "level8"),
    ("level8", "level9"),
    ("level9", "level10"),
    ("random", "greedy"),
    ("greedy", "novice"),
    ("novice", "adept"),
    ("adept", "master"),
    ("balanced", "aggressive"),
    ("balanced", "defensive"),
];

/// The rungs of the picture, from the lowest to the highest.
pub const RUNGS: [&str; 12] = [
    "random", "greedy", "level1", "level2", "level3", "level4", "level5", "level6", "level7", "level8", "level9",
    "level10",
];

/// The rung of a player, which may be there under another name. `adept` and the styles are none: what they hold is between two of them.
fn rung(name: &str) -> Option<usize> {
    let name = match name {
        "novice" => "level3",
        "master" => "level10",
        other => other,
    };
    RUNGS.iter().position(|&rung| rung == name)
}

/// The rung that is 0: those below it lose almost every game, so how far below they are is known least.
const ZERO: usize = 2;

/// What the rungs are worth, with 95 % intervals, compared with `level1`. `None` if nothing was played.
pub fn worth(scores: &[(Meeting, Score)]) -> Option<Vec<Interval>> {
    let mut table = CrossTable::new(RUNGS.len());
    for &((lower, higher), score) in scores {
        if let (Some(lower), Some(higher)) = (rung(lower), rung(higher)) {
            table.add(higher, lower, score);
        }
    }
    // Half a draw keeps the ratings of those finite who won or lost everything, and hardly moves the others. Scores do not say
    // who moved first, which is each as often; and a rung shall be worth the Elo of the scores, as the single steps are.
    let settings =
        BradleyTerry { prior_draws: 0.5, draws: Draws::HalfWins, first_move: false, ..BradleyTerry::default() };
    let ratings = settings.rate(&table).ok()?;
    let nothing = Interval { low: 0.0, value: 0.0, high: 0.0 };
    Some((0..RUNGS.len()).map(|rung| if rung == ZERO { nothing } else { ratings.difference(rung, ZERO) }).collect())
}

/// A step between two that met, in words: `+153 ± 41`.
pub fn step(score: &Score) -> String {
    match score.elo().interval() {
        Some(interval) => format!("{:+.0} ± {:.0}", interval.value, interval.error()),
        None if score.matches() == 0 => "not played".to_owned(),
        None => "beyond measure".to_owned(),
    }
}

/// Sizes of the picture: its width, the room for names at the left and for numbers at the right, and the height of a rung.
const WIDTH: f64 = 640.0;
const NAMES: f64 = 90.0;
const NUMBERS: f64 = 100.0;
const HEIGHT: f64 = 26.0;

/// Readable on light and dark ground alike.
const STYLE: &str = "text{fill:#555}.line{stroke:#bbb}.bar{stroke:#2f7fb8;stroke-width:2}.dot{fill:#2f7fb8}\
    @media(prefers-color-scheme:dark){text{fill:#bbb}.line{stroke:#555}.bar{stroke:#6bb5e8}.dot{fill:#6bb5e8}}";

/// The ladder as a picture: a point for each rung, with its interval.
pub fn picture(title: &str, worth: &[Interval]) -> String {
    let most = worth.iter().map(|interval| interval.high).fold(100.0, f64::max);
    let least = worth.iter().map(|interval| interval.value - 50.0).fold(0.0, f64::min);
    let scale = Scale { values: (least, most), places: (NAMES, WIDTH - NUMBERS) };
    // Intervals that reach further down are cut off there.
    let across = |elo: f64| scale.at(elo.max(least));
    let (floor, height) = (HEIGHT * (worth.len() as f64 + 1.0), HEIGHT * (worth.len() as f64 + 2.0));
    let mut chart = Chart::new(WIDTH, height, title, STYLE);
    let grid =
        (-10..).map(|line| f64::from(line) * 500.0).skip_while(|&elo| elo < least).take_while(|&elo| elo <= most);
    for elo in grid {
        let (x, text) = (across(elo), elo.to_string());
        chart.line("line", place(x, 8), place(x, floor));
        chart.label(Label { text: &text, at: place(x, floor + 16.0), anchor: Anchor::Middle, size: None });
        chart.end_line();
    }
    for (index, (name, elo)) in RUNGS.iter().zip(worth).enumerate() {
        // The strongest stands at the top.
        let y = HEIGHT * (worth.len() - index) as f64 - 6.0;
        let ends = [elo.low, elo.high].map(|end| place(across(end), y));
        chart.text(place(8, y + 4.0), name);
        chart.interval(["bar", "dot"], ends, place(across(elo.value), y));
        let number = format!("{:.0} ± {:.0}", elo.value, elo.error());
        chart.text(place(across(elo.high) + 10.0, y + 4.0), &number);
        chart.end_line();
    }
    chart.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_rated_from_the_lowest_up() {
        let wins = |wins| Score { wins, draws: 0, losses: 100 - wins };
        let scores: Vec<(Meeting, Score)> = MEETINGS.iter().map(|&meeting| (meeting, wins(70))).collect();
        let worth = worth(&scores).expect("ratings");
        assert_eq!(worth[ZERO].value, 0.0);
        assert!(worth[0].value < 0.0, "random is below");
        let levels = &worth[2..];
        assert!(levels.windows(2).all(|pair| pair[0].value < pair[1].value), "{levels:?}");
        let picture = picture("a ladder", &worth);
        assert!(RUNGS.iter().all(|rung| picture.contains(&format!(">{rung}</text>"))), "{picture}");
        assert_eq!(step(&wins(70)), "+147 ± 76");
        assert_eq!(step(&Score::default()), "not played");
        assert_eq!(step(&wins(100)), "beyond measure");
    }
}
