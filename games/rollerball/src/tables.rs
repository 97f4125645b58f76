//! How men move on one board under one rule set, computed once.

use std::sync::LazyLock;

use agon_rules::{RuleSet, Side};

use crate::board::{Geometry, LANE, Place, Square, Variant, squares};

/// Everything that does not change during a game.
pub(crate) struct Tables {
    pub(crate) variant: Variant,
    pub(crate) rules: RuleSet,
    pub(crate) geometry: Geometry,
    /// By number within the sector, as seen from the bottom sector.
    pub(crate) rook: [Slider; LANE as usize],
    /// By number within the sector, as seen from the bottom sector.
    pub(crate) bishop: [Slider; LANE as usize],
    pub(crate) king: [u64; 64],
    pub(crate) knight: [u64; 64],
    /// Where a pawn may go, and what it attacks.
    pub(crate) pawn: [u64; 64],
    /// Where a pawn that attacks this square stands.
    pub(crate) pawn_from: [u64; 64],
    /// By side and origin: where a pawn's move is a promotion.
    pub(crate) promotions: [[u64; 64]; 2],
    /// By side and square: how many moves a pawn is away from promotion at least, [`NO_WAY`] if it never gets there.
    pub(crate) pawn_way: [[u8; 64]; 2],
    /// How many steps a king is away from a square at least, on an empty board.
    pub(crate) king_way: [[u8; 64]; 64],
    /// The ring that a square is in, 0 at the outer wall.
    pub(crate) ring: [u8; 64],
    pub(crate) endings: Endings,
}

/// No number of moves leads there.
pub(crate) const NO_WAY: u8 = u8::MAX;

/// The rules about the game so far that end it.
pub(crate) struct Endings {
    /// A draw after this many moves of both sides together.
    pub(crate) move_limit: Option<usize>,
    pub(crate) threefold: Option<Threefold>,
}

/// When a position is the same as an earlier one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threefold {
    /// The same men on the same squares and the same side to move; the start position counts.
    PlacementAndSide,
    /// The same men on the same squares; the start position does not count.
    PlacementOnly,
}

/// The moves of a rook or bishop from one square of the bottom sector.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slider {
    /// Long ways, bends included. Bits ascend along the way.
    pub(crate) paths: [u64; 2],
    /// Squares that are one step away whatever else stands on the board.
    pub(crate) steps: u64,
}

impl Slider {
    /// The squares attacked when `occupied` squares stop the way; seen from the bottom sector.
    #[inline]
    pub(crate) fn attacks(&self, occupied: u64) -> u64 {
        reach(self.paths[0], occupied) | reach(self.paths[1], occupied) | self.steps
    }
}

/// A way up to its first obstacle, which is included.
#[inline]
fn reach(path: u64, occupied: u64) -> u64 {
    let obstacles = path & occupied;
    path & (obstacles ^ obstacles.wrapping_sub(1))
}

impl Tables {
    /// The tables of a board and rule set.
    pub(crate) fn of(variant: Variant, rules: RuleSet) -> &'static Tables {
        use {RuleSet::*, Variant::*};
        static TABLES: [LazyLock<Tables>; 6] = [
            LazyLock::new(|| Tables::new(SevenThree, Text)),
            LazyLock::new(|| Tables::new(SevenThree, Server)),
            LazyLock::new(|| Tables::new(EightFour, Text)),
            LazyLock::new(|| Tables::new(EightFour, Server)),
            LazyLock::new(|| Tables::new(EightTwo, Text)),
            LazyLock::new(|| Tables::new(EightTwo, Server)),
        ];
        &TABLES[2 * variant as usize + rules as usize]
    }

    fn new(variant: Variant, rules: RuleSet) -> Tables {
        let geometry = Geometry::new(variant);
        let original = variant == Variant::SevenThree;
        let walker = Walker { geometry: &geometry, corner_bishop_bends: !(original && rules == RuleSet::Server) };
        let pawn = walker.leaps(|place| PAWN_STEPS.map(|step| walker.turned(place, step)).to_vec());
        let king = walker.leaps(|_| KING_STEPS.to_vec());
        let promotions = Side::BOTH.map(|side| promotions(variant, &geometry, &pawn, side));
        Tables {
            rook: walker.sliders(Walker::rook),
            bishop: walker.sliders(Walker::bishop),
            ring: rings(&geometry),
            king_way: std::array::from_fn(|origin| king_way(&king, origin)),
            king,
            knight: walker.leaps(|_| KNIGHT_STEPS.to_vec()),
            pawn,
            pawn_from: reversed(&pawn),
            pawn_way: [pawn_way(&pawn, &promotions[0]), pawn_way(&pawn, &promotions[1])],
            promotions,
            endings: Endings::new(variant, rules),
            variant,
            rules,
            geometry,
        }
    }

    /// What a rook on `square` attacks.
    #[inline]
    pub(crate) fn rook_attacks(&self, square: Square, occupied: u64) -> u64 {
        slide(&self.rook, square, occupied)
    }

    /// What a bishop on `square` attacks.
    #[inline]
    pub(crate) fn bishop_attacks(&self, square: Square, occupied: u64) -> u64 {
        slide(&self.bishop, square, occupied)
    }
}

