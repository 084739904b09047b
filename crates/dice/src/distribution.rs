//! Outcomes with the number of ways each can come about.

use std::hash::Hash;

use num_bigint::BigUint;
use num_integer::Integer;

use crate::ratio;

/// Outcomes in the order they come up. The hash has a fixed seed: nothing
/// here may differ from run to run.
type Merged<T, W> = indexmap::IndexMap<T, W, foldhash::fast::FixedState>;

/// Outcomes, each with its ways out of a common whole. Equal outcomes are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution<T> {
    outcomes: Vec<(T, BigUint)>,
    of: BigUint,
}

impl<T: Hash + Eq> Distribution<T> {
    /// Every item is one way.
    pub fn count(items: impl IntoIterator<Item = T>) -> Self {
        let mut counts: Merged<T, u64> = Merged::default();
        let mut of = 0u64;
        for item in items {
            *counts.entry(item).or_default() += 1;
            of += 1;
        }
        let outcomes = counts.into_iter().map(|(t, n)| (t, BigUint::from(n))).collect();
        Self { outcomes, of: BigUint::from(of) }
    }

    /// Every item is one way, and no two are equal: nothing has to be merged.
    pub(crate) fn distinct(items: impl IntoIterator<Item = T>) -> Self {
        let outcomes: Vec<_> = items.into_iter().map(|item| (item, BigUint::from(1u8))).collect();
        let of = BigUint::from(outcomes.len());
        Self { outcomes, of }
    }

    /// Items with their ways, out of their sum.
    pub fn weighted(items: impl IntoIterator<Item = (T, BigUint)>) -> Self {
        let mut merged: Merged<T, BigUint> = Merged::default();
        let mut of = BigUint::default();
        for (item, ways) in items {
            if ways == BigUint::default() {
                continue;
            }
            of += &ways;
            *merged.entry(item).or_default() += ways;
        }
        Self { outcomes: merged.into_iter().collect(), of }
    }

    /// What always happens.
    #[must_use]
    pub fn certain(item: T) -> Self {
        Self { outcomes: vec![(item, BigUint::from(1u8))], of: BigUint::from(1u8) }
    }

    /// Each outcome turned into another; those that become equal are merged.
    pub fn map<U: Hash + Eq>(&self, mut f: impl FnMut(&T) -> U) -> Distribution<U> {
        let mut merged: Merged<U, BigUint> = Merged::default();
        for (item, ways) in &self.outcomes {
            *merged.entry(f(item)).or_default() += ways;
        }
        Distribution { outcomes: merged.into_iter().collect(), of: self.of.clone() }
    }

    /// Each outcome followed by a further roll that depends on it.
    pub fn then<U: Hash + Eq>(&self, mut f: impl FnMut(&T) -> Distribution<U>) -> Distribution<U> {
        let next: Vec<(&BigUint, Distribution<U>)> =
            self.outcomes.iter().map(|(item, ways)| (ways, f(item))).collect();
        let whole = next.iter().fold(BigUint::from(1u8), |all, (_, d)| all.lcm(&d.of));
        let mut merged: Merged<U, BigUint> = Merged::default();
        for (ways, distribution) in next {
            let each = ways * (&whole / &distribution.of);
            for (item, more) in distribution.outcomes {
                *merged.entry(item).or_default() += &each * more;
            }
        }
        Distribution { outcomes: merged.into_iter().collect(), of: &self.of * whole }
    }

    /// Two rolls beside each other, put together by `pair`, which gives each
    /// pair of outcomes a result of its own.
    pub fn beside<U, V>(
        &self,
        other: &Distribution<U>,
        pair: impl Fn(&T, &U) -> V,
    ) -> Distribution<V> {
        let mut outcomes = Vec::with_capacity(self.outcomes.len() * other.outcomes.len());
        for (a, n) in &self.outcomes {
            outcomes.extend(other.outcomes.iter().map(|(b, m)| (pair(a, b), n * m)));
        }
        Distribution { outcomes, of: &self.of * &other.of }
    }
}

impl<T> Distribution<T> {
    /// The outcomes with their ways, in the order they first came up.
    pub fn iter(&self) -> impl Iterator<Item = (&T, &BigUint)> {
        self.outcomes.iter().map(|(item, ways)| (item, ways))
    }

    /// The whole that the ways are out of.
    #[must_use]
    pub fn of(&self) -> &BigUint {
        &self.of
    }

    /// How many different outcomes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether there is no outcome at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// The chance that the outcome is one of a kind.
    pub fn chance(&self, mut is: impl FnMut(&T) -> bool) -> f64 {
        let mut ways = BigUint::default();
        for (item, more) in &self.outcomes {
            if is(item) {
                ways += more;
            }
        }
        ratio(&ways, &self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::die;

    #[test]
    fn equal_outcomes_are_merged_and_nothing_is_lost() {
        let odd = die().map(|d| d % 2 == 1);
        let counts: Vec<(bool, u64)> =
            odd.iter().map(|(o, n)| (*o, u64::try_from(n).unwrap_or(0))).collect();
        assert_eq!(counts, [(true, 5), (false, 5)]);
        assert_eq!(odd.of(), &BigUint::from(10u8));
    }

    #[test]
    fn a_roll_that_depends_on_the_first_keeps_exact_counts() {
        // A second die only after a 10: 9 of 10 stop, 1 of 100 for each pair.
        let chain = die()
            .then(|&d| if d == 10 { die().map(|e| Some(*e)) } else { Distribution::certain(None) });
        assert_eq!(chain.of(), &BigUint::from(100u8));
        assert_eq!(chain.chance(Option::is_none), 0.9);
        assert_eq!(chain.chance(|o| *o == Some(7)), 0.01);
    }
}
