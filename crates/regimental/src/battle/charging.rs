//! Charges: their declaration, and carrying them to contact.

use journal::Recorder;
use table::{Mils, inches};

use super::Battle;
use super::card::{Branch, Side, Trait};
use super::charge_way::ChargeWay;
use super::command::Command;
use super::event::{Event, Phase, Why};
use super::formation::Formation;
use super::id::Id;
use super::moves::half;
use super::refusal::No;
use super::state::{Charge, Pace, Unit};
use crate::maneuver::Order;
use crate::rates::Row;

/// How a charge is ordered: on whom, with cold steel, at the price of disorder, with what wheel.
pub(crate) type Ordered = (Id, bool, bool, Option<f64>);

impl Battle {
    /// How far a charge may go on each kind of ground.
    pub(super) fn charge_rate(&self, unit: &Unit, pace: Pace, disordered: bool) -> [Mils; 3] {
        let row: Row = unit.card.row(unit.formation(), unit.place.on_foot);
        match pace {
            Pace::DoubleQuick => row.double_quick,
            Pace::WellHandled => row.full,
            Pace::Tardy if disordered => row.full,
            Pace::Tardy => row.full.map(|r| half(r, self.measures().half)),
            Pace::Hold => [0; 3],
        }
    }

    /// Whether a charge may be declared, and if not why.
    pub(crate) fn check_charge(&self, side: Side, id: Id, order: Ordered) -> Result<Charge, No> {
        let (target, _, disordered, wheel) = order;
        let (unit, enemy, rate) = self.chargeable(side, id, order)?;
        let found = self.find_way(unit, target, rate, wheel);
        let found = found.map_err(|astray| {
            let no = self.why_astray(unit, target, rate, astray);
            // Tardy troops reach farther at the price of disorder, where the book lets them.
            let pace = unit.did.owes.unwrap_or(Pace::Hold);
            let farther = self.charge_rate(unit, pace, true);
            let may = !disordered && self.disordered_pace(unit, pace, true).is_ok();
            if may && self.find_way(unit, target, farther, wheel).is_ok() {
                no.instead("charge disordered, at the full rate")
            } else {
                no
            }
        })?;
        self.declared((unit, enemy), found, order).ok_or_else(|| {
            self.no(&["ruling.charge-declaration"], format!("{id} does not see {target}"))
        })
    }

    /// The same without the reason, which can cost more than the answer.
    pub(crate) fn allows_charge(&self, side: Side, id: Id, order: Ordered) -> Option<Charge> {
        let (unit, enemy, rate) = self.chargeable(side, id, order).ok()?;
        let found = self.find_way(unit, order.0, rate, order.3).ok()?;
        self.declared((unit, enemy), found, order)
    }

    /// Whether an order is a charge that may be declared, for whoever does not ask why not.
    #[must_use]
    pub fn may_declare(&self, side: Side, command: &Command) -> bool {
        let Command::Charge { unit, target, cold_steel, disordered, wheel } = command else {
            return false;
        };
        let order = (*target, *cold_steel, *disordered, *wheel);
        self.allows_charge(side, *unit, order).is_some()
    }

    /// Who would charge whom at what rate, if there is a way.
    fn chargeable(
        &self,
        side: Side,
        id: Id,
        (target, cold_steel, disordered, _): Ordered,
    ) -> Result<(&Unit, &Unit, [Mils; 3]), No> {
        self.in_phase(side, &[Phase::Charges], "sequence.maneuver.2b-charges").map_err(|no| {
            let passed = self.phase == Phase::Maneuvers && self.awaited() == Some(side);
            let near = self.unit(id).zip(self.unit(target));
            let near = near.filter(|(unit, enemy)| passed && unit.side() != enemy.side());
            // Who never charges is told so, whatever the step.
            if let Some(never) = near.and_then(|(unit, _)| self.may_charge(unit).err()) {
                return never;
            }
            near.map_or(no, |(unit, enemy)| {
                let pace = unit.did.owes.unwrap_or(Pace::Hold);
                let far = self.charge_rate(unit, pace, pace == Pace::Tardy).into_iter().max();
                let fact = format!(
                    "the step in which charges are declared is over: {target} is {} inches from \
                     {id}, which charges {} at most",
                    inches(enemy.distance(unit)),
                    inches(far.unwrap_or(0))
                );
                self.no(&["sequence.maneuver.2b-charges", "sequence.phase-order"], fact)
            })
        })?;
        let unit = self.own_unit(side, id)?;
        let rules = ["ruling.who-may-charge"];
        if unit.did.charge.is_some() {
            return Err(self.no(&rules, format!("{id} has declared its charge")));
        }
        let Some(pace) = unit.did.owes.filter(|p| *p != Pace::Hold) else {
            return Err(self.no(&rules, format!("{id} has no result that lets it charge")));
        };
        self.may_charge(unit)?;
        self.disordered_pace(unit, pace, disordered)?;
        self.may_use_cold_steel(unit, cold_steel)?;
        let enemy = self.unit(target).filter(|u| u.present() && u.side() != side);
        let Some(enemy) = enemy else {
            return Err(self
                .no(&["ruling.charge-declaration"], format!("{target} is no enemy on the table")));
        };
        let housed = enemy.place.garrison.is_some() && self.building(enemy).is_some();
        if housed && unit.mounted() && !self.measures().settings.cavalry_against_buildings {
            let fact = format!("{target} is in a building, and {id} is mounted");
            return Err(self.no(&["ruling.cavalry-against-buildings"], fact));
        }
        if enemy.sheltering.is_some() {
            return Err(
                self.no(&["ruling.crew-in-square"], format!("the crew of {target} is in a square"))
            );
        }
        Ok((unit, enemy, self.charge_rate(unit, pace, disordered)))
    }

