//! Leaders: near those who need them, behind the middle of their brigade.

use regimental::battle::{Command, Leader, Unit};
use regimental::maneuver::Order as Ranks;
use table::{INCH, Point};

use super::Colonel;
use crate::Order;
use crate::seat::Seat;

impl Colonel<'_> {
    /// Reinforcements, replacements, and who joins or leaves a unit.
    pub(crate) fn post_leaders(&self) -> Option<Order> {
        if let Some(order) = self.seat.arrivals() {
            return Some(order);
        }
        for leader in self.seat.battle.leaders() {
            if leader.card.side != self.seat.side || !leader.present() {
                continue;
            }
            let id = leader.card.id;
            match leader.attached.and_then(|u| self.seat.battle.unit(u)) {
                // Rallied, or past helping: the brigade needs him more.
                Some(unit) if unit.order == Ranks::Good => {
                    let command = Command::Detach { leader: id };
                    if self.seat.may(&command) {
                        let reason = format!(
                            "{} has {} in hand and rides on.",
                            leader.card.name, unit.card.name
                        );
                        return Some(Order::new(command, reason));
                    }
                }
                Some(_) => {}
                None if !leader.moved => {
                    let shaken = self.seat.own().filter(|u| u.order != Ranks::Good && !u.is_guns());
                    let reach = self.seat.battle.measures().radius_attached;
                    for unit in shaken.filter(|u| self.spares(leader, u, reach)) {
                        let command = Command::Attach { leader: id, unit: unit.id() };
                        if self.seat.may(&command) {
                            let reason =
                                format!("{} rallies {}.", leader.card.name, unit.card.name);
                            return Some(Order::new(command, reason));
                        }
                    }
                }
                None => {}
            }
        }
        None
    }

    /// Leaders on their own ride where they help most.
    pub(crate) fn next_ride(&self) -> Option<Order> {
        let free = self.seat.battle.leaders().iter().filter(|l| {
            l.card.side == self.seat.side && l.present() && l.attached.is_none() && !l.moved
        });
        free.into_iter().find_map(|leader| self.ride_of(leader))
    }

    fn ride_of(&self, leader: &Leader) -> Option<Order> {
        let led: Vec<&Unit> =
            self.seat.own().filter(|u| u.card.leader == Some(leader.card.id)).collect();
        let led: Vec<&Unit> = if led.is_empty() { self.seat.own().collect() } else { led };
        let shaken = led
            .iter()
            .filter(|u| u.order != Ranks::Good && !u.is_guns())
            .filter(|u| self.spares(leader, u, self.seat.battle.measures().radius))
            .min_by_key(|u| (u.order == Ranks::Broken, u.middle.distance(leader.at), u.id()));
        if let Some(unit) = shaken {
            // He rides up behind the colours, to touch.
            let touch = self.seat.battle.measures().scaled(INCH / 4);
            let behind = rear_of(unit, touch);
            let reason = format!("{} rides to rally {}.", leader.card.name, unit.card.name);
            if let Some(order) = self.ride_to(leader, behind, reason) {
                return Some(order);
            }
        }
        let steady = led.iter().copied().filter(|u| u.order != Ranks::Broken);
        let middle = Seat::centre(steady)?;
        let nearest = led.iter().min_by_key(|u| (u.middle.distance(middle), u.id()))?;
        // Near enough to command, out of the fire at his men.
        let behind = rear_of(nearest, 4 * INCH);
        if behind.distance(leader.at) < 2 * INCH {
            return None;
        }
        let reason = format!("{} keeps his brigade in command.", leader.card.name);
        self.ride_to(leader, behind, reason)
    }

    /// Whether the rest of his brigade keeps a leader who goes to one of its units: most of them
    /// within so far of it. One unit rallied is not worth three out of command.
    fn spares(&self, leader: &Leader, unit: &Unit, reach: i32) -> bool {
        let others = self.seat.own().filter(|u| {
            u.card.leader == Some(leader.card.id) && u.id() != unit.id() && u.order != Ranks::Broken
        });
        let (mut near, mut far) = (0, 0);
        for other in others {
            if other.middle.distance(unit.middle) - other.radius <= reach {
                near += 1;
            } else {
                far += 1;
            }
        }
        far == 0 || near > 2 * far
    }

    fn ride_to(&self, leader: &Leader, to: Point, reason: String) -> Option<Order> {
        let way = leader.at.distance(to);
        for part in [8, 6, 4, 2] {
            let far = way * part / 8;
            let to = leader.at.on_the_way(to, far);
            let command = Command::MoveLeader { leader: leader.card.id, to };
            if far > INCH / 2 && self.seat.may(&command) {
                return Some(Order::new(command, reason));
            }
        }
        None
    }
}

/// A place behind the middle of a unit.
fn rear_of(unit: &Unit, by: i32) -> Point {
    let front = unit.place.pose;
    let deep = unit.feet.iter().flat_map(|f| f.corners).map(|c| front.sees(c).1).min();
    front.place(0, deep.unwrap_or(0) - by)
}
