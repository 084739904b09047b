//! The computer general. It looks at a battle as a player in its seat does, decides through the
//! same orders, and cannot send what a player could not: every order is checked before it is
//! given.

pub mod audit;
mod colonel;
mod doctrine;
mod officer;
mod random;
mod recruit;
mod search;
mod seat;
mod temper;
mod worth;

pub use doctrine::Doctrine;
pub use search::Limit;
pub use temper::Temper;
pub use worth::lead;

use colonel::plan::Plan;
use regimental::battle::{Battle, Command};
use seat::Seat;

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
    Level { id: "general", says: "Tries its orders out before it gives them: the strongest" },
    Level { id: "colonel", says: "Plans a turn by brigades, and knows the odds" },
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

/// A general of some level at a seat. The same level, seed, limit in nodes and battles lead to
/// the same orders.
#[derive(Debug, Clone)]
pub struct Mind {
    level: String,
    seed: String,
    dice: dice::stream::Seeded,
    doctrine: Doctrine,
    limit: Limit,
}

impl Mind {
    /// A general. A level there is not is played as `random`.
    #[must_use]
    pub fn new(level: &str, seed: &str) -> Self {
        Self {
            level: level.to_owned(),
            seed: seed.to_owned(),
            dice: dice::stream::Seeded::new(seed),
            doctrine: if level == "general" { Doctrine::forehanded() } else { Doctrine::default() },
            limit: Limit::default(),
        }
    }

    /// Of another temper.
    #[must_use]
    pub fn with_temper(mut self, temper: Temper) -> Self {
        self.doctrine = temper.on(self.doctrine);
        self
    }

    /// By another doctrine.
    #[must_use]
    pub fn with_doctrine(mut self, doctrine: Doctrine) -> Self {
        self.doctrine = doctrine;
        self
    }

    /// With another limit to think within.
    #[must_use]
    pub fn with_limit(mut self, limit: Limit) -> Self {
        self.limit = limit;
        self
    }

    /// What it orders for the side that is to act; nothing if the battle is over.
    #[must_use]
    pub fn order(&mut self, battle: &Battle) -> Option<Order> {
        let side = battle.awaited()?;
        let seat = Seat { battle, side };
        let thought = match self.level.as_str() {
            "recruit" => recruit::order(battle, side),
            "colonel" => colonel::order(battle, side, &Plan::usual(&seat, self.doctrine)),
            "general" => {
                let doctrine = match seat.quiet() {
                    true => self.doctrine.against_one_who_waits(),
                    false => self.doctrine,
                };
                let seed = format!("{} {} {:?}", self.seed, battle.turn(), battle.mover());
                search::best(seat, doctrine, self.limit, &seed)
            }
            _ => None,
        };
        // Whatever it thought, it may only give what is legal.
        thought
            .filter(|o| journal::Battle::check(battle, side, &o.command).is_ok())
            .or_else(|| random::order(battle, &mut self.dice))
    }
}
