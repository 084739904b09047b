//! Drill: what each step does with the stands of a unit, whatever the rules say to it.
//!
//! A drill is a row of legs. Each leg has the ground the stands cover after
//! it; between two legs they move straight, or turn by a few degrees.

use table::{Corner, Facing, Footprint, INCH, Mils, Point, Pose, TOUCH, Trail, arc, turn, wheel};

use super::Battle;
use super::command::Step;
use super::formation::{Formation, Nature};
use super::id::Id;
use super::refusal::No;
use super::state::{Placement, Stands, Unit};

/// A stretch of a drill: where the stands are at its end.
#[derive(Debug, Clone)]
pub(crate) struct Leg {
    pub(crate) pose: Pose,
    pub(crate) feet: Vec<Footprint>,
    /// On a road: whether it is good.
    pub(crate) road: Option<bool>,
    /// How far it is by the ruler.
    pub(crate) way: Mils,
    /// A piece this leg may enter: the building of a garrison, an obstacle scaled.
    pub(crate) enters: Option<Id>,
    /// Whether stands are only set anew, not moved over the ground between.
    pub(crate) sets: bool,
    pub(crate) formation: Formation,
    pub(crate) on_foot: bool,
}

/// What a drill consists of, added up.
#[derive(Debug, Clone)]
pub(crate) struct Drill {
    pub(crate) legs: Vec<Leg>,
    pub(crate) place: Placement,
    /// Turned by wheels, in all.
    pub(crate) wheeled: i32,
    /// The farthest wheels have turned it from the facing it began with.
    pub(crate) veered: i32,
    /// Where they have turned it by now, right positive.
    pub(super) veer: i32,
    /// The widest oblique.
    pub(crate) obliqued: i32,
    /// How far its head turned, in all.
    pub(super) turned: i32,
    /// Moved ahead or aslant.
    pub(crate) ahead: Mils,
    pub(crate) back: Mils,
    pub(crate) sideways: Mils,
    pub(crate) on_foot_after: bool,
    /// Where it replenishes its ammunition.
    pub(crate) replenished: Option<Placement>,
    /// Where the head of a column has been since it began to march.
    trail: Option<Trail>,
}

/// Wheels are followed in pieces of so many hundredths of a degree.
const PIECE: i32 = 750;

impl Drill {
    pub(crate) fn new(unit: &Unit) -> Self {
        Self {
            legs: vec![Leg {
                pose: unit.place.pose,
                feet: unit.feet.clone(),
                road: None,
                way: 0,
                enters: unit.place.garrison,
                sets: true,
                formation: unit.place.formation,
                on_foot: unit.place.on_foot,
            }],
            place: unit.place.clone(),
            wheeled: 0,
            veered: 0,
            veer: 0,
            obliqued: 0,
            turned: 0,
            ahead: 0,
            back: 0,
            sideways: 0,
            on_foot_after: unit.place.on_foot,
            replenished: None,
            trail: None,
        }
    }

    /// The way by the ruler.
    pub(crate) fn way(&self) -> Mils {
        self.legs.iter().map(|l| l.way).sum()
    }
}

/// Carries out steps one after another.
pub(crate) struct Sergeant<'b> {
    pub(crate) battle: &'b Battle,
    pub(crate) unit: &'b Unit,
    pub(crate) drill: Drill,
}

impl<'b> Sergeant<'b> {
    pub(crate) fn new(battle: &'b Battle, unit: &'b Unit) -> Self {
        let mut sergeant = Self { battle, unit, drill: Drill::new(unit) };
        if unit.place.refused.is_some() {
            // Undone free at the next maneuver (ruling.refuse-flank).
            let place = sergeant.laid(unit.place.pose, unit.place.formation);
            sergeant.set(place, 0);
        }
        sergeant
    }

    pub(super) fn stands(&self) -> Stands {
        let on_foot = self.drill.place.on_foot;
        Stands {
            count: self.unit.bases(),
            size: if on_foot { self.unit.card.on_foot } else { self.unit.card.size },
            gap: self.drill.place.gap,
            one_rank: self.battle.measures().one_rank,
            on_foot,
        }
    }

    pub(super) fn feet(&self, place: &Placement) -> Vec<Footprint> {
        self.unit.feet_at(place)
    }

    /// A fresh placement of the unit in a formation.
    pub(crate) fn laid(&self, pose: Pose, formation: Formation) -> Placement {
        let mut stands = self.stands();
        let measures = self.battle.measures();
        stands.gap = match formation.nature().gaps {
            Some(gaps) => {
                let (least, most) = gaps(measures);
                stands.gap.clamp(least, most)
            }
            None if formation == Formation::Unlimbered => stands.gap.min(measures.scaled(INCH)),
            None => 0,
        };
        Placement::new(pose, formation, stands)
    }

    pub(super) fn leg(&mut self, place: Placement, way: Mils, road: Option<bool>, sets: bool) {
        let feet = self.feet(&place);
        let enters = self.drill.place.garrison.or(place.garrison);
        let (formation, on_foot) = (place.formation, place.on_foot);
        self.drill.legs.push(Leg {
            pose: place.pose,
            feet,
            road,
            way,
            enters,
            sets,
            formation,
            on_foot,
        });
        self.drill.place = place;
    }

