//! The chances of both sides through a game, as a picture.

use agon_rules::{AnyGame, Side};

use super::game::Judged;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
const MARGIN: f64 = 28.0;

/// An SVG picture that follows the reader's colour scheme.
pub(super) fn draw(turns: &[Judged], game: &dyn AnyGame) -> String {
    let step = (WIDTH - 2.0 * MARGIN) / turns.len().max(1) as f64;
    let x = |number: usize| MARGIN + step * number as f64;
    let y = |chance: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (1.0 - chance);
    let mut line = format!("M{:.1} {:.1}", x(0), y(0.5));
    let mut marks = String::new();
    for (number, turn) in turns.iter().enumerate() {
        let (x, y) = (x(number + 1), y(turn.chance));
        line.push_str(&format!(" L{x:.1} {y:.1}"));
        if !turn.mark().is_empty() {
            let side = game.sides()[turn.mover.index()];
            let title = format!("{}. {side} {}: {}", number + 1, turn.turn, turn.mark());
            let radius = if turn.mark() == "blunder" { 5 } else { 3 };
            let title = escaped(&title);
            marks.push_str(&format!(
                "<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"><title>{title}</title></circle>\n",
                turn.mark()
            ));
        }
    }
    let believed: String = Side::BOTH.map(|side| belief(turns, side, game.sides()[side.index()], x, y)).concat();
    let accent = game.accent();
    let [first, second] = [Side::First, Side::Second].map(|side| escaped(game.sides()[side.index()]));
    let (left, right, middle) = (MARGIN, WIDTH - MARGIN, y(0.5));
    let (top, bottom) = (MARGIN - 8.0, HEIGHT - MARGIN + 18.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>{title}: chances through the game</title>\n\
         <style>svg{{color:#222;background:#fff}}text{{font:13px system-ui,sans-serif;fill:currentColor}}\
         .first,.second{{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.75}}.second{{stroke-dasharray:5 4}}\
         .axis{{stroke:currentColor;opacity:.35}}.curve{{fill:none;stroke:{accent};stroke-width:2.5;stroke-linejoin:round}}\
         .mistake{{fill:#d99000}}.blunder{{fill:#c62828}}\
         @media(prefers-color-scheme:dark){{svg{{color:#eee;background:#181818}}}}</style>\n\
         <line class=\"axis\" x1=\"{left}\" y1=\"{middle}\" x2=\"{right}\" y2=\"{middle}\"/>\n\
         <text x=\"{left}\" y=\"{top}\">{first}</text>\n<text x=\"{left}\" y=\"{bottom}\">{second}</text>\n\
         {believed}<path class=\"curve\" d=\"{line}\"/>\n{marks}</svg>\n",
        title = escaped(game.title()),
    )
}

/// What the bot of `side` believed, as a line of its own; nothing if it never said so.
fn belief(turns: &[Judged], side: Side, name: &str, x: impl Fn(usize) -> f64, y: impl Fn(f64) -> f64) -> String {
    let own = turns.iter().enumerate().filter(|(_, turn)| turn.mover == side);
    let points: Vec<String> =
        own.filter_map(|(number, turn)| Some(format!("{:.1},{:.1}", x(number + 1), y(turn.believed?)))).collect();
    if points.is_empty() {
        return String::new();
    }
    let class = if side == Side::First { "first" } else { "second" };
    let title = escaped(&format!("what {name} believed"));
    format!("<polyline class=\"{class}\" points=\"{}\"><title>{title}</title></polyline>\n", points.join(" "))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
