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

/// What points are given for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// A key position held.
    Key(Id),
    /// Losses of an enemy unit.
    Unit(Id),
    /// An enemy leader removed; those replaced since are nameless.
    Leader(Option<Id>),
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
            && unit.bounds.grown(reach).holds(position)
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

    /// The points of both sides as they stand (ruling.victory); of a battle that is over, as they
    /// were counted then.
    #[must_use]
    pub fn points(&self) -> [i32; 2] {
        if let Some(ending) = self.ending() {
            return ending.points;
        }
        Side::BOTH.map(|side| self.scored(side).map(|(_, points)| points).sum())
    }

    /// What a side has its points for.
    pub fn scored(&self, side: Side) -> impl Iterator<Item = (For, i32)> {
        let keys = self.keys.iter().filter(move |k| k.holder == Some(side));
        let units = self.units.iter().filter(move |u| u.side() != side);
        let lost = move |l: &&super::state::Leader| {
            l.card.side != side && matches!(l.state, LeaderState::Gone | LeaderState::Fallen)
        };
        let leaders = self.leaders.iter().filter(lost).map(|l| (For::Leader(Some(l.card.id)), 1));
        let replaced = i32::from(self.replaced[side.other().index()]);
        keys.map(|k| (For::Key(k.name), k.value))
            .chain(units.map(|u| (For::Unit(u.id()), worth(u))))
            .chain(leaders)
            .chain([(For::Leader(None), replaced)])
            .filter(|scored| scored.1 != 0)
    }

    /// Whether a side has no unbroken troops left, on the table or to come.
    fn beaten(&self, side: Side) -> bool {
        !self.units.iter().any(|u| {
            u.side() == side
                && !u.is_guns()
                && match u.whereabouts {
                    Whereabouts::Table => u.order != Order::Broken,
                    Whereabouts::Reserve => self.terms.arrivals.iter().any(|a| a.unit == u.id()),
                    Whereabouts::Gone(_) => false,
                }
        })
    }

    /// Whether what has just happened took a side's last unbroken troops: the battle is over at
    /// once.
    pub(crate) fn just_beaten(&self, events: &[Event]) -> bool {
        let fell = |side: Side| {
            events.iter().any(|e| match e {
                Event::Ordered { unit, order: Order::Broken, .. } | Event::Removed { unit, .. } => {
                    self.unit(*unit).is_some_and(|u| u.side() == side && !u.is_guns())
                }
                _ => false,
            })
        };
        Side::BOTH.into_iter().any(|side| fell(side) && self.beaten(side))
    }

    /// Whether the battle is over, at the end of a player turn.
    pub(crate) fn is_over(&self) -> Option<Reason> {
        if Side::BOTH.into_iter().any(|side| self.beaten(side)) {
            return Some(Reason::NoTroops);
        }
        let last = self.turn >= self.terms.turns && self.mover != self.terms.first;
        last.then_some(Reason::LastTurn)
    }

    pub(crate) fn finish(turn: &mut Recorder<'_, Self>, reason: Reason) {
        let points = turn.points();
        let margin = turn.terms.margin;
        let winner = match points[0] - points[1] {
            // Without unbroken troops a side has lost, whatever the points (ruling.game-end).
            _ if turn.beaten(Side::One) != turn.beaten(Side::Two) => {
                Side::BOTH.into_iter().find(|side| !turn.beaten(*side))
            }
            d if d >= margin => Some(Side::One),
            d if -d >= margin => Some(Side::Two),
            _ => None,
        };
        turn.emit(Event::Over { points, winner, reason });
    }
}

/// What an enemy unit is worth for its losses.
fn worth(unit: &Unit) -> i32 {
    // Guns count by their stands, and besides like any unit if all are gone.
    let strength = i32::from(unit.card.strength);
    let stands = |lost: i32| if unit.is_guns() { lost } else { 0 };
    match unit.whereabouts {
        Whereabouts::Gone(Gone::Rejoined) => 0,
        Whereabouts::Gone(_) => 4 + stands(strength),
        _ if unit.is_guns() => stands(strength - i32::from(unit.stands)),
        _ => match unit.freshness {
            Freshness::Fresh => 0,
            Freshness::Worn => 1,
            Freshness::Spent => 2,
        },
    }
}
