//! Fire at an enemy as he passed: who came through the fire of a unit that bears on him no more.

use table::{Bounds, Footprint, INCH, Mils, Pose, TOUCH};

use super::Battle;
use super::drill::Sergeant;
use super::event::Phase;
use super::refusal::No;
use super::sight::Bearing;
use super::state::Unit;

/// The stands that bore on an enemy at a point of its way, and the ground it covered there.
type Passage = (Vec<Bearing>, Vec<Footprint>);

/// An enemy's way is looked at so far apart.
const STEP: Mils = INCH / 2;

/// From the front of a unit no stand of it is farther than this.
fn length(unit: &Unit) -> Mils {
    2 * unit.radius + unit.size().depth
}

impl Battle {
    /// The stands that bore on an enemy at a point of its way, where they bear no more.
    pub(super) fn as_it_passed(&self, unit: &Unit, enemy: &Unit) -> Result<Passage, No> {
        let rules = ["ruling.pass-through-fire"];
        if self.phase != Phase::DefensiveFire {
            let why = format!("{} is fired at as it passed in the defensive step only", enemy.id());
            return Err(self.no(&rules, why));
        }
        if self.nearest_bearing(unit, enemy).is_some() {
            let why = format!(
                "{} can fire at {} where it stands: fire as it passed is for who can no longer",
                unit.id(),
                enemy.id()
            );
            return Err(self.no(&rules, why));
        }
        // Where its fire was heaviest, and of such places the nearest.
        let points = |p: &Passage| -> f64 {
            p.0.iter().map(|(stand, range)| self.stand_points(unit, *stand, *range)).sum()
        };
        let nearest = |p: &Passage| p.0.iter().map(|b| b.1).min();
        let by_weight = |a: &Passage, b: &Passage| {
            points(a).total_cmp(&points(b)).then_with(|| nearest(b).cmp(&nearest(a)))
        };
        let fired_through = self.fired_through(unit, enemy);
        // The first of equals.
        let best = fired_through.reduce(|a, b| if by_weight(&a, &b).is_lt() { b } else { a });
        best.ok_or_else(|| {
            let why = format!("{} never passed through the fire of {}", enemy.id(), unit.id());
            self.no(&rules, why)
        })
    }

    /// Step by step of an enemy's way: the stands that bore on it there, fired or not.
    fn passages<'b>(
        &'b self,
        unit: &'b Unit,
        enemy: &'b Unit,
    ) -> impl Iterator<Item = Passage> + 'b {
        let sergeant = Sergeant::new(self, enemy);
        let reach = unit.reach();
        let long = length(enemy);
        let places = enemy.did.track.windows(2).flat_map(|pair| {
            let way = pair[0].at.distance(pair[1].at);
            (0..=(way / STEP)).map(move |i| {
                Pose::new(pair[0].at.on_the_way(pair[1].at, i * STEP), pair[1].facing)
            })
        });
        let near = places.filter(move |pose| {
            !unit.bounds.is_beyond(reach + long, pose.at) && Self::faces(unit, pose.at, long)
        });
        near.filter_map(move |pose| {
            let feet = enemy.feet_at(&sergeant.laid(pose, enemy.formation()));
            let stands = self.bearing(unit, enemy, &feet, reach);
            (!stands.is_empty()).then_some((stands, feet))
        })
    }

    /// The same with the stands only that have not fired yet.
    fn fired_through<'b>(
        &'b self,
        unit: &'b Unit,
        enemy: &'b Unit,
    ) -> impl Iterator<Item = Passage> + 'b {
        self.passages(unit, enemy).filter_map(|(mut stands, feet)| {
            stands.retain(|b| self.still(unit, *b));
            (!stands.is_empty()).then_some((stands, feet))
        })
    }

    /// Whether any stand of a unit bore on an enemy anywhere on its way: asked before every volley
    /// and true of few, so it is remembered.
    fn ever_bore(&self, unit: &Unit, enemy: &Unit) -> bool {
        let long = length(enemy);
        let mut ground = unit.bounds;
        let mut faced = false;
        for leg in enemy.did.track.windows(2) {
            let around = Bounds::around(&[leg[0].at, leg[1].at]).grown(long);
            let middle = around.middle();
            faced |= unit.bounds.grown(unit.reach() + long).meets(&around)
                && Self::faces(unit, middle, middle.distance(around.high) + TOUCH);
            ground = ground.and(around);
        }
        faced && {
            let measure = || self.passages(unit, enemy).next().is_some();
            let ground = || ground.grown(INCH);
            self.memo.passed.or((unit.id(), enemy.id()), ground, measure)
        }
    }

    /// Whether an enemy passed through the fire of a unit that bears on it no more.
    pub(super) fn passed_through(&self, unit: &Unit, enemy: &Unit) -> bool {
        self.phase == Phase::DefensiveFire
            && enemy.did.track.len() > 1
            && enemy.sheltering.is_none()
            && unit.did.targets.len() < 2
            && !unit.did.targets.contains(&enemy.id())
            && self.silent(unit).is_none()
            && self.nearest_bearing(unit, enemy).is_none()
            && self.ever_bore(unit, enemy)
            && self.fired_through(unit, enemy).next().is_some()
    }
}
