//! The chances of both sides through a game, as a picture.

use agon_picture::chart::{Chart, Place, Scale, place};
use agon_rules::{AnyGame, Side};

use crate::Judged;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
const MARGIN: f64 = 28.0;

/// An SVG picture that follows the reader's colour scheme.
pub fn curve(turns: &[Judged], game: &dyn AnyGame) -> String {
    let across = Scale { values: (0.0, turns.len().max(1) as f64), places: (MARGIN, WIDTH - MARGIN) };
    let down = Scale { values: (1.0, 0.0), places: (MARGIN, HEIGHT - MARGIN) };
    let at = |number: usize, chance: f64| place(across.at(number as f64), down.at(chance));
    let mut chart = Chart::new(WIDTH, HEIGHT, &format!("{}: chances through the game", game.title()), &style(game));
    let [first, second] = game.sides();
    chart.line("axis", at(0, 0.5), place(WIDTH - MARGIN, down.at(0.5)));
    chart.text(place(MARGIN, MARGIN - 8.0), first);
    chart.text(place(MARGIN, HEIGHT - MARGIN + 18.0), second);
    chart.end_line();
    for side in Side::BOTH {
        believe(&mut chart, turns, side, game.sides()[side.index()], at);
    }
    let chances = turns.iter().enumerate().map(|(number, turn)| at(number + 1, turn.chance));
    let through: Vec<Place> = [at(0, 0.5)].into_iter().chain(chances).collect();
    chart.curve("curve", &through);
    chart.end_line();
    for (number, turn) in turns.iter().enumerate().filter(|(_, turn)| !turn.mark().is_empty()) {
        let side = game.sides()[turn.mover.index()];
        let title = format!("{}. {side} {}: {}", number + 1, turn.turn, turn.mark());
        let radius = if turn.mark() == "blunder" { 5 } else { 3 };
        chart.point(turn.mark(), at(number + 1, turn.chance), radius, Some(&title));
        chart.end_line();
    }
    chart.finish()
}

fn style(game: &dyn AnyGame) -> String {
    let accent = game.accent();
    format!(
        "svg{{color:#222;background:#fff}}text{{font:13px system-ui,sans-serif;fill:currentColor}}\
         .first,.second{{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.75}}.second{{stroke-dasharray:5 4}}\
         .axis{{stroke:currentColor;opacity:.35}}.curve{{fill:none;stroke:{accent};stroke-width:2.5;stroke-linejoin:round}}\
         .mistake{{fill:#d99000}}.blunder{{fill:#c62828}}\
         @media(prefers-color-scheme:dark){{svg{{color:#eee;background:#181818}}}}"
    )
}

/// What the bot of `side` believed, as a line of its own; nothing if it never said so.
fn believe(chart: &mut Chart, turns: &[Judged], side: Side, name: &str, at: impl Fn(usize, f64) -> Place) {
    let own = turns.iter().enumerate().filter(|(_, turn)| turn.mover == side);
    let points: Vec<Place> = own.filter_map(|(number, turn)| Some(at(number + 1, turn.believed?))).collect();
    if points.is_empty() {
        return;
    }
    let class = if side == Side::First { "first" } else { "second" };
    chart.polyline(class, &points, Some(&format!("what {name} believed")));
    chart.end_line();
}
