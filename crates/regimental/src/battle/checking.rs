//! Maneuver checks: a group, one die, each unit's own modifiers; and the results that must be
//! carried out.

use journal::Recorder;
use rulebook::{Check, Conditions, Refusal};

use super::Battle;
use super::card::{Rating, Side, Trait};
use super::event::{CheckLine, Event, Line, Phase, Why};
use super::formation::Formation;
use super::id::Id;
use super::refusal::No;
use super::state::{Pace, Unit};
use crate::effectiveness::State as Freshness;
use crate::fire::Class;
use crate::maneuver::{self, Arm, Assessment, Effect, Order};

impl Unit {
    /// Whether a unit has to check and has not: disordered and broken troops, and guns that are
    /// silenced (ruling.maneuver-check-required).
    #[must_use]
    pub fn must_check(&self) -> bool {
        let shaken = if self.is_guns() { self.silenced() } else { self.order != Order::Good };
        self.present() && shaken && self.did.checked.is_none() && !self.did.stood
    }
}

impl Battle {
    pub(crate) fn check_check(&self, side: Side, units: &[Id]) -> Result<(), No> {
        // Naming a group ends the step of the leaders by itself.
        self.in_phase(side, &[Phase::Checks, Phase::Leaders], "sequence.maneuver.2a-check")?;
        let rules = ["ruling.maneuver-check-group"];
        if units.is_empty() {
            return Err(self.no(&rules, "name at least one unit"));
        }
        let mut leader = None;
        for (i, id) in units.iter().enumerate() {
            if units[..i].contains(id) {
                return Err(self.no(&rules, format!("{id} is named twice")));
            }
            let unit = self.own_unit(side, *id)?;
            if unit.did.checked.is_some() || unit.did.stood {
                return Err(self.no(
                    &["ruling.maneuver-check-order"],
                    format!("{id} has checked this turn, or entered"),
                ));
            }
            let by = self.commanded(unit).map(|c| c.leader);
            if units.len() > 1 && (by.is_none() || leader.is_some_and(|l| Some(l) != by)) {
                return Err(self
                    .no(
                        &rules,
                        format!(
                            "{id} is not in the same leader's command and radius: it rolls alone"
                        ),
                    )
                    .instead(format!("check {id} by itself")));
            }
            leader = by;
        }
        Ok(())
    }

    /// The conditions of a unit's maneuver check, found on the table.
    pub(crate) fn maneuver_conditions(&self, unit: &Unit) -> (Conditions, bool) {
        let names = &self.rules.maneuver.modifiers;
        let mut hold = Conditions::default();
        let mut add = |name: &str| hold = hold.with(names.named(name));
        let commanded = self.commanded(unit);
        match commanded {
            Some(c) => {
                add(match c.rating {
                    Rating::Gallant => "gallant-leader",
                    Rating::Able => "able-leader",
                    Rating::Poor => "poor-leader",
                });
                if c.provisional {
                    add("provisional-command");
                }
            }
            None => add("out-of-command"),
        }
        if self.leaders.iter().any(|l| l.present() && l.attached == Some(unit.id())) {
            add("attached-leader");
        }
        if unit.card.is(Trait::BraveColonel) {
            add("brave-colonel");
        }
        if unit.card.is(Trait::Machismo) {
            add("machismo");
        }
        add(class_name(unit.card.class));
        if unit.is_guns() {
            self.battery(unit, &mut add);
        } else {
            add(match unit.freshness {
                Freshness::Fresh => "fresh",
                Freshness::Worn => "worn",
                Freshness::Spent => "spent",
            });
        }
        unit.formation().nature().in_check.iter().for_each(|name| add(name));
        if self.behind_linear_cover(unit) {
            add("linear-cover");
        }
        if unit.card.is(Trait::Indians) {
            let woods = |f: &table::Footprint| {
                self.field.pieces.iter().any(|p| p.kind.is_wooded() && p.shape.holds(f.centre()))
            };
            add(if unit.share(woods) >= self.measures().indians {
                "indians-in-woods"
            } else {
                "indians-in-open"
            });
        }
        if unit.order == Order::Broken {
            add("broken");
        }
        if self.outflanked_by(unit).is_some() {
            add("outflanked");
        }
        let side = unit.side();
        if self.keys.iter().any(|k| k.first == Some(side) && k.holder == Some(side.other())) {
            add("key-position-lost");
        }
        if self.heavy_casualties(side) {
            add("heavy-casualties");
            if self.greater[side.index()] {
                add("greater-losses");
            }
        }
        (hold, commanded.is_some())
    }

    fn battery(&self, unit: &Unit, add: &mut impl FnMut(&str)) {
        let stands = unit.guns.len();
        let started = usize::from(unit.card.strength);
        if self.measures().battalion_gun == 0 {
            // Triple Alliance: a battery whole, damaged, or down to half.
            if started >= 2 {
                add("battery");
            }
            if unit.guns.iter().any(|g| g.damaged) {
                add("damaged-battery");
            }
            if started >= 2 && 2 * stands <= started {
                add("half-battery");
            }
        } else if stands >= 2 {
            add("battery");
        } else {
            let within = self.measures().battalion_gun;
            let close = self.units.iter().any(|u| {
                u.present() && u.side() == unit.side() && !u.is_guns() && u.within(unit, within)
            });
            if close {
                add("battalion-gun");
            }
        }
    }

