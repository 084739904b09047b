//! The planner: "this unit, there, facing so" becomes steps, or the farthest legal place.

use table::{Corner, Facing, INCH, Mils, Point, Pose, inches, wheel_between};

use super::Battle;
use super::command::Step;
use super::drill::Sergeant;
use super::drill_places::station;
use super::formation::Formation;
use super::refusal::No;
use super::state::{Pace, Unit};
use super::terrain::{Kind, Piece};

/// A way to a place, or toward it.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The steps, as far as they are legal.
    pub steps: Vec<Step>,
    /// Where they end.
    pub end: Pose,
    /// Why they go no farther, if they do not reach the place.
    pub stopped: Option<No>,
}

/// Where a unit could get to.
#[derive(Debug, Clone)]
pub struct Reach {
    /// The outline of the places its front could stand, from left to right.
    pub outline: Vec<Pose>,
}

/// A place is reached if it is nearer than this, and the facing within a degree.
const NEAR: Mils = INCH / 20;

impl Battle {
    /// Plans a unit's way to a pose at a pace.
    #[must_use]
    pub fn plan(&self, unit: &Unit, pace: Pace, to: Pose, disordered: bool) -> Plan {
        let candidates = self.candidates(unit, to);
        let mut best: Option<(Mils, Plan)> = None;
        for steps in candidates {
            let plan = self.as_far_as_legal(unit, pace, (&steps, disordered), to);
            if plan.stopped.is_none() {
                return plan;
            }
            let off = plan.end.at.distance(to.at) + plan.end.facing.turn_to(to.facing).abs() / 10;
            if best.as_ref().is_none_or(|b| off < b.0) {
                best = Some((off, plan));
            }
        }
        best.map_or_else(
            || Plan {
                steps: vec![],
                end: unit.place.pose,
                stopped: Some(
                    self.no(&["ruling.wheel-measurement"], "there is no way there in one maneuver"),
                ),
            },
            |b| b.1,
        )
    }

    /// The same, looked for in quarters of the way instead of to the last hair: for who compares
    /// many places.
    #[must_use]
    pub fn sketch(&self, unit: &Unit, pace: Pace, to: Pose) -> Plan {
        let mut best = Plan { steps: vec![], end: unit.place.pose, stopped: None };
        let off = |end: Pose| end.at.distance(to.at) + end.facing.turn_to(to.facing).abs() / 10;
        let mut least = off(best.end);
        for steps in self.candidates(unit, to) {
            let whole: Mils = steps.iter().map(length).sum();
            let parts = [4, 3, 2, 1].into_iter().map(|n| whole * n / 4);
            for (i, part) in parts.enumerate() {
                let some = if i == 0 { steps.clone() } else { cut(&steps, part) };
                if let Some(done) = self.allows(unit, pace, &some, false) {
                    let end = done.place.pose;
                    if off(end) < least {
                        least = off(end);
                        best = Plan { steps: some, end, stopped: None };
                    }
                    break;
                }
                if whole == 0 {
                    break;
                }
            }
            if least <= INCH / 4 {
                break;
            }
        }
        best
    }

