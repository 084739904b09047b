//! Friends who stand where a way back ends make room, by an inch at most
//! (ruling.retreat-through-friends).

use table::{Facing, Footprint, INCH, Mils};

use super::Battle;
use super::gap::gap_under;
use super::id::Id;
use super::melee::CONTACT;
use super::state::{Placement, Unit, shifted};
use super::way::Way;
use crate::maneuver::Order;

/// Friends with the places to which they step aside.
pub(super) type Room = Vec<(Id, Placement)>;

/// As far as a friend steps aside, for figures of 15mm.
const STEP: Mils = INCH;

impl Battle {
    /// Who has to step aside, and whereto, so that a unit can stand on some ground; nobody if the
    /// ground is free, nothing if there is no room to be made. They step back the way it goes or to a
    /// side, whichever is less.
    pub(super) fn room_for(
        &self,
        unit: &Unit,
        feet: &[Footprint],
        straight: Facing,
    ) -> Option<Room> {
        let way = Way::at(feet);
        let stands = self.units.iter().filter(|u| u.present() && u.id() != unit.id());
        let met = stands.filter(|u| u.place.garrison.is_none() && way.lies_on(u));
        let mut room = Room::new();
        for friend in met {
            if friend.side() != unit.side() || self.is_held(friend) {
                return None;
            }
            // Of two steps to a side alike the one to his own side of the way.
            let own = straight.across_and_ahead(friend.middle - unit.middle).0;
            let side = if own < 0 { -9000 } else { 9000 };
            let aside = [0, side, -side].map(|turn| straight.turned(turn));
            let steps = aside.into_iter().filter_map(|to| self.step_aside(friend, feet, to));
            let clear = |(_, place): &(Mils, Placement)| {
                self.may_step(unit, friend, place) && self.clear_of(&room, &friend.feet_at(place))
            };
            let (_, place) = steps.filter(clear).min_by_key(|(way, _)| *way)?;
            room.push((friend.id(), place));
        }
        Some(room)
    }

    /// Whether a unit stays where it is whoever comes: it is in contact with an enemy.
    fn is_held(&self, unit: &Unit) -> bool {
        let enemies = self.units.iter().filter(|e| e.present() && e.side() != unit.side());
        enemies.filter(|e| e.order != Order::Broken).any(|e| e.within(unit, CONTACT))
    }

    /// The least step in a direction that takes a friend off some ground.
    fn step_aside(
        &self,
        friend: &Unit,
        ground: &[Footprint],
        to: Facing,
    ) -> Option<(Mils, Placement)> {
        let most = self.measures().scaled(STEP);
        let on_it = |way: Mils| {
            let feet = shifted(&friend.feet, to.offset(0, way));
            feet.iter().any(|a| ground.iter().any(|b| a.overlaps(b)))
        };
        if on_it(most) {
            return None;
        }
        let least = super::flight::last((0, most), on_it) + 1;
        Some((least, friend.place.shifted(to.offset(0, least))))
    }

    /// Whether a friend can stand where he would step: on the table, on ground he can cross, on top of
    /// nobody, and no nearer to an enemy than troops may be.
    fn may_step(&self, unit: &Unit, friend: &Unit, place: &Placement) -> bool {
        let feet = friend.feet_at(place);
        let way = Way::at(&feet);
        let others = self.units.iter().filter(|u| {
            u.present()
                && u.id() != friend.id()
                && u.id() != unit.id()
                && u.place.garrison.is_none()
        });
        let short = self.measures().short;
        let nearer = |e: &Unit| {
            let limit = short.min(e.distance(friend));
            e.side() != friend.side()
                && e.order != Order::Broken
                && gap_under(&feet, &e.feet, limit).is_some()
        };
        let over = self.field.crossed(&friend.feet, &feet, None);
        feet.iter().all(|f| self.field.holds(f))
            && over.closed.is_none()
            && over.obstacle.is_none()
            && !others.into_iter().any(|u| way.lies_on(u) || nearer(u))
    }

    /// Whether some ground is none that others step on.
    fn clear_of(&self, room: &Room, feet: &[Footprint]) -> bool {
        !room.iter().any(|(id, place)| {
            let theirs = self.unit(*id).map_or(vec![], |u| u.feet_at(place));
            theirs.iter().any(|a| feet.iter().any(|b| a.overlaps(b)))
        })
    }
}
