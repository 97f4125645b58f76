//! The chance that the best team wins, as a picture.

use std::fmt::Write;

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

pub(super) fn plot(simulation: &Simulation) -> String {
    let title = escaped(&format!("{}: how much is luck", simulation.title));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"13\"><title>{title}</title><style>{STYLE}</style>\n<text x=\"{LEFT}\" y=\"20\">{title}</text>\n"
    );
    axes(&mut svg, simulation);
    let four = if simulation.knockout { "reaches the semi-finals" } else { "is among the first four" };
    let wins: Vec<Interval> = simulation.luck.iter().map(|luck| luck.wins).collect();
    let semi: Vec<Interval> = simulation.luck.iter().map(|luck| luck.semi_final).collect();
    curve(&mut svg, "semi", " dash", &semi, 3.0);
    curve(&mut svg, "win", "", &wins, -3.0);
    legend(&mut svg, LEFT, "win", "", "the best team is first");
    legend(&mut svg, LEFT + 220.0, "semi", " dash", &format!("it {four}"));
    svg.push_str("</svg>\n");
    svg
}

fn across(index: usize, all: usize) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (index as f64 + 0.5) / all.max(1) as f64
}

fn up(share: f64) -> f64 {
    HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
}

fn axes(svg: &mut String, simulation: &Simulation) {
    for tenth in (0..=10).step_by(2) {
        let y = up(f64::from(tenth) / 10.0);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} %</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0,
            10 * tenth
        );
    }
    let floor = HEIGHT - BOTTOM;
    for (index, luck) in simulation.luck.iter().enumerate() {
        let x = across(index, simulation.luck.len());
        let here = if luck.matches == simulation.matches { "*" } else { "" };
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}{here}</text>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{}</text>",
            floor + 20.0,
            luck.matches,
            floor + 38.0,
            luck.likely.map(spoken).unwrap_or_default()
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">matches in a battle, and the likely time (* as the format has it)</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        floor + 62.0
    );
}

/// A line through the values with error bars, a little beside the middle so that two curves do not hide each other's.
fn curve(svg: &mut String, class: &str, dash: &str, values: &[Interval], beside: f64) {
    let at = |index: usize| across(index, values.len()) + beside;
    let points: Vec<String> =
        values.iter().enumerate().map(|(i, value)| format!("{:.1},{:.1}", at(i), up(value.value))).collect();
    let _ = writeln!(svg, "<polyline class=\"{class}{dash}\" points=\"{}\"/>", points.join(" "));
    for (index, value) in values.iter().enumerate() {
        let x = at(index);
        let _ = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\
             <circle class=\"{class}-dot\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\"/>",
            up(value.low),
            up(value.high),
            up(value.value)
        );
    }
}

fn legend(svg: &mut String, x: f64, class: &str, dash: &str, words: &str) {
    let _ = writeln!(
        svg,
        "<line class=\"{class}{dash}\" x1=\"{x:.1}\" y1=\"38\" x2=\"{:.1}\" y2=\"38\"/><text x=\"{:.1}\" y=\"42\">{words}</text>",
        x + 30.0,
        x + 38.0
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