    /// The stands are set anew where they are.
    pub(super) fn set(&mut self, place: Placement, way: Mils) {
        self.leg(place, way, None, true);
        self.drill.trail = None;
    }

    /// The whole block goes straight by an offset.
    pub(super) fn shift(&mut self, right: Mils, ahead: Mils, way: Mils) {
        let by = self.drill.place.pose.facing.offset(right, ahead);
        let place = self.drill.place.shifted(by);
        self.leg(place, way, None, false);
    }

    pub(super) fn turned_about(&self, pivot: Point, by: i32) -> Placement {
        let mut place = self.drill.place.clone();
        let spin = |p: Pose| {
            // The pivot seen from the pose stays where it is, seen from the turned pose.
            let (r, a) = p.facing.across_and_ahead(pivot - p.at);
            let facing = p.facing.turned(by);
            Pose::new(pivot - facing.offset(r, a), facing)
        };
        place.pose = spin(place.pose);
        for stand in &mut place.stands {
            *stand = spin(*stand);
        }
        place
    }

    pub(super) fn wheel(&mut self, on: Corner, by: i32) {
        let width = self.front_width();
        let start = self.drill.place.pose;
        let whole = arc(width, by);
        let pieces = (by.abs() + PIECE - 1) / PIECE;
        let mut went = 0;
        for i in 1..=pieces.max(1) {
            let part = by * i / pieces.max(1);
            let (pose, way) = wheel(start, width, on, part);
            let mut place = self.laid_like(pose);
            place.refused = None;
            let way = if i == pieces { whole } else { way };
            self.leg(place, way - went, None, false);
            went = way;
        }
    }

    /// The same formation at another pose.
    pub(super) fn laid_like(&self, pose: Pose) -> Placement {
        let mut place = self.laid(pose, self.drill.place.formation);
        place.garrison = self.drill.place.garrison;
        place
    }

    /// The width of the front rank, from corner to corner.
    pub(crate) fn front_width(&self) -> Mils {
        let place = self.laid(Pose::default(), self.drill.place.formation);
        let feet = self.feet(&place);
        let front = feet.iter().flat_map(|f| f.corners).filter(|c| c.y >= -TOUCH);
        let (low, high) = front.fold((0, 0), |(l, h), c| (l.min(c.x), h.max(c.x)));
        high - low
    }

    /// The head of a column goes to a point, the rest behind it.
    pub(super) fn snake_to(&mut self, point: Point, facing: Facing, way: Mils, road: Option<bool>) {
        let depth = self.stands().size.depth;
        let trail = self.drill.trail.take();
        let mut trail = trail.unwrap_or_else(|| Trail::of(&self.drill.place.stands, depth));
        trail.head_to(point);
        let mut place = self.drill.place.clone();
        place.pose = Pose::new(point, facing);
        place.stands = trail.stands(place.stands.len(), depth, facing);
        self.leg(place, way, road, false);
        self.drill.trail = Some(trail);
    }

    pub(super) fn ahead(&mut self, inches: Mils) {
        if self.drill.place.formation.snakes() {
            // In pieces: a column bends, and its ground is followed stand by stand.
            let mut left = inches;
            while left > 0 {
                let piece = left.min(INCH);
                let pose = self.drill.place.pose.shifted(0, piece);
                self.snake_to(pose.at, pose.facing, piece, None);
                left -= piece;
            }
        } else {
            self.shift(0, inches, inches);
        }
        self.drill.ahead += inches;
    }

    pub(super) fn no(&self, rules: &[&str], fact: impl Into<String>) -> No {
        self.battle.no(rules, fact)
    }

    /// Whether a step is for the formation the unit is in, by the rule that says so.
    pub(super) fn needs(
        &self,
        may: impl Fn(&Nature) -> bool,
        (what, rules): (&str, &[&str]),
    ) -> Result<(), No> {
        let now = self.drill.place.formation;
        if may(now.nature()) {
            return Ok(());
        }
        let names = Formation::names(may);
        Err(self
            .no(rules, format!("{} is in {}: {what} is for {names}", self.unit.id(), now.name())))
    }

    pub(super) fn positive(&self, inches: Mils) -> Result<Mils, No> {
        if inches > 0 {
            return Ok(inches);
        }
        Err(self.no(&["ruling.wheel-measurement"], "a step goes more than 0 inches"))
    }

    pub(super) fn angle(&self, degrees: f64, most: i32) -> Result<i32, No> {
        let by = turn(degrees);
        if by > 0 && by <= most {
            return Ok(by);
        }
        let most = f64::from(most) / 100.0;
        Err(self.no(
            &["formations.wheel.basic", "ruling.wheel-measurement"],
            format!("{degrees} degrees: more than 0 and at most {most}"),
        ))
    }

