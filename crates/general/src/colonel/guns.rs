//! Guns: into range with a clear field of fire, then as seldom on the move as may be.

use regimental::battle::state::Pace;
use regimental::battle::{Formation, Step, Unit};
use regimental::maneuver::Order as Ranks;
use table::{INCH, Mils, Pose};

use super::Colonel;

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
        let aim = unit.middle.toward(mark.middle).unwrap_or(unit.place.pose.facing);
        let off = unit.place.pose.facing.turn_to(aim).abs() > 4000;
        let far = mark.distance(unit);
        match unit.formation() {
            Formation::Limbered => true,
            _ => off && far <= unit.reach() || self.forward(unit) && far > unit.reach(),
        }
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
            return one(vec![Step::Limber], format!("{name} limbers up to go closer."));
        }
        None
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
                return Some((plan.steps, format!("{} moves up.", unit.card.name)));
            }
        }
        None
    }
}