    /// A charge that has a way to its target, if its target is seen.
    fn declared(
        &self,
        (unit, enemy): (&Unit, &Unit),
        (wheel, way): (i32, ChargeWay),
        (target, cold_steel, disordered, _): Ordered,
    ) -> Option<Charge> {
        self.sees_to_charge(unit, enemy).then(|| Charge {
            target,
            cold_steel,
            disordered,
            wheel,
            from_behind: self.behind_front(unit, enemy) && !enemy.formation().nature().all_round,
            moved: 0,
            ground: way.ground,
            home: false,
            second: false,
        })
    }

    pub(super) fn may_charge(&self, unit: &Unit) -> Result<(), No> {
        let rules = ["ruling.who-may-charge"];
        if unit.is_guns() {
            return Err(self.no(&rules, format!("{} is artillery: guns do not charge", unit.id())));
        }
        if !unit.formation().nature().charges {
            return Err(self.no(
                &rules,
                format!(
                    "a {} does not charge: {} do",
                    unit.formation().name(),
                    Formation::names(|n| n.charges)
                ),
            ));
        }
        if unit.order == Order::Broken || unit.about_faced {
            return Err(self.no(&rules, format!("{} is broken or has faced about", unit.id())));
        }
        Ok(())
    }

    pub(super) fn may_use_cold_steel(&self, unit: &Unit, cold_steel: bool) -> Result<(), No> {
        if !cold_steel {
            return Ok(());
        }
        let foot = unit.card.branch == Branch::Infantry;
        let bayonets = !unit.card.is(Trait::NoBayonets) && !unit.card.is(Trait::Indians);
        // House rules may drop its modifier; then the charge still has its row of the fire table.
        if !self.measures().clauses.has("fire.effect.telling.cold-steel") {
            return Err(
                self.no(&["ruling.triple-alliance-cold-steel"], "this book has no cold steel")
            );
        }
        if !foot || !bayonets || unit.formation().is_open() {
            return Err(self.no(
                &["ruling.cold-steel"],
                format!("{} is not infantry in close order with bayonets", unit.id()),
            ));
        }
        Ok(())
    }

    /// A declared charge moves to contact, or stops short.
    pub(crate) fn move_charge(turn: &mut Recorder<'_, Self>, id: Id) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let Some(mut charge) = unit.did.charge.clone() else { return };
        let pace = unit.did.owes.unwrap_or(Pace::Hold);
        let rate = turn.charge_rate(unit, pace, charge.disordered);
        let mut way = turn.charge_way(unit, (charge.wheel, Some(charge.target)), rate);
        if way.hit.is_none() {
            // The target may have moved: the least wheel that still meets it.
            if let Ok((wheel, other)) = turn.find_way(unit, charge.target, rate, None) {
                charge.wheel = wheel;
                way = other;
            }
        }
        if let Some(guns) = turn.unit(charge.target).filter(|t| t.sheltering.is_some()) {
            way = turn.short_of_guns(unit, way, guns);
        }
        let track = vec![unit.place.pose, way.place.pose];
        let before = unit.feet.clone();
        charge.moved = way.way;
        charge.ground = way.ground;
        charge.home = way.hit.is_some();
        if let Some(hit) = way.hit {
            charge.target = hit;
            // As it begins its move: whom it charged may have gone out to meet another.
            charge.from_behind = turn
                .unit(hit)
                .is_some_and(|m| turn.behind_front(unit, m) && !m.formation().nature().all_round);
            let disorders = charge.disordered && unit.order == Order::Good;
            turn.emit(Event::Placed {
                unit: id,
                why: Why::Charge,
                place: way.place,
                track,
                ground: Some(way.ground),
            });
            turn.emit(Event::ChargeMoved { unit: id, charge });
            if disorders {
                let rules = vec![
                    turn.measures().clauses.cite(&["troop-maneuvers.tardy.full-move-disordered"]),
                ];
                turn.emit(Event::Ordered { unit: id, order: Order::Disordered, rules });
            }
        } else {
            let place = turn.stop_short(unit, &way);
            let track = vec![unit.place.pose, place.pose];
            turn.emit(Event::Placed {
                unit: id,
                why: Why::Charge,
                place,
                track,
                ground: Some(way.ground),
            });
            turn.emit(Event::ChargeOver { unit: id });
        }
        turn.emit(Event::Ready { unit: id, pace: None });
        Self::amusette_left(turn, id);
        Self::leaders_ridden_over(turn, id, &before);
    }
}
