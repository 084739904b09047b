//! The recruit: sensible at a glance. It checks its brigades, goes for the positions or holds
//! them, fires at what is before it and charges what is shaken.

use regimental::battle::card::Branch;
use regimental::battle::state::{LeaderState, Pace};
use regimental::battle::{
    Battle, Command, Decision, Formation, Id, Pending, Phase, Side, Step, Unit,
};
use regimental::fire::Class;
use regimental::maneuver::Order as Ranks;
use table::{Facing, INCH, Mils, Point, Pose};

use crate::Order;

struct Recruit<'b> {
    battle: &'b Battle,
    side: Side,
}

pub(crate) fn order(battle: &Battle, side: Side) -> Option<Order> {
    let recruit = Recruit { battle, side };
    if let Some(choice) = journal::Battle::awaiting(battle).choice {
        return recruit.decide(&choice);
    }
    match battle.phase() {
        Phase::Leaders => recruit.leaders(),
        Phase::Checks => recruit.check(),
        Phase::Charges => recruit.charge().or_else(|| recruit.maneuver()),
        Phase::Maneuvers => recruit.maneuver(),
        Phase::LeaderMoves => recruit.ride(),
        Phase::DefensiveFire | Phase::OffensiveFire => recruit.fire(),
        Phase::Combat | Phase::Breakthrough => recruit.fight(),
        Phase::Over => None,
    }
    .or_else(|| Some(Order::new(Command::Done, "Nothing more to do in this step.")))
}

