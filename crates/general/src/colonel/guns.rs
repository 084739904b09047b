//! Guns: into range with a clear field of fire, then as seldom on the move as may be.

use regimental::battle::state::Pace;
use regimental::battle::{Formation, Step, Unit};
use regimental::maneuver::Order as Ranks;
use table::{Facing, INCH, Mils, Point, Pose};

use super::Colonel;
use super::plan::What;

impl Colonel<'_> {
    /// The enemy guns would rather have before them: near, many, in good order.
    fn mark(&self, unit: &Unit) -> Option<&Unit> {
        let standing = self.seat.enemies().filter(|e| e.order != Ranks::Broken);
        standing.min_by_key(|e| (e.middle.distance(unit.middle), e.id()))
    }

    /// Within which guns want the enemy: two thirds of their reach.
    fn field_of_fire(unit: &Unit) -> Mils {
        unit.reach() * 2 / 3
    }

    pub(crate) fn guns_stir(&self, unit: &Unit) -> bool {
        let Some(mark) = self.mark(unit) else { return false };
        if unit.guns.iter().any(|g| g.low || g.silenced) {
            return true;
        }
        if self.battery(unit).is_some() {
            return true;
        }
        let aim = unit.middle.toward(mark.middle).unwrap_or(unit.place.pose.facing);
        let off = unit.place.pose.facing.turn_to(aim).abs() > 4000;
        let far = mark.distance(unit);
        match unit.formation() {
            Formation::Limbered => true,
            _ => {
                off && far <= unit.reach()
                    || self.forward(unit) && far > unit.reach()
                    || far <= unit.reach() && self.blind(unit)
            }
        }
    }

    /// The place guns are to take before the fight, if they are not there yet.
    fn battery(&self, unit: &Unit) -> Option<Point> {
        let task = self.plan.task(unit).filter(|t| t.what == What::Battery)?;
        (task.aim.distance(unit.place.pose.at) > 3 * INCH).then_some(task.aim)
    }

    /// Guns go to their place, and into action where the move allows it.
    fn take_post(&self, unit: &Unit, pace: Pace, post: Point) -> Option<(Vec<Step>, String)> {
        let name = &unit.card.name;
        let from = unit.place.pose.at;
        let bearing = from.toward(post)?;
        let facing = self.mark(unit).and_then(|m| post.toward(m.middle)).unwrap_or(bearing);
        let row = unit.card.row(Formation::Limbered, false);
        let limber = (unit.formation() == Formation::Unlimbered).then_some(Step::Limber);
        let turn = Step::Turn { facing: bearing };
        for rate in [row.double_quick[0], row.full[0], row.full[0] / 2, row.full[0] / 4] {
            let inches = from.distance(post).min(rate);
            let go = limber.into_iter().chain([turn, Step::Advance { inches }]);
            let go: Vec<Step> = go.collect();
            let halt = [go.clone(), vec![Step::Unlimber { facing }]].concat();
            let arrives = limber.is_none() && inches + INCH >= from.distance(post);
            for steps in arrives.then_some(halt).into_iter().chain([go]) {
                if self.seat.legal(unit, pace, &steps) {
                    return Some((steps, format!("{name} goes where it will bear on them.")));
                }
            }
        }
        let alone: Vec<Step> = limber.into_iter().collect();
        let why = format!("{name} limbers up to go closer.");
        self.seat.legal(unit, pace, &alone).then_some((alone, why))
    }

    fn forward(&self, unit: &Unit) -> bool {
        self.plan.task(unit).is_some_and(|t| t.heat > 1.0 && t.pull > 0.3)
    }

    /// The maneuver of guns.
    pub(crate) fn guns(&self, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
        let name = &unit.card.name;
        let one = |steps: Vec<Step>, why: String| {
            self.seat.legal(unit, pace, &steps).then_some((steps, why))
        };
        if unit.guns.iter().any(|g| g.silenced) {
            return one(vec![Step::Rally], format!("The crew of {name} is rallied."));
        }
        if unit.guns.iter().any(|g| g.low) {
            let refill = one(vec![Step::Replenish], format!("{name} needs powder."));
            if refill.is_some() {
                return refill;
            }
        }
        if let Some(post) = self.battery(unit) {
            let taken = self.take_post(unit, pace, post);
            if taken.is_some() {
                return taken;
            }
        }
        let mark = self.mark(unit)?;
        let aim = unit.middle.toward(mark.middle)?;
        let far = mark.distance(unit);
        let wanted = Self::field_of_fire(unit);
        if unit.formation() == Formation::Limbered {
            let ahead = (far - wanted).max(0);
            if ahead <= 2 * INCH || !self.forward(unit) && far <= unit.reach() {
                let here = one(
                    vec![Step::Unlimber { facing: aim }],
                    format!("{name} comes into action against {}.", mark.card.name),
                );
                if here.is_some() {
                    return here;
                }
            }
            if !self.forward(unit) && ahead == 0 {
                return None;
            }
            return self.roll_up(unit, pace, ahead.max(2 * INCH));
        }
        let turn = unit.place.pose.facing.turn_to(aim).abs();
        if turn > 4000 && far <= unit.reach() {
            return one(vec![Step::Pivot { facing: aim }], format!("{name} swings round to bear."));
        }
        if self.forward(unit) && far > unit.reach() {
            let at = unit.place.pose.at.on_the_way(mark.middle, far - wanted);
            return self.take_post(unit, pace, at);
        }
        if far <= unit.reach() && self.blind(unit) {
            return self.where_it_sees(unit, pace, aim);
        }
        None
    }

    /// Whether guns in action bear on nobody: behind a crest, or behind their own.
    fn blind(&self, unit: &Unit) -> bool {
        unit.formation() == Formation::Unlimbered && self.seat.battle.targets(unit).is_empty()
    }

    /// A little way by hand, or round to where an enemy is seen.
    fn where_it_sees(&self, unit: &Unit, pace: Pace, aim: Facing) -> Option<(Vec<Step>, String)> {
        let battle = self.seat.battle;
        let name = &unit.card.name;
        let sees = |steps: &[Step]| {
            let Some(done) = battle.allows(unit, pace, steps, false) else { return false };
            let mut there = unit.clone();
            there.stand_at(done.place);
            !battle.targets(&there).is_empty()
        };
        let haul = [1, 2, 3, 4].map(|n| vec![Step::HandHaul { inches: n * INCH }]);
        let swing =
            [-3, -2, -1, 1, 2, 3].map(|n| vec![Step::Pivot { facing: aim.turned(n * 1500) }]);
        let steps = haul.into_iter().chain(swing).find(|steps| sees(steps))?;
        Some((steps, format!("{name} comes to where it sees them.")))
    }

    /// Limbered guns go forward, and into action where the move allows it.
    fn roll_up(&self, unit: &Unit, pace: Pace, ahead: Mils) -> Option<(Vec<Step>, String)> {
        let mark = self.mark(unit)?;
        let road = self.by_road(unit, pace, mark.middle);
        if road.is_some() {
            return road;
        }
        let from = unit.place.pose.at;
        let aim = from.toward(mark.middle)?;
        let rate = unit.card.row(Formation::Limbered, false).full[0];
        for part in [4, 3, 2, 1] {
            let way = ahead.min(rate) * part / 4;
            let to = Pose::new(from + aim.offset(0, way), aim);
            let plan = self.seat.battle.sketch(unit, pace, to);
            if !plan.steps.is_empty() && plan.end.at.distance(from) > INCH {
                // Into action at once, if what is left of the move allows it.
                let near = mark.middle.distance(plan.end.at) - mark.radius <= unit.reach();
                let facing = plan.end.at.toward(mark.middle).unwrap_or(aim);
                let halt = [plan.steps.clone(), vec![Step::Unlimber { facing }]].concat();
                if near && self.seat.legal(unit, pace, &halt) {
                    let why =
                        format!("{} comes into action against {}.", unit.card.name, mark.card.name);
                    return Some((halt, why));
                }
                if near && part > 1 && self.forward(unit) {
                    continue;
                }
                return Some((plan.steps, format!("{} moves up.", unit.card.name)));
            }
        }
        None
    }
}