    /// The longest beginning of some steps that is legal.
    fn as_far_as_legal(&self, unit: &Unit, pace: Pace, how: (&[Step], bool), to: Pose) -> Plan {
        let (steps, disordered) = how;
        let arrived = |end: Pose| {
            // Guns that pivot turn about their middle: the facing is what is asked for.
            let pivots = matches!(steps, [Step::Pivot { .. }]);
            (pivots || end.at.distance(to.at) <= NEAR) && end.facing.turn_to(to.facing).abs() <= 100
        };
        let mut no = match self.judge(unit, pace, steps, disordered) {
            Ok(done) => {
                let end = done.place.pose;
                let stopped = (!arrived(end)).then(|| {
                    self.no(
                        &["ruling.wheel-measurement"],
                        format!("{} cannot stand just so in one maneuver", unit.id()),
                    )
                });
                return Plan { steps: steps.to_vec(), end, stopped };
            }
            Err(no) => no,
        };
        let whole: Mils = steps.iter().map(length).sum();
        let (mut low, mut high) = (0, whole);
        let mut best = (vec![], unit.place.pose);
        while high - low > INCH / 50 {
            let middle = i32::midpoint(low, high);
            let part = cut(steps, middle);
            match self.allows(unit, pace, &part, disordered) {
                Some(done) => {
                    best = (part, done.place.pose);
                    low = middle;
                }
                None => high = middle,
            }
        }
        // A friend it may pass through bars a stretch of the way, not all that lies behind him.
        if no.rule.ends_with("interpenetration") || no.rule.contains("passage-of-lines") {
            let farther = (1..(whole - low) / INCH).map(|i| whole - i * INCH);
            let found = farther.into_iter().find_map(|way| {
                let part = cut(steps, way);
                Some((self.allows(unit, pace, &part, disordered)?, way))
            });
            if let Some((_, beyond)) = found {
                (low, high) = (beyond, (beyond + INCH).min(whole));
                while high - low > INCH / 50 {
                    let middle = i32::midpoint(low, high);
                    let legal = self.allows(unit, pace, &cut(steps, middle), disordered).is_some();
                    if legal { low = middle } else { high = middle }
                }
                let part = cut(steps, low);
                let end = self.allows(unit, pace, &part, disordered).map(|done| done.place.pose);
                best = (part, end.unwrap_or(best.1));
            }
        }
        // What stops it first, not what would have stopped it in the end.
        if high < whole
            && let Err(first) = self.judge(unit, pace, &cut(steps, high), disordered)
        {
            no = first;
        }
        Plan { steps: best.0, end: best.1, stopped: Some(no) }
    }

    /// A refusal with the longest that the last distance of some steps may be, if a shorter one is
    /// legal: tried, so that whoever sends it is not refused again.
    pub(super) fn with_less(
        &self,
        unit: &Unit,
        (pace, disordered): (Pace, bool),
        steps: &[Step],
        no: No,
    ) -> No {
        let by_distance = |w: &String| w.starts_with("go at most") || w.starts_with("stop farther");
        if no.instead.as_ref().is_some_and(|w| !by_distance(w)) {
            return no;
        }
        let measured = |s: &Step| length(s) > 0 && !matches!(s, Step::Wheel { .. });
        let Some(at) = steps.iter().rposition(measured) else { return no };
        // To the hundredth of an inch.
        let shorter = |hundredths: Mils| {
            let mut steps = steps.to_vec();
            steps[at] = *cut(&steps[at..=at], 10 * hundredths).first()?;
            self.allows(unit, pace, &steps, disordered)
        };
        let whole = length(&steps[at]) / 10 + 1;
        let longest = |mut low: Mils, mut high: Mils| {
            while high - low > 1 {
                let middle = i32::midpoint(low, high);
                if shorter(middle).is_some() { low = middle } else { high = middle }
            }
            low
        };
        let near = longest(0, whole);
        // Beyond a friend it may pass through the way is open again.
        let mut beyond = (1..=whole / 25).map(|i| whole - 25 * i).take_while(|way| *way > near);
        let far = beyond.find(|way| shorter(*way).is_some());
        let low = far.map_or(near, |far| longest(far, (far + 25).min(whole)));
        if low == 0 {
            return No { instead: no.instead.filter(|w| !by_distance(w)), ..no };
        }
        let most = inches(10 * low);
        let which = match steps[at] {
            _ if steps.len() == 1 => "go",
            Step::Withdraw { .. } => "withdraw",
            Step::FlankMarch { .. } => "march by the flank",
            Step::Road { .. } => "follow the road",
            Step::HandHaul { .. } => "haul",
            _ => "advance",
        };
        no.instead(format!("{which} at most {most} inches"))
    }