impl Recruit<'_> {
    fn may(&self, command: &Command) -> bool {
        journal::Battle::check(self.battle, self.side, command).is_ok()
    }

    fn own(&self) -> impl Iterator<Item = &Unit> {
        self.battle.units().iter().filter(|u| u.present() && u.side() == self.side)
    }

    fn enemies(&self) -> impl Iterator<Item = &Unit> {
        self.battle.units().iter().filter(|u| u.present() && u.side() != self.side)
    }

    fn nearest_enemy(&self, unit: &Unit) -> Option<&Unit> {
        self.enemies().min_by_key(|e| (e.middle.distance(unit.middle), e.id()))
    }

    /// Whether this side has to take ground: it holds less of what counts, or it moves first
    /// where nothing counts.
    fn attacks(&self) -> bool {
        let held = |side: Side| -> i32 {
            let keys = self.battle.keys().iter().filter(|k| k.holder == Some(side));
            keys.map(|k| k.value).sum()
        };
        let (own, other) = (held(self.side), held(self.side.other()));
        if own == other { self.battle.terms().first == self.side } else { own < other }
    }

    fn decide(&self, choice: &Pending) -> Option<Order> {
        let choices = self.battle.choices(choice);
        let (unit, decision, reason) = match choice {
            Pending::Answer { unit, charger } => {
                let own = self.battle.unit(*unit)?;
                let horse = self.battle.unit(*charger).is_some_and(Unit::mounted);
                let wanted = choices.iter().find(|c| match c {
                    Decision::Countercharge => own.order == Ranks::Good,
                    Decision::HastySquare => horse,
                    Decision::Shelter { .. } => true,
                    _ => false,
                });
                match wanted {
                    Some(d @ Decision::Countercharge) => (*unit, *d, "Meet them at the gallop."),
                    Some(d @ Decision::HastySquare) => (*unit, *d, "A square against their horse."),
                    Some(d) => (*unit, *d, "The crew is safer in the square."),
                    None => (*unit, Decision::Stand, "Stand and receive them."),
                }
            }
            Pending::GoOn { unit, stay: true, .. } => {
                (*unit, Decision::Carry, "Take the ground they held.")
            }
            other => (other.unit(), Decision::Stand, "As the result says."),
        };
        let command = Command::Decide { unit, decision };
        if self.may(&command) {
            return Some(Order::new(command, reason));
        }
        let command = Command::Decide { unit, decision: Decision::Stand };
        Some(Order::new(command, "As the result says."))
    }

    fn leaders(&self) -> Option<Order> {
        let battle = self.battle;
        let reserve = battle.units().iter().filter(|u| u.side() == self.side && !u.present());
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
        for leader in battle.leaders().iter().filter(|l| l.card.side == self.side) {
            if !matches!(leader.state, LeaderState::Fallen | LeaderState::Returning) {
                continue;
            }
            for unit in self.own() {
                let command = Command::Replace { leader: leader.card.id, unit: unit.id() };
                if self.may(&command) {
                    return Some(Order::new(command, "The command must be taken up again."));
                }
            }
        }
        None
    }

    /// Whether a unit has a reason to stir.
    fn stirs(&self, unit: &Unit) -> bool {
        if unit.order != Ranks::Good || unit.low || unit.silenced() {
            return true;
        }
        let Some(enemy) = self.nearest_enemy(unit) else { return false };
        let gap = enemy.middle.distance(unit.middle);
        let marching = matches!(unit.formation(), Formation::MarchColumn | Formation::Limbered);
        self.attacks() || marching || enemy.order != Ranks::Good && gap <= 16 * INCH
    }

    fn check(&self) -> Option<Order> {
        let open: Vec<&Unit> = self
            .own()
            .filter(|u| u.did.checked.is_none() && !u.did.stood && self.stirs(u))
            .collect();
        let first = open.first()?;
        let mut units = vec![first.id()];
        if let Some(by) = self.battle.commanded(first) {
            let same = open
                .iter()
                .skip(1)
                .filter(|u| self.battle.commanded(u).is_some_and(|c| c.leader == by.leader));
            units.extend(same.map(|u| u.id()));
        }
        let many = Command::Check { units: units.clone() };
        if units.len() > 1 && self.may(&many) {
            return Some(Order::new(many, "The brigade moves together."));
        }
        let command = Command::Check { units: vec![first.id()] };
        self.may(&command).then(|| Order::new(command, format!("{} moves.", first.card.name)))
    }

    fn charge(&self) -> Option<Order> {
        for unit in self.own().filter(|u| u.did.owes.is_some() && u.did.charge.is_none()) {
            if unit.order != Ranks::Good || unit.is_guns() {
                continue;
            }
            let far = unit.card.row(unit.formation(), unit.place.on_foot).double_quick[0];
            let mut near: Vec<&Unit> = self.enemies().filter(|e| e.near(unit, far)).collect();
            near.sort_by_key(|e| (e.distance(unit), e.id()));
            for enemy in near {
                if self.promise(unit, enemy) < 3 {
                    continue;
                }
                let order = |cold_steel| Command::Charge {
                    unit: unit.id(),
                    target: enemy.id(),
                    cold_steel,
                    disordered: false,
                    wheel: None,
                };
                let steel = enemy.card.class == Class::Raw || enemy.order != Ranks::Good;
                for cold_steel in [steel, false] {
                    if self.may(&order(cold_steel)) {
                        let reason = format!("{} can be driven off.", enemy.card.name);
                        return Some(Order::new(order(cold_steel), reason));
                    }
                }
            }
        }
        None
    }

    /// How much a charge promises, roughly in steps of a die.
    fn promise(&self, unit: &Unit, enemy: &Unit) -> i32 {
        let worth = |u: &Unit| match u.card.class {
            Class::Elite => 2,
            Class::Veteran => 1,
            Class::Raw => -1,
            _ => 0,
        };
        let mut promise = worth(unit) - worth(enemy);
        let (own, other) = (i32::from(unit.stands), i32::from(enemy.stands));
        promise += if own >= 2 * other {
            2
        } else if 2 * own >= 3 * other {
            1
        } else if 3 * own < 2 * other {
            -2
        } else {
            0
        };
        promise += match enemy.order {
            Ranks::Good => 0,
            Ranks::Disordered => 2,
            Ranks::Broken => 3,
        };
        if enemy.is_guns() {
            promise += 2;
        }
        let behind = enemy.place.pose.sees(unit.middle).1 < 0;
        if behind && !enemy.formation().is_square() {
            promise += 3;
        }
        if unit.mounted() {
            promise += if enemy.formation().is_square() { -5 } else { 1 };
        }
        if enemy.place.garrison.is_some() {
            promise -= 3;
        }
        promise
    }

    /// Where a unit should go: the position to take, or the enemy before it.
    fn goal(&self, unit: &Unit) -> Option<Point> {
        let enemy = self.nearest_enemy(unit)?;
        let keys = self.battle.keys().iter().filter(|k| k.holder != Some(self.side));
        let key = keys.min_by_key(|k| (k.at.distance(unit.middle), k.name));
        // An enemy that is nearer than the position comes first.
        match key {
            Some(key) if key.at.distance(unit.middle) < enemy.middle.distance(unit.middle) => {
                Some(key.at)
            }
            _ => Some(enemy.middle),
        }
    }

    fn maneuver(&self) -> Option<Order> {
        let unit = self.own().find(|u| u.did.owes.is_some() && u.did.charge.is_none())?;
        let hold = Order::new(
            Command::Maneuver { unit: unit.id(), steps: vec![], disordered: false },
            format!("{} holds.", unit.card.name),
        );
        let pace = unit.did.owes.unwrap_or(Pace::Hold);
        Some(self.steps(unit, pace).map_or(hold, |(steps, reason)| {
            Order::new(Command::Maneuver { unit: unit.id(), steps, disordered: false }, reason)
        }))
    }

    fn legal(&self, unit: &Unit, pace: Pace, steps: &[Step]) -> bool {
        !steps.is_empty() && self.battle.judge(unit, pace, steps, false).is_ok()
    }

    fn steps(&self, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
        let name = &unit.card.name;
        let first = |all: Vec<Vec<Step>>| all.into_iter().find(|s| self.legal(unit, pace, s));
        if unit.low || unit.guns.iter().any(|g| g.low) {
            let refill = first(vec![vec![Step::Replenish]]);
            if let Some(steps) = refill {
                return Some((steps, format!("{name} needs powder.")));
            }
        }
        let enemy = self.nearest_enemy(unit)?;
        let aim = unit.middle.toward(enemy.middle)?;
        if unit.is_guns() {
            return self.guns(unit, pace, enemy, aim);
        }
        let gap = enemy.distance(unit);
        let column = unit.formation() == Formation::MarchColumn;
        if column && gap <= 14 * INCH {
            let formed = unit
                .card
                .formations
                .iter()
                .copied()
                .find(|f| matches!(f, Formation::Line | Formation::OpenOrder))?;
            let forms = [table::Corner::Left, table::Corner::Right]
                .map(|c| vec![Step::Form { formation: formed, toward: Some(c) }]);
            let deploy = std::iter::once(vec![Step::DeployToTheFront]).chain(forms).collect();
            if let Some(steps) = first(deploy) {
                return Some((steps, format!("{name} deploys: the enemy is near.")));
            }
        }
        if !self.attacks() && !column && gap > 2 * INCH {
            // Holding: only face the enemy.
            let square = unit.formation().is_square();
            return if square { None } else { self.face(unit, pace, aim, 3500) };
        }
        let goal = self.goal(unit)?;
        let bearing = unit.place.pose.at.toward(goal).unwrap_or(aim);
        // Within good range of the enemy one stands and fires.
        let stand_off = self.stand_off(unit);
        let way = unit.place.pose.at.distance(goal).min(40 * INCH) - stand_off;
        if way <= INCH / 2 && goal == enemy.middle {
            return self.face(unit, pace, aim, 3000);
        }
        let at = unit.place.pose.at + bearing.offset(0, way.max(INCH));
        self.toward(unit, pace, Pose::new(at, bearing), "goes forward")
    }

    /// Turns to the enemy, if he is farther off its front than so many hundredths of a degree.
    fn face(&self, unit: &Unit, pace: Pace, aim: Facing, off: i32) -> Option<(Vec<Step>, String)> {
        let here = unit.place.pose;
        let turns = here.facing.turn_to(aim).abs() > off;
        turns.then(|| self.toward(unit, pace, Pose::new(here.at, aim), "faces the enemy"))?
    }

    /// How near to the enemy a unit goes without charging.
    fn stand_off(&self, unit: &Unit) -> Mils {
        let close = self.battle.measures().close_range;
        match unit.card.branch {
            Branch::Cavalry => 3 * close,
            _ if unit.card.class == Class::Raw => 2 * close,
            _ => close + INCH,
        }
    }

    fn toward(&self, unit: &Unit, pace: Pace, to: Pose, what: &str) -> Option<(Vec<Step>, String)> {
        let plan = self.battle.plan(unit, pace, to, false);
        let gains = plan.end.at.distance(to.at) < unit.place.pose.at.distance(to.at)
            || plan.end.facing != unit.place.pose.facing;
        (gains && self.legal(unit, pace, &plan.steps))
            .then(|| (plan.steps, format!("{} {what}.", unit.card.name)))
    }

    fn guns(
        &self,
        unit: &Unit,
        pace: Pace,
        enemy: &Unit,
        aim: Facing,
    ) -> Option<(Vec<Step>, String)> {
        let name = &unit.card.name;
        let reach = unit.card.weapon.as_ref().map_or(0, regimental::battle::card::WeaponOf::reach);
        let in_range = enemy.distance(unit) <= reach * 2 / 3;
        let try_one =
            |steps: Vec<Step>, why: String| self.legal(unit, pace, &steps).then_some((steps, why));
        if unit.silenced() {
            return try_one(vec![Step::Rally], format!("The crew of {name} is rallied."));
        }
        if unit.formation() == Formation::Limbered {
            if in_range {
                return try_one(
                    vec![Step::Unlimber { facing: aim }],
                    format!("{name} comes into action."),
                );
            }
            let at = unit.place.pose.at + aim.offset(0, 10 * INCH);
            return self.toward(unit, pace, Pose::new(at, aim), "moves up");
        }
        let turn = unit.place.pose.facing.turn_to(aim);
        if turn.abs() > 4000 && in_range {
            return try_one(
                vec![Step::Pivot { facing: aim }],
                format!("{name} swings round to bear."),
            );
        }
        if self.attacks() && enemy.distance(unit) > reach {
            return try_one(vec![Step::Limber], format!("{name} limbers up to go closer."));
        }
        None
    }

    /// Leaders ride behind the middle of those they lead.
    fn ride(&self) -> Option<Order> {
        let free = self.battle.leaders().iter().filter(|l| {
            l.card.side == self.side && l.present() && l.attached.is_none() && !l.moved
        });
        for leader in free {
            let led: Vec<&Unit> =
                self.own().filter(|u| u.card.leader == Some(leader.card.id)).collect();
            let led: Vec<&Unit> = if led.is_empty() { self.own().collect() } else { led };
            let n = i32::try_from(led.len()).unwrap_or(1).max(1);
            let sum = led.iter().fold((0_i64, 0_i64), |s, u| {
                (s.0 + i64::from(u.middle.x), s.1 + i64::from(u.middle.y))
            });
            let mean = |v: i64| Mils::try_from(v / i64::from(n)).unwrap_or(0);
            let middle = Point { x: mean(sum.0), y: mean(sum.1) };
            if middle.distance(leader.at) < 2 * INCH {
                continue;
            }
            let nearest = led.iter().min_by_key(|u| (u.middle.distance(middle), u.id()))?;
            let behind = nearest.place.pose.place(0, -2 * INCH - nearest.size().depth);
            for part in [4, 3, 2, 1] {
                let far = leader.at.distance(behind) * part / 4;
                let to = leader.at.on_the_way(behind, far);
                let command = Command::MoveLeader { leader: leader.card.id, to };
                if far > INCH && self.may(&command) {
                    let reason = format!("{} keeps up with his men.", leader.card.name);
                    return Some(Order::new(command, reason));
                }
            }
        }
        None
    }

    fn fire(&self) -> Option<Order> {
        for unit in self.own() {
            let targets = self.battle.targets(unit);
            let best = targets.iter().max_by_key(|(target, range)| {
                let enemy = self.battle.unit(*target);
                let charging = enemy.is_some_and(|e| e.did.charge.is_some());
                let shaken = enemy.is_some_and(|e| e.order == Ranks::Disordered);
                (charging, shaken, std::cmp::Reverse(*range))
            });
            let Some((target, _)) = best else { continue };
            let name = self.battle.unit(*target).map_or(String::new(), |u| u.card.name.to_string());
            let mut units: Vec<Id> = vec![unit.id()];
            let others = self.own().filter(|u| u.id() != unit.id());
            units.extend(
                others
                    .filter(|u| self.battle.targets(u).iter().any(|t| t.0 == *target))
                    .map(Unit::id),
            );
            let fire = |units: Vec<Id>| Command::Fire {
                units,
                target: *target,
                passing: false,
                mark: None,
            };
            for units in [units, vec![unit.id()]] {
                let command = fire(units);
                if self.may(&command) {
                    return Some(Order::new(command, format!("Fire on {name}.")));
                }
            }
        }
        None
    }

    fn fight(&self) -> Option<Order> {
        let fights = self.own().map(|u| Command::Fight { unit: u.id() });
        fights.into_iter().find(|c| self.may(c)).map(|c| Order::new(c, "The charge goes home."))
    }
}
