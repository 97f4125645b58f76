//! What a position looks like, in words that every board shares.
//!
//! A unit is the distance between two neighbouring places; x grows to the right, y downwards. The renderers
//! ([`crate::svg`], [`crate::terminal`]) and the pages know only this vocabulary, never the game.

use crate::Side;

/// A place on the plane, in units.
pub type Point = (f32, f32);

/// A drawn position.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Width and height.
    pub size: Point,
    /// How far apart two columns and two lines of text are when the picture is drawn with characters.
    pub grid: Point,
    /// Painted areas, in order, below everything else.
    pub regions: Vec<Region>,
    /// Strokes of the board.
    pub lines: Vec<Line>,
    /// Places that can be clicked; their index is what clicks, pieces and marks refer to.
    pub spots: Vec<Spot>,
    /// Men on the board.
    pub pieces: Vec<Piece>,
    /// Coordinates and other small text.
    pub labels: Vec<Label>,
    /// Places that deserve attention.
    pub marks: Vec<Mark>,
    /// The position in a sentence or two: who is to move and what counts. Also what a screen reader says.
    pub caption: String,
    /// What the men of each side have in common.
    pub looks: [Look; 2],
}

impl Default for Picture {
    fn default() -> Picture {
        Picture {
            size: (0.0, 0.0),
            grid: (1.0, 1.0),
            regions: Vec::new(),
            lines: Vec::new(),
            spots: Vec::new(),
            pieces: Vec::new(),
            labels: Vec::new(),
            marks: Vec::new(),
            caption: String::new(),
            looks: Look::pair(["first", "second"], [Tint::White, Tint::Black]),
        }
    }
}

/// What the men of a side have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// What the side is called, for screen readers.
    pub name: &'static str,
    /// The colour of its men.
    pub tint: Tint,
    /// Whether its stones are square rather than round.
    pub square: bool,
}

impl Look {
    /// Round men with these names and colours.
    pub const fn pair(names: [&'static str; 2], tints: [Tint; 2]) -> [Look; 2] {
        let [first, second] = names;
        [Look { name: first, tint: tints[0], square: false }, Look { name: second, tint: tints[1], square: false }]
    }
}

/// The colour of a side's men. One side must have a light one and the other a dark one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tint {
    /// Nearly white; light.
    White,
    /// Nearly black; dark.
    Black,
    /// Orange; light.
    Orange,
    /// Blue; dark.
    Blue,
}

impl Tint {
    /// Whether it is one of the dark ones.
    pub const fn is_dark(self) -> bool {
        matches!(self, Tint::Black | Tint::Blue)
    }
}

/// A painted polygon.
#[derive(Clone, PartialEq, Debug)]
pub struct Region {
    /// Corners in order.
    pub corners: Vec<Point>,
    /// What it stands for; the renderer chooses the colour.
    pub tone: Tone,
}

impl Region {
    /// A rectangle from its top left corner and its size.
    pub fn rectangle(at: Point, size: Point, tone: Tone) -> Region {
        let (left, top) = at;
        let (right, bottom) = (left + size.0, top + size.1);
        Region { corners: vec![(left, top), (right, top), (right, bottom), (left, bottom)], tone }
    }
}

/// The meaning of a painted area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// The board itself.
    Board,
    /// A cell that differs from its neighbours, for checkered boards.
    Shaded,
    /// Not part of the board.
    Hole,
    /// Belongs to this side (its goal, its camp).
    Camp(Side),
    /// Where the side to move must play.
    Active,
}

/// A stroke.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// One end.
    pub from: Point,
    /// The other end.
    pub to: Point,
    /// How it is drawn.
    pub stroke: Stroke,
}

/// How a stroke is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stroke {
    /// A line of the grid.
    Thin,
    /// A border.
    Thick,
}

/// A place that can be clicked.
#[derive(Clone, PartialEq, Debug)]
pub struct Spot {
    /// What people call it: `d8`, `3 4`.
    pub name: String,
    /// Its centre.
    pub at: Point,
    /// What it looks like and how large the clickable area is.
    pub shape: SpotShape,
    /// How it is drawn with a character when nothing stands on it.
    pub empty: Symbol,
}

/// The look of an empty place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpotShape {
    /// A square cell, one unit wide.
    Cell,
    /// A crossing of lines.
    Crossing,
}

/// A man on the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// Index of the spot it stands on.
    pub spot: usize,
    /// Its owner.
    pub side: Side,
    /// What it looks like.
    pub shape: Shape,
    /// What it is called: `ring`, `king`.
    pub name: &'static str,
    /// How it is drawn with a character.
    pub symbol: Symbol,
}

/// The outline of a man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A wide ring, open in the middle.
    Ring,
    /// A flat disc, smaller than a ring's hole.
    Disc,
    /// A large round stone.
    Stone,
    /// A solid square.
    Block,
    /// A round man with a line through it, from left to right.
    BarAcross,
    /// A round man with a line through it, from top to bottom.
    BarDown,
    /// An outline of its own: the data of an SVG path in a box from (-50, -50) to (50, 50), y downwards.
    Figure(&'static str),
}

/// A character, and the one to use where only ASCII is safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Any character that is one column wide.
    pub unicode: char,
    /// An ASCII character.
    pub ascii: char,
}

impl Symbol {
    /// `unicode` where it can be shown, else `ascii`.
    pub const fn new(unicode: char, ascii: char) -> Symbol {
        Symbol { unicode, ascii }
    }
}

/// Small text.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The middle of the text.
    pub at: Point,
    /// The text.
    pub text: String,
}

/// A marked spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Index of the spot.
    pub spot: usize,
    /// Why it is marked.
    pub kind: MarkKind,
}

/// Why a spot is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    /// The last turn started or removed something here.
    LastFrom,
    /// The last turn ended here.
    LastTo,
    /// Something of great value is attacked here (a king in check).
    Danger,
    /// Part of what won the game.
    Winning,
}

/// One step of entering a move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Click {
    /// On the spot with this index.
    Spot(usize),
    /// On a button with this text, where places alone do not tell (which piece to promote to).
    Choice(&'static str),
}
