//! The little linear algebra that ratings need.

/// A square matrix.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Matrix {
    size: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Matrix {
        Matrix { size, values: vec![0.0; size * size] }
    }

    pub(crate) fn filled(size: usize, value: f64) -> Matrix {
        Matrix { size, values: vec![value; size * size] }
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub(crate) fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[row * self.size + column]
    }

    /// The lower triangle `L` with `L·Lᵀ = self`; `None` if the matrix is not positive definite.
    pub(crate) fn cholesky(&self) -> Option<Cholesky> {
        let mut lower = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| lower.get(row, k) * lower.get(column, k)).sum();
                let rest = self.get(row, column) - known;
                *lower.at(row, column) = if row > column {
                    rest / lower.get(column, column)
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Cholesky { lower })
    }
}

/// A factored positive definite matrix.
pub(crate) struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// The vector that the matrix maps to `right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let lower = &self.lower;
        let mut x = right.to_vec();
        for row in 0..x.len() {
            let known: f64 = (0..row).map(|k| lower.get(row, k) * x[k]).sum();
            x[row] = (x[row] - known) / lower.get(row, row);
        }
        for row in (0..x.len()).rev() {
            let known: f64 = (row + 1..x.len()).map(|k| lower.get(k, row) * x[k]).sum();
            x[row] = (x[row] - known) / lower.get(row, row);
        }
        x
    }

    pub(crate) fn inverse(&self) -> Matrix {
        let size = self.lower.size;
        let mut inverse = Matrix::zero(size);
        for column in 0..size {
            let unit: Vec<f64> = (0..size).map(|row| if row == column { 1.0 } else { 0.0 }).collect();
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                *inverse.at(row, column) = value;
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_of_a_small_matrix() {
        let matrix = Matrix { size: 2, values: vec![4.0, 2.0, 2.0, 3.0] };
        let inverse = matrix.cholesky().expect("positive definite").inverse();
        for (found, expected) in inverse.values.iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((found - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        assert!(Matrix::filled(2, 1.0).cholesky().is_none());
    }
}
