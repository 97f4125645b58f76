//! Charts as SVG: axes, curves, points with error bars, the boxes of a bracket.
//!
//! Whoever draws one says what is where, and gives each kind of line and text a class and a style for it.

use std::fmt::{self, Display, Write};

use crate::svg::Escaped;

/// Values of an axis onto places of the picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    /// The first value and the last one.
    pub values: (f64, f64),
    /// Where they are.
    pub places: (f64, f64),
}

impl Scale {
    /// Where a value is.
    pub fn at(self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.values, self.places);
        from + (to - from) * (value - low) / (high - low)
    }
}

/// A length of the picture: one that was chosen is printed as it is, one that was calculated to a tenth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Length {
    /// Chosen.
    Whole(i32),
    /// Calculated.
    Tenths(f64),
}

impl From<i32> for Length {
    fn from(length: i32) -> Length {
        Length::Whole(length)
    }
}

impl From<f64> for Length {
    fn from(length: f64) -> Length {
        Length::Tenths(length)
    }
}

impl Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::Whole(length) => write!(f, "{length}"),
            Length::Tenths(length) => write!(f, "{length:.1}"),
        }
    }
}

/// A place in the picture: how far to the right, and how far down.
pub type Place = (Length, Length);

/// A place, of whatever kinds of lengths.
pub fn place(x: impl Into<Length>, y: impl Into<Length>) -> Place {
    (x.into(), y.into())
}

/// Which part of a text is where the text is said to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A text.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    /// What it says.
    pub text: &'a str,
    /// Where its baseline is.
    pub at: Place,
    /// Which part of it is there.
    pub anchor: Anchor,
    /// The size of its letters, if not that of all texts.
    pub size: Option<u32>,
}

/// A chart that is being drawn.
#[derive(Clone, Debug)]
pub struct Chart {
    svg: String,
}

