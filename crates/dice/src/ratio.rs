//! Exact fractions as the nearest `f64`.

use num_bigint::BigUint;

/// The `f64` nearest to `ways / of`, whatever the size of the numbers; 0 if
/// there are no ways.
#[must_use]
pub fn ratio(ways: &BigUint, of: &BigUint) -> f64 {
    const EXACT: u64 = 1 << 53;
    if let (Ok(w), Ok(o)) = (u64::try_from(ways), u64::try_from(of))
        && w <= EXACT
        && o <= EXACT
    {
        #[allow(clippy::cast_precision_loss)] // both are exact
        return w as f64 / o as f64;
    }
    // Scale so that the quotient has 64 or 65 bits, keep a sticky bit for what
    // the division drops, and let the conversion round to nearest.
    let shift = 64 + of.bits().saturating_sub(ways.bits());
    let scaled = ways << shift;
    let quotient = &scaled / of;
    let exact = &quotient * of == scaled;
    let Ok(mut wide) = u128::try_from(&quotient) else {
        return 1.0;
    };
    if !exact {
        wide = (wide << 1) | 1;
    }
    #[allow(clippy::cast_precision_loss)] // rounding to nearest is wanted
    let mantissa = wide as f64;
    let exponent = i32::try_from(shift).unwrap_or(i32::MAX) + i32::from(!exact);
    scale_down(mantissa, exponent)
}

fn scale_down(mut x: f64, mut exponent: i32) -> f64 {
    // In steps, so that the power of two itself does not underflow.
    while exponent > 1000 {
        x /= 2f64.powi(1000);
        exponent -= 1000;
    }
    x / 2f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_fractions_are_the_nearest_float() {
        let big = |n: u128, power: u32| BigUint::from(n) * BigUint::from(10u8).pow(power);
        assert_eq!(ratio(&big(3, 0), &big(1, 1)), 0.3);
        assert_eq!(ratio(&big(3, 60), &big(1, 61)), 0.3);
        assert_eq!(ratio(&big(1, 0), &big(1, 80)), 1e-80);
        assert_eq!(ratio(&big(1, 80), &big(3, 80)), 1.0 / 3.0);
        assert_eq!(ratio(&big(0, 0), &big(1, 80)), 0.0);
        assert_eq!(ratio(&big(1, 80), &big(1, 80)), 1.0);
    }
}
