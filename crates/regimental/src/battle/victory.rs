//! Casualties, key positions, points, and the end of the battle.

use journal::Recorder;
use serde::{Deserialize, Serialize};
use table::INCH;

use super::Battle;
use super::card::Side;
use super::event::Event;
use super::id::Id;
use super::state::{Gone, LeaderState, Unit, Whereabouts};
use crate::effectiveness::State as Freshness;
use crate::maneuver::Order;

/// Why a battle is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The last turn is over.
    LastTurn,
    /// A side has no unbroken troops left.
    NoTroops,
}

/// A key position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPosition {
    /// Its name.
    pub name: Id,
    /// Where.
    pub at: table::Point,
    /// What it is worth to whoever holds it.
    pub value: i32,
    /// Who held it at the start.
    pub first: Option<Side>,
    /// Who holds it.
    pub holder: Option<Side>,
}

impl Battle {
    /// Whether a side has suffered heavy casualties.
    #[must_use]
    pub fn heavy_casualties(&self, side: Side) -> bool {
        self.lost[side.index()] >= self.terms.heavy[side.index()]
    }

    /// How near to a key position troops must be to take or keep it.
    #[must_use]
    pub fn position_reach(&self) -> table::Mils {
        self.measures().scaled(3 * INCH)
    }

    /// Whether a unit where it stands can take or keep a key position: unbroken troops, not guns.
    #[must_use]
    pub fn keeps(&self, unit: &Unit, position: table::Point) -> bool {
        let reach = self.position_reach();
        !unit.is_guns()
            && unit.order != Order::Broken
            && unit.feet.iter().any(|f| f.distance_to(position) <= reach)
    }

    /// Key positions change hands where one side alone has unbroken troops near.
    pub(crate) fn take_positions(turn: &mut Recorder<'_, Self>) {
        let mut changes = Vec::new();
        for key in &turn.keys {
            let near = |side: Side| {
                turn.units.iter().any(|u| u.present() && u.side() == side && turn.keeps(u, key.at))
            };
            let holder = match (near(Side::One), near(Side::Two)) {
                (true, false) => Some(Side::One),
                (false, true) => Some(Side::Two),
                _ => key.holder,
            };
            if holder != key.holder {
                changes.push((key.name, holder));
            }
        }
        for (name, holder) in changes {
            turn.emit(Event::KeyPosition { name, holder });
        }
    }

    /// The points of both sides as they stand (ruling.victory).
    #[must_use]
    pub fn points(&self) -> [i32; 2] {
        Side::BOTH.map(|side| {
            let keys: i32 =
                self.keys.iter().filter(|k| k.holder == Some(side)).map(|k| k.value).sum();
            let units: i32 = self.units.iter().filter(|u| u.side() != side).map(worth).sum();
            let lost = |l: &&super::state::Leader| {
                l.card.side != side && matches!(l.state, LeaderState::Gone | LeaderState::Fallen)
            };
            let removed = self.leaders.iter().filter(lost).count()
                + usize::from(self.replaced[side.other().index()]);
            keys + units + i32::try_from(removed).unwrap_or(0)
        })
    }

    /// Whether the battle is over, at the end of a player turn.
    pub(crate) fn is_over(&self) -> Option<Reason> {
        let beaten = |side: Side| {
            !self.units.iter().any(|u| {
                u.side() == side
                    && !u.is_guns()
                    && match u.whereabouts {
                        Whereabouts::Table => u.order != Order::Broken,
                        Whereabouts::Reserve => {
                            self.terms.arrivals.iter().any(|a| a.unit == u.id())
                        }
                        Whereabouts::Gone(_) => false,
                    }
            })
        };
        if Side::BOTH.into_iter().any(beaten) {
            return Some(Reason::NoTroops);
        }
        let last = self.turn >= self.terms.turns && self.mover != self.terms.first;
        last.then_some(Reason::LastTurn)
    }

    pub(crate) fn finish(turn: &mut Recorder<'_, Self>, reason: Reason) {
        let points = turn.points();
        let margin = turn.terms.margin;
        let winner = match points[0] - points[1] {
            d if d >= margin => Some(Side::One),
            d if -d >= margin => Some(Side::Two),
            _ => None,
        };
        turn.emit(Event::Over { points, winner, reason });
    }
}

/// What an enemy unit is worth for its losses.
fn worth(unit: &Unit) -> i32 {
    if unit.is_guns() {
        let lost = i32::from(unit.card.strength) - i32::from(unit.stands);
        return match unit.whereabouts {
            Whereabouts::Gone(Gone::Rejoined) => 0,
            Whereabouts::Gone(_) => i32::from(unit.card.strength),
            _ => lost,
        };
    }
    match unit.whereabouts {
        Whereabouts::Gone(Gone::Rejoined) => 0,
        Whereabouts::Gone(_) => 4,
        _ => match unit.freshness {
            Freshness::Fresh => 0,
            Freshness::Worn => 1,
            Freshness::Spent => 2,
        },
    }
}
