//! Bit planes of a position: what a net sees.

/// How many planes a game has and how large each is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlaneShape {
    /// Number of planes.
    pub planes: usize,
    /// Bits in each plane.
    pub cells: usize,
}

impl PlaneShape {
    /// 64-bit words in each plane.
    pub const fn words(self) -> usize {
        self.cells.div_ceil(64)
    }

    /// 64-bit words in all planes together.
    pub const fn total_words(self) -> usize {
        self.planes * self.words()
    }
}

/// The planes of one position, with room to ask for single bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planes {
    shape: PlaneShape,
    words: Vec<u64>,
}

impl Planes {
    /// The planes of `position`.
    pub fn of<P: crate::Position>(position: &P) -> Planes {
        let shape = position.plane_shape();
        // All ones, so that a word that the game forgets to write shows in a comparison.
        let mut words = vec![u64::MAX; shape.total_words()];
        position.write_planes(&mut words);
        Planes { shape, words }
    }

    /// The shape.
    pub fn shape(&self) -> PlaneShape {
        self.shape
    }

    /// Whether `cell` is set in `plane`.
    pub fn get(&self, plane: usize, cell: usize) -> bool {
        assert!(plane < self.shape.planes && cell < self.shape.cells, "plane {plane} cell {cell} is outside the shape");
        self.words[plane * self.shape.words() + cell / 64] >> (cell % 64) & 1 == 1
    }

    /// The raw words, plane by plane.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}
