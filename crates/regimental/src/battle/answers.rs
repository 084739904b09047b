//! The answers of the charged: countercharge, hasty square, shelter.

use journal::Recorder;
use table::{Facing, INCH, TOUCH};

use super::Battle;
use super::card::{Branch, Trait};
use super::charge_way::Wheeled;
use super::command::Decision;
use super::drill::Sergeant;
use super::event::{Event, Pending, Phase, Why};
use super::formation::Formation;
use super::id::Id;
use super::moves::half;
use super::state::{Unit, gap};
use crate::fire::Class;
use crate::maneuver::Order;

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
        {
            may.push(Decision::Countercharge);
        }
        let formed = matches!(unit.formation(), Formation::Line | Formation::FieldColumn);
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
            may.extend(
                squares
                    .filter(|s| s.within(unit, TOUCH))
                    .map(|s| Decision::Shelter { square: s.id() }),
            );
        }
        may
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
        // Guns beside a square that is charged, if the same charge meets them.
        for (charger, target) in &chargers {
            for guns in turn.guns_met_beside(*charger, *target) {
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

    /// Guns touching a charged square that the charge will meet as well, and that have an answer.
    fn guns_met_beside(&self, charger: Id, square: Id) -> Vec<Id> {
        let (Some(by), Some(square)) = (self.unit(charger), self.unit(square)) else {
            return vec![];
        };
        if !square.formation().is_square() {
            return vec![];
        }
        let wheel = by.did.charge.as_ref().map_or(0, |c| c.wheel);
        let way = self.charge_way(by, (wheel, Some(square.id())), [40 * INCH; 3]);
        let feet = by.feet_at(&way.place);
        let beside = self.units.iter().filter(|g| {
            g.present() && g.is_guns() && g.side() == square.side() && g.within(square, TOUCH)
        });
        beside
            .filter(|g| gap(&feet, &g.feet) <= TOUCH && !self.answers(g, by).is_empty())
            .map(Unit::id)
            .collect()
    }

    pub(crate) fn answer(turn: &mut Recorder<'_, Self>, id: Id, charger: Id, answer: Decision) {
        turn.emit(Event::Answered { unit: id, answer });
        match answer {
            Decision::Countercharge => Self::countercharge(turn, id, charger),
            Decision::HastySquare => {
                let Some(unit) = turn.unit(id) else { return };
                let place = Sergeant::new(turn, unit).laid(unit.place.pose, Formation::HastySquare);
                let place = turn.somewhere_free(unit, place);
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
