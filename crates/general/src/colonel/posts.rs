//! What the ground offers: roads to march by, buildings to hold, a flank to bend back.

use regimental::battle::card::Branch;
use regimental::battle::state::Pace;
use regimental::battle::terrain::Kind;
use regimental::battle::{Formation, Step, Unit};
use regimental::maneuver::Order as Ranks;
use table::{Corner, INCH, Mils, Point, Pose};

use super::Colonel;
use super::plan::What;

/// How near the enemy may be before columns leave the road.
const ROAD_ENDS: Mils = 18 * INCH;

/// How near the enemy must be before a building is worth holding.
const AT_HAND: Mils = 24 * INCH;

impl Colonel<'_> {
    /// Along a road, for a column or limbered guns, where that brings it nearer than the field.
    pub(super) fn by_road(
        &self,
        unit: &Unit,
        pace: Pace,
        aim: Point,
    ) -> Option<(Vec<Step>, String)> {
        let battle = self.seat.battle;
        let near = self.seat.nearest_enemy(unit.middle)?.distance(unit) < ROAD_ENDS;
        let by_roads = matches!(unit.formation(), Formation::MarchColumn | Formation::Limbered);
        if near || !by_roads {
            return None;
        }
        let from = unit.place.pose.at;
        let left = |end: Point| end.distance(aim);
        let straight = battle.sketch(unit, pace, Pose::new(aim, from.toward(aim)?));
        let mut best = (left(straight.end.at).min(left(from)) - INCH, None);
        let rate = unit.card.row(unit.formation(), unit.place.on_foot).full[0];
        let roads = battle.field().pieces.iter().filter(|p| p.kind == Kind::Road);
        for road in roads.filter(|p| p.shape.distance_to(from) <= unit.size().width) {
            for forward in [true, false] {
                // The bonus of a good road doubles the way at most.
                for quarters in [8, 6, 4, 2] {
                    let inches = rate * quarters / 4;
                    let steps = vec![Step::Road { road: road.id, inches, forward }];
                    let Some(done) = battle.allows(unit, pace, &steps, false) else { continue };
                    if left(done.place.pose.at) < best.0 {
                        best = (left(done.place.pose.at), Some(steps));
                    }
                    break;
                }
            }
        }
        best.1.map(|steps| (steps, format!("{} marches by the road.", unit.card.name)))
    }

    /// Into a building at hand, for foot that is to hold its ground; out of it to attack.
    pub(super) fn post(&self, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
        let task = self.plan.task(unit)?;
        let name = &unit.card.name;
        if unit.formation() == Formation::Garrison {
            if !task.what.is_forward() {
                return None;
            }
            let forms = [Formation::Line, Formation::OpenOrder]
                .map(|formation| vec![Step::Form { formation, toward: None }]);
            let steps = forms.into_iter().find(|s| self.seat.legal(unit, pace, s))?;
            return Some((steps, format!("{name} forms up outside to go forward.")));
        }
        let holds = matches!(task.what, What::Keep(_) | What::Ground);
        let foot = unit.card.branch == Branch::Infantry && unit.order == Ranks::Good;
        if !holds || !foot || !self.seat.enemies().any(|e| e.near(unit, AT_HAND)) {
            return None;
        }
        let buildings = self.seat.battle.field().pieces.iter().filter(|p| p.kind.is_built());
        let at_hand = buildings.filter(|p| p.shape.distance_to(unit.middle) <= unit.radius + INCH);
        for building in at_hand {
            let steps = vec![Step::Garrison { building: building.id }];
            if self.seat.legal(unit, pace, &steps) {
                return Some((steps, format!("{name} takes post in {}.", building.id)));
            }
        }
        None
    }

    /// Bends back the flank an enemy has got round, while another is before the front.
    pub(super) fn refuse(&self, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
        if !unit.formation().nature().line || unit.mounted() || unit.bases() < 4 {
            return None;
        }
        let scaled = |inches: Mils| self.seat.battle.measures().scaled(inches);
        let steady = |e: &&Unit| !e.is_guns() && e.order != Ranks::Broken;
        let place = |e: &Unit| unit.place.pose.sees(e.middle);
        let held = self.seat.enemies().filter(steady).any(|e| {
            let (across, ahead) = place(e);
            e.near(unit, scaled(12 * INCH)) && ahead > across.abs()
        });
        let round = self.seat.enemies().filter(steady).find(|e| {
            let (across, ahead) = place(e);
            e.near(unit, scaled(10 * INCH)) && ahead < across.abs() / 3
        })?;
        if !held {
            return None;
        }
        let flank = if place(round).0 < 0 { Corner::Left } else { Corner::Right };
        let files = u8::try_from(unit.bases() / 4).unwrap_or(1).max(1);
        let steps = vec![Step::RefuseFlank { flank, files, degrees: 45.0 }];
        let why = format!("{} refuses its flank: {} is round it.", unit.card.name, round.card.name);
        self.seat.legal(unit, pace, &steps).then_some((steps, why))
    }
}
