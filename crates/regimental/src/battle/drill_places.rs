//! Drill that sets stands anew: formations, flanks, roads, obstacles, buildings.

use table::{Corner, Facing, Feature, Footprint, INCH, Mils, Outline, Point, Pose, Slot, TOUCH};

use super::Battle;
use super::card::{Branch, Trait};
use super::drill::{Leg, Sergeant};
use super::formation::Formation;
use super::gap::gap_under;
use super::id::Id;
use super::refusal::No;
use super::state::{Placement, RefusedFlank, Unit};
use super::terrain::{Kind, Piece};

impl Sergeant<'_> {
    pub(super) fn follow(&mut self, road: Id, inches: Mils, forward: bool) -> Result<(), No> {
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
        // Troops that touched it in another formation form their column on the road.
        let formed = self.drill.way() == 0 && self.drill.place.formation != self.unit.formation();
        let begun = |legs: &[Leg]| legs.first().is_some_and(|l| piece.touched_by(&l.feet));
        let on_it = piece.touched_by(&self.feet(&self.drill.place));
        if !(on_it || formed && begun(&self.drill.legs)) {
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
        let leads = ways.windows(2).find_map(|w| w[0].toward(w[1]));
        if leads.is_some_and(|to| self.drill.place.pose.facing.turn_to(to).abs() > 9000) {
            // Turning about on the road is part of following it (roads.either-direction).
            self.turn_about();
            ways = along(&points, self.drill.place.pose.at);
        }
        let mut left = inches;
        let mut at = ways.remove(0);
        // Who touches the road is on it at once: its middle costs nothing to reach.
        let here = self.drill.place.pose.at;
        if here.distance(at) > TOUCH {
            let facing = here.toward(at).unwrap_or(self.drill.place.pose.facing);
            self.snake(at, facing, 0, None);
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

    pub(super) fn snake(&mut self, point: Point, facing: Facing, way: Mils, road: Option<bool>) {
        if self.drill.place.formation.snakes() {
            self.snake_to(point, facing, way, road);
        } else {
            let place = self.laid(Pose::new(point, facing), self.drill.place.formation);
            self.leg(place, way, road, false);
        }
    }

    pub(super) fn form(&mut self, formation: Formation, toward: Option<Corner>) -> Result<(), No> {
        use Formation::{Garrison, HastySquare, MarchColumn, OpenOrder, Square};
        let from = self.drill.place.formation;
        if self.drill.place.on_foot && formation != OpenOrder {
            let rules = ["formations.open-order.who.dismounted-dragoons", "ruling.mount-dismount"];
            let fact = format!("{} is on foot and fights in open order only", self.unit.id());
            return Err(self.no(&rules, fact));
        }
        if !self.unit.card.formations.contains(&formation) || !formation.nature().ordered {
            let usable = |f: &&Formation| f.nature().ordered;
            let known = self.unit.card.formations.iter().filter(usable);
            let may: Vec<&str> = known.map(|f| f.name()).collect();
            let rule = match formation {
                OpenOrder => "formations.open-order.not-others",
                Square | HastySquare => "ruling.square",
                _ if self.unit.card.parent.is_some() => {
                    "formations.open-order.detachment-formations"
                }
                _ if self.unit.card.is(Trait::Indians) => "ruling.indians",
                _ if self.unit.card.only_open_order() => "formations.open-order.who.militia",
                _ => "ruling.formation-layout",
            };
            return Err(self.no(
                &[rule, "ruling.formation-layout"],
                format!(
                    "{} cannot form {}; it {}",
                    self.unit.id(),
                    formation.name(),
                    if may.is_empty() {
                        "limbers and unlimbers".to_owned()
                    } else {
                        format!("knows {}", may.join(", "))
                    }
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
        let place = if from == MarchColumn && formation.nature().line {
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
            let centre =
                if n.is_multiple_of(2) { middle.at } else { middle.place(0, -size.depth / 2) };
            let facing = middle.facing.turned(by);
            self.laid(Pose::new(centre + facing.offset(0, size.width / 2), facing), formation)
        } else if from == Garrison {
            self.outside(formation)?
        } else {
            self.laid(pose, formation)
        };
        self.keeps_its_distance(&place)?;
        self.set(place, 0);
        Ok(())
    }

    /// A new formation stands no closer to an enemy in close range than the old one did.
    pub(super) fn keeps_its_distance(&self, place: &Placement) -> Result<(), No> {
        let (before, after) = (self.feet(&self.drill.place), self.feet(place));
        for enemy in self.battle.threats(self.unit) {
            // On the limit of his close range it is within it.
            let close = self.battle.close_range_of(enemy);
            let was = gap_under(&before, &enemy.feet, close + 1);
            // He has it in close range if he could fire at it there.
            let bears = |feet: &[_]| !self.battle.bearing(enemy, self.unit, feet, close).is_empty();
            if was.is_some_and(|was| gap_under(&after, &enemy.feet, was).is_some())
                && (bears(&before) || bears(&after))
            {
                let fact = format!(
                    "in {} {} would stand closer to {}, which has it in close range",
                    place.formation.name(),
                    self.unit.id(),
                    enemy.id()
                );
                let no = self.no(&["ruling.change-formation-placement"], fact);
                return Err(match self.drill.place.garrison {
                    Some(_) => no.instead("turn to another side first: turn, then form"),
                    None => no,
                });
            }
        }
        Ok(())
    }

    /// A garrison forms up just outside its building, on the side it faces.
    pub(super) fn outside(&self, formation: Formation) -> Result<Placement, No> {
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

    pub(super) fn refuse(&mut self, flank: Corner, files: u8, degrees: f64) -> Result<(), No> {
        self.needs(
            |n| n.line,
            ("refusing a flank", &["formations.open-order.refuse-flank", "ruling.refuse-flank"]),
        )?;
        if !self.battle.measures().clauses.has("formations.open-order.refuse-flank") {
            return Err(self.no(&["ruling.refuse-flank"], "this book has no refusing of a flank"));
        }
        let (most, share) = self.battle.measures().refuse;
        let by = self.angle(degrees, most).map_err(|no| No {
            rule: self
                .battle
                .measures()
                .clauses
                .cite(&["formations.open-order.refuse-flank", "ruling.refuse-flank"]),
            ..no
        })?;
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
                match usize::from(files) {
                    0 => "no file of stands is no flank: refuse at least one".to_owned(),
                    n if n >= across.len() => {
                        format!("its front has {} files: refuse at most half of it", across.len())
                    }
                    _ => format!("{refused} of {} stands: at most half of them", slots.len()),
                },
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

    pub(super) fn scale(&mut self, obstacle: Id) -> Result<(), No> {
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
        let feet = self.feet(&start);
        let rear = feet.iter().flat_map(|f| f.corners).map(|c| -start.pose.sees(c).1);
        let deep = rear.max().unwrap_or(0);
        // As far as the whole unit needs to be past it: ranks may leave it between them on the way,
        // and one that lies aslant is left by one flank long after the other.
        let step = INCH / 4;
        let under = |n: Mils| {
            let there = start.shifted(start.pose.facing.offset(0, n * step));
            self.feet(&there).iter().any(|f| piece.shape.under(f))
        };
        let (ranks, most) = (deep / step, (2 * deep + 2 * INCH + self.unit.frontage()) / step);
        let met = (0..=(deep + 2 * INCH) / step).find(|n| under(*n));
        let past = |n: &Mils| (*n..=*n + ranks).all(|n| !under(n));
        let beyond = met.and_then(|met| (met.max(1)..=most).find(past));
        if let Some(n) = beyond {
            let place = start.shifted(start.pose.facing.offset(0, n * step));
            self.leg(place, 0, None, false);
            if let Some(leg) = self.drill.legs.last_mut() {
                leg.enters = Some(obstacle);
            }
            return Ok(());
        }
        Err(self.no(&rules, format!("{obstacle} is not ahead of {}", self.unit.id())))
    }

    pub(super) fn enter(&mut self, building: Id) -> Result<(), No> {
        let rules = ["troop-maneuvers.tardy.change-formation.garrison", "ruling.garrison"];
        let piece =
            self.battle.field.piece(building).filter(|p| p.kind.is_built() || p.capacity > 0);
        let Some(piece) = piece else {
            return Err(self.no(&rules, format!("{building} cannot be garrisoned")));
        };
        if self.unit.card.branch != Branch::Infantry && !self.drill.place.on_foot {
            let fact = format!("{} is not infantry", self.unit.id());
            return Err(self.no(&rules, fact));
        }
        let reach = self.battle.measures().scaled(INCH / 2);
        if !self.feet(&self.drill.place).iter().any(|f| {
            f.corners.iter().any(|c| piece.shape.distance_to(*c) <= reach) || piece.shape.under(f)
        }) {
            return Err(
                self.no(&rules, format!("{} is not in contact with {building}", self.unit.id()))
            );
        }
        let capacity = capacity(piece);
        let others = self.battle.units.iter().filter(|u| {
            u.present() && u.id() != self.unit.id() && u.place.garrison == Some(building)
        });
        let there: usize = others.map(Unit::bases).sum();
        if there + self.unit.bases() > capacity {
            let full = match there {
                0 => String::new(),
                n => format!(", {n} are there"),
            };
            return Err(self.no(
                &rules,
                format!(
                    "{building} holds {capacity} stands{full}, {} has {}",
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

pub(super) fn is_refused(
    slot: &Slot,
    flank: Corner,
    across: &[Mils],
    files: u8,
    width: Mils,
) -> bool {
    let Some(inner) = across.get(usize::from(files).saturating_sub(1)) else {
        return false;
    };
    match flank {
        Corner::Left => slot.right <= inner + width / 4,
        Corner::Right => slot.right >= inner - width / 4,
    }
}

/// A place on the middle of a road: where, how far along it, and on which of its pieces.
pub(super) struct Station {
    pub(super) at: Point,
    pub(super) before: Mils,
    piece: usize,
}

/// The place of a road nearest to a point.
pub(super) fn station(points: &[Point], from: Point) -> Station {
    let mut best = (Mils::MAX, Station { at: points[0], before: 0, piece: 0 });
    let mut before = 0;
    for (piece, pair) in points.windows(2).enumerate() {
        let long = pair[0].distance(pair[1]);
        // The foot of the perpendicular, by its share of the piece.
        let facing = pair[0].toward(pair[1]).unwrap_or_default();
        let ahead = facing.across_and_ahead(from - pair[0]).1.clamp(0, long);
        let at = pair[0].on_the_way(pair[1], ahead);
        let far = at.distance(from);
        if far < best.0 {
            best = (far, Station { at, before: before + ahead, piece });
        }
        before += long;
    }
    best.1
}

/// The points of a road from the place on it nearest to where one stands, to its end.
pub(super) fn along(points: &[Point], from: Point) -> Vec<Point> {
    let here = station(points, from);
    let mut way = vec![here.at];
    way.extend_from_slice(&points[here.piece + 1..]);
    way
}

/// How many stands a building holds: as marked, or one for each inch of its walls.
pub(crate) fn capacity(piece: &Piece) -> usize {
    if piece.capacity > 0 {
        return piece.capacity.into();
    }
    usize::try_from(around(&piece.shape) / INCH).unwrap_or(0)
}

pub(super) fn around(shape: &Feature) -> Mils {
    let points = shape.points();
    (0..points.len()).map(|i| points[i].distance(points[(i + 1) % points.len()])).sum()
}

pub(crate) fn middle_of(piece: &Piece) -> Point {
    piece.shape.bounds().middle()
}

/// As many walls as count as faces; what has more is round.
const FACES: usize = 6;

/// The stands of a garrison, facing outward: shared equally among the faces, the odd ones to those
/// that look most to its front, or evenly along a wall that has no faces.
pub(crate) fn garrison(piece: &Piece, stands: usize, facing: Facing) -> Placement {
    let points = piece.shape.points();
    let closed = matches!(piece.shape.outline(), Outline::Area(_));
    let corners = points.len();
    let outward = |k: usize, at: Point| {
        let along = points[k].toward(points[(k + 1) % corners]).unwrap_or(facing);
        let left = along.turned(-9000);
        let inside = closed && piece.shape.holds(at + left.offset(0, INCH / 4));
        if inside { left.back() } else { left }
    };
    let whole = |n: usize| i32::try_from(n).unwrap_or(1).max(1);
    let mut poses = Vec::with_capacity(stands);
    if closed && (3..=FACES).contains(&corners) {
        let middle = |k: usize| {
            let (a, b) = (points[k], points[(k + 1) % corners]);
            a.on_the_way(b, a.distance(b) / 2)
        };
        let mut faces: Vec<usize> = (0..corners).collect();
        faces.sort_by_key(|k| (outward(*k, middle(*k)).turn_to(facing).abs(), *k));
        for (i, k) in faces.into_iter().enumerate() {
            let here = (stands + corners - 1).saturating_sub(i) / corners;
            let (a, b) = (points[k], points[(k + 1) % corners]);
            for n in 0..here {
                let way = a.distance(b) * (2 * whole(n + 1) - 1) / (2 * whole(here));
                let at = a.on_the_way(b, way);
                poses.push(Pose::new(at, outward(k, at)));
            }
        }
    } else {
        let part = around(&piece.shape) / whole(stands);
        for i in 0..stands.max(1) {
            let mut way = part * (2 * whole(i + 1) - 1) / 2;
            for k in 0..corners {
                let (a, b) = (points[k], points[(k + 1) % corners]);
                let long = a.distance(b);
                if way <= long || k + 1 == corners {
                    let at = a.on_the_way(b, way.min(long));
                    poses.push(Pose::new(at, outward(k, at)));
                    break;
                }
                way -= long;
            }
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
    let mut sergeant = Sergeant::new(battle, unit);
    let place = &unit.place;
    if let Some(kept) = place.refused {
        // It stays refused if the stands left still allow it.
        let degrees = f64::from(kept.turn) / 100.0;
        if sergeant.refuse(kept.flank, kept.files, degrees).is_ok() {
            return sergeant.drill.place;
        }
    }
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
            laid.stands = table::laid_out(
                place.pose,
                &f.slots(unit.bases(), unit.size(), place.gap, battle.measures().one_rank),
            );
            laid
        }
    }
}