impl Chart {
    /// An empty one.
    pub fn new(width: f64, height: f64, title: &str, style: &str) -> Chart {
        let title = Escaped(title);
        Chart {
            svg: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
                 font-family=\"sans-serif\" font-size=\"13\"><title>{title}</title><style>{style}</style>\n"
            ),
        }
    }

    /// A straight line: of an axis, of a grid.
    pub fn line(&mut self, class: &str, from: Place, to: Place) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.write(format_args!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    /// A text.
    pub fn label(&mut self, label: Label<'_>) {
        let (text, (x, y)) = (Escaped(label.text), label.at);
        let anchor = match label.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let size = label.size.map(|size| format!(" font-size=\"{size}\"")).unwrap_or_default();
        self.write(format_args!("<text x=\"{x}\" y=\"{y}\"{anchor}{size}>{text}</text>"));
    }

    /// A text that begins at a place.
    pub fn text(&mut self, at: Place, text: &str) {
        self.label(Label { text, at, anchor: Anchor::Start, size: None });
    }

    /// The curve that the chart is about, through places.
    pub fn curve(&mut self, class: &str, through: &[Place]) {
        let places: Vec<String> = through.iter().map(|(x, y)| format!("{x} {y}")).collect();
        self.element("path", class, &format!("d=\"M{}\"", places.join(" L")), None);
    }

    /// A line through places, with what it is called.
    pub fn polyline(&mut self, class: &str, through: &[Place], title: Option<&str>) {
        let places: Vec<String> = through.iter().map(|(x, y)| format!("{x},{y}")).collect();
        self.element("polyline", class, &format!("points=\"{}\"", places.join(" ")), title);
    }

    /// A point, with what it is called.
    pub fn point(&mut self, class: &str, at: Place, radius: u32, title: Option<&str>) {
        let (x, y) = at;
        self.element("circle", class, &format!("cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""), title);
    }

    /// A point with its error bar, from one end to the other; the classes are those of the bar and of the point.
    pub fn interval(&mut self, [bar, dot]: [&str; 2], ends: [Place; 2], at: Place) {
        self.line(bar, ends[0], ends[1]);
        self.point(dot, at, 4, None);
    }

    /// A box of a bracket, by its top left corner.
    pub fn boxed(&mut self, class: &str, corner: Place, size: Place) {
        let ((x, y), (width, height)) = (corner, size);
        let places = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"");
        self.element("rect", class, &places, None);
    }

    /// A line from a box of a bracket to the next one, with corners after `bend`.
    pub fn branch(&mut self, class: &str, from: Place, bend: impl Into<Length>, to: Place) {
        let ((x, y), bend, (right, down)) = (from, bend.into(), to);
        self.element("path", class, &format!("d=\"M{x} {y}h{bend}V{down}H{right}\""), None);
    }

    /// Ends a line of the text that the picture is: people read pictures that changed.
    pub fn end_line(&mut self) {
        self.svg.push('\n');
    }

    /// The picture.
    pub fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }

    fn element(&mut self, name: &str, class: &str, attributes: &str, title: Option<&str>) {
        match title.map(Escaped) {
            None => self.write(format_args!("<{name} class=\"{class}\" {attributes}/>")),
            Some(title) => {
                self.write(format_args!("<{name} class=\"{class}\" {attributes}><title>{title}</title></{name}>"));
            }
        }
    }

    fn write(&mut self, text: fmt::Arguments<'_>) {
        // Nothing goes wrong in memory.
        let _ = self.svg.write_fmt(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_where_the_scale_says() {
        let scale = Scale { values: (-100.0, 300.0), places: (90.0, 490.0) };
        assert_eq!([-100.0, 0.0, 300.0].map(|value| scale.at(value)), [90.0, 190.0, 490.0]);
        let upwards = Scale { values: (0.0, 1.0), places: (200.0, 100.0) };
        assert_eq!(upwards.at(0.25), 175.0);
    }

    #[test]
    fn a_chart_is_what_was_drawn() {
        let mut chart = Chart::new(640.0, 26.0, "A & B", ".bar{stroke:#000}");
        chart.line("grid", place(1.26, 8), place(1.26, 20.0));
        let at = place(3, 4.04);
        chart.label(Label { text: "<0>", at, anchor: Anchor::Middle, size: Some(11) });
        chart.end_line();
        chart.interval(["bar", "dot"], [place(1.0, 2), place(3.0, 2)], place(2.0, 2));
        chart.polyline("line", &[place(1, 2), place(3, 4)], Some("what \"A\" believed"));
        chart.curve("curve", &[place(1, 2), place(3.0, 4)]);
        assert_eq!(
            chart.finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 26\" role=\"img\" font-family=\"sans-serif\" \
             font-size=\"13\"><title>A &amp; B</title><style>.bar{stroke:#000}</style>\n\
             <line class=\"grid\" x1=\"1.3\" y1=\"8\" x2=\"1.3\" y2=\"20.0\"/>\
             <text x=\"3\" y=\"4.0\" text-anchor=\"middle\" font-size=\"11\">&lt;0&gt;</text>\n\
             <line class=\"bar\" x1=\"1.0\" y1=\"2\" x2=\"3.0\" y2=\"2\"/><circle class=\"dot\" cx=\"2.0\" cy=\"2\" r=\"4\"/>\
             <polyline class=\"line\" points=\"1,2 3,4\"><title>what &quot;A&quot; believed</title></polyline>\
             <path class=\"curve\" d=\"M1 2 L3.0 4\"/></svg>\n"
        );
    }

    #[test]
    fn brackets_have_boxes_and_branches() {
        let mut chart = Chart::new(500.0, 100.0, "a bracket", "");
        chart.boxed("box", place(2, 36), place(216, 40));
        chart.branch("branch", place(218, 56), 14, place(246, 86));
        let svg = chart.finish();
        assert!(svg.contains("<rect class=\"box\" x=\"2\" y=\"36\" width=\"216\" height=\"40\" rx=\"5\"/>"), "{svg}");
        assert!(svg.contains("<path class=\"branch\" d=\"M218 56h14V86H246\"/>"), "{svg}");
    }
}
