//! Sets of points as words of 64 bits.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A set of up to `64 * W` points; also one large number, since a carry that runs through neighbouring bits
/// is how rings slide (see `moves.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub(crate) const EMPTY: Self = Bits([0; W]);

    /// The set with the one point `index`.
    #[inline]
    pub(crate) fn bit(index: u8) -> Self {
        let (word, bit) = (usize::from(index / 64), index % 64);
        Bits(std::array::from_fn(|i| u64::from(i == word) << bit))
    }

    /// This set and the point `index`.
    pub(crate) const fn with(mut self, index: usize) -> Self {
        self.0[index / 64] |= 1 << (index % 64);
        self
    }

    #[inline]
    pub(crate) const fn contains(&self, index: u8) -> bool {
        self.0[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The point with the lowest index.
    #[inline]
    pub(crate) fn lowest(&self) -> Option<u8> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some((64 * word) as u8 + self.0[word].trailing_zeros() as u8)
    }

    /// The point with the highest index.
    #[inline]
    pub(crate) fn highest(&self) -> Option<u8> {
        let word = self.0.iter().rposition(|&word| word != 0)?;
        Some((64 * word) as u8 + 63 - self.0[word].leading_zeros() as u8)
    }

    /// The points of this set that are not in `other`.
    #[inline]
    pub(crate) fn without(self, other: Self) -> Self {
        self & !other
    }

    /// The sum of the two sets as numbers; a carry out of the last word is lost.
    #[inline]
    pub(crate) fn plus(self, other: Self) -> Self {
        let mut carry = false;
        Bits(std::array::from_fn(|i| {
            let (partial, first) = self.0[i].overflowing_add(other.0[i]);
            let (total, second) = partial.overflowing_add(u64::from(carry));
            carry = first | second;
            total
        }))
    }

    /// The set seen from the other end: point `i` becomes point `64 * W - 1 - i`.
    #[inline]
    pub(crate) fn reversed(self) -> Self {
        Bits(std::array::from_fn(|i| self.0[W - 1 - i].reverse_bits()))
    }

    /// The words, point 0 in the lowest bit of the first one.
    pub(crate) fn words(&self) -> &[u64; W] {
        &self.0
    }

    /// The points in rising order.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| {
            let rest = move |left: &u64| Some(left & (left - 1)).filter(|&next| next != 0);
            std::iter::successors(Some(word).filter(|&word| word != 0), rest)
                .map(move |left| (64 * i) as u8 + left.trailing_zeros() as u8)
        })
    }
}

macro_rules! word_by_word {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl<const W: usize> $trait for Bits<W> {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Bits(std::array::from_fn(|i| self.0[i] $operator other.0[i]))
            }
        }
    };
}

word_by_word!(BitAnd, bitand, &);
word_by_word!(BitOr, bitor, |);
word_by_word!(BitXor, bitxor, ^);

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const W: usize> BitXorAssign for Bits<W> {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Bits(self.0.map(|word| !word))
    }
}

impl<const W: usize> Shl<usize> for Bits<W> {
    type Output = Self;

    /// Every point moves up by `by`.
    #[inline]
    fn shl(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |i: usize| if i < W { self.0[i] } else { 0 };
        Bits(std::array::from_fn(|i| {
            let high = word(i.wrapping_sub(words)) << bits;
            if bits == 0 { high } else { high | word(i.wrapping_sub(words + 1)) >> (64 - bits) }
        }))
    }
}

impl<const W: usize> Shr<usize> for Bits<W> {
    type Output = Self;

    /// Every point moves down by `by`.
    #[inline]
    fn shr(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |i: usize| if i < W { self.0[i] } else { 0 };
        Bits(std::array::from_fn(|i| {
            let low = word(i + words) >> bits;
            if bits == 0 { low } else { low | word(i + words + 1) << (64 - bits) }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bits: Bits<2>) -> u128 {
        u128::from(bits.0[0]) | u128::from(bits.0[1]) << 64
    }

    #[test]
    fn two_words_behave_like_a_number_of_128_bits() {
        let mut random = agon_rules::Random::new(1);
        for _ in 0..1000 {
            let a = Bits([random.next_u64(), random.next_u64()]);
            let b = Bits([random.next_u64(), random.next_u64()]);
            let by = random.below(128);
            assert_eq!(number(a.plus(b)), number(a).wrapping_add(number(b)));
            assert_eq!(number(a << by), number(a) << by);
            assert_eq!(number(a >> by), number(a) >> by);
            assert_eq!(number(a.reversed()), number(a).reverse_bits());
            assert_eq!(number(a.without(b)), number(a) & !number(b));
            assert_eq!(a.iter().fold(Bits::EMPTY, |set, i| set | Bits::bit(i)), a);
            assert_eq!(a.iter().count() as u32, a.len());
            assert!(a.iter().all(|i| a.contains(i)));
            assert_eq!((a.lowest(), a.highest()), (a.iter().min(), a.iter().max()));
        }
        assert_eq!(Bits([u64::MAX, u64::MAX, 0]).plus(Bits([1, 0, 0])), Bits([0, 0, 1]));
    }
}
