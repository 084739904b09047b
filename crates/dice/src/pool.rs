//! Pools: many dice rolled together, each a hit or not.

use num_bigint::BigUint;

use crate::{Distribution, SIDES};

/// How many of `dice` dice hit, if `hit` of the ten faces do.
#[must_use]
pub fn pool(dice: u32, hit: u32) -> Distribution<u32> {
    let hit = hit.min(SIDES);
    let miss = SIDES - hit;
    // Binomial counts out of ten to the number of dice.
    let mut choose = BigUint::from(1u8);
    let mut items = Vec::with_capacity(dice as usize + 1);
    let misses: Vec<BigUint> = powers(miss, dice);
    let hits: Vec<BigUint> = powers(hit, dice);
    for k in 0..=dice {
        let ways = &choose * &hits[k as usize] * &misses[(dice - k) as usize];
        items.push((k, ways));
        choose = choose * (dice - k) / (k + 1);
    }
    Distribution::weighted(items)
}

fn powers(base: u32, most: u32) -> Vec<BigUint> {
    let mut all = vec![BigUint::from(1u8)];
    for i in 0..most as usize {
        let next = &all[i] * base;
        all.push(next);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{die, faces};
    use proptest::prelude::*;

    #[test]
    fn a_pool_is_what_rolling_every_die_gives() {
        for hit in 0..=10u32 {
            let two = die().beside(&die(), |a, b| [*a, *b]);
            let three = two.beside(&die(), |[a, b], c| [*a, *b, *c]);
            let by_hand =
                three.map(|dice| dice.iter().filter(|d| u32::from(**d) <= hit).count() as u32);
            let pool = pool(3, hit);
            for hits in 0..=3 {
                assert_eq!(
                    pool.chance(|h| *h == hits),
                    by_hand.chance(|h| *h == hits),
                    "{hit} {hits}"
                );
            }
        }
        assert_eq!(faces().count(), 10);
    }

    proptest! {
        #[test]
        fn the_ways_of_a_pool_are_all_there(dice in 0u32..60, hit in 0u32..=12) {
            let pool = pool(dice, hit);
            prop_assert_eq!(pool.of(), &BigUint::from(10u8).pow(dice));
        }
    }
}
