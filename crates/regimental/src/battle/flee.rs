//! Going back as it was measured: what it costs, whom it shakes, and who is gone.

use journal::Recorder;
use table::{Mils, Point, Pose};

use super::Battle;
use super::drill::Sergeant;
use super::event::{Event, Mark, Pending, Why};
use super::flight::Flight;
use super::formation::Formation;
use super::gap::gap_under;
use super::id::Id;
use super::state::{Gone, Placement, Unit};
use crate::fire::Class;
use crate::maneuver::Order;

impl Battle {
    /// Puts a unit where its flight ends, with all that follows on the way.
    pub(crate) fn take_flight(turn: &mut Recorder<'_, Self>, id: Id, flight: Flight, why: Why) {
        let Some(unit) = turn.unit(id) else { return };
        let broken = unit.order == Order::Broken;
        let elite = |u: &Unit| u.card.class == Class::Elite;
        let firm = |u: &Unit| u.formation().nature().firm;
        let shaken: Vec<Id> = flight
            .passed
            .iter()
            .filter_map(|p| turn.unit(*p))
            .filter(|u| broken && !u.is_guns() && u.order == Order::Good && firm(u) && !elite(u))
            .map(Unit::id)
            .collect();
        for friend in shaken {
            let rules = vec![turn.measures().clauses.cite(&["ruling.retreat-through-friends"])];
            turn.emit(Event::Ordered { unit: friend, order: Order::Disordered, rules });
        }
        if flight.off {
            let gone = Gone::DrivenOff;
            Self::remove(turn, id, gone, &["ruling.table-edge"]);
            return;
        }
        let mut track: Vec<Pose> = turn.unit(id).map(|u| u.place.pose).into_iter().collect();
        track.extend(&flight.corners);
        track.push(flight.place.pose);
        for (friend, place) in flight.room {
            let (why, track) = (Why::MakeRoom, vec![]);
            turn.emit(Event::Placed { unit: friend, why, place, track, ground: None });
            Self::amusette_left(turn, friend);
        }
        let place = match turn.unit(id) {
            Some(unit) => turn.somewhere_free(unit, flight.place),
            None => return,
        };
        turn.emit(Event::Placed { unit: id, why, place, track, ground: Some(flight.ground) });
        Self::amusette_left(turn, id);
        // Not a recall: that is no retreat.
        let widens =
            why != Why::Recall && turn.unit(id).is_some_and(|u| turn.may_widen(u).is_some());
        if widens {
            turn.emit(Event::Queued { pending: Pending::Widen { unit: id } });
        }
    }

    /// How wide a unit in open order that has gone back may make its gaps, if there is room for it.
    pub(super) fn may_widen(&self, unit: &Unit) -> Option<Mils> {
        let may = self.measures().clauses.has("formations.open-order.expand.when")
            && unit.order != Order::Broken
            && unit.place.refused.is_none();
        let most = unit.formation().nature().gaps.map(|gaps| gaps(self.measures()).1)?;
        (may && most > unit.place.gap && self.widened(unit, most).is_some()).then_some(most)
    }

    /// A unit with wider gaps, if nobody and nothing is in the way.
    fn widened(&self, unit: &Unit, gap: Mils) -> Option<Placement> {
        let mut sergeant = Sergeant::new(self, unit);
        sergeant.drill.place.gap = gap;
        let place = sergeant.laid(unit.place.pose, unit.formation());
        let feet = unit.feet_at(&place);
        let nearer = |e: &&Unit| {
            let short = self.measures().short.min(e.distance(unit));
            e.present() && e.side() != unit.side() && gap_under(&feet, &e.feet, short).is_some()
        };
        let room = feet.iter().all(|f| self.field.holds(f))
            && self.free(unit, &feet)
            && self.field.shut(&feet, &[]).is_none()
            && !self.units.iter().any(|e| nearer(&e));
        room.then_some(place)
    }

    /// Open order widens its gaps at the end of a retreat.
    pub(super) fn widen(turn: &mut Recorder<'_, Self>, id: Id, gap: Mils) {
        let place = turn.unit(id).and_then(|unit| turn.widened(unit, gap));
        if let Some(place) = place {
            let (why, track) = (Why::Widen, vec![]);
            turn.emit(Event::Placed { unit: id, why, place, track, ground: None });
        }
    }

    /// An amusette is removed when its unit leaves the position.
    pub(crate) fn amusette_left(turn: &mut Recorder<'_, Self>, id: Id) {
        if turn.unit(id).is_some_and(|u| u.amusette) {
            turn.emit(Event::Marked { unit: id, mark: Mark::Amusette, on: false });
            Self::close_up(turn, id);
        }
    }

    /// Removes a unit, and with it or beside it the leader it had.
    pub(crate) fn remove(turn: &mut Recorder<'_, Self>, id: Id, gone: Gone, rule: &[&str]) {
        let rule = turn.measures().clauses.cite(rule);
        let leaders: Vec<(Id, Point)> = turn
            .leaders
            .iter()
            .filter(|l| l.attached == Some(id) && l.present())
            .map(|l| (l.card.id, turn.leader_at(l)))
            .collect();
        turn.emit(Event::Removed { unit: id, gone, rule });
        for (leader, at) in leaders {
            if gone == Gone::DrivenOff || gone == Gone::Surrendered {
                turn.emit(Event::LeaderRemoved { leader });
            } else {
                turn.emit(Event::LeaderMoved { leader, to: at, attached: None });
            }
        }
    }

    /// Goes back by a way, and pays its price: who is cut off before he has gone half of it loses a
    /// stand more where he stops, or surrenders if he is broken.
    pub(crate) fn flee(
        turn: &mut Recorder<'_, Self>,
        id: Id,
        why: Why,
        way: impl Fn(&Self, &Unit) -> Flight,
    ) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let flight = way(turn, unit);
        let cut_off = flight.cut_off();
        if cut_off && (unit.order == Order::Broken || unit.stands <= 1) {
            return Self::remove(turn, id, Gone::Surrendered, &["ruling.retreat-blocked"]);
        }
        Self::take_flight(turn, id, flight, why);
        if cut_off {
            Self::lose(turn, id, 1, &["ruling.retreat-blocked"]);
        }
    }

    /// A full retreat.
    pub(crate) fn retreat_fully(turn: &mut Recorder<'_, Self>, id: Id, from: &[Id]) {
        let Some(unit) = turn.unit(id) else { return };
        let formation = match unit.is_guns() {
            true => Formation::Limbered,
            false if unit.order == Order::Broken => Formation::Broken,
            false => turn.formed(unit),
        };
        let way = |battle: &Self, unit: &Unit| battle.full_retreat(unit, formation, from);
        Self::flee(turn, id, Why::Retreat, way);
    }
}
