//! The computer general. It looks at a battle as a player in its seat does, decides through the
//! same orders, and cannot send what a player could not: every order is checked before it is
//! given.

mod random;
mod recruit;

use regimental::battle::{Battle, Command};

/// A level of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Its short name.
    pub id: &'static str,
    /// What it is like.
    pub says: &'static str,
}

/// The levels there are, the strongest first.
pub const LEVELS: &[Level] = &[
    Level { id: "recruit", says: "Sensible at a glance, and instant" },
    Level { id: "random", says: "Anything legal: a measuring stick, not an opponent" },
];

/// An order with its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The order.
    pub command: Command,
    /// Why, in a sentence.
    pub reason: String,
}

impl Order {
    fn new(command: Command, reason: impl Into<String>) -> Self {
        Self { command, reason: reason.into() }
    }
}

/// A general of some level. The same level, seed and battle lead to the same order.
pub struct Mind {
    level: String,
    dice: dice::stream::Seeded,
}

impl Mind {
    /// A general. A level there is not is played as `random`.
    #[must_use]
    pub fn new(level: &str, seed: &str) -> Self {
        Self { level: level.to_owned(), dice: dice::stream::Seeded::new(seed) }
    }

    /// What it orders for the side that is to act; nothing if the battle is over.
    #[must_use]
    pub fn order(mut self, battle: &Battle) -> Option<Order> {
        let side = battle.awaited()?;
        let thought = match self.level.as_str() {
            "recruit" => recruit::order(battle, side),
            _ => None,
        };
        // Whatever it thought, it may only give what is legal.
        thought
            .filter(|o| journal::Battle::check(battle, side, &o.command).is_ok())
            .or_else(|| random::order(battle, &mut self.dice))
    }
}
