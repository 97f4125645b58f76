//! The little linear algebra that ratings need, fast enough for a thousand players.
//!
//! Everything walks along rows, and a block of rows at a time: the row that all of them need is then read from far away
//! once for the block and not once for each.

/// Rows that are worked on together; of a thousand numbers each they fit into the second cache.
const BLOCK: usize = 32;

/// Sums that [`dot`] keeps apart, so that additions need not wait for each other.
const LANES: usize = 8;

/// A symmetric matrix, of which only the lower triangle is kept.
pub(crate) struct Symmetric {
    size: usize,
    /// Row by row; what lies above the diagonal means nothing.
    values: Vec<f64>,
}

impl Symmetric {
    pub(crate) fn zero(size: usize) -> Symmetric {
        Symmetric { size, values: vec![0.0; size * size] }
    }

    /// Adds to the entry at `row` and `column`, which is also the one at `column` and `row`.
    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row.max(column) * self.size + row.min(column)] += value;
    }

    /// The lower triangle `L` with `L·Lᵀ = self`; `None` if the matrix is not positive definite.
    pub(crate) fn cholesky(mut self) -> Option<Cholesky> {
        let size = self.size;
        for start in (0..size).step_by(BLOCK) {
            let (done, rest) = self.values.split_at_mut(start * size);
            let (block, _) = rest.split_at_mut(BLOCK.min(size - start) * size);
            for (column, above) in done.chunks_exact(size).enumerate() {
                for row in block.chunks_exact_mut(size) {
                    row[column] = (row[column] - dot(&row[..column], &above[..column])) / above[column];
                }
            }
            finish_block(block, size, start)?;
        }
        Some(Cholesky { size, lower: self.values })
    }
}

/// Factors the part of a block that depends on the block itself: its columns from `start` on.
fn finish_block(block: &mut [f64], size: usize, start: usize) -> Option<()> {
    for own in 0..block.len() / size {
        let (before, rest) = block.split_at_mut(own * size);
        let row = &mut rest[..size];
        for (column, above) in (start..).zip(before.chunks_exact(size)) {
            row[column] = (row[column] - dot(&row[..column], &above[..column])) / above[column];
        }
        let diagonal = start + own;
        let square = row[diagonal] - dot(&row[..diagonal], &row[..diagonal]);
        // Not a number is not above 0 either.
        if !(square > 0.0 && square.is_finite()) {
            return None;
        }
        row[diagonal] = square.sqrt();
    }
    Some(())
}

/// A factored positive definite matrix.
pub(crate) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// The vector that the matrix maps to `right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for row in 0..self.size {
            let lower = self.row(row);
            x[row] = (x[row] - dot(&lower[..row], &x[..row])) / lower[row];
        }
        for row in (0..self.size).rev() {
            let lower = self.row(row);
            let value = x[row] / lower[row];
            x[row] = value;
            x[..row].iter_mut().zip(lower).for_each(|(x, lower)| *x -= value * lower);
        }
        x
    }

    /// The inverse of the factor, `L⁻¹`.
    ///
    /// Its columns are all that covariances need: that of two numbers is the product of their columns.
    pub(crate) fn inverse(&self) -> InverseFactor {
        let size = self.size;
        let mut columns = vec![0.0; size * size];
        for start in (0..size).step_by(BLOCK) {
            let end = (start + BLOCK).min(size);
            let block = &mut columns[start * size..end * size];
            for row in start..size {
                let lower = self.row(row);
                for (number, column) in (start..=row).zip(block.chunks_exact_mut(size)) {
                    let known = if row == number { -1.0 } else { dot(&lower[number..row], &column[number..row]) };
                    column[row] = -known / lower[row];
                }
            }
        }
        InverseFactor { size, columns }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.lower[row * self.size..][..self.size]
    }
}

/// The inverse of a Cholesky factor.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct InverseFactor {
    size: usize,
    columns: Vec<f64>,
}

impl InverseFactor {
    /// The column that belongs to one number.
    pub(crate) fn column(&self, number: usize) -> &[f64] {
        &self.columns[number * self.size..][..self.size]
    }
}

/// `Σ aᵢ·bᵢ`.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// `Σ (aᵢ - bᵢ)²`.
pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(size: usize, entry: impl Fn(usize, usize) -> f64) -> Symmetric {
        let mut matrix = Symmetric::zero(size);
        for row in 0..size {
            (0..=row).for_each(|column| matrix.add(row, column, entry(row, column)));
        }
        matrix
    }

    #[test]
    fn covariances_of_a_small_matrix() {
        let inverse =
            matrix(2, |row, column| [[4.0, 2.0], [2.0, 3.0]][row][column]).cholesky().expect("positive").inverse();
        for (row, column, expected) in [(0, 0, 0.375), (0, 1, -0.25), (1, 1, 0.5)] {
            assert!((dot(inverse.column(row), inverse.column(column)) - expected).abs() < 1e-15, "{row} {column}");
        }
    }

    #[test]
    fn blocks_do_not_show() {
        // Sizes around the edges of blocks and lanes.
        for size in [1, 7, 8, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5] {
            let entry = |row: usize, column: usize| {
                if row == column { size as f64 + 1.0 } else { ((row * column) as f64).sin() }
            };
            let factor = matrix(size, entry).cholesky().expect("the diagonal dominates");
            let expected: Vec<f64> = (0..size).map(|i| (i as f64).cos()).collect();
            let right: Vec<f64> =
                (0..size).map(|row| (0..size).map(|column| entry(row, column) * expected[column]).sum()).collect();
            for (found, expected) in factor.solve(&right).iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-12, "{size}: {found} {expected}");
            }
            let inverse = factor.inverse();
            for row in 0..size {
                let product: f64 = (0..size).map(|k| entry(row, k) * dot(inverse.column(k), inverse.column(row))).sum();
                assert!((product - 1.0).abs() < 1e-12, "{size}, row {row}: {product}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert!(matrix(2, |_, _| 1.0).cholesky().is_none());
        assert!(matrix(2, |_, _| f64::NAN).cholesky().is_none());
        assert!(matrix(1, |_, _| f64::INFINITY).cholesky().is_none());
        assert!(Symmetric::zero(0).cholesky().is_some());
    }
}
