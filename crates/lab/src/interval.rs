//! How sure a figure is: intervals that hold the true value 95 times in a hundred.

use serde::Serialize;

/// The normal quantile of a two-sided 95% interval.
const Z: f64 = 1.959_963_984_540_054;

/// A figure with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Figure {
    /// As a share of a hundred, with its interval.
    #[must_use]
    pub fn percent(&self) -> String {
        format!("{:.1}% ({:.1} to {:.1})", 100.0 * self.value, 100.0 * self.low, 100.0 * self.high)
    }
}

/// The share of `hits` in `all`, with Wilson's interval: it is honest near 0 and 1 too.
#[must_use]
pub fn share(hits: u64, all: u64) -> Figure {
    if all == 0 {
        return Figure { value: 0.0, low: 0.0, high: 1.0 };
    }
    let (p, n) = (count(hits) / count(all), count(all));
    let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    Figure { value: p, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// Numbers as they come: their count, sum and sum of squares.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Mean {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    /// One more.
    pub fn add(&mut self, value: f64) {
        self.n += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean with its interval.
    #[must_use]
    pub fn figure(&self) -> Figure {
        if self.n == 0.0 {
            return Figure { value: 0.0, low: 0.0, high: 0.0 };
        }
        let mean = self.sum / self.n;
        let spread = if self.n > 1.0 {
            ((self.squares - self.n * mean * mean) / (self.n - 1.0)).max(0.0)
        } else {
            0.0
        };
        let half = Z * (spread / self.n).sqrt();
        Figure { value: mean, low: mean - half, high: mean + half }
    }
}

/// A count as a number to reckon with.
#[must_use]
#[allow(clippy::cast_precision_loss)] // counts of battles
pub fn count(n: u64) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values worked out by hand from Wilson's formula.
    #[test]
    fn wilsons_interval() {
        let f = share(50, 100);
        assert!((f.low - 0.4038).abs() < 1e-4 && (f.high - 0.5962).abs() < 1e-4, "{f:?}");
        let none = share(0, 20);
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 1e-4, "{none:?}");
        assert_eq!(share(0, 0), Figure { value: 0.0, low: 0.0, high: 1.0 });
    }

    #[test]
    fn a_mean_knows_its_spread() {
        let mut mean = Mean::default();
        [1.0, 2.0, 3.0, 4.0].into_iter().for_each(|v| mean.add(v));
        let f = mean.figure();
        assert!((f.value - 2.5).abs() < 1e-12);
        assert!((f.high - f.value - 1.2651).abs() < 1e-3, "{f:?}");
    }
}
