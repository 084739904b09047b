//! Legal orders to choose from, at random.

use table::{Corner, Facing, INCH, Mils, Point};

use super::Battle;
use super::command::{Command, Decision, Step};
use super::event::{Pending, Phase};
use super::formation::Formation;
use super::id::Id;
use super::state::{LeaderState, Pace, Unit};

impl Battle {
    /// An order that may be given now, chosen with a picker that returns a number below its
    /// argument. There always is one while the battle lasts.
    pub fn some_order(&self, pick: &mut dyn FnMut(usize) -> usize) -> Option<Command> {
        let side = self.awaited()?;
        if let Some(pending) = self.pending.front() {
            return Some(self.some_decision(pending, pick));
        }
        match self.phase {
            Phase::Leaders => Some(self.some_leader_order(side, pick)),
            Phase::Checks => Some(self.some_check(side, pick)),
            Phase::Charges => Some(self.some_charge(side, pick)),
            Phase::Maneuvers => Some(self.some_maneuver(side, pick)),
            Phase::LeaderMoves => Some(self.some_ride(side, pick)),
            Phase::DefensiveFire | Phase::OffensiveFire => Some(self.some_fire(side, pick)),
            Phase::Combat | Phase::Breakthrough => {
                Some(self.next_combat().map_or(Command::Done, |u| Command::Fight { unit: u.id() }))
            }
            Phase::Over => None,
        }
    }

    fn some_decision(&self, pending: &Pending, pick: &mut dyn FnMut(usize) -> usize) -> Command {
        let mut choices = self.choices(pending);
        choices.push(Decision::Stand);
        let unit = pending.unit();
        let mut decision = choices[pick(choices.len())];
        if let Decision::Advance { inches } = &mut decision {
            *inches = (INCH + *inches * i32::try_from(pick(4)).unwrap_or(0) / 3).min(*inches);
        }
        if let Decision::Recall { inches, facing } = &mut decision {
            *inches = (self.measures().short + *inches * i32::try_from(pick(4)).unwrap_or(0) / 3)
                .min(*inches);
            *facing = facing.turned(i32::try_from(pick(8)).unwrap_or(0) * 4500);
        }
        Command::Decide { unit, decision }
    }

    fn some_leader_order(
        &self,
        side: super::Side,
        pick: &mut dyn FnMut(usize) -> usize,
    ) -> Command {
        for arrival in self.arrivals_due(side) {
            let Some(unit) = self.unit(arrival.unit) else { continue };
            let depth = unit.size().depth * i32::try_from(unit.bases()).unwrap_or(1);
            for way in [depth + INCH * 2, depth] {
                if self.check_enter(side, unit.id(), way).is_ok() {
                    return Command::Enter { unit: unit.id(), inches: way };
                }
            }
        }
        for leader in self.leaders.iter().filter(|l| l.card.side == side) {
            let id = leader.card.id;
            let own: Vec<Id> = self
                .units
                .iter()
                .filter(|u| u.present() && u.side() == side)
                .map(Unit::id)
                .collect();
            if own.is_empty() {
                continue;
            }
            if matches!(leader.state, LeaderState::Fallen | LeaderState::Returning) {
                let fits = own.iter().find(|u| self.check_replace(side, id, **u).is_ok());
                if let Some(unit) = fits {
                    return Command::Replace { leader: id, unit: *unit };
                }
            }
            if leader.attached.is_some() && pick(4) == 0 && self.check_detach(side, id).is_ok() {
                return Command::Detach { leader: id };
            }
            let unit = own[pick(own.len())];
            if leader.attached.is_none()
                && !leader.moved
                && pick(2) == 0
                && self.check_attach(side, id, unit).is_ok()
            {
                return Command::Attach { leader: id, unit };
            }
        }
        Command::Done
    }

