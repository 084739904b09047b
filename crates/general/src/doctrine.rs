//! What a general goes by: the weights of his judgement. Another doctrine is another opponent of
//! the same skill; a tournament compares them.

use regimental::battle::Battle;
use serde::{Deserialize, Serialize};

/// The weights. One is a small battalion's volley at close range, or a point of victory, whichever
/// the weight is about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Doctrine {
    /// How much harm done counts beside harm taken, for those who attack.
    pub heat: f64,
    /// The same, for those who hold.
    pub coolness: f64,
    /// How much a foot of the way to the aim counts, for those who attack.
    pub pull: f64,
    /// What a charge must promise, in points.
    pub price: f64,
    /// By how much a new place must be better than the old one: a check under fire is a risk, and
    /// troops that keep moving do not keep their dressing.
    pub stir: f64,
    /// What the danger of a charge against a place counts.
    pub danger: f64,
    /// Turns it takes to fight it out once there: attacks begin so long before the end.
    pub fight: f64,
    /// How much his own strength counts when he asks whether he is strong enough to attack.
    pub daring: f64,
    /// How much stronger than the enemy he goes on attacking though he leads.
    pub finish: f64,
    /// What it counts to be a foot away from the rest of the brigade.
    pub stray: f64,
    /// What it counts to be an inch too far in front of the line.
    pub outrun: f64,
    /// What it counts to go where a friend stands.
    pub crowd: f64,
    /// What a position that would be taken counts, of its value.
    pub seize: f64,
    /// What winning ground in a charge counts beside the harm.
    pub ground: f64,
    /// How much worse fire from the flank is.
    pub flank: f64,
    /// How many inches within close range those go who close with the enemy.
    pub grip: f64,
    /// How much of the will to go forward the shaken and the spent keep.
    pub weary: f64,
    /// How much a foot of the way back to their ground counts, for those who hold it.
    pub anchor: f64,
    /// What fire at horse counts: who goes after it leaves the battle.
    pub chase: f64,
    /// How much more the fire on horse counts: it does not fire back.
    pub horse: f64,
    /// By how much a new place must be better for those who hold works, walls or houses.
    pub hold: f64,
    /// How much a foot of the way to a position that nobody guards counts.
    pub raid: f64,
    /// Whether guns and horse take their posts before the fight begins: not at 0.
    pub prepare: f64,
}

impl Doctrine {
    /// The general's: he brings up his guns and sends his horse wide before the fight begins.
    #[must_use]
    pub fn forehanded() -> Self {
        Self { prepare: 1.0, ..Self::default() }
    }

    /// What a position that would be taken counts now, of its value: in the last turns as it stands.
    pub(crate) fn taking(self, battle: &Battle) -> f64 {
        let last = battle.terms().turns <= battle.turn() + 1;
        if last { self.seize.max(1.0) } else { self.seize }
    }

    /// Patience is for an enemy who comes: before one who stands as well there is no battle to win.
    #[must_use]
    pub(crate) fn against_one_who_waits(self) -> Self {
        if self.daring <= 0.0 {
            return self;
        }
        Self { fight: self.fight.max(4.0), daring: self.daring.max(1.0), ..self }
    }
}

impl Default for Doctrine {
    fn default() -> Self {
        Self {
            heat: 2.5,
            coolness: 0.95,
            pull: 0.5,
            price: 0.05,
            stir: 0.08,
            danger: 1.5,
            fight: 5.0,
            daring: 1.1,
            finish: 1.3,
            stray: 0.2,
            outrun: 0.2,
            crowd: 0.6,
            seize: 0.3,
            ground: 0.25,
            flank: 1.5,
            grip: 1.0,
            weary: 0.5,
            anchor: 0.15,
            chase: 0.3,
            horse: 1.5,
            hold: 0.4,
            raid: 1.2,
            prepare: 0.0,
        }
    }
}
