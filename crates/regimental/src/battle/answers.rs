//! The answers of the charged: countercharge, hasty square, shelter.

use journal::Recorder;
use table::{Facing, INCH, Mils, TOUCH};

use super::Battle;
use super::card::{Branch, Trait};
use super::charge_way::Wheeled;
use super::command::Decision;
use super::drill::Sergeant;
use super::event::{Event, Pending, Phase, Why};
use super::formation::Formation;
use super::gap::gap;
use super::id::Id;
use super::moves::half;
use super::state::{Placement, Unit};
use crate::fire::Class;
use crate::maneuver::Order;

/// A square is moved aside in steps of this to find room.
const STEP: Mils = INCH / 20;

impl Battle {
    /// The answers a charged unit may give, besides standing.
    #[must_use]
    pub fn answers(&self, unit: &Unit, charger: &Unit) -> Vec<Decision> {
        let clauses = &self.measures().clauses;
        let mut may = Vec::new();
        let good = unit.order == Order::Good;
        let front = !self.behind_front(charger, unit);
        let machismo = unit.card.branch == Branch::Infantry
            && unit.card.is(Trait::Machismo)
            && clauses.has("troop-maneuvers.hasty.machismo-countercharge");
        if good
            && front
            && unit.formation().nature().charges
            && (unit.mounted() || machismo)
            && unit.did.countercharged.is_none()
            && !self.is_met(unit)
        {
            may.push(Decision::Countercharge);
        }
        let formed = unit.formation().nature().squares;
        if good
            && charger.mounted()
            && unit.card.branch == Branch::Infantry
            && formed
            && clauses.has("troop-maneuvers.hasty.form-square")
            && unit.card.formations.contains(&Formation::Square)
        {
            may.push(Decision::HastySquare);
        }
        if unit.formation() == Formation::Unlimbered
            && clauses.has("gun-maneuvers.hasty.shelter-in-square")
        {
            let squares = self
                .units
                .iter()
                .filter(|u| u.present() && u.side() == unit.side() && u.formation().is_square());
            // Beside a square that is charged they have a choice if the same charge meets them.
            let target = charger.did.charge.as_ref().map(|c| c.target);
            let met = |s: &Unit| {
                target == Some(unit.id())
                    || target != Some(s.id())
                    || self.meets_beside(charger, s, unit)
            };
            may.extend(
                squares
                    .filter(|s| s.within(unit, TOUCH) && met(s))
                    .map(|s| Decision::Shelter { square: s.id() }),
            );
        }
        may
    }

    /// Whether an enemy's charge has come home to a unit: it is held where it stands.
    fn is_met(&self, unit: &Unit) -> bool {
        let by = |e: &Unit| e.side() != unit.side() && self.fights(e) && self.has_met(e, unit);
        self.units.iter().any(by)
    }

    /// All charges of the group are declared: the charged answer, then the charges move.
    pub(crate) fn charges_declared(turn: &mut Recorder<'_, Self>) {
        let chargers: Vec<(Id, Id)> = turn
            .units
            .iter()
            .filter(|u| u.present() && u.did.owes.is_some())
            .filter_map(|u| u.did.charge.as_ref().map(|c| (u.id(), c.target)))
            .collect();
        let mut asked = Vec::new();
        for (charger, target) in &chargers {
            let may = match (turn.unit(*target), turn.unit(*charger)) {
                (Some(unit), Some(by)) => !turn.answers(unit, by).is_empty(),
                _ => false,
            };
            if may && !asked.contains(target) {
                asked.push(*target);
                turn.emit(Event::Queued {
                    pending: Pending::Answer { unit: *target, charger: *charger },
                });
            }
        }
        // Guns beside a square that is charged, or that may yet be formed.
        for (charger, target) in &chargers {
            for guns in turn.guns_beside(*charger, *target) {
                if !asked.contains(&guns) {
                    asked.push(guns);
                    turn.emit(Event::Queued {
                        pending: Pending::Answer { unit: guns, charger: *charger },
                    });
                }
            }
        }
        for (unit, _) in chargers {
            turn.emit(Event::Queued { pending: Pending::ChargeMove { unit } });
        }
        Self::queue_forced(turn);
        turn.emit(Event::PhaseBegan { phase: Phase::Maneuvers });
    }