    /// Rows of steps that would lead to a pose, the plainest first.
    fn candidates(&self, unit: &Unit, to: Pose) -> Vec<Vec<Step>> {
        let from = unit.place.pose;
        let (across, ahead) = from.sees(to.at);
        let turn = from.facing.turn_to(to.facing);
        let there = from.at.distance(to.at);
        let formation = unit.formation();
        let mut all = Vec::new();
        if there <= NEAR && turn.abs() <= 100 {
            return vec![vec![]];
        }
        if formation == Formation::Unlimbered {
            if there <= INCH * 2 {
                all.push(vec![Step::Pivot { facing: to.facing }]);
            }
            if across.abs() <= NEAR && turn.abs() <= 100 {
                all.push(vec![Step::HandHaul { inches: ahead }]);
            }
            all.push(column_way(from, to, true));
            // Failing that it turns where it stands.
            if there > INCH * 2 && turn.abs() > 100 {
                all.push(vec![Step::Pivot { facing: to.facing }]);
            }
            return all;
        }
        if formation == Formation::Garrison {
            return garrison_ways(unit, from, to);
        }
        if formation.nature().turns {
            return self.column_ways(unit, to);
        }
        if turn.abs() <= 100 {
            all.extend(straight_ways(across, ahead));
        }
        all.extend(self.wheeling_ways(unit, to));
        if turn.abs() >= 17_000 {
            all.extend(self.ways_about(unit, to));
            all.push(vec![Step::AboutFace]);
        }
        let changes = self.measures().clauses.has("troop-maneuvers.well-handled.change-front");
        if changes && there < INCH * 12 && turn.abs() <= 9000 && turn.abs() > 100 {
            let degrees = f64::from(turn.abs()) / 100.0;
            let (fore, rear) = if turn > 0 {
                (Corner::Right, Corner::Left)
            } else {
                (Corner::Left, Corner::Right)
            };
            all.push(vec![Step::ChangeFront { to: fore, degrees, backward: false }]);
            all.push(vec![Step::ChangeFront { to: rear, degrees, backward: true }]);
        }
        // Failing all else: wheel toward the place and go.
        if let Some(bearing) = from.at.toward(to.at) {
            let aim = from.facing.turn_to(bearing).clamp(-4500, 4500);
            if aim.abs() > 100 {
                let side = Corner::of_turn(aim);
                all.push(vec![
                    Step::Wheel { to: side, degrees: f64::from(aim.abs()) / 100.0 },
                    Step::Advance { inches: there },
                ]);
            }
        }
        if turn.abs() > 100 {
            // Or to the place with the front it has, or turned toward the new one as far as may be.
            let most = self.measures().wheel;
            let degrees = f64::from(turn.abs().min(most)) / 100.0;
            all.extend(straight_ways(across, ahead));
            if ahead > 0 && formation != Formation::Square {
                let wheel = Step::Wheel { to: Corner::of_turn(turn), degrees };
                all.push(vec![Step::Advance { inches: ahead }, wheel]);
                all.push(vec![wheel]);
            }
        }
        // Aslant as far as may be, where the place lies too much to the side.
        let side = if across < 0 { Corner::Left } else { Corner::Right };
        if across.abs() > ahead && ahead > NEAR {
            let degrees = f64::from(self.measures().wheel) / 100.0;
            all.push(vec![Step::Oblique { inches: there, to: side, degrees }]);
        }
        all
    }

    /// Straight on and about: facing about takes the front to where the rear was.
    fn ways_about(&self, unit: &Unit, to: Pose) -> Vec<Vec<Step>> {
        let from = unit.place.pose;
        let mut sergeant = Sergeant::new(self, unit);
        if sergeant.step(&Step::AboutFace).is_err() {
            return vec![];
        }
        let (across, ahead) = from.sees(to.at - (sergeant.drill.place.pose.at - from.at));
        let before = straight_ways(across, ahead).into_iter().filter(|s| s.len() == 1);
        before.map(|steps| [steps, vec![Step::AboutFace]].concat()).collect()
    }

    /// The ways of a column: by a road, with the front it has if it can, by a turn of its head at
    /// once or where it must, or about.
    fn column_ways(&self, unit: &Unit, to: Pose) -> Vec<Vec<Step>> {
        let from = unit.place.pose;
        let turn = from.facing.turn_to(to.facing).abs();
        let mut all = self.road_ways(unit, to.at);
        if turn <= 100 && unit.formation().nature().obliques {
            let (across, ahead) = from.sees(to.at);
            all.extend(straight_ways(across, ahead));
        }
        all.push(column_way(from, to, false));
        all.extend(bent_way(from, to));
        if turn >= 17_000 {
            all.extend(self.ways_about(unit, to));
        }
        all
    }

    /// Along the roads a column stands on, to where they come nearest to a place.
    fn road_ways(&self, unit: &Unit, to: Point) -> Vec<Vec<Step>> {
        if !unit.formation().nature().roads {
            return vec![];
        }
        let roads = self.field.pieces.iter().filter(|p| p.kind == Kind::Road);
        let touched = roads.filter(|p| p.touched_by(&unit.feet));
        let way = |road: &Piece| {
            let points = road.shape.points();
            let (here, there) = (station(points, unit.place.pose.at), station(points, to));
            let inches = there.before - here.before;
            let step = Step::Road { road: road.id, inches: inches.abs(), forward: inches > 0 };
            (there.at.distance(to) <= INCH && inches != 0).then(|| vec![step])
        };
        touched.filter_map(way).collect()
    }

