//! What a player sees from his seat: his own troops, the enemy's, and what he may order.

use regimental::battle::state::{LeaderState, Pace};
use regimental::battle::{Battle, Command, Id, Side, Step, Unit};
use regimental::maneuver::Order as Ranks;
use table::{INCH, Mils, Point};

use crate::Order;

/// A seat at the table.
#[derive(Clone, Copy)]
pub(crate) struct Seat<'b> {
    pub(crate) battle: &'b Battle,
    pub(crate) side: Side,
}

impl<'b> Seat<'b> {
    /// Whether an order may be given now.
    pub(crate) fn may(&self, command: &Command) -> bool {
        match command {
            // Why a charge cannot be made costs more to say than whether it can.
            Command::Charge { .. } => self.battle.may_declare(self.side, command),
            _ => journal::Battle::check(self.battle, self.side, command).is_ok(),
        }
    }

    /// How many player turns come after this one.
    pub(crate) fn turns_after(&self) -> u32 {
        let terms = self.battle.terms();
        let whole = u32::from(terms.turns.saturating_sub(self.battle.turn()));
        2 * whole + u32::from(self.battle.mover() == terms.first)
    }

    /// Own units on the table.
    pub(crate) fn own(&self) -> impl Iterator<Item = &'b Unit> + use<'b> {
        let side = self.side;
        self.battle.units().iter().filter(move |u| u.present() && u.side() == side)
    }

    /// Enemies on the table.
    pub(crate) fn enemies(&self) -> impl Iterator<Item = &'b Unit> + use<'b> {
        let side = self.side;
        self.battle.units().iter().filter(move |u| u.present() && u.side() != side)
    }

    /// The nearest enemy to a place.
    pub(crate) fn nearest_enemy(&self, to: Point) -> Option<&'b Unit> {
        self.enemies().min_by_key(|e| (e.middle.distance(to), e.id()))
    }

    /// Whether nobody has fought yet and the armies are still well apart.
    pub(crate) fn quiet(&self) -> bool {
        let apart = self.battle.measures().scaled(16 * INCH);
        self.battle.stands_lost() == [0, 0]
            && self.own().all(|u| self.enemies().all(|e| !e.near(u, apart)))
    }

    /// Whether a maneuver would be legal.
    pub(crate) fn legal(&self, unit: &Unit, pace: Pace, steps: &[Step]) -> bool {
        !steps.is_empty() && self.battle.allows(unit, pace, steps, false).is_some()
    }

    /// Reinforcements come in and fallen leaders are replaced: there is nothing to weigh.
    pub(crate) fn arrivals(&self) -> Option<Order> {
        let reserve = self.battle.units().iter().filter(|u| u.side() == self.side && !u.present());
        for unit in reserve {
            let depth = unit.size().depth * i32::try_from(unit.bases()).unwrap_or(1);
            for far in [6, 3, 1, 0] {
                let command = Command::Enter { unit: unit.id(), inches: depth + far * INCH };
                if self.may(&command) {
                    let reason = format!("{} comes up.", unit.card.name);
                    return Some(Order::new(command, reason));
                }
            }
        }
        for leader in self.battle.leaders().iter().filter(|l| l.card.side == self.side) {
            if !matches!(leader.state, LeaderState::Fallen | LeaderState::Returning) {
                continue;
            }
            for unit in self.own() {
                let command = Command::Replace { leader: leader.card.id, unit: unit.id() };
                if self.may(&command) {
                    let reason = format!("The command of {} must be taken up.", leader.card.name);
                    return Some(Order::new(command, reason));
                }
            }
        }
        None
    }

    /// The group that checks with a unit: those of `open` under the same leader.
    pub(crate) fn group(&self, first: &Unit, open: &[&'b Unit]) -> Vec<Id> {
        let mut units = vec![first.id()];
        if let Some(by) = self.battle.commanded(first) {
            let same = open.iter().filter(|u| {
                u.id() != first.id()
                    && self.battle.commanded(u).is_some_and(|c| c.leader == by.leader)
            });
            units.extend(same.map(|u| u.id()));
        }
        units
    }

    /// Units that have not checked in this turn.
    pub(crate) fn unchecked(&self) -> impl Iterator<Item = &'b Unit> + use<'b> {
        self.own().filter(|u| u.did.checked.is_none() && !u.did.stood)
    }

    /// The combats left, in any order.
    pub(crate) fn fight(&self) -> Option<Order> {
        let fights = self.own().map(|u| (u, Command::Fight { unit: u.id() }));
        let (unit, command) = fights.into_iter().find(|(_, c)| self.may(c))?;
        Some(Order::new(command, format!("{}'s charge goes home.", unit.card.name)))
    }

    /// The middle of some units.
    pub(crate) fn centre<'u>(units: impl Iterator<Item = &'u Unit>) -> Option<Point> {
        let (mut x, mut y, mut n) = (0_i64, 0_i64, 0_i64);
        for unit in units {
            x += i64::from(unit.middle.x);
            y += i64::from(unit.middle.y);
            n += 1;
        }
        let mean = |sum: i64| Mils::try_from(sum / n.max(1)).unwrap_or(0);
        (n > 0).then(|| Point { x: mean(x), y: mean(y) })
    }
}

/// Troops that fight as they should.
pub(crate) fn steady(unit: &Unit) -> bool {
    unit.order == Ranks::Good
}