    fn some_check(&self, side: super::Side, pick: &mut dyn FnMut(usize) -> usize) -> Command {
        let open: Vec<&Unit> = self
            .units
            .iter()
            .filter(|u| u.present() && u.side() == side && u.did.checked.is_none() && !u.did.stood)
            .collect();
        let must = open.iter().any(|u| u.must_check());
        if open.is_empty() || (!must && pick(12) == 0) {
            return Command::Done;
        }
        let first = open[pick(open.len())];
        let mut units = vec![first.id()];
        if let Some(by) = self.commanded(first).filter(|_| pick(3) > 0) {
            let others = open.iter().filter(|u| {
                u.id() != first.id() && self.commanded(u).is_some_and(|c| c.leader == by.leader)
            });
            units.extend(others.map(|u| u.id()));
        }
        Command::Check { units }
    }

    fn some_charge(&self, side: super::Side, pick: &mut dyn FnMut(usize) -> usize) -> Command {
        let may: Vec<&Unit> = self
            .units
            .iter()
            .filter(|u| {
                u.present()
                    && u.side() == side
                    && u.did.owes.is_some()
                    && u.did.charge.is_none()
                    && !u.is_guns()
            })
            .collect();
        for unit in may {
            if pick(2) == 0 {
                continue;
            }
            let row = unit.card.row(unit.formation(), unit.place.on_foot);
            let enemies = self
                .units
                .iter()
                .filter(|e| e.present() && e.side() != side && e.near(unit, row.double_quick[0]));
            let Some(enemy) = enemies.min_by_key(|e| e.middle.distance(unit.middle)) else {
                continue;
            };
            let pace = unit.did.owes.unwrap_or(Pace::Hold);
            let disordered = self.disordered_pace(unit, pace, true).is_ok() && pick(2) == 0;
            let cold_steel = pick(2) == 0 && self.may_use_cold_steel(unit, true).is_ok();
            let order = (enemy.id(), cold_steel, disordered, None);
            if self.allows_charge(side, unit.id(), order).is_some() {
                let (unit, target) = (unit.id(), enemy.id());
                return Command::Charge { unit, target, cold_steel, disordered, wheel: None };
            }
        }
        Command::Done
    }

    fn some_maneuver(&self, side: super::Side, pick: &mut dyn FnMut(usize) -> usize) -> Command {
        let Some(unit) =
            self.units.iter().find(|u| u.present() && u.side() == side && u.did.owes.is_some())
        else {
            return Command::Done;
        };
        let pace = unit.did.owes.unwrap_or(Pace::Hold);
        for _ in 0..3 {
            let disordered = self.disordered_pace(unit, pace, true).is_ok() && pick(4) == 0;
            let steps = self.some_steps(unit, pick);
            if self.allows(unit, pace, &steps, disordered).is_some() {
                return Command::Maneuver { unit: unit.id(), steps, disordered };
            }
        }
        Command::Maneuver { unit: unit.id(), steps: vec![], disordered: false }
    }