#[inline]
fn slide(table: &[Slider; LANE as usize], square: Square, occupied: u64) -> u64 {
    let seen = occupied.rotate_right(square.turn());
    table[square.slot()].attacks(seen).rotate_left(square.turn())
}

impl Endings {
    fn new(variant: Variant, rules: RuleSet) -> Endings {
        let original = variant == Variant::SevenThree;
        Endings {
            move_limit: original.then_some(200),
            threefold: match (rules, original) {
                (RuleSet::Text, _) => Some(Threefold::PlacementAndSide),
                (RuleSet::Server, true) => Some(Threefold::PlacementOnly),
                (RuleSet::Server, false) => None,
            },
        }
    }
}

/// Directions as seen from the bottom sector, where forward is west and inward is north.
const NORTH: Place = (0, 1);
const SOUTH: Place = (0, -1);
const EAST: Place = (1, 0);
const WEST: Place = (-1, 0);
const NORTH_EAST: Place = (1, 1);
const NORTH_WEST: Place = (-1, 1);
const SOUTH_EAST: Place = (1, -1);
const SOUTH_WEST: Place = (-1, -1);

const PAWN_STEPS: [Place; 3] = [SOUTH_WEST, WEST, NORTH_WEST];
const KING_STEPS: [Place; 8] = [NORTH, SOUTH, EAST, WEST, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST];
const KNIGHT_STEPS: [Place; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// From this file on, a rook in the bottom sector moves inwards by one step only.
const SHORT_INWARD_FILE: i8 = 4;

/// Walks over an empty board.
struct Walker<'a> {
    geometry: &'a Geometry,
    /// Whether a bishop that starts on a corner bends like any other.
    corner_bishop_bends: bool,
}

impl Walker<'_> {
    /// The squares from `from`, which is left out, to the wall or the hole.
    fn walk(&self, from: Place, step: Place) -> Vec<Place> {
        let next = |place: &Place| Some((place.0 + step.0, place.1 + step.1));
        let on_board = |place: &Place| self.geometry.square(*place).is_some();
        std::iter::successors(next(&from), next).take_while(on_board).collect()
    }

    /// The squares one step away in these directions.
    fn steps(&self, from: Place, steps: &[Place]) -> u64 {
        let target = |step: &Place| self.geometry.square((from.0 + step.0, from.1 + step.1));
        steps.iter().filter_map(target).fold(0, |set, square| set | square.bit())
    }

    /// A direction of the bottom sector as the sector of `place` sees it.
    fn turned(&self, place: Place, step: Place) -> Place {
        let square = self.geometry.square(place).expect("a place on the board");
        (0..square.turn() / LANE).fold(step, |(x, y), _| (y, -x))
    }

    /// Makes a table of men that step or leap.
    fn leaps(&self, steps: impl Fn(Place) -> Vec<Place>) -> [u64; 64] {
        let mut table = [0; 64];
        for &square in &self.geometry.reading_order {
            let place = self.geometry.place(square);
            table[square.index()] = self.steps(place, &steps(place));
        }
        table
    }

    /// Makes a table of men that slide.
    fn sliders(&self, slider: fn(&Self, Place) -> Slider) -> [Slider; LANE as usize] {
        let mut table = [Slider::default(); LANE as usize];
        for square in squares(self.geometry.all & 0xffff) {
            table[square.slot()] = slider(self, self.geometry.place(square));
        }
        table
    }

    /// A way as a set. The whole move generator rests on the order of its bits.
    fn path(&self, way: &[Place]) -> u64 {
        let indices: Vec<usize> =
            way.iter().map(|&place| self.geometry.square(place).expect("a way on the board").index()).collect();
        assert!(indices.is_sorted_by(|a, b| a < b), "squares must ascend along the way {way:?}");
        indices.into_iter().fold(0, |set, index| set | 1 << index)
    }

    /// Forward any distance, and from the outer ring round the corner; inwards any distance in the far half of the
    /// sector; one step elsewhere.
    fn rook(&self, from: Place) -> Slider {
        let mut forward = self.walk(from, WEST);
        if from.1 == 0 {
            forward.extend(self.walk((0, 0), NORTH));
        }
        let short = from.0 >= SHORT_INWARD_FILE;
        let inward = if short { Vec::new() } else { self.walk(from, NORTH) };
        let steps: &[Place] = if short { &[EAST, SOUTH, NORTH] } else { &[EAST, SOUTH] };
        Slider { paths: [self.path(&forward), self.path(&inward)], steps: self.steps(from, steps) }
    }

    /// Forward along both diagonals with one bend each; one step backward.
    fn bishop(&self, from: Place) -> Slider {
        let corner = from == (self.geometry.size as i8 - 1, 0);
        let bends = self.corner_bishop_bends || !corner;
        let mut inward = self.walk(from, NORTH_WEST);
        if let (Some(&wall), true) = (inward.last(), bends) {
            let bend = if wall.0 == 0 { NORTH_EAST } else { SOUTH_WEST };
            inward.extend(self.walk(wall, bend));
        }
        let mut outward = self.walk(from, SOUTH_WEST);
        if let Some(&wall) = outward.last() {
            outward.extend(self.walk(wall, NORTH_WEST));
        }
        let steps = self.steps(from, &[NORTH_EAST, SOUTH_EAST]);
        Slider { paths: [self.path(&inward), self.path(&outward)], steps }
    }
}

