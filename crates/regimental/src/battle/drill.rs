//! Drill: what each step does with the stands of a unit, whatever the rules say to it.
//!
//! A drill is a row of legs. Each leg has the ground the stands cover after
//! it; between two legs they move straight, or turn by a few degrees.

use table::{
    Corner, Facing, Feature, Footprint, INCH, Mils, Outline, Point, Pose, Slot, TOUCH, Trail, arc,
    turn, wheel,
};

use super::Battle;
use super::command::Step;
use super::formation::{Formation, stands_at};
use super::id::Id;
use super::refusal::No;
use super::state::{Placement, RefusedFlank, Stands, Unit};
use super::terrain::{Kind, Piece};

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
    /// The widest oblique.
    pub(crate) obliqued: i32,
    /// Moved ahead or aslant.
    pub(crate) ahead: Mils,
    pub(crate) back: Mils,
    pub(crate) sideways: Mils,
    pub(crate) on_foot_after: bool,
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
            obliqued: 0,
            ahead: 0,
            back: 0,
            sideways: 0,
            on_foot_after: unit.place.on_foot,
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

    fn stands(&self) -> Stands {
        let on_foot = self.drill.place.on_foot;
        Stands {
            count: self.unit.bases(),
            size: if on_foot { self.unit.card.on_foot } else { self.unit.card.size },
            gap: self.drill.place.gap,
            one_rank: self.battle.measures().one_rank,
            on_foot,
        }
    }

    fn feet(&self, place: &Placement) -> Vec<Footprint> {
        let size = if place.on_foot { self.unit.card.on_foot } else { self.unit.card.size };
        place.stands.iter().map(|p| Footprint::of(*p, size)).collect()
    }

    /// A fresh placement of the unit in a formation.
    pub(crate) fn laid(&self, pose: Pose, formation: Formation) -> Placement {
        let mut stands = self.stands();
        let gaps = self.battle.measures().gaps;
        stands.gap = match formation {
            Formation::OpenOrder => stands.gap.clamp(gaps.0, gaps.1),
            Formation::Unlimbered => stands.gap.min(self.battle.measures().scaled(INCH)),
            _ => 0,
        };
        Placement::new(pose, formation, stands)
    }

    fn leg(&mut self, place: Placement, way: Mils, road: Option<bool>, sets: bool) {
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
    fn set(&mut self, place: Placement, way: Mils) {
        self.leg(place, way, None, true);
    }

    /// The whole block goes straight by an offset.
    fn shift(&mut self, right: Mils, ahead: Mils, way: Mils) {
        let mut place = self.drill.place.clone();
        let by = place.pose.facing.offset(right, ahead);
        place.pose.at = place.pose.at + by;
        for stand in &mut place.stands {
            stand.at = stand.at + by;
        }
        self.leg(place, way, None, false);
    }

    fn turned_about(&self, pivot: Point, by: i32) -> Placement {
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

    fn wheel(&mut self, on: Corner, by: i32) {
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
    fn laid_like(&self, pose: Pose) -> Placement {
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
    fn snake_to(&mut self, point: Point, facing: Facing, way: Mils, road: Option<bool>) {
        let depth = self.stands().size.depth;
        let mut trail = Trail::of(&self.drill.place.stands, depth);
        trail.head_to(point);
        let mut place = self.drill.place.clone();
        place.pose = Pose::new(point, facing);
        place.stands = trail.stands(place.stands.len(), depth, facing);
        self.leg(place, way, road, false);
    }

    fn ahead(&mut self, inches: Mils) {
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

    fn no(&self, rules: &[&str], fact: impl Into<String>) -> No {
        self.battle.no(rules, fact)
    }

    fn needs(&self, formations: &[Formation], what: &str) -> Result<(), No> {
        let now = self.drill.place.formation;
        if formations.contains(&now) {
            return Ok(());
        }
        let may: Vec<&str> = formations.iter().map(|f| f.name()).collect();
        Err(self.no(
            &["ruling.wheel-measurement"],
            format!("{} is in {}: {what} is for {}", self.unit.id(), now.name(), may.join(", ")),
        ))
    }

    fn positive(&self, inches: Mils) -> Result<Mils, No> {
        if inches > 0 {
            return Ok(inches);
        }
        Err(self.no(&["ruling.wheel-measurement"], "a step goes more than 0 inches"))
    }

    fn angle(&self, degrees: f64, most: i32) -> Result<i32, No> {
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
        use Formation::{
            FieldColumn, Garrison, Limbered, Line, MarchColumn, OpenOrder, Square, Unlimbered,
        };
        let measures = self.battle.measures();
        match *step {
            Step::Advance { inches } => {
                let inches = self.positive(inches)?;
                self.mobile()?;
                self.ahead(inches);
            }
            Step::Withdraw { inches } => {
                let inches = self.positive(inches)?;
                self.mobile()?;
                self.needs(&[Line, OpenOrder, FieldColumn, Square], "a withdrawal")?;
                self.shift(0, -inches, inches);
                self.drill.back += inches;
            }
            Step::Oblique { inches, to, degrees } => {
                let inches = self.positive(inches)?;
                let by = self.angle(degrees, measures.wheel)?;
                self.needs(&[Line, OpenOrder, FieldColumn, Square], "an oblique")?;
                let signed = if to == Corner::Left { -by } else { by };
                let offset = Facing::hundredths(signed).offset(0, inches);
                self.shift(offset.x, offset.y, inches);
                self.drill.obliqued = self.drill.obliqued.max(by);
                self.drill.ahead += inches;
            }
            Step::Wheel { to, degrees } => {
                self.needs(&[Line, OpenOrder, FieldColumn], "a wheel")?;
                let by = self.angle(degrees, measures.wheel)?;
                self.wheel(to, if to == Corner::Left { -by } else { by });
                self.drill.wheeled += by;
                self.drill.ahead += 1;
            }
            Step::Turn { facing } => self.turn_head(facing)?,
            Step::AboutFace => self.about_face()?,
            Step::FlankMarch { to, inches } => {
                let inches = self.positive(inches)?;
                self.needs(&[Line, OpenOrder, FieldColumn], "a march by the flank")?;
                let signed = if to == Corner::Left { -inches } else { inches };
                self.shift(signed, 0, inches);
                self.drill.sideways += inches;
            }
            Step::Road { road, inches, forward } => self.follow(road, inches, forward)?,
            Step::Form { formation, toward } => self.form(formation, toward)?,
            Step::DeployToTheFront => {
                self.needs(&[MarchColumn], "deploying to the front")?;
                let formation = if self.unit.card.only_open_order() { OpenOrder } else { Line };
                let place = self.laid(self.drill.place.pose, formation);
                self.set(place, 0);
            }
            Step::ChangeFront { to, degrees, backward } => {
                self.needs(&[Line, OpenOrder], "changing front")?;
                let by = self.angle(degrees, measures.change_front)?;
                let forward = if to == Corner::Left { -by } else { by };
                self.wheel(to, if backward { -forward } else { forward });
            }
            Step::RefuseFlank { flank, files, degrees } => self.refuse(flank, files, degrees)?,
            Step::Expand { gap } => {
                self.needs(&[OpenOrder], "widening the gaps")?;
                let most = measures.gaps.1;
                if gap < self.drill.place.gap || gap > most {
                    return Err(self.no(
                        &["formations.open-order.expand.limit", "ruling.formation-layout"],
                        format!(
                            "gaps widen from {} to at most {} inches",
                            table::inches(self.drill.place.gap),
                            table::inches(most)
                        ),
                    ));
                }
                self.drill.place.gap = gap;
                let place = self.laid(self.drill.place.pose, OpenOrder);
                self.set(place, 0);
            }
            Step::Limber => {
                self.needs(&[Unlimbered], "limbering")?;
                let place = self.laid(self.drill.place.pose, Limbered);
                self.set(place, 0);
            }
            Step::Unlimber { facing } => {
                self.needs(&[Limbered], "unlimbering")?;
                let depth = self.stands().size.depth;
                let middle = self.drill.place.pose.place(0, -depth / 2);
                let pose = Pose::new(middle + facing.offset(0, depth / 2), facing);
                let place = self.laid(pose, Unlimbered);
                self.set(place, 0);
            }
            Step::Pivot { facing } => {
                self.needs(&[Unlimbered], "pivoting")?;
                let depth = self.stands().size.depth;
                let middle = self.drill.place.pose.place(0, -depth / 2);
                let pose = Pose::new(middle + facing.offset(0, depth / 2), facing);
                let place = self.laid(pose, Unlimbered);
                self.set(place, 0);
            }
            Step::HandHaul { inches } => {
                self.needs(&[Unlimbered], "hauling by hand")?;
                self.shift(0, inches, inches.abs());
            }
            Step::Mount | Step::Dismount => {
                let down = matches!(step, Step::Dismount);
                if self.drill.place.on_foot == down {
                    let is = if down { "on foot" } else { "mounted" };
                    return Err(self.no(
                        &["ruling.mount-dismount"],
                        format!("{} is {is} already", self.unit.id()),
                    ));
                }
                self.drill.place.on_foot = down;
                self.drill.on_foot_after = down;
                let formation = if down { OpenOrder } else { Line };
                let place = self.laid(self.drill.place.pose, formation);
                self.set(place, 0);
            }
            Step::Scale { obstacle } => self.scale(obstacle)?,
            Step::Garrison { building } => self.enter(building)?,
            Step::Replenish | Step::Rally => {}
        }
        if self.drill.place.formation == Garrison
            && !matches!(step, Step::Garrison { .. } | Step::Turn { .. } | Step::Replenish)
        {
            return Err(self.no(&["ruling.garrison"], "a garrison first forms up outside"));
        }
        Ok(())
    }

    fn mobile(&self) -> Result<(), No> {
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

    fn turn_head(&mut self, facing: Facing) -> Result<(), No> {
        let formation = self.drill.place.formation;
        if !formation.nature().turns && formation != Formation::Garrison {
            return Err(self.no(
                &["ruling.wheel-measurement"],
                format!("only columns turn freely at their head, not a {}", formation.name()),
            ));
        }
        let mut place = self.drill.place.clone();
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
        self.set(place, 0);
        Ok(())
    }

    fn about_face(&mut self) -> Result<(), No> {
        use Formation::{FieldColumn, Limbered, Line, MarchColumn, OpenOrder};
        self.needs(&[Line, OpenOrder, FieldColumn, MarchColumn, Limbered], "facing about")?;
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
        Ok(())
    }

    /// How far its stands reach behind and ahead of its front.
    fn depth(&self) -> (Mils, Mils) {
        let pose = self.drill.place.pose;
        let feet = self.feet(&self.drill.place);
        let ahead = feet.iter().flat_map(|f| f.corners).map(|c| pose.sees(c).1);
        ahead.fold((0, 0), |(l, h), a| (l.min(a), h.max(a)))
    }

    fn follow(&mut self, road: Id, inches: Mils, forward: bool) -> Result<(), No> {
        let rules = ["roads.follow-path", "ruling.triple-alliance-roads"];
        let inches = self.positive(inches)?;
        if !self.drill.place.formation.nature().roads {
            return Err(self.no(
                &["roads.who.march-column", "ruling.triple-alliance-roads"],
                format!("a {} cannot follow a road", self.drill.place.formation.name()),
            ));
        }
        let piece = self.battle.field.piece(road).filter(|p| p.kind == Kind::Road);
        let Some(piece) = piece else {
            return Err(self.no(&rules, format!("there is no road {road}")));
        };
        let touching = self
            .feet(&self.drill.place)
            .iter()
            .any(|f| piece.shape.under(f) || piece.shape.distance_to(f.pose.at) <= TOUCH);
        if !touching {
            return Err(self.no(
                &["roads.start-on-road", "ruling.triple-alliance-roads"],
                format!("{} does not touch the road {road}", self.unit.id()),
            ));
        }
        let mut points = piece.shape.points().to_vec();
        if !forward {
            points.reverse();
        }
        let mut ways = along(&points, self.drill.place.pose.at);
        let mut left = inches;
        let mut at = ways.remove(0);
        // Onto the middle of the road first; it is part of the way.
        let here = self.drill.place.pose.at;
        if here.distance(at) > TOUCH {
            let facing = here.toward(at).unwrap_or(self.drill.place.pose.facing);
            let way = here.distance(at).min(left);
            self.snake(here.on_the_way(at, way), facing, way, None);
            left -= way;
        }
        for next in ways {
            while left > 0 && at.distance(next) > 0 {
                let way = left.min(at.distance(next)).min(INCH);
                let point = at.on_the_way(next, way);
                let facing = at.toward(next).unwrap_or(self.drill.place.pose.facing);
                self.snake(point, facing, way, Some(piece.good));
                at = point;
                left -= way;
            }
        }
        if left > 0 {
            return Err(self.no(
                &rules,
                format!("the road {road} ends {} inches on", table::inches(inches - left)),
            ));
        }
        self.drill.ahead += inches;
        Ok(())
    }

    fn snake(&mut self, point: Point, facing: Facing, way: Mils, road: Option<bool>) {
        if self.drill.place.formation.snakes() {
            self.snake_to(point, facing, way, road);
        } else {
            let place = self.laid(Pose::new(point, facing), self.drill.place.formation);
            self.leg(place, way, road, false);
        }
    }

    fn form(&mut self, formation: Formation, toward: Option<Corner>) -> Result<(), No> {
        use Formation::{
            Broken, Garrison, HastySquare, Limbered, MarchColumn, OpenOrder, Unlimbered,
        };
        let from = self.drill.place.formation;
        if !self.unit.card.formations.contains(&formation)
            || matches!(formation, Broken | HastySquare | Limbered | Unlimbered | Garrison)
            || (self.drill.place.on_foot && formation != OpenOrder)
        {
            let may: Vec<&str> = self.unit.card.formations.iter().map(|f| f.name()).collect();
            return Err(self.no(
                &["formations.open-order.not-others", "ruling.formation-layout"],
                format!(
                    "{} cannot form {}; it knows {}",
                    self.unit.id(),
                    formation.name(),
                    may.join(", ")
                ),
            ));
        }
        if from == formation {
            return Err(self.no(
                &["troop-maneuvers.well-handled.change-formation"],
                format!("{} is in {} already", self.unit.id(), formation.name()),
            ));
        }
        let pose = self.drill.place.pose;
        let place = if from == MarchColumn && matches!(formation, Formation::Line | OpenOrder) {
            let Some(toward) = toward else {
                return Err(self.no(
                    &[
                        "formations.deploy-to-the-front.basic-rule",
                        "ruling.change-formation-placement",
                    ],
                    "a march column deploys along its way: say toward left or right",
                ));
            };
            let by = if toward == Corner::Left { -9000 } else { 9000 };
            let n = self.drill.place.stands.len();
            let size = self.stands().size;
            let middle = self.drill.place.stands.get(n / 2).copied().unwrap_or(pose);
            let centre = if n % 2 == 0 { middle.at } else { middle.place(0, -size.depth / 2) };
            let facing = middle.facing.turned(by);
            self.laid(Pose::new(centre + facing.offset(0, size.width / 2), facing), formation)
        } else if from == Garrison {
            self.outside(formation)?
        } else {
            self.laid(pose, formation)
        };
        self.set(place, 0);
        Ok(())
    }

    /// A garrison forms up just outside its building, on the side it faces.
    fn outside(&self, formation: Formation) -> Result<Placement, No> {
        let pose = self.drill.place.pose;
        let piece = self.drill.place.garrison.and_then(|g| self.battle.field.piece(g));
        let Some(piece) = piece else {
            return Ok(self.laid(pose, formation));
        };
        let centre = middle_of(piece);
        for way in (0..60).map(|i| i * INCH / 2) {
            let place =
                self.laid(Pose::new(centre + pose.facing.offset(0, way), pose.facing), formation);
            if !self.feet(&place).iter().any(|f| piece.shape.under(f)) {
                return Ok(place);
            }
        }
        Err(self.no(&["ruling.garrison"], "there is no room outside"))
    }

    fn refuse(&mut self, flank: Corner, files: u8, degrees: f64) -> Result<(), No> {
        use Formation::{Line, OpenOrder};
        self.needs(&[Line, OpenOrder], "refusing a flank")?;
        let (most, share) = self.battle.measures().refuse;
        let by = self.angle(degrees, most)?;
        let stands = self.stands();
        let slots = self.drill.place.formation.slots(
            stands.count,
            stands.size,
            stands.gap,
            stands.one_rank,
        );
        let mut across: Vec<Mils> = slots.iter().filter(|s| s.back == 0).map(|s| s.right).collect();
        across.sort_unstable();
        if flank == Corner::Right {
            across.reverse();
        }
        let refused = slots
            .iter()
            .filter(|s| is_refused(s, flank, &across, files, stands.size.width))
            .count();
        #[allow(clippy::cast_precision_loss)] // a few dozen
        let too_many = refused as f64 > share * slots.len() as f64;
        if files == 0 || usize::from(files) >= across.len() || too_many {
            return Err(self.no(
                &["formations.open-order.refuse-flank", "ruling.refuse-flank"],
                format!("{refused} stands: at least one, and at most half of the {}", slots.len()),
            ));
        }
        let mut place = self.laid(self.drill.place.pose, self.drill.place.formation);
        let sign = if flank == Corner::Left { -1 } else { 1 };
        // The joint is the inner front corner of the refused files.
        let joint =
            place.pose.place(across[usize::from(files) - 1] - sign * stands.size.width / 2, 0);
        for (stand, slot) in place.stands.iter_mut().zip(&slots) {
            if is_refused(slot, flank, &across, files, stands.size.width) {
                let (r, a) = stand.facing.across_and_ahead(joint - stand.at);
                let facing = stand.facing.turned(sign * by);
                *stand = Pose::new(joint - facing.offset(r, a), facing);
            }
        }
        place.refused = Some(RefusedFlank { flank, files, turn: by });
        self.set(place, 0);
        Ok(())
    }

    fn scale(&mut self, obstacle: Id) -> Result<(), No> {
        let rules = ["troop-maneuvers.well-handled.scale-major-obstacle", "ruling.obstacles"];
        let piece = self.battle.field.piece(obstacle).filter(|p| p.obstacle);
        let Some(piece) = piece else {
            return Err(self.no(&rules, format!("{obstacle} is no major obstacle")));
        };
        let near = |feet: &[Footprint]| {
            feet.iter().any(|f| {
                piece.shape.distance_to(f.pose.at) <= self.battle.measures().scaled(INCH / 2)
                    || piece.shape.under(f)
            })
        };
        if !near(&self.feet(&self.drill.place)) {
            return Err(
                self.no(&rules, format!("{} is not in contact with {obstacle}", self.unit.id()))
            );
        }
        let start = self.drill.place.clone();
        let mut over = false;
        for way in (1..80).map(|i| i * INCH / 4) {
            self.drill.place = start.clone();
            let by = start.pose.facing.offset(0, way);
            let mut place = start.clone();
            place.pose.at = place.pose.at + by;
            place.stands.iter_mut().for_each(|s| s.at = s.at + by);
            let feet = self.feet(&place);
            let crossed = feet.iter().any(|f| piece.shape.under(f));
            over |= crossed;
            if over && !crossed {
                self.leg(place, 0, None, false);
                if let Some(leg) = self.drill.legs.last_mut() {
                    leg.enters = Some(obstacle);
                }
                return Ok(());
            }
        }
        Err(self.no(&rules, format!("{obstacle} is not ahead of {}", self.unit.id())))
    }

    fn enter(&mut self, building: Id) -> Result<(), No> {
        let rules = ["troop-maneuvers.tardy.change-formation.garrison", "ruling.garrison"];
        let piece =
            self.battle.field.piece(building).filter(|p| p.kind.is_built() || p.capacity > 0);
        let Some(piece) = piece else {
            return Err(self.no(&rules, format!("{building} cannot be garrisoned")));
        };
        let reach = self.battle.measures().scaled(INCH / 2);
        if !self.feet(&self.drill.place).iter().any(|f| {
            f.corners.iter().any(|c| piece.shape.distance_to(*c) <= reach) || piece.shape.under(f)
        }) {
            return Err(
                self.no(&rules, format!("{} is not in contact with {building}", self.unit.id()))
            );
        }
        let capacity = capacity(piece);
        if self.unit.bases() > capacity {
            return Err(self.no(
                &rules,
                format!(
                    "{building} holds {capacity} stands, {} has {}",
                    self.unit.id(),
                    self.unit.bases()
                ),
            ));
        }
        let place = garrison(piece, self.unit.bases(), self.drill.place.pose.facing);
        self.set(place, 0);
        Ok(())
    }
}

fn is_refused(slot: &Slot, flank: Corner, across: &[Mils], files: u8, width: Mils) -> bool {
    let Some(inner) = across.get(usize::from(files).saturating_sub(1)) else {
        return false;
    };
    match flank {
        Corner::Left => slot.right <= inner + width / 4,
        Corner::Right => slot.right >= inner - width / 4,
    }
}

/// The points of a road from the place on it nearest to where one stands, to its end.
fn along(points: &[Point], from: Point) -> Vec<Point> {
    let mut best = (Mils::MAX, 0, points[0]);
    for (i, pair) in points.windows(2).enumerate() {
        let long = pair[0].distance(pair[1]);
        // The foot of the perpendicular, by its share of the piece.
        let facing = pair[0].toward(pair[1]).unwrap_or_default();
        let ahead = facing.across_and_ahead(from - pair[0]).1.clamp(0, long);
        let foot = pair[0].on_the_way(pair[1], ahead);
        let far = foot.distance(from);
        if far < best.0 {
            best = (far, i, foot);
        }
    }
    let mut way = vec![best.2];
    way.extend_from_slice(&points[best.1 + 1..]);
    way
}

/// How many stands a building holds: as marked, or one for each inch of its walls.
pub(crate) fn capacity(piece: &Piece) -> usize {
    if piece.capacity > 0 {
        return piece.capacity.into();
    }
    usize::try_from(around(&piece.shape) / INCH).unwrap_or(0)
}

fn around(shape: &Feature) -> Mils {
    let points = shape.points();
    (0..points.len()).map(|i| points[i].distance(points[(i + 1) % points.len()])).sum()
}

pub(crate) fn middle_of(piece: &Piece) -> Point {
    let bounds = piece.shape.bounds();
    Point {
        x: i32::midpoint(bounds.low.x, bounds.high.x),
        y: i32::midpoint(bounds.low.y, bounds.high.y),
    }
}

/// The stands of a garrison, evenly along the walls and facing outward.
pub(crate) fn garrison(piece: &Piece, stands: usize, facing: Facing) -> Placement {
    let points = piece.shape.points();
    let closed = matches!(piece.shape.outline(), Outline::Area(_));
    let whole = around(&piece.shape);
    let count = i32::try_from(stands.max(1)).unwrap_or(1);
    let mut poses = Vec::with_capacity(stands);
    for i in 0..count {
        let mut way = whole / count * i + whole / count / 2;
        for k in 0..points.len() {
            let (a, b) = (points[k], points[(k + 1) % points.len()]);
            let long = a.distance(b);
            if way <= long || k + 1 == points.len() {
                let at = a.on_the_way(b, way.min(long));
                let along = a.toward(b).unwrap_or(facing);
                let left = along.turned(-9000);
                let out = if closed && piece.shape.holds(at + left.offset(0, INCH / 4)) {
                    left.back()
                } else {
                    left
                };
                poses.push(Pose::new(at, out));
                break;
            }
            way -= long;
        }
    }
    Placement {
        pose: Pose::new(middle_of(piece), facing),
        formation: Formation::Garrison,
        gap: 0,
        refused: None,
        garrison: Some(piece.id),
        on_foot: false,
        stands: poses,
    }
}

/// The stands of a unit after a change of their number, in the same formation at the same front.
pub(crate) fn closed_up(battle: &Battle, unit: &Unit) -> Placement {
    let sergeant = Sergeant::new(battle, unit);
    let place = &unit.place;
    match place.formation {
        Formation::Garrison => {
            let piece = place.garrison.and_then(|g| battle.field.piece(g));
            piece.map_or_else(|| place.clone(), |p| garrison(p, unit.bases(), place.pose.facing))
        }
        f if f.snakes() => {
            let mut kept = place.clone();
            kept.stands.truncate(unit.bases());
            kept
        }
        f => {
            let mut laid = sergeant.laid(place.pose, f);
            laid.gap = place.gap;
            laid.stands = stands_at(
                place.pose,
                &f.slots(unit.bases(), unit.size(), place.gap, battle.measures().one_rank),
            );
            laid
        }
    }
}