    fn wheeling_ways(&self, unit: &Unit, to: Pose) -> Vec<Vec<Step>> {
        let width = Sergeant::new(self, unit).front_width();
        let from = unit.place.pose;
        let Some(plan) = wheel_between(from, to, width) else { return vec![] };
        if plan.turn.abs() > self.measures().wheel {
            return vec![];
        }
        let steps = |before: Mils, after: Mils| {
            let ahead = |inches: Mils| (inches > 0).then_some(Step::Advance { inches });
            let degrees = f64::from(plan.turn.abs()) / 100.0;
            let wheel = Step::Wheel { to: plan.on, degrees };
            ahead(before).into_iter().chain([wheel]).chain(ahead(after)).collect::<Vec<_>>()
        };
        if plan.before >= -NEAR && plan.after >= -NEAR {
            return vec![steps(plan.before, plan.after)];
        }
        // It cannot stand just there facing so: wheel and go as near as may be, or go and wheel.
        let (wheeled, _) = table::wheel(from, width, plan.on, plan.turn);
        let after = wheeled.sees(to.at).1.max(0);
        let before = from.sees(to.at - (wheeled.at - from.at)).1.max(0);
        vec![steps(0, after), steps(before, 0)]
    }

    /// The outline of where a unit could get to by moving alone.
    #[must_use]
    pub fn reach(&self, unit: &Unit, pace: Pace, disordered: bool) -> Reach {
        // Unlimbered guns go as far as their teams take them.
        let moving = match unit.formation() {
            Formation::Unlimbered => Formation::Limbered,
            other => other,
        };
        let row = unit.card.row(moving, unit.place.on_foot);
        let far = row.double_quick[0].max(row.full[0]);
        let from = unit.place.pose;
        let ways: Vec<Vec<Step>> = if unit.formation().nature().turns {
            (0..24)
                .map(|i| {
                    vec![
                        Step::Turn { facing: from.facing.turned(i * 1500 - 18_000) },
                        Step::Advance { inches: far },
                    ]
                })
                .collect()
        } else if unit.formation() == Formation::Unlimbered {
            let limber = |i: i32| {
                vec![
                    Step::Limber,
                    Step::Turn { facing: from.facing.turned(i * 1500 - 18_000) },
                    Step::Advance { inches: far },
                ]
            };
            (0..24).map(limber).collect()
        } else {
            let oblique = |to: Corner, degrees: i32| {
                vec![Step::Oblique { inches: far, to, degrees: f64::from(degrees) }]
            };
            let left = (1..=6).rev().map(|i| oblique(Corner::Left, i * 15 / 2));
            let right = (1..=6).map(|i| oblique(Corner::Right, i * 15 / 2));
            left.chain([vec![Step::Advance { inches: far }]]).chain(right).collect()
        };
        let nowhere = Pose::new(Point { x: -table::FARTHEST, y: -table::FARTHEST }, from.facing);
        let ends = ways
            .iter()
            .map(|steps| self.as_far_as_legal(unit, pace, (steps, disordered), nowhere).end);
        // A line goes forward from its front; a column to all sides.
        let fan = !unit.formation().nature().turns && unit.formation() != Formation::Unlimbered;
        let half = unit.frontage() / 2;
        let corner = |right: Mils| fan.then(|| Pose::new(from.place(right, 0), from.facing));
        let outline = corner(-half).into_iter().chain(ends).chain(corner(half)).collect();
        Reach { outline }
    }
}

/// A garrison forms up outside, on the side it is sent to, and goes on from there.
fn garrison_ways(unit: &Unit, from: Pose, to: Pose) -> Vec<Vec<Step>> {
    let formed = [Formation::Line, Formation::OpenOrder];
    let Some(formation) = formed.into_iter().find(|f| unit.card.formations.contains(f)) else {
        return vec![];
    };
    let leaves =
        |facing: Facing| [Step::Turn { facing }, Step::Form { formation, toward: None }].to_vec();
    let inches = from.at.distance(to.at);
    let on = [leaves(to.facing), vec![Step::Advance { inches }]].concat();
    vec![on, leaves(to.facing), leaves(from.at.toward(to.at).unwrap_or(to.facing))]
}

