//! The chance that the best team wins, as a picture.

use agon_picture::chart::{Anchor, Chart, Label, Place, Scale, place};
use agon_rating::Interval;

use super::Simulation;
use crate::forecast::spoken;

/// Sizes of the picture, and the room around the plot.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 76.0;

/// Readable on light and dark ground alike, and on paper without colours: one line is dashed.
const STYLE: &str = "text{fill:#555}.grid{stroke:#ddd}.win{stroke:#2f7fb8;fill:none;stroke-width:2}.win-dot{fill:#2f7fb8}\
    .semi{stroke:#b8722f;fill:none;stroke-width:2}.dash{stroke-dasharray:6 4}.semi-dot{fill:#b8722f}\
    @media(prefers-color-scheme:dark){text{fill:#bbb}.grid{stroke:#444}.win{stroke:#6bb5e8}.win-dot{fill:#6bb5e8}\
    .semi{stroke:#e8b06b}.semi-dot{fill:#e8b06b}}";

/// Shares of 1, from below to above.
const SHARES: Scale = Scale { values: (0.0, 1.0), places: (HEIGHT - BOTTOM, TOP) };

pub(super) fn plot(simulation: &Simulation) -> String {
    let title = format!("{}: how much is luck", simulation.title);
    let mut chart = Chart::new(WIDTH, HEIGHT, &title, STYLE);
    chart.text(place(LEFT as i32, 20), &title);
    chart.end_line();
    axes(&mut chart, simulation);
    let four = if simulation.knockout { "reaches the semi-finals" } else { "is among the first four" };
    let wins: Vec<Interval> = simulation.luck.iter().map(|luck| luck.wins).collect();
    let semi: Vec<Interval> = simulation.luck.iter().map(|luck| luck.semi_final).collect();
    curve(&mut chart, "semi", " dash", &semi, 3.0);
    curve(&mut chart, "win", "", &wins, -3.0);
    legend(&mut chart, LEFT, "win", "the best team is first");
    legend(&mut chart, LEFT + 220.0, "semi dash", &format!("it {four}"));
    chart.finish()
}

fn across(index: usize, all: usize) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (index as f64 + 0.5) / all.max(1) as f64
}

fn axes(chart: &mut Chart, simulation: &Simulation) {
    for tenth in (0..=10).step_by(2) {
        let y = SHARES.at(f64::from(tenth) / 10.0);
        chart.line("grid", place(LEFT as i32, y), place(WIDTH - RIGHT, y));
        let (text, at) = (format!("{} %", 10 * tenth), place(LEFT - 8.0, y + 4.0));
        chart.label(Label { text: &text, at, anchor: Anchor::End, size: None });
        chart.end_line();
    }
    let floor = HEIGHT - BOTTOM;
    for (index, luck) in simulation.luck.iter().enumerate() {
        let x = across(index, simulation.luck.len());
        let here = if luck.matches == simulation.matches { "*" } else { "" };
        middle(chart, &format!("{}{here}", luck.matches), place(x, floor + 20.0), None);
        middle(chart, &luck.likely.map(spoken).unwrap_or_default(), place(x, floor + 38.0), Some(11));
        chart.end_line();
    }
    let text = "matches in a battle, and the likely time (* as the format has it)";
    middle(chart, text, place((LEFT + WIDTH - RIGHT) / 2.0, floor + 62.0), None);
    chart.end_line();
}

fn middle(chart: &mut Chart, text: &str, at: Place, size: Option<u32>) {
    chart.label(Label { text, at, anchor: Anchor::Middle, size });
}

/// A line through the values with error bars, a little beside the middle so that two curves do not hide each other's.
fn curve(chart: &mut Chart, class: &str, dash: &str, values: &[Interval], beside: f64) {
    let at = |index: usize, share: f64| place(across(index, values.len()) + beside, SHARES.at(share));
    let points: Vec<Place> = values.iter().enumerate().map(|(index, value)| at(index, value.value)).collect();
    chart.polyline(&format!("{class}{dash}"), &points, None);
    chart.end_line();
    for (index, value) in values.iter().enumerate() {
        let ends = [at(index, value.low), at(index, value.high)];
        chart.interval([class, &format!("{class}-dot")], ends, at(index, value.value));
        chart.end_line();
    }
}

fn legend(chart: &mut Chart, x: f64, class: &str, words: &str) {
    chart.line(class, place(x, 38), place(x + 30.0, 38));
    chart.text(place(x + 38.0, 42), words);
    chart.end_line();
}