/// For every square the squares whose entry in `table` holds it.
fn reversed(table: &[u64; 64]) -> [u64; 64] {
    let mut from = [0; 64];
    for (origin, &targets) in table.iter().enumerate() {
        for target in squares(targets) {
            from[target.index()] |= 1 << origin;
        }
    }
    from
}

/// The moves of pawns that promote: from the sector opposite to the own camp onto the opponent's pawn squares.
fn promotions(variant: Variant, geometry: &Geometry, pawn: &[u64; 64], side: Side) -> [u64; 64] {
    let size = variant.size() as i8;
    let file = match side {
        Side::First => size - 3,
        Side::Second => 2,
    };
    let lane = match side {
        Side::First => 2,
        Side::Second => 0,
    };
    let goals = (0..variant.rings() as i8).map(|ring| match side {
        Side::First => (file, size - 1 - ring),
        Side::Second => (file, ring),
    });
    let goals = goals.filter_map(|place| geometry.square(place)).fold(0, |set, square| set | square.bit());
    let mut table = [0; 64];
    for origin in squares(geometry.all & 0xffff << (lane * LANE)) {
        table[origin.index()] = pawn[origin.index()] & goals;
    }
    table
}

fn rings(geometry: &Geometry) -> [u8; 64] {
    let (mut rings, last) = ([0; 64], geometry.size as i8 - 1);
    for &square in &geometry.reading_order {
        let (x, y) = geometry.place(square);
        rings[square.index()] = x.min(y).min(last - x).min(last - y) as u8;
    }
    rings
}

/// How many steps of a king each square is away from `origin`.
fn king_way(king: &[u64; 64], origin: usize) -> [u8; 64] {
    let mut way = [NO_WAY; 64];
    let (mut reached, mut edge) = (0u64, 1 << origin);
    for steps in 0..NO_WAY {
        if edge == 0 {
            break;
        }
        squares(edge).for_each(|square| way[square.index()] = steps);
        reached |= edge;
        edge = squares(edge).fold(0, |next, square| next | king[square.index()]) & !reached;
    }
    way
}

/// How many moves each square is away from promotion.
fn pawn_way(pawn: &[u64; 64], promotions: &[u64; 64]) -> [u8; 64] {
    let mut way = [NO_WAY; 64];
    // Far ones are found from nearer ones; no way visits a square twice.
    for _ in 0..64 {
        for origin in 0..64 {
            let ahead = squares(pawn[origin]).map(|next| way[next.index()]).min().unwrap_or(NO_WAY);
            way[origin] = if promotions[origin] != 0 { 1 } else { way[origin].min(ahead.saturating_add(1)) };
        }
    }
    way
}
