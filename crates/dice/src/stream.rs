//! Dice that are thrown: seeded, scripted, or entered by hand.
//!
//! A seed is a text. Its throws come from the ChaCha12 word stream, whose key
//! is a hash of the seed; the stream is fixed for ever (the tests hold golden
//! values). The commitment, another hash of the seed, can be shown before the
//! first throw: whoever sees the seed afterwards can check both.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// An endless, repeatable row of dice.
#[derive(Debug, Clone)]
pub struct Seeded {
    words: ChaCha12Rng,
}

impl Seeded {
    /// The dice of a seed.
    #[must_use]
    pub fn new(seed: &str) -> Self {
        let key = blake3::derive_key("linstock dice stream 1", seed.as_bytes());
        Self { words: ChaCha12Rng::from_seed(key) }
    }

    /// Throws a die with some sides: from 1 up, each face equally likely. Words past the
    /// last full round of faces are thrown away.
    pub fn throw(&mut self, sides: u8) -> u8 {
        let sides = u32::from(sides.max(1));
        let fair = u32::MAX - (u32::MAX % sides + 1) % sides;
        loop {
            let word = self.words.next_u32();
            if word <= fair {
                return (word % sides) as u8 + 1;
            }
        }
    }
}

/// What can be shown of a seed before the game: its hash, in hex.
#[must_use]
pub fn commitment(seed: &str) -> String {
    let hash = blake3::derive_key("linstock dice commitment 1", seed.as_bytes());
    hash.iter().map(|b| format!("{b:02x}")).collect()
}

/// Where the dice of a game come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// From a seed.
    Seeded(Box<Seeded>),
    /// From a list, first to last: written in a test, or read off a real table.
    Scripted(std::collections::VecDeque<u8>),
    /// From a list first, and from a seed when it has run out: to ask what a face would have led
    /// to.
    Loaded(std::collections::VecDeque<u8>, Box<Seeded>),
}

impl Source {
    /// Dice of a seed.
    #[must_use]
    pub fn seeded(seed: &str) -> Self {
        Self::Seeded(Box::new(Seeded::new(seed)))
    }

    /// The dice of a seed after so many d10 have been thrown.
    #[must_use]
    pub fn resumed(seed: &str, thrown: usize) -> Self {
        let mut dice = Self::seeded(seed);
        for _ in 0..thrown {
            dice.throw(10);
        }
        dice
    }

    /// Dice from a list.
    #[must_use]
    pub fn scripted(dice: impl IntoIterator<Item = u8>) -> Self {
        Self::Scripted(dice.into_iter().collect())
    }

    /// Dice from a list first, then those of a seed.
    #[must_use]
    pub fn loaded(dice: impl IntoIterator<Item = u8>, seed: &str) -> Self {
        Self::Loaded(dice.into_iter().collect(), Box::new(Seeded::new(seed)))
    }

    /// The next die; none if a list has run out or names a face the die has not.
    pub fn throw(&mut self, sides: u8) -> Option<u8> {
        match self {
            Self::Seeded(seeded) => Some(seeded.throw(sides)),
            Self::Scripted(list) => list.pop_front().filter(|d| (1..=sides).contains(d)),
            Self::Loaded(list, seeded) => match list.pop_front() {
                Some(die) => Some(die).filter(|d| (1..=sides).contains(d)),
                None => Some(seeded.throw(sides)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Saved games hold these dice: they may never change.
    #[test]
    fn the_stream_of_a_seed_is_fixed_for_ever() {
        let mut dice = Seeded::new("linstock");
        let thrown: Vec<u8> = (0..20).map(|_| dice.throw(10)).collect();
        assert_eq!(thrown, GOLDEN_D10);
        let mut dice = Seeded::new("");
        let thrown: Vec<u8> = (0..10).map(|_| dice.throw(6)).collect();
        assert_eq!(thrown, GOLDEN_D6);
        assert_eq!(&commitment("linstock")[..16], GOLDEN_COMMITMENT);
    }

    const GOLDEN_D10: [u8; 20] = [5, 9, 7, 8, 1, 8, 6, 8, 5, 5, 7, 2, 3, 7, 1, 1, 9, 2, 10, 4];
    const GOLDEN_D6: [u8; 10] = [3, 6, 6, 3, 4, 2, 2, 4, 2, 6];
    const GOLDEN_COMMITMENT: &str = "53ea31f9c1e891ad";

    #[test]
    fn every_face_comes_up_about_as_often() {
        let mut dice = Seeded::new("fair");
        let mut faces = [0_u32; 10];
        for _ in 0..100_000 {
            faces[usize::from(dice.throw(10)) - 1] += 1;
        }
        // Five standard deviations of a fair die.
        assert!(faces.iter().all(|n| (9_525..=10_475).contains(n)), "{faces:?}");
    }

    #[test]
    fn loaded_dice_show_their_list_first() {
        let mut dice = Source::loaded([7, 3], "linstock");
        let thrown: Vec<u8> = (0..5).filter_map(|_| dice.throw(10)).collect();
        assert_eq!(thrown, [7, 3, GOLDEN_D10[0], GOLDEN_D10[1], GOLDEN_D10[2]]);
    }

    #[test]
    fn a_list_runs_out_and_refuses_faces_the_die_has_not() {
        let mut dice = Source::scripted([7, 11]);
        assert_eq!(dice.throw(10), Some(7));
        assert_eq!(dice.throw(10), None);
        assert_eq!(dice.throw(10), None);
    }
}
