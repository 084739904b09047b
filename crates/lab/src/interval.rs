//! How sure a figure is: intervals that hold the true value 95 times in a hundred.

use serde::Serialize;

/// The normal quantile of a two-sided 95% interval.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// Student's quantile of the same: what takes the place of [`Z`] where the spread is only known
/// from so few values. The three widest are given; beyond them the series of Cornish and Fisher is
/// right to three places.
fn student(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return 12.706;
    }
    if freedom < 2.5 {
        return 4.303;
    }
    if freedom < 3.5 {
        return 3.182;
    }
    let z = Z;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
            - 1920.0 * z.powi(3)
            - 945.0 * z)
            / 92160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom) + z
}

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
    /// As many times itself.
    #[must_use]
    pub fn times(&self, n: f64) -> Self {
        Self { value: n * self.value, low: n * self.low, high: n * self.high }
    }

    /// With its interval, to so many places.
    #[must_use]
    pub fn words(&self, places: usize) -> String {
        self.between(|v| format!("{v:.places$}"))
    }

    /// The same with its sign.
    #[must_use]
    pub fn signed(&self, places: usize) -> String {
        self.between(|v| format!("{v:+.places$}"))
    }

    fn between(&self, number: impl Fn(f64) -> String) -> String {
        let value = number(self.value);
        if self.low.is_finite() && self.high.is_finite() {
            format!("{value} ({} to {})", number(self.low), number(self.high))
        } else {
            format!("{value} (one battle says nothing of its interval)")
        }
    }

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
        if self.n < 2.0 {
            // Nothing is known of its spread.
            return Figure { value: mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let spread = ((self.squares - self.n * mean * mean) / (self.n - 1.0)).max(0.0);
        let half = student(self.n - 1.0) * (spread / self.n).sqrt();
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
        // 3.182 times the root of a quarter of 5/3.
        assert!((f.high - f.value - 2.0540).abs() < 2e-3, "{f:?}");
        let mut one = Mean::default();
        one.add(3.0);
        assert_eq!((one.figure().low, one.figure().high), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// Values from a printed table.
    #[test]
    fn students_quantiles() {
        let table =
            [(1.0, 12.706), (2.0, 4.303), (3.0, 3.182), (5.0, 2.571), (10.0, 2.228), (30.0, 2.042)];
        for (freedom, t) in table {
            assert!((student(freedom) - t).abs() < 0.01, "{freedom}: {}", student(freedom));
        }
        assert!((student(1e9) - Z).abs() < 1e-6);
    }
}