    /// The check of a unit before its die.
    ///
    /// # Errors
    /// Never for conditions found on the table.
    pub fn assess_maneuver(&self, unit: &Unit) -> Result<Assessment<'_>, Refusal> {
        let (hold, in_command) = self.maneuver_conditions(unit);
        let arm = if unit.is_guns() { Arm::Guns } else { Arm::Troops };
        maneuver::prepare(&self.rules, (arm, unit.order), in_command, hold)
    }

    pub(crate) fn check_units(turn: &mut Recorder<'_, Self>, units: &[Id]) {
        if turn.phase == Phase::Leaders {
            turn.emit(Event::PhaseBegan { phase: Phase::Checks });
        }
        let die = turn.throw(10);
        let mut lines = Vec::with_capacity(units.len());
        let mut leader = None;
        for id in units {
            let Some(unit) = turn.unit(*id) else { continue };
            let commanded = turn.commanded(unit);
            leader = leader.or(commanded.map(|c| c.leader));
            let Ok(check) = turn.assess_maneuver(unit) else { continue };
            let mut cited = Vec::new();
            let outcome = check.resolve(die, &mut cited);
            let tally = turn.tally(check.modifiers());
            let rules = cited.iter().map(|r| turn.measures().clauses.name(*r)).collect();
            lines.push((
                CheckLine {
                    unit: *id,
                    tally,
                    total: outcome.total,
                    effect: outcome.effect,
                    in_command: commanded.is_some(),
                    rules,
                },
                outcome.stands_lost,
            ));
        }
        turn.emit(Event::Checked {
            leader,
            die,
            units: lines.iter().map(|l| l.0.clone()).collect(),
        });
        for (line, lost) in lines {
            Self::read_result(turn, line.unit, line.effect, lost);
        }
        turn.emit(Event::PhaseBegan { phase: Phase::Charges });
    }

    /// The list of maneuvers a result leads to.
    pub(super) fn pace_after(&self, effect: Effect) -> Option<Pace> {
        match effect {
            Effect::DoubleQuick => Some(Pace::DoubleQuick),
            Effect::WellHandled => Some(Pace::WellHandled),
            Effect::Tardy => Some(Pace::Tardy),
            Effect::RallyWithElan | Effect::Rally => match self.rules.maneuver.list_after(effect) {
                Some("well-handled") => Some(Pace::WellHandled),
                Some(_) => Some(Pace::Tardy),
                None => None,
            },
            _ => None,
        }
    }

    fn read_result(turn: &mut Recorder<'_, Self>, id: Id, effect: Effect, lost: i32) {
        let Some(unit) = turn.unit(id) else { return };
        let broken = unit.order == Order::Broken;
        let pace = turn.pace_after(effect);
        if lost > 0 {
            let lost = u8::try_from(lost).unwrap_or(u8::MAX);
            Self::lose(
                turn,
                id,
                lost,
                &["maneuver.disordered.rout.stand-loss", "maneuver.disordered.panic.stand-loss"],
            );
        }
        if turn.unit(id).is_none_or(|u| !u.present()) {
            return;
        }
        match pace {
            Some(pace) => {
                let rallied = matches!(effect, Effect::RallyWithElan | Effect::Rally);
                if rallied {
                    Self::reform(turn, id, broken);
                    let elan = effect == Effect::RallyWithElan;
                    let rule = if elan {
                        "maneuver.disordered.rally-with-elan.good-order"
                    } else {
                        "maneuver.disordered.rally.good-order"
                    };
                    let rules = vec![turn.measures().clauses.cite(&[rule])];
                    turn.emit(Event::Ordered { unit: id, order: Order::Good, rules });
                }
                turn.emit(Event::Ready { unit: id, pace: Some(pace) });
            }
            None => turn.emit(Event::MustDo { unit: id, effect }),
        }
    }

    /// A broken unit takes up a formation again, facing the enemy.
    pub(crate) fn reform(turn: &mut Recorder<'_, Self>, id: Id, broken: bool) {
        let Some(unit) = turn.unit(id).filter(|_| broken) else { return };
        let open = unit.card.only_open_order() || unit.place.on_foot;
        let formation = if open { Formation::OpenOrder } else { Formation::Line };
        let facing = match turn.nearest_enemy(unit) {
            Some(enemy) => unit.middle.toward(enemy.middle),
            None => None,
        }
        .unwrap_or(turn.homeward(unit.side()).back());
        let place = turn.turned(unit, formation, facing);
        let place = turn.somewhere_free(unit, place);
        turn.emit(Event::Placed {
            unit: id,
            why: Why::CloseUp,
            place,
            track: vec![],
            ground: None,
        });
    }

    pub(crate) fn tally(&self, counted: Vec<rulebook::Counted>) -> Vec<Line> {
        let line = |c: rulebook::Counted| Line {
            rule: self.measures().clauses.name(c.rule),
            value: c.value.0,
        };
        counted.into_iter().map(line).collect()
    }
}

pub(crate) fn class_name(class: Class) -> &'static str {
    match class {
        Class::Elite => "elite",
        Class::Veteran => "veteran",
        Class::Trained => "trained",
        Class::Raw => "raw",
    }
}
