//! What a position looks like.

use agon_picture::{
    Click, Label, Line, Look, Mark, MarkKind, Picture, Piece, Point as Place, Region, Shape, Spot, SpotShape, Stroke,
    Symbol, Tint, Tone,
};
use agon_rules::{Game, Outcome, Reason, Side};

use crate::{
    Yinsh,
    geometry::{Direction, Geometry, Point, axial_of, hexagon_of, name_of},
    position::{Move, Phase, YinshPosition},
    text::{Content, side_name},
    turns::point_text,
};

/// The width of a step to the right: neighbours are one unit apart on a hexagonal grid.
const ACROSS: f32 = 0.866_025_4;
/// From the outermost points to the edge of the painted board.
const MARGIN: f32 = 1.15;
/// From the outermost points to their coordinates.
const LABEL_DISTANCE: f32 = 0.78;
/// From the top corners of the picture to the middle of the scores.
const SCORE_PLACE: Place = (1.4, 0.3);

/// Where `(x, y)` lies when the centre of the board is at the origin.
fn plane((x, y): (i32, i32)) -> Place {
    (ACROSS * x as f32, x as f32 / 2.0 - y as f32)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    pub(crate) fn draw(&self, last: &[Move]) -> Picture {
        Picture {
            size: (2.0 * Self::centre().0, 2.0 * Self::centre().1),
            // Two lines of text to a step, and columns about half as wide as lines are high.
            grid: (ACROSS / 4.0, 0.5),
            regions: vec![Region { corners: Self::outline(), tone: Tone::Board }],
            lines: Self::lines(),
            spots: Geometry::<N, W>::points().map(Self::spot).collect(),
            pieces: Geometry::<N, W>::points().filter_map(|point| self.piece(point)).collect(),
            labels: self.labels(),
            marks: self.marks(last),
            caption: self.caption(),
            looks: Look::pair(Yinsh::SIDES, [Tint::Orange, Tint::Blue]),
        }
    }

    pub(crate) fn clicks_of(&self, m: Move) -> Vec<Click> {
        let spot = |point| Click::Spot(Geometry::<N, W>::order(point));
        match m {
            Move::Place(point) | Move::TakeRing(point) => vec![spot(point)],
            Move::Ring { from, to, .. } => vec![spot(from), spot(to)],
            Move::TakeRow(row) => {
                let (start, end) = self.row_ends(row);
                vec![spot(start), spot(end)]
            }
        }
    }

    /// The centre of the board in the picture, on a crossing of the characters' grid.
    fn centre() -> Place {
        (ACROSS * (N as f32 + 1.75), N as f32 + 1.0)
    }

    /// A place of the picture, from a place around the centre.
    fn placed((x, y): Place) -> Place {
        (Self::centre().0 + x, Self::centre().1 + y)
    }

    fn place_of(point: Point) -> Place {
        Self::placed(plane(Geometry::<N, W>::axial(point)))
    }

    /// `distance` straight out of side `side` of the hexagon, from the point at `at`.
    fn beside(side: i32, at: (i32, i32), distance: f32) -> Place {
        let (one, other) = (axial_of(1, side), axial_of(1, (side + 1) % 6));
        let (out_x, out_y) = plane((one.0 + other.0, one.1 + other.1));
        let reach = distance / out_x.hypot(out_y);
        let (x, y) = plane(at);
        Self::placed((x + out_x * reach, y + out_y * reach))
    }

    /// The edge of the painted board: around the first and the last point of each side, the corners being missing.
    fn outline() -> Vec<Place> {
        let size = N as i32;
        let ends =
            |side: i32| [side * size + 1, side * size + size - 1].map(|position| (side, axial_of(size, position)));
        (0..6).flat_map(ends).map(|(side, at)| Self::beside(side, at, MARGIN)).collect()
    }

    /// Every line of the board from end to end.
    fn lines() -> Vec<Line> {
        let mut lines = Vec::new();
        for direction in Direction::ALL.into_iter().step_by(2) {
            let (dx, dy) = direction.step();
            for start in Geometry::<N, W>::points() {
                let (x, y) = Geometry::<N, W>::axial(start);
                if Geometry::<N, W>::on_board((x - dx, y - dy)) {
                    continue;
                }
                let length = Geometry::<N, W>::ray(direction, start).len() as i32;
                let end = Self::placed(plane((x + dx * length, y + dy * length)));
                lines.push(Line { from: Self::place_of(start), to: end, stroke: Stroke::Thin });
            }
        }
        lines
    }

    fn spot(point: Point) -> Spot {
        Spot {
            name: point_text::<N, W>(point),
            at: Self::place_of(point),
            shape: SpotShape::Crossing,
            empty: Symbol::new('·', '.'),
        }
    }

    fn piece(&self, point: Point) -> Option<Piece> {
        let (side, shape, name, symbol) = match self.content(point) {
            Content::Empty => return None,
            Content::Ring(Side::First) => (Side::First, Shape::Ring, "ring", Symbol::new('○', 'A')),
            Content::Ring(Side::Second) => (Side::Second, Shape::Ring, "ring", Symbol::new('□', 'B')),
            Content::Marker(Side::First) => (Side::First, Shape::Disc, "marker", Symbol::new('●', 'a')),
            Content::Marker(Side::Second) => (Side::Second, Shape::Disc, "marker", Symbol::new('■', 'b')),
        };
        Some(Piece { spot: Geometry::<N, W>::order(point), side, shape, name, symbol })
    }

    /// The names of the points on the outermost hexagon, beside them, and the scores in the corners.
    fn labels(&self) -> Vec<Label> {
        let outermost = |point: &Point| hexagon_of(Geometry::<N, W>::axial(*point)) == N as i32;
        let name = |point: Point| {
            let at = Geometry::<N, W>::axial(point);
            let side = name_of(at).1 / N as i32;
            Label { at: Self::beside(side, at, LABEL_DISTANCE), text: point_text::<N, W>(point) }
        };
        let score = |side: Side, x: f32| {
            let text = format!("{} {}/{}", side_name(side), self.out[side.index()], self.rules.goal);
            Label { at: (x, SCORE_PLACE.1), text }
        };
        let right = 2.0 * Self::centre().0 - SCORE_PLACE.0;
        let scores = [score(Side::First, SCORE_PLACE.0), score(Side::Second, right)];
        Geometry::<N, W>::points().filter(outermost).map(name).chain(scores).collect()
    }

    /// Where the last turn took something away, and where it put something.
    fn marks(&self, last: &[Move]) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        let mut mark = |point: Point, kind: MarkKind| {
            let spot = Geometry::<N, W>::order(point);
            marks.retain(|mark| mark.spot != spot);
            marks.push(Mark { spot, kind });
        };
        for &m in last {
            match m {
                Move::Place(point) => mark(point, MarkKind::LastTo),
                Move::Ring { from, to, .. } => {
                    mark(from, MarkKind::LastFrom);
                    mark(to, MarkKind::LastTo);
                }
                Move::TakeRow(row) => self.row_points(row).for_each(|point| mark(point, MarkKind::LastFrom)),
                Move::TakeRing(point) => mark(point, MarkKind::LastFrom),
            }
        }
        marks
    }

    fn caption(&self) -> String {
        let goal = self.rules.goal;
        let [first, second] = self.out;
        let [orange, blue] = Yinsh::SIDES;
        let score = format!("Rings taken: {orange} {first}, {blue} {second}, of {goal}.");
        if let Some(outcome) = self.generate_moves(&mut Vec::new()) {
            return format!("{} {score}", self.ending(outcome));
        }
        let side = capital(side_name(self.turn));
        let task = match self.phase {
            Phase::Place => match self.rings_to_place(self.turn) {
                1 => "to place its last ring".to_owned(),
                left => format!("to place a ring, {left} left"),
            },
            Phase::Move => "to move a ring".to_owned(),
            Phase::Row | Phase::GivenRow => format!("to take a row of {}", self.rules.row),
            _ => "to take a ring for the row".to_owned(),
        };
        format!("{side} {task}. {score}")
    }

    fn ending(&self, outcome: Outcome) -> String {
        let stuck = format!("{} cannot move", capital(side_name(self.turn)));
        match (outcome.winner.map(side_name), outcome.reason) {
            (Some(winner), Reason::GOAL) => format!("{} wins.", capital(winner)),
            (Some(winner), _) => format!("{stuck}: {winner} wins with more rings taken."),
            (None, _) => format!("{stuck}: a draw, with as many rings taken on both sides."),
        }
    }
}