    /// Guns that may have an answer because of the square beside them: it is charged as well, or
    /// may be formed by whoever is charged.
    fn guns_beside(&self, charger: Id, target: Id) -> Vec<Id> {
        let (Some(by), Some(target)) = (self.unit(charger), self.unit(target)) else {
            return vec![];
        };
        let may_form = || self.answers(target, by).contains(&Decision::HastySquare);
        let square = target.formation().is_square();
        if !square && !may_form() {
            return vec![];
        }
        let beside = self.units.iter().filter(|g| {
            let bare = g.is_guns() && g.formation() == Formation::Unlimbered;
            bare && g.present() && g.side() == target.side() && g.within(target, INCH)
        });
        beside.filter(|g| !square || !self.answers(g, by).is_empty()).map(Unit::id).collect()
    }

    /// Whether a charge on a square meets guns beside it as well.
    fn meets_beside(&self, by: &Unit, square: &Unit, guns: &Unit) -> bool {
        let wheel = by.did.charge.as_ref().map_or(0, |c| c.wheel);
        let way = self.charge_way(by, (wheel, Some(square.id())), [40 * INCH; 3]);
        gap(&by.feet_at(&way.place), &guns.feet) <= TOUCH
    }

    pub(crate) fn answer(turn: &mut Recorder<'_, Self>, id: Id, charger: Id, answer: Decision) {
        turn.emit(Event::Answered { unit: id, answer });
        match answer {
            Decision::Countercharge => Self::countercharge(turn, id, charger),
            Decision::HastySquare => {
                let Some(unit) = turn.unit(id) else { return };
                let place = Sergeant::new(turn, unit).laid(unit.place.pose, Formation::HastySquare);
                let place = turn.room_beside(unit, place);
                let raw = unit.card.class == Class::Raw;
                turn.emit(Event::Placed {
                    unit: id,
                    why: Why::HastySquare,
                    place,
                    track: vec![],
                    ground: None,
                });
                if raw {
                    let rules = vec![
                        turn.measures()
                            .clauses
                            .cite(&["troop-maneuvers.hasty.form-square.raw-disordered"]),
                    ];
                    turn.emit(Event::Ordered { unit: id, order: Order::Disordered, rules });
                }
            }
            Decision::Shelter { square } => {
                Self::silence_all(turn, id, "gun-maneuvers.hasty.shelter-in-square");
                turn.emit(Event::Sheltered { unit: id, square: Some(square) });
            }
            _ => {}
        }
    }

    /// The place of a square that is formed between neighbours: where it stands, or so far aside
    /// that there is room.
    fn room_beside(&self, unit: &Unit, place: Placement) -> Placement {
        let fits = |place: &Placement| {
            let feet = unit.feet_at(place);
            feet.iter().all(|f| self.field.holds(f))
                && self.free(unit, &feet)
                && self.field.shut(&feet, &[]).is_none()
        };
        let facing = place.pose.facing;
        let asides = (0..=unit.radius / STEP).flat_map(|n| [n * STEP, -n * STEP]);
        let found = asides.map(|aside| place.shifted(facing.offset(aside, 0))).find(|p| fits(p));
        found.unwrap_or_else(|| self.somewhere_free(unit, place))
    }

    /// Out to meet the charger at the middle of the gap.
    pub(super) fn countercharge(turn: &mut Recorder<'_, Self>, id: Id, charger: Id) {
        let (Some(unit), Some(by)) = (turn.unit(id), turn.unit(charger)) else { return };
        let wheel = by.did.charge.as_ref().map_or(0, |c| c.wheel);
        let way = turn.charge_way(by, (wheel, Some(id)), [40 * INCH; 3]);
        let measures = turn.measures();
        let share =
            if unit.mounted() { measures.countercharge } else { measures.countercharge_machismo };
        let gap = half(way.ahead, share);
        let facing: Facing = way.place.pose.facing.back();
        let start = turn.turned(unit, unit.formation(), facing);
        let start = turn.somewhere_free(unit, start);
        let met = turn.straight_charge(&Wheeled::at_once(unit, start), [gap; 3]);
        let track = vec![unit.place.pose, met.place.pose];
        turn.emit(Event::Placed {
            unit: id,
            why: Why::Countercharge,
            place: met.place,
            track,
            ground: Some(met.ground),
        });
        turn.emit(Event::Countercharged { unit: id, moved: met.ahead, ground: met.ground });
    }
}