    fn some_steps(&self, unit: &Unit, pick: &mut dyn FnMut(usize) -> usize) -> Vec<Step> {
        let whole = |n: usize| i32::try_from(n).unwrap_or(0);
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let far: Mils = (row.full[0] * whole(1 + pick(4)) / 4).max(INCH);
        let enemy = self
            .units
            .iter()
            .filter(|e| e.present() && e.side() != unit.side())
            .min_by_key(|e| e.middle.distance(unit.middle));
        let aim = enemy.and_then(|e| unit.middle.toward(e.middle)).unwrap_or_default();
        let side =
            if unit.place.pose.facing.turn_to(aim) < 0 { Corner::Left } else { Corner::Right };
        let facing: Facing = aim.turned((whole(pick(5)) - 2) * 1500);
        if unit.is_guns() {
            return match (unit.formation(), pick(8)) {
                (Formation::Unlimbered, 0) => vec![Step::Pivot { facing }],
                (Formation::Unlimbered, 1) => {
                    vec![Step::Limber, Step::Turn { facing }, Step::Advance { inches: far }]
                }
                (Formation::Unlimbered, 2) => vec![Step::HandHaul { inches: INCH }],
                (Formation::Unlimbered, _) if unit.silenced() => vec![Step::Rally],
                (Formation::Unlimbered, 3) => vec![Step::Replenish],
                (Formation::Limbered, 0..=3) => vec![
                    Step::Turn { facing },
                    Step::Advance { inches: far },
                    Step::Unlimber { facing: aim },
                ],
                (Formation::Limbered, 4) => vec![Step::Unlimber { facing: aim }],
                (Formation::Limbered, 5) => vec![Step::Rally],
                (Formation::Limbered, _) => {
                    vec![Step::Turn { facing }, Step::Advance { inches: far }]
                }
                _ => vec![],
            };
        }
        let formations = &unit.card.formations;
        let another = formations[pick(formations.len())];
        let degrees = f64::from(whole(5 + pick(40)));
        if unit.formation().nature().turns {
            return match pick(6) {
                0 => vec![Step::Form { formation: another, toward: Some(side) }],
                1 => vec![Step::DeployToTheFront],
                2 => vec![Step::AboutFace],
                _ => vec![Step::Turn { facing }, Step::Advance { inches: far }],
            };
        }
        match pick(18) {
            0 => vec![Step::Form { formation: another, toward: Some(side) }],
            1 => vec![
                Step::Advance { inches: far / 2 },
                Step::Form { formation: another, toward: Some(side) },
            ],
            2 => vec![Step::Wheel { to: side, degrees }, Step::Advance { inches: far / 2 }],
            3 => vec![Step::Advance { inches: far / 2 }, Step::Wheel { to: side, degrees }],
            4 => vec![Step::Oblique { inches: far, to: side, degrees }],
            5 => vec![Step::Withdraw { inches: far }],
            6 => vec![Step::FlankMarch { to: side, inches: far / 2 }],
            7 => vec![Step::AboutFace],
            8 => {
                vec![Step::ChangeFront { to: side, degrees: 2.0 * degrees, backward: pick(2) == 0 }]
            }
            9 => vec![Step::RefuseFlank { flank: side, files: 1, degrees }],
            10 => vec![if unit.low { Step::Replenish } else { Step::Advance { inches: far } }],
            11 => vec![if unit.place.on_foot { Step::Mount } else { Step::Dismount }],
            12 => match self
                .field
                .pieces
                .iter()
                .find(|p| p.kind.is_built() && p.shape.distance_to(unit.middle) <= unit.radius)
            {
                Some(p) => vec![Step::Garrison { building: p.id }],
                None => vec![Step::Advance { inches: far }],
            },
            _ => vec![Step::Advance { inches: far }],
        }
    }

    fn some_ride(&self, side: super::Side, pick: &mut dyn FnMut(usize) -> usize) -> Command {
        let free = self
            .leaders
            .iter()
            .filter(|l| l.card.side == side && l.present() && l.attached.is_none() && !l.moved);
        for leader in free {
            let own: Vec<&Unit> =
                self.units.iter().filter(|u| u.present() && u.side() == side).collect();
            if own.is_empty() || pick(3) == 0 {
                continue;
            }
            let to: Point = own[pick(own.len())].place.pose.place(0, -2 * INCH);
            if self.check_move_leader(side, leader.card.id, to).is_ok() {
                return Command::MoveLeader { leader: leader.card.id, to };
            }
        }
        Command::Done
    }

    fn some_fire(&self, side: super::Side, pick: &mut dyn FnMut(usize) -> usize) -> Command {
        for unit in self.units.iter().filter(|u| u.present() && u.side() == side) {
            let targets = self.targets(unit);
            if targets.is_empty() {
                continue;
            }
            let target = targets[pick(targets.len())].0;
            let mut units = vec![unit.id()];
            if pick(2) == 0 {
                let others = self
                    .units
                    .iter()
                    .filter(|u| u.present() && u.side() == side && u.id() != unit.id());
                let aims = |u: &&Unit| self.unit(target).is_some_and(|e| self.may_aim(u, e));
                units.extend(others.filter(aims).map(Unit::id));
            }
            return Command::Fire { units, target, passing: false, mark: None };
        }
        Command::Done
    }
}