    /// Carries out a step.
    pub(crate) fn step(&mut self, step: &Step) -> Result<(), No> {
        match *step {
            Step::Advance { inches } => self.advance(inches)?,
            Step::Withdraw { inches } => self.withdraw(inches)?,
            Step::Oblique { inches, to, degrees } => self.oblique(inches, to, degrees)?,
            Step::Wheel { to, degrees } => self.wheel_forward(to, degrees)?,
            Step::Turn { facing } => self.turn_head(facing)?,
            Step::AboutFace => self.about_face()?,
            Step::FlankMarch { to, inches } => self.flank_march(to, inches)?,
            Step::Road { road, inches, forward } => self.follow(road, inches, forward)?,
            Step::Form { formation, toward } => self.form(formation, toward)?,
            Step::DeployToTheFront => self.deploy_to_the_front()?,
            Step::ChangeFront { to, degrees, backward } => {
                self.change_front(to, degrees, backward)?
            }
            Step::RefuseFlank { flank, files, degrees } => self.refuse(flank, files, degrees)?,
            Step::Expand { gap } => self.expand(gap)?,
            Step::Limber => self.limber()?,
            Step::Unlimber { facing } => self.unlimber(facing)?,
            Step::Pivot { facing } => self.pivot(facing)?,
            Step::HandHaul { inches } => self.hand_haul(inches)?,
            Step::Mount => self.mount()?,
            Step::Dismount => self.dismount()?,
            Step::Scale { obstacle } => self.scale(obstacle)?,
            Step::Garrison { building } => self.enter(building)?,
            Step::Replenish => self.drill.replenished = Some(self.drill.place.clone()),
            Step::Rally => {}
        }
        if self.drill.place.formation == Formation::Garrison
            && !matches!(step, Step::Garrison { .. } | Step::Turn { .. } | Step::Replenish)
        {
            return Err(self.no(&["ruling.garrison"], "a garrison first forms up outside"));
        }
        Ok(())
    }

    pub(super) fn mobile(&self) -> Result<(), No> {
        match self.drill.place.formation {
            Formation::Unlimbered => Err(self.no(
                &["gun-maneuvers.well-handled.full-move"],
                format!("{} is unlimbered: limber first, or haul it by hand", self.unit.id()),
            )),
            Formation::Garrison => Err(self.no(
                &["ruling.garrison"],
                format!("{} is in garrison: form up outside first", self.unit.id()),
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn turn_head(&mut self, facing: Facing) -> Result<(), No> {
        let formation = self.drill.place.formation;
        if !formation.nature().turns && formation != Formation::Garrison {
            return Err(self.no(
                &["ruling.wheel-measurement"],
                format!("only columns turn freely at their head, not a {}", formation.name()),
            ));
        }
        let mut place = self.drill.place.clone();
        if formation != Formation::Garrison {
            self.drill.turned += place.pose.facing.turn_to(facing).abs();
        }
        if formation.snakes() || formation == Formation::Garrison {
            place.pose.facing = facing;
            if let (true, Some(head)) =
                (formation.snakes() && place.stands.len() == 1, place.stands.first_mut())
            {
                head.facing = facing;
            }
        } else {
            let by = place.pose.facing.turn_to(facing);
            place = self.turned_about(place.pose.at, by);
        }
        // Its tail still goes where its head has been.
        let trail = self.drill.trail.take();
        self.set(place, 0);
        self.drill.trail = trail;
        Ok(())
    }

    pub(super) fn about_face(&mut self) -> Result<(), No> {
        self.needs(
            |n| n.faces_about,
            (
                "facing about",
                &[
                    "troop-maneuvers.well-handled.face-by-the-rear-rank",
                    "ruling.face-by-the-rear-rank",
                ],
            ),
        )?;
        self.turn_about();
        Ok(())
    }

    /// Every stand faces the other way, on the same ground.
    pub(super) fn turn_about(&mut self) {
        let place = &self.drill.place;
        if place.formation.snakes() {
            let depth = self.stands().size.depth;
            let mut turned = place.clone();
            turned.stands = place
                .stands
                .iter()
                .rev()
                .map(|p| Pose::new(p.place(0, -depth), p.facing.back()))
                .collect();
            turned.pose = turned.stands.first().copied().unwrap_or(place.pose);
            self.set(turned, 0);
        } else {
            // About the middle of its depth, so that it stays on its ground.
            let (low, _) = self.depth();
            let middle = place.pose.place(0, low / 2);
            let pose =
                Pose::new(middle + place.pose.facing.offset(0, low / 2), place.pose.facing.back());
            let laid = self.laid_like(pose);
            self.set(laid, 0);
        }
    }

    /// How far its stands reach behind and ahead of its front.
    pub(super) fn depth(&self) -> (Mils, Mils) {
        let pose = self.drill.place.pose;
        let feet = self.feet(&self.drill.place);
        let ahead = feet.iter().flat_map(|f| f.corners).map(|c| pose.sees(c).1);
        ahead.fold((0, 0), |(l, h), a| (l.min(a), h.max(a)))
    }
}
