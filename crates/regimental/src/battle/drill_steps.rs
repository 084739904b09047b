//! The steps of the drill, one by one: what each does to the unit, and in which formation it may be
//! made. Roads, formations, flanks and buildings have their own places in `drill_places.rs`.

use table::{Corner, Facing, Mils, Pose, inches};

use super::card::Branch;
use super::drill::Sergeant;
use super::formation::{Formation, Nature};
use super::refusal::No;

/// So much of a turn or of a way toward a corner: the right is positive.
fn toward(corner: Corner, by: i32) -> i32 {
    if corner == Corner::Left { -by } else { by }
}

impl Sergeant<'_> {
    pub(super) fn advance(&mut self, way: Mils) -> Result<(), No> {
        let way = self.positive(way)?;
        self.mobile()?;
        self.ahead(way);
        Ok(())
    }

    pub(super) fn withdraw(&mut self, way: Mils) -> Result<(), No> {
        let way = self.positive(way)?;
        self.mobile()?;
        self.needs(|n| n.obliques, ("a withdrawal", &["ruling.backward-move"]))?;
        self.shift(0, -way, way);
        self.drill.back += way;
        Ok(())
    }

    pub(super) fn oblique(&mut self, way: Mils, to: Corner, degrees: f64) -> Result<(), No> {
        let way = self.positive(way)?;
        let by = self.angle(degrees, self.battle.measures().wheel)?;
        self.needs(|n| n.obliques, ("an oblique", &["ruling.wheel-measurement"]))?;
        let offset = Facing::hundredths(toward(to, by)).offset(0, way);
        self.shift(offset.x, offset.y, way);
        self.drill.obliqued = self.drill.obliqued.max(by);
        self.drill.ahead += way;
        Ok(())
    }

    pub(super) fn wheel_forward(&mut self, to: Corner, degrees: f64) -> Result<(), No> {
        self.needs(|n| n.wheels, ("a wheel", &["ruling.wheel-measurement"]))?;
        // From one side of its first facing to the other; how far from it is judged after.
        let by = self.angle(degrees, 2 * self.battle.measures().wheel)?;
        let signed = toward(to, by);
        self.wheel(to, signed);
        self.drill.wheeled += by;
        self.drill.veer += signed;
        self.drill.veered = self.drill.veered.max(self.drill.veer.abs());
        self.drill.ahead += 1;
        Ok(())
    }

    pub(super) fn flank_march(&mut self, to: Corner, way: Mils) -> Result<(), No> {
        let way = self.positive(way)?;
        let rules = ["troop-maneuvers.well-handled.march-by-the-flank", "ruling.half-move-and"];
        self.needs(|n| n.wheels, ("a march by the flank", &rules))?;
        self.shift(toward(to, way), 0, way);
        self.drill.sideways += way;
        Ok(())
    }

    pub(super) fn deploy_to_the_front(&mut self) -> Result<(), No> {
        let rules = ["troop-maneuvers.well-handled.deploy-to-the-front", "ruling.half-move-and"];
        let column = |n: &Nature| n.formation == Formation::MarchColumn;
        self.needs(column, ("deploying to the front", &rules))?;
        let open = self.unit.card.only_open_order();
        let formation = if open { Formation::OpenOrder } else { Formation::Line };
        let place = self.laid(self.drill.place.pose, formation);
        self.keeps_its_distance(&place)?;
        self.set(place, 0);
        Ok(())
    }

    pub(super) fn change_front(
        &mut self,
        to: Corner,
        degrees: f64,
        backward: bool,
    ) -> Result<(), No> {
        let rules = [
            "formations.change-front.formations",
            "troop-maneuvers.well-handled.change-front",
            "ruling.half-move-and",
        ];
        self.needs(|n| n.line, ("changing front", &rules))?;
        let measures = self.battle.measures();
        let by = self.angle(degrees, measures.change_front).map_err(|no| {
            let rules = ["formations.change-front.angle", "formations.wheel.basic"];
            No { rule: measures.clauses.cite(&rules), ..no }
        })?;
        let forward = toward(to, by);
        self.wheel(to, if backward { -forward } else { forward });
        Ok(())
    }

    /// Widens the gaps of a formation that has any.
    pub(super) fn expand(&mut self, gap: Mils) -> Result<(), No> {
        let rules = ["formations.open-order.expand.when", "ruling.formation-layout"];
        self.needs(|n| n.gaps.is_some(), ("widening the gaps", &rules))?;
        let (formation, now) = (self.drill.place.formation, self.drill.place.gap);
        let most = formation.nature().gaps.map_or(0, |gaps| gaps(self.battle.measures()).1);
        if gap < now || gap > most {
            let (now, most) = (inches(now), inches(most));
            return Err(self.no(
                &["formations.open-order.expand.limit", "ruling.formation-layout"],
                format!("gaps widen from {now} to at most {most} inches"),
            ));
        }
        self.drill.place.gap = gap;
        let place = self.laid(self.drill.place.pose, formation);
        self.set(place, 0);
        Ok(())
    }

    fn is_unlimbered(&self, what: &str, rules: &[&str]) -> Result<(), No> {
        self.needs(|n| n.formation == Formation::Unlimbered, (what, rules))
    }

    pub(super) fn limber(&mut self) -> Result<(), No> {
        self.is_unlimbered("limbering", &["gun-maneuvers.well-handled.limber"])?;
        let place = self.laid(self.drill.place.pose, Formation::Limbered);
        self.set(place, 0);
        Ok(())
    }

    pub(super) fn unlimber(&mut self, facing: Facing) -> Result<(), No> {
        let limbered = |n: &Nature| n.formation == Formation::Limbered;
        self.needs(limbered, ("unlimbering", &["gun-maneuvers.well-handled.unlimber"]))?;
        self.point_guns(facing);
        Ok(())
    }

    pub(super) fn pivot(&mut self, facing: Facing) -> Result<(), No> {
        self.is_unlimbered("pivoting", &["gun-maneuvers.well-handled.pivot"])?;
        self.point_guns(facing);
        Ok(())
    }

    /// Unlimbered guns with their middle where it is, facing some way.
    fn point_guns(&mut self, facing: Facing) {
        let depth = self.stands().size.depth;
        let middle = self.drill.place.pose.place(0, -depth / 2);
        let pose = Pose::new(middle + facing.offset(0, depth / 2), facing);
        let place = self.laid(pose, Formation::Unlimbered);
        self.set(place, 0);
    }

    pub(super) fn hand_haul(&mut self, way: Mils) -> Result<(), No> {
        let rules =
            ["gun-maneuvers.well-handled.mobile.hand-haul", "gun-maneuvers.well-handled.hand-haul"];
        self.is_unlimbered("hauling by hand", &rules)?;
        self.shift(0, way, way.abs());
        Ok(())
    }

    pub(super) fn mount(&mut self) -> Result<(), No> {
        self.leave_or_take_the_saddle(false)
    }

    pub(super) fn dismount(&mut self) -> Result<(), No> {
        self.leave_or_take_the_saddle(true)
    }

    fn leave_or_take_the_saddle(&mut self, down: bool) -> Result<(), No> {
        let id = self.unit.id();
        if self.unit.card.branch != Branch::Cavalry {
            return Err(self.no(&["ruling.mount-dismount"], format!("{id} is not cavalry")));
        }
        if self.drill.place.on_foot == down {
            let is = if down { "on foot" } else { "mounted" };
            return Err(self.no(&["ruling.mount-dismount"], format!("{id} is {is} already")));
        }
        self.drill.place.on_foot = down;
        self.drill.on_foot_after = down;
        let formation = if down { Formation::OpenOrder } else { Formation::Line };
        let place = self.laid(self.drill.place.pose, formation);
        self.set(place, 0);
        Ok(())
    }
}
