//! The temper of a general: a scenario may say that he is cautious, bold, or holds his ground.

use crate::Doctrine;

/// How a general is disposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Temper {
    /// Weighs things as they are.
    #[default]
    Steady,
    /// Wants better odds, and keeps off.
    Cautious,
    /// Takes his chances.
    Bold,
    /// Does not leave his ground.
    HoldsGround,
}

impl Temper {
    /// The names a scenario may use.
    pub const ALL: [(&'static str, Self); 4] = [
        ("steady", Self::Steady),
        ("cautious", Self::Cautious),
        ("bold", Self::Bold),
        ("holds-ground", Self::HoldsGround),
    ];

    /// The temper of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|t| t.0 == name).map(|t| t.1)
    }

    /// A doctrine as he would follow it.
    #[must_use]
    pub fn on(self, doctrine: Doctrine) -> Doctrine {
        let mut own = doctrine;
        match self {
            Self::Steady => {}
            Self::Cautious => {
                own.heat *= 0.85;
                own.price += 0.4;
                own.daring *= 0.8;
                own.danger *= 1.3;
            }
            Self::Bold => {
                own.heat *= 1.2;
                own.price -= 0.2;
                own.daring *= 1.3;
                own.fight += 3.0;
            }
            Self::HoldsGround => {
                own.price += 0.4;
                own.daring = 0.0;
                own.stir *= 1.5;
            }
        }
        own
    }
}
