//! The recruit: sensible at a glance. It checks its brigades, goes for the positions or holds
//! them, fires at what is before it and charges what is shaken.

use regimental::battle::card::Branch;
use regimental::battle::state::Pace;
use regimental::battle::{Battle, Command, Decision, Formation, Pending, Side, Step, Unit};
use regimental::effectiveness::State as Freshness;
use regimental::fire::Class;
use regimental::maneuver::Order as Ranks;
use table::{Facing, INCH, Mils, Point, Pose};

use crate::colonel::plan::Plan;
use crate::officer::{self, Officer};
use crate::seat::Seat;
use crate::{Doctrine, Order};

/// When the battle is not won so many turns before its end, it is now or never.
const LAST_TURNS: u8 = 5;

struct Recruit<'b> {
    seat: Seat<'b>,
}

pub(crate) fn order(battle: &Battle, side: Side) -> Option<Order> {
    officer::order(&Recruit { seat: Seat { battle, side } })
}

impl Officer for Recruit<'_> {
    fn seat(&self) -> &Seat<'_> {
        &self.seat
    }

    /// Whether a unit has a reason to stir.
    fn stirs(&self, unit: &Unit) -> bool {
        if unit.order != Ranks::Good || unit.low || unit.silenced() {
            return true;
        }
        let Some(enemy) = self.seat.nearest_enemy(unit.middle) else { return false };
        let gap = enemy.middle.distance(unit.middle);
        let marching = matches!(unit.formation(), Formation::MarchColumn | Formation::Limbered);
        self.attacks() || marching || enemy.order != Ranks::Good && gap <= 16 * INCH
    }

    fn decide(&self, choice: &Pending) -> Option<Order> {
        let choices = self.seat.battle.choices(choice);
        let (unit, decision, reason) = match choice {
            Pending::Answer { unit, charger } => {
                let own = self.seat.battle.unit(*unit)?;
                let horse = self.seat.battle.unit(*charger).is_some_and(Unit::mounted);
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
        if self.seat.may(&command) {
            return Some(Order::new(command, reason));
        }
        let command = Command::Decide { unit, decision: Decision::Stand };
        Some(Order::new(command, "As the result says."))
    }

    fn charge(&self) -> Option<Order> {
        for unit in self.seat.own().filter(|u| u.did.owes.is_some() && u.did.charge.is_none()) {
            if unit.order != Ranks::Good || unit.is_guns() {
                continue;
            }
            let far = unit.card.row(unit.formation(), unit.place.on_foot).double_quick[0];
            let mut near: Vec<&Unit> = self.seat.enemies().filter(|e| e.near(unit, far)).collect();
            near.sort_by_cached_key(|e| (e.distance(unit), e.id()));
            for enemy in near.into_iter().take(2) {
                // When it is now or never, a small advantage is good enough.
                let wanted = if self.late() { 1 } else { 3 };
                if self.promise(unit, enemy) < wanted {
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
                    if self.seat.may(&order(cold_steel)) {
                        let reason = format!("{} can be driven off.", enemy.card.name);
                        return Some(Order::new(order(cold_steel), reason));
                    }
                }
            }
        }
        None
    }

    fn maneuver(&self) -> Option<Order> {
        let unit = self.seat.own().find(|u| u.did.owes.is_some() && u.did.charge.is_none())?;
        let hold = Order::new(
            Command::Maneuver { unit: unit.id(), steps: vec![], disordered: false },
            format!("{} holds.", unit.card.name),
        );
        let pace = unit.did.owes.unwrap_or(Pace::Hold);
        Some(self.steps(unit, pace).map_or(hold, |(steps, reason)| {
            Order::new(Command::Maneuver { unit: unit.id(), steps, disordered: false }, reason)
        }))
    }

    /// Leaders ride behind the middle of those they lead.
    fn ride(&self) -> Option<Order> {
        let free = self.seat.battle.leaders().iter().filter(|l| {
            l.card.side == self.seat.side && l.present() && l.attached.is_none() && !l.moved
        });
        for leader in free {
            let led: Vec<&Unit> =
                self.seat.own().filter(|u| u.card.leader == Some(leader.card.id)).collect();
            let led: Vec<&Unit> = if led.is_empty() { self.seat.own().collect() } else { led };
            let middle = Seat::centre(led.iter().copied())?;
            if middle.distance(leader.at) < 2 * INCH {
                continue;
            }
            let nearest = led.iter().min_by_key(|u| (u.middle.distance(middle), u.id()))?;
            let behind = nearest.place.pose.place(0, -2 * INCH - nearest.size().depth);
            for part in [4, 3, 2, 1] {
                let far = leader.at.distance(behind) * part / 4;
                let to = leader.at.on_the_way(behind, far);
                let command = Command::MoveLeader { leader: leader.card.id, to };
                if far > INCH && self.seat.may(&command) {
                    let reason = format!("{} keeps up with his men.", leader.card.name);
                    return Some(Order::new(command, reason));
                }
            }
        }
        None
    }
}

impl Recruit<'_> {
    /// Whether this side has to go forward: it does not win as things stand.
    fn attacks(&self) -> bool {
        self.lead() < 5 * self.seat.battle.terms().margin
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
        // What the losses so far count in the combat, or nearly.
        let fresh = |u: &Unit| match u.freshness {
            _ if u.is_guns() => 0,
            Freshness::Fresh => 2,
            Freshness::Worn => 0,
            Freshness::Spent => -2,
        };
        promise += fresh(unit) - fresh(enemy).max(0);
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
        let enemy = self.seat.nearest_enemy(unit.middle)?;
        if enemy.middle.distance(unit.middle) > self.seat.battle.measures().scaled(24 * INCH) {
            // Far from the enemy the army keeps its line.
            let plan = Plan::attack(&self.seat, Doctrine::default());
            if let Some(task) = plan.task(unit) {
                return Some(task.aim);
            }
        }
        let keys = self.seat.battle.keys().iter().filter(|k| k.holder != Some(self.seat.side));
        let key = keys.min_by_key(|k| (k.at.distance(unit.middle), k.name));
        // An enemy that is nearer than the position comes first.
        match key {
            Some(key) if key.at.distance(unit.middle) < enemy.middle.distance(unit.middle) => {
                Some(key.at)
            }
            _ => Some(enemy.middle),
        }
    }

    fn steps(&self, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
        let name = &unit.card.name;
        let first = |all: Vec<Vec<Step>>| all.into_iter().find(|s| self.seat.legal(unit, pace, s));
        if unit.low || unit.guns.iter().any(|g| g.low) {
            let refill = first(vec![vec![Step::Replenish]]);
            if let Some(steps) = refill {
                return Some((steps, format!("{name} needs powder.")));
            }
        }
        let enemy = self.seat.nearest_enemy(unit.middle)?;
        let aim = unit.middle.toward(enemy.middle)?;
        if unit.is_guns() {
            return self.guns(unit, pace, enemy, aim);
        }
        let gap = enemy.distance(unit);
        let column = unit.formation() == Formation::MarchColumn;
        if column && gap <= 14 * INCH {
            let deployed = officer::deploy(&self.seat, unit, pace);
            if deployed.is_some() {
                return deployed;
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
        let stand_off = self.stand_off(unit, enemy);
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

    /// How near to the enemy a unit goes without charging: close to one who cannot fire back, and
    /// to any when the battle is about to end without being won.
    fn stand_off(&self, unit: &Unit, enemy: &Unit) -> Mils {
        let close = self.seat.battle.measures().close_range;
        match unit.card.branch {
            Branch::Cavalry => 3 * close,
            _ if unit.card.class == Class::Raw => 2 * close,
            _ if !fires_back(enemy, unit) || self.late() => close - 2 * INCH,
            _ => close + INCH,
        }
    }

    /// Whether the last turns have come, and the battle is not won as it stands.
    fn late(&self) -> bool {
        let terms = self.seat.battle.terms();
        terms.turns < self.seat.battle.turn() + LAST_TURNS && self.lead() < terms.margin
    }

    /// By how many points it leads.
    fn lead(&self) -> i32 {
        let points = self.seat.battle.points();
        points[self.seat.side.index()] - points[self.seat.side.other().index()]
    }

    fn toward(&self, unit: &Unit, pace: Pace, to: Pose, what: &str) -> Option<(Vec<Step>, String)> {
        let plan = self.seat.battle.sketch(unit, pace, to);
        let gains = plan.end.at.distance(to.at) < unit.place.pose.at.distance(to.at)
            || plan.end.facing != unit.place.pose.facing;
        (gains && self.seat.legal(unit, pace, &plan.steps))
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
        let reach = unit.reach();
        let in_range = enemy.distance(unit) <= reach * 2 / 3;
        let try_one = |steps: Vec<Step>, why: String| {
            self.seat.legal(unit, pace, &steps).then_some((steps, why))
        };
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
}

/// Whether an enemy could fire at a unit, at a glance: in order, with his front to it.
fn fires_back(enemy: &Unit, unit: &Unit) -> bool {
    let pose = enemy.place.pose;
    let off = pose.at.toward(unit.middle).map_or(0, |aim| pose.facing.turn_to(aim).abs());
    enemy.order == Ranks::Good
        && !enemy.mounted()
        && !enemy.silenced()
        && !enemy.formation().snakes()
        && (off <= 6000 || enemy.formation().is_square())
}