/// Ways that keep the facing.
fn straight_ways(across: Mils, ahead: Mils) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    let side = if across < 0 { Corner::Left } else { Corner::Right };
    if across.abs() <= NEAR {
        all.push(vec![if ahead >= 0 {
            Step::Advance { inches: ahead }
        } else {
            Step::Withdraw { inches: -ahead }
        }]);
        return all;
    }
    if across.abs() <= ahead {
        let target = Point { x: across.abs(), y: ahead };
        let angle = Point::default().toward(target).unwrap_or_default();
        all.push(vec![Step::Oblique {
            inches: Point::default().distance(target),
            to: side,
            degrees: angle.in_degrees(),
        }]);
    }
    let march = Step::FlankMarch { to: side, inches: across.abs() };
    if ahead > NEAR {
        all.push(vec![Step::Advance { inches: ahead }, march]);
    } else if ahead < -NEAR {
        all.push(vec![march, Step::Withdraw { inches: -ahead }]);
    } else {
        all.push(vec![march]);
    }
    all
}

/// A column turns and goes straight; it faces the way it has come.
fn column_way(from: Pose, to: Pose, limber: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    if limber {
        steps.push(Step::Limber);
    }
    let way = from.at.distance(to.at);
    if way > NEAR {
        let bearing: Facing = from.at.toward(to.at).unwrap_or(to.facing);
        if from.facing != bearing {
            steps.push(Step::Turn { facing: bearing });
        }
        steps.push(Step::Advance { inches: way });
    } else {
        steps.push(Step::Turn { facing: to.facing });
    }
    steps
}

/// A column goes on, turns its head and goes straight to where it shall stand.
fn bent_way(from: Pose, to: Pose) -> Option<Vec<Step>> {
    // The place lies so far ahead and aside of where it ends, seen along its new facing.
    let (aside, ahead) = to.facing.across_and_ahead(to.at - from.at);
    let (sideways, forward) = to.facing.across_and_ahead(from.facing.offset(0, 1000 * INCH));
    if sideways.abs() < INCH {
        return None;
    }
    let share = f64::from(aside) / f64::from(sideways);
    let before = share * f64::from(1000 * INCH);
    let after = f64::from(ahead) - share * f64::from(forward);
    // Where the two ways are nearly one the corner lies far off.
    let most = 3.0 * f64::from(from.at.distance(to.at));
    if before < 1.0 || after < 1.0 || before + after > most {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // not far from the table
    let [before, after] = [before, after].map(|way| way.round() as Mils);
    let legs = [
        Step::Advance { inches: before },
        Step::Turn { facing: to.facing },
        Step::Advance { inches: after },
    ];
    Some(legs.to_vec())
}

fn length(step: &Step) -> Mils {
    match step {
        Step::Advance { inches }
        | Step::Withdraw { inches }
        | Step::Oblique { inches, .. }
        | Step::FlankMarch { inches, .. }
        | Step::Road { inches, .. } => *inches,
        Step::Wheel { degrees, .. } => table::turn(*degrees),
        Step::HandHaul { inches } => inches.abs(),
        _ => 0,
    }
}

/// The first so many mils of some steps; a wheel counts a mil for each hundredth of a degree.
fn cut(steps: &[Step], mut most: Mils) -> Vec<Step> {
    let mut kept = Vec::new();
    for step in steps {
        let long = length(step);
        let part = long.min(most);
        most -= part;
        match *step {
            _ if long == 0 && most > 0 => kept.push(*step),
            _ if part <= 0 => break,
            Step::Advance { .. } => kept.push(Step::Advance { inches: part }),
            Step::Withdraw { .. } => kept.push(Step::Withdraw { inches: part }),
            Step::Oblique { to, degrees, .. } => {
                kept.push(Step::Oblique { inches: part, to, degrees })
            }
            Step::FlankMarch { to, .. } => kept.push(Step::FlankMarch { to, inches: part }),
            Step::Road { road, forward, .. } => {
                kept.push(Step::Road { road, inches: part, forward })
            }
            Step::Wheel { to, .. } => {
                kept.push(Step::Wheel { to, degrees: f64::from(part) / 100.0 })
            }
            Step::HandHaul { inches } => {
                kept.push(Step::HandHaul { inches: part * inches.signum() })
            }
            other => kept.push(other),
        }
        if part < long {
            break;
        }
    }
    kept
}
