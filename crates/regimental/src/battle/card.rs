//! What a scenario says of units and leaders: the part that never changes in a battle.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use table::{Mils, Size};

use super::formation::Formation;
use super::id::Id;
use super::weapon::Ways;
use crate::fire::Class;
use crate::rates::Row;

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The side the scenario lists first.
    One,
    /// The other.
    Two,
}

impl Side {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// 0 or 1.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Foot, horse or guns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Branch {
    /// Foot.
    Infantry,
    /// Horse.
    Cavalry,
    /// Artillery.
    Guns,
}

/// What carries a gun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Carriage {
    /// A light carriage; in the Triple Alliance book a field or horse gun.
    Light,
    /// A heavy carriage; in the Triple Alliance book a siege gun.
    Heavy,
    /// None: it never moves.
    Fixed,
}

/// What a unit is besides its arm and rating. Names are the rulebook's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trait {
    /// Trained to fight in open order.
    LightInfantry,
    /// Open order and march column only.
    Militia,
    /// Irregulars of the woods; open order and march column only.
    Indians,
    /// Cavalry that may dismount.
    Dragoons,
    /// Marksmen.
    Marksmen,
    /// Without bayonets.
    NoBayonets,
    /// Muskets loaded with buck and ball.
    BuckAndBall,
    /// Led by a brave colonel.
    BraveColonel,
    /// With machismo.
    Machismo,
    /// Irregular cavalry.
    Irregular,
    /// With an amusette beside it.
    Amusette,
    /// A galloper gun, hauled farther by hand.
    Galloper,
}

/// A unit as the scenario has it.
#[derive(Debug, Clone)]
pub struct Card {
    /// Its short name.
    pub id: Id,
    /// Its name.
    pub name: Arc<str>,
    /// Its side.
    pub side: Side,
    /// The leader it belongs to.
    pub leader: Option<Id>,
    /// Its arm.
    pub branch: Branch,
    /// Its experience.
    pub class: Class,
    /// Its stands at the start.
    pub strength: u8,
    /// The stands left at which it is worn, if ever, and spent.
    pub worn_at: Option<u8>,
    /// The same, for spent.
    pub spent_at: u8,
    /// Its small arms, or its guns.
    pub weapon: Option<WeaponOf>,
    /// The carriage of guns.
    pub carriage: Carriage,
    /// What else it is.
    pub traits: Vec<Trait>,
    /// The formations it may take up.
    pub formations: Vec<Formation>,
    /// How far it goes in each formation, mounted or on foot.
    pub rates: Vec<(Formation, bool, Row)>,
    /// The size of a stand.
    pub size: Size,
    /// The size of a stand on foot, for cavalry that may dismount.
    pub on_foot: Size,
    /// A detachment's parent.
    pub parent: Option<Id>,
}

/// A weapon of the book.
#[derive(Debug, Clone)]
pub struct WeaponOf {
    /// Its letters.
    pub code: Arc<str>,
    /// Bands from the nearest: reach, points of a stand.
    pub bands: Vec<(Mils, f64)>,
    /// An amusette's bands, for a unit with one.
    pub amusette: Vec<(Mils, f64)>,
    /// What it does besides.
    pub ways: Ways,
}

impl WeaponOf {
    /// How far it reaches, with the amusette or without.
    #[must_use]
    pub fn reach(&self, amusette: bool) -> Mils {
        let farther = if amusette { self.amusette.as_slice() } else { &[] };
        self.bands.iter().chain(farther).map(|b| b.0).max().unwrap_or(0)
    }

    /// The points of a stand at a range: a range on a limit is inside the band.
    #[must_use]
    pub fn points(bands: &[(Mils, f64)], range: Mils) -> f64 {
        bands.iter().find(|(to, _)| range <= *to).map_or(0.0, |b| b.1)
    }
}

impl Card {
    /// Whether it has a trait.
    #[must_use]
    pub fn is(&self, what: Trait) -> bool {
        self.traits.contains(&what)
    }

    /// Whether it is guns.
    #[must_use]
    pub fn is_guns(&self) -> bool {
        self.branch == Branch::Guns
    }

    /// How far it goes in a formation, in the saddle or on foot.
    #[must_use]
    pub fn row(&self, formation: Formation, on_foot: bool) -> Row {
        let row = self.rates.iter().find(|(f, foot, _)| *f == formation && *foot == on_foot);
        row.map(|(.., r)| *r).unwrap_or_default()
    }

    /// Whether open order, or nothing but a march column beside it, is all it knows.
    #[must_use]
    pub fn only_open_order(&self) -> bool {
        self.branch == Branch::Infantry && !self.formations.contains(&Formation::Line)
    }
}

/// How good a leader is, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rating {
    /// Gallant.
    Gallant,
    /// Able.
    Able,
    /// Poor.
    Poor,
}

/// A leader as the scenario has him.
#[derive(Debug, Clone)]
pub struct LeaderCard {
    /// His short name.
    pub id: Id,
    /// His name.
    pub name: Arc<str>,
    /// His side.
    pub side: Side,
    /// How good he is.
    pub rating: Rating,
    /// Who commands him.
    pub superior: Option<Id>,
    /// How good the officer is who would take his place.
    pub replacement: Rating,
}
