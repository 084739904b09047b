//! The shape every check has: assessed, rolled, resolved.
//!
//! A family turns a request into an assessment (which clauses count, before
//! any die). From there one function decides: `resolve` applies it to the dice
//! that were rolled, `odds` to every roll there is, and a battle to the dice
//! of its own. They cannot disagree.

use std::fmt;
use std::hash::{Hash, Hasher};

use dice::Distribution;
use serde::{Serialize, Serializer};

use crate::{Code, Modifier, Refusal, RuleId};

/// Where a resolution notes the clauses it applies. `()` notes nothing.
pub trait Cite {
    /// Notes a clause.
    fn cite(&mut self, rule: RuleId);
}

impl Cite for () {
    fn cite(&mut self, _: RuleId) {}
}

impl Cite for Vec<RuleId> {
    fn cite(&mut self, rule: RuleId) {
        if !self.contains(&rule) {
            self.push(rule);
        }
    }
}

/// A number as the sheets have them: whole, or with halves and quarters.
#[derive(Clone, Copy)]
pub struct Amount(pub f64);

impl Amount {
    fn whole(self) -> Option<i64> {
        #[allow(clippy::cast_possible_truncation)] // checked to be whole and small
        (self.0.fract() == 0.0 && self.0.abs() < 1e15).then_some(self.0 as i64)
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Amount {}

impl Hash for Amount {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl From<i32> for Amount {
    fn from(n: i32) -> Self {
        Self(f64::from(n))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(n) => serializer.serialize_i64(n),
            None => serializer.serialize_f64(self.0),
        }
    }
}

/// A modifier that counted, as an answer shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Counted {
    /// The clause.
    pub rule: RuleId,
    /// What it added.
    pub value: Amount,
    /// Whose it was, in a check of two sides.
    pub side: Option<&'static str>,
}

impl Counted {
    /// A modifier of a check with one side.
    #[must_use]
    pub fn plain(modifier: Modifier) -> Self {
        Self { rule: modifier.rule, value: modifier.value.into(), side: None }
    }

    /// A modifier of one of two sides.
    #[must_use]
    pub fn of(side: &'static str, modifier: Modifier) -> Self {
        Self { rule: modifier.rule, value: modifier.value.into(), side: Some(side) }
    }
}

/// An outcome together with the modifiers it was reached with.
pub type Reached<O> = (O, Vec<Counted>);

/// A check whose conditions are settled and whose dice are not.
pub trait Check {
    /// What is rolled: a die, two dice, the hits of a pool, or nothing.
    type Roll: Copy + Eq + Hash;
    /// What comes of it.
    type Outcome: Serialize + Clone + Eq + Hash;

    /// The roll that the request gives.
    ///
    /// # Errors
    /// A refusal if dice are missing, too many, too few or out of range.
    fn given(&self) -> Result<Self::Roll, Refusal>;

    /// Every roll there is, with its ways.
    fn rolls(&self) -> Distribution<Self::Roll>;

    /// What a roll means.
    fn resolve<C: Cite>(&self, roll: Self::Roll, cited: &mut C) -> Self::Outcome;

    /// The modifiers that count.
    fn modifiers(&self) -> Vec<Counted> {
        Vec::new()
    }

    /// What else a roll means, for a person or a battle: figures that the
    /// answer to a program leaves out.
    fn details(&self, _roll: Self::Roll) -> Vec<(&'static str, serde_json::Value)> {
        Vec::new()
    }

    /// The distribution of outcomes of one roll.
    fn odds(&self) -> Distribution<Self::Outcome> {
        self.rolls().map(|roll| self.resolve(*roll, &mut ()))
    }

    /// The distribution of final outcomes, for a check that may have to be
    /// rolled again.
    ///
    /// # Errors
    /// A refusal for all others, and where it cannot be counted.
    fn until_decided(&self) -> Result<Distribution<Reached<Self::Outcome>>, Refusal> {
        let message = "until_decided is for a charge: nothing else is rolled again";
        Err(Refusal::new(Code::BadValue, message))
    }
}

/// A question that needs no die: a cell of a table, and the clauses it is
/// printed in.
#[derive(Debug, Clone)]
pub struct Lookup<O> {
    /// What the table says.
    pub outcome: O,
    /// Where it says so.
    pub rules: Vec<RuleId>,
}

impl<O: Serialize + Clone + Eq + Hash> Check for Lookup<O> {
    type Roll = ();
    type Outcome = O;

    fn given(&self) -> Result<(), Refusal> {
        Ok(())
    }

    fn rolls(&self) -> Distribution<()> {
        Distribution::certain(())
    }

    fn resolve<C: Cite>(&self, (): (), cited: &mut C) -> O {
        for rule in &self.rules {
            cited.cite(*rule);
        }
        self.outcome.clone()
    }
}

/// Somebody who has a use for any check: to resolve it, to count its odds.
pub trait Asker {
    /// Takes an assessed check.
    ///
    /// # Errors
    /// A refusal, if the check cannot be answered as asked.
    fn take<C: Check>(&mut self, check: &C) -> Result<(), Refusal>;
}
