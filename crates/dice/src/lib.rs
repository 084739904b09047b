//! Dice as exact counts.
//!
//! A [`Distribution`] is a list of outcomes, each with the number of ways it
//! can come about out of a common whole. The counts are integers of any size,
//! so nothing is rounded until somebody asks for a probability. Dice that are
//! really thrown are in [`stream`].

mod distribution;
mod pool;
mod ratio;
pub mod stream;

pub use distribution::Distribution;
pub use num_bigint::BigUint;
pub use pool::pool;
pub use ratio::ratio;

/// A ten-sided die: every book here rolls one. The 0 face is 10.
pub const SIDES: u32 = 10;

/// The faces of the die from 1 to 10.
pub fn faces() -> impl Iterator<Item = u8> + Clone {
    1..=10
}

/// One die: every face once.
#[must_use]
pub fn die() -> Distribution<u8> {
    Distribution::distinct(faces())
}

/// Two dice rolled against each other: every pair once.
#[must_use]
pub fn opposed() -> Distribution<[u8; 2]> {
    Distribution::distinct(faces().flat_map(|a| faces().map(move |b| [a, b])))
}
