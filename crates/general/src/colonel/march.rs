//! Where a unit should stand: places are compared by the fire given and taken there, by cover,
//! by friends beside it, and by how near they are to what the brigade is after.

use regimental::battle::card::Branch;
use regimental::battle::state::Pace;
use regimental::battle::terrain::Cover;
use regimental::battle::{Id, Step, Unit};
use regimental::maneuver::Order as Ranks;
use table::{Facing, INCH, Mils, Point, Pose};

use super::Colonel;
use super::plan::{Task, What};
use crate::Doctrine;
use crate::seat::Seat;

/// Fire points that count as one: a small battalion's volley at close range.
const VOLLEY: f64 = 8.0;
/// What is seen of the field from a seat, once for many questions.
pub(crate) struct Lookout<'b> {
    seat: Seat<'b>,
    by: Doctrine,
    own: Vec<&'b Unit>,
    enemies: Vec<Foe<'b>>,
    /// What fire at horse counts.
    chase: f64,
}

struct Foe<'b> {
    unit: &'b Unit,
    reach: Mils,
    /// How many of ours share its fire.
    shared: f64,
}

/// A place a unit could go to, with its worth and why.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    pub(crate) pose: Pose,
    pub(crate) worth: f64,
    pub(crate) why: Why,
}

/// Why a unit goes somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    Hold,
    Face(Id),
    Close(Id),
    KeepOff(Id),
    Aim,
    Take(Id),
    Back,
    Shift,
}

impl<'b> Lookout<'b> {
    pub(crate) fn new(seat: &Seat<'b>, by: Doctrine) -> Self {
        let own: Vec<&Unit> = seat.own().collect();
        let enemies = seat
            .enemies()
            .map(|unit| {
                let reach = fire_reach(unit);
                let near = |u: &&&Unit| {
                    u.order != Ranks::Broken && u.middle.distance(unit.middle) <= reach + 12 * INCH
                };
                let sharing = own.iter().filter(near).count();
                let shared = f64::from(u32::try_from(sharing).unwrap_or(1));
                Foe { unit, reach, shared: shared.max(1.0) }
            })
            .collect();
        let stands = |mounted: bool| -> f64 {
            let troops = seat.enemies().filter(|e| !e.is_guns() && (e.mounted() || !mounted));
            troops.map(|e| f64::from(e.stands)).sum()
        };
        // The more of the enemy is horse, the less there is else to fire at.
        let share = stands(true) / stands(false).max(1.0);
        let chase = by.chase + (1.0 - by.chase) * share * share;
        Self { seat: *seat, by, own, enemies, chase }
    }

    /// What a place is worth to a unit for the fire given and taken there: harm done counts
    /// `heat` times.
    pub(crate) fn standing(&self, unit: &Unit, pose: Pose, heat: f64) -> f64 {
        let (mut take, mut give) = (0.0, 0.0_f64);
        let all_round = unit.formation().is_square();
        let reach = fire_reach(unit);
        let frail = frailty(unit);
        for foe in &self.enemies {
            let e = foe.unit;
            let rough = pose.at.distance(e.middle) - e.radius;
            if rough > foe.reach.max(reach).max(14 * INCH) {
                continue;
            }
            let way = e.feet.iter().map(|f| f.distance_to(pose.at)).min().unwrap_or(rough);
            let (across, ahead) = pose.sees(e.middle);
            let behind = ahead < -INCH && !all_round;
            let power = self.fire_power(e, way) / VOLLEY;
            if power > 0.0 {
                let turn = bearing_off(e, pose.at);
                let arc = if turn <= 5500 {
                    1.0
                } else if turn <= 11_000 {
                    0.6
                } else {
                    0.2
                };
                let cover = self.cover(pose, e.middle);
                let flank = if behind && way < 10 * INCH { self.by.flank } else { 1.0 };
                // Horse under fire does not fire back.
                let horse = if unit.mounted() { self.by.horse } else { 1.0 };
                take += horse * power * arc * cover * flank * frail / foe.shared.min(3.0);
            }
            if e.order != Ranks::Broken && way < 10 * INCH {
                take += self.charged(unit, e, behind, way);
            }
            let in_arc = !behind && (all_round || across.abs() <= ahead + unit.radius);
            if way <= reach && in_arc {
                // Horse that is shot at rides off: who goes after it leaves the battle.
                let chase = if e.mounted() { self.chase } else { 1.0 };
                let soft = chase * frailty(e) * self.cover(e.place.pose, pose.at);
                give = give.max(self.fire_power(unit, way) / VOLLEY * soft);
            }
        }
        heat * give - take
    }

    /// The fire points of a whole unit at a range. Guns that are limbered can unlimber.
    fn fire_power(&self, unit: &Unit, range: Mils) -> f64 {
        if fire_reach(unit) < range { 0.0 } else { self.seat.battle.points_at(unit, range) }
    }

    /// The danger of being charged at a place.
    fn charged(&self, unit: &Unit, e: &Unit, behind: bool, way: Mils) -> f64 {
        if e.is_guns() || e.order != Ranks::Good || !e.formation().nature().charges {
            return 0.0;
        }
        let rate = e.card.row(e.formation(), e.place.on_foot).full[0];
        if way > rate {
            return 0.0;
        }
        if unit.formation().is_square() && e.mounted() {
            return 0.0;
        }
        let lost = 1.0 / (1.0 + libm::exp(-0.45 * edge(e, unit, behind)));
        let near = if way <= rate / 2 { 1.0 } else { 0.7 };
        self.by.danger * near * (lost - 0.35).max(0.0)
    }

    /// How much of a fire cover at a place lets through.
    fn cover(&self, pose: Pose, from: Point) -> f64 {
        let mut best = Cover::None;
        for piece in &self.seat.battle.field().pieces {
            if piece.cover <= best {
                continue;
            }
            let shelters = if piece.is_thin() {
                piece.shape.distance_to(pose.at) <= 3 * INCH / 2
                    && piece.shape.crossed_by(pose.at, from)
            } else {
                piece.shape.holds(pose.at)
            };
            if shelters {
                best = piece.cover;
            }
        }
        match best {
            Cover::None => 1.0,
            Cover::Partial => 0.7,
            Cover::Full => 0.5,
            Cover::Fortified => 0.3,
        }
    }

    /// What a place is worth to a unit with its task.
    fn worth(&self, unit: &Unit, pose: Pose, task: Task) -> f64 {
        let weary = match unit.order {
            Ranks::Good if unit.stands <= unit.card.spent_at => self.by.weary,
            Ranks::Good => 1.0,
            Ranks::Disordered => self.by.weary,
            Ranks::Broken => 0.2,
        };
        let mut worth = self.standing(unit, pose, task.heat * weary);
        let feet = f64::from(pose.at.distance(task.aim)) / f64::from(12 * INCH);
        worth -= task.pull * weary * feet;
        worth += self.positions(unit, pose);
        worth - self.straying(unit, pose)
    }

    /// Whether a unit that stands at a place is at a position.
    fn at(&self, unit: &Unit, pose: Pose, position: Point) -> bool {
        let (across, ahead) = pose.sees(position);
        let aside = (across.abs() - unit.frontage() / 2).max(0);
        let deep = ahead.max(-ahead - 2 * unit.size().depth).max(0);
        let off = Point::default().distance(Point { x: aside, y: deep });
        off <= self.seat.battle.position_reach()
    }

    /// Positions taken or kept by standing at a place.
    fn positions(&self, unit: &Unit, pose: Pose) -> f64 {
        if unit.is_guns() || unit.order == Ranks::Broken {
            return 0.0;
        }
        let battle = self.seat.battle;
        let mut worth = 0.0;
        for key in battle.keys() {
            if !self.at(unit, pose, key.at) {
                continue;
            }
            let kept = self.own.iter().any(|u| u.id() != unit.id() && battle.keeps(u, key.at));
            let share = match (key.holder == Some(self.seat.side), kept) {
                (_, true) => 0.05,
                (false, false) => self.by.taking(battle),
                // Nobody else is there: an enemy who comes takes it.
                (true, false) => {
                    let near = self
                        .enemies
                        .iter()
                        .any(|e| !e.unit.is_guns() && e.unit.middle.distance(key.at) <= 24 * INCH);
                    if near { 0.5 } else { 0.1 }
                }
            };
            worth += share * f64::from(key.value);
        }
        worth
    }

    /// Away from friends, or in front of the line they keep, a unit is alone.
    fn straying(&self, unit: &Unit, pose: Pose) -> f64 {
        let friends = self.own.iter().filter(|u| {
            u.id() != unit.id() && u.card.leader == unit.card.leader && u.order != Ranks::Broken
        });
        let nearest = friends.map(|u| u.middle.distance(pose.at) - u.radius).min();
        nearest.map_or(0.0, |n| {
            self.by.stray * (f64::from((n - 6 * INCH).max(0)) / f64::from(12 * INCH)).min(2.0)
        })
    }
}

/// How much better a charger stands than the charged, roughly in pips of the combat.
fn edge(charger: &Unit, unit: &Unit, behind: bool) -> f64 {
    use regimental::battle::Formation;
    use regimental::fire::Class;
    let side = |u: &Unit| {
        let class = match u.card.class {
            Class::Elite => 2.0,
            Class::Veteran => 1.0,
            Class::Trained => 0.0,
            Class::Raw => -1.0,
        };
        let fresh = if u.stands <= u.card.spent_at {
            -1.0
        } else if u.card.worn_at.is_some_and(|w| u.stands <= w) {
            0.5
        } else {
            2.0
        };
        let order = match u.order {
            Ranks::Good => 0.0,
            Ranks::Disordered => -2.0,
            Ranks::Broken => -4.0,
        };
        let open = match u.formation() {
            Formation::OpenOrder => -2.0,
            Formation::MarchColumn | Formation::Limbered => -3.0,
            _ => 0.0,
        };
        if u.is_guns() { -1.0 } else { class + fresh + order + open }
    };
    let (own, other) = (f64::from(charger.stands), f64::from(unit.stands.max(1)));
    let numbers = if own >= 2.0 * other {
        2.0
    } else if own >= 1.5 * other {
        1.0
    } else if other >= 2.0 * own {
        -2.0
    } else if other >= 1.5 * own {
        -1.0
    } else {
        0.0
    };
    let horse = if charger.mounted() { 1.0 } else { 0.0 };
    side(charger) - side(unit) + numbers + horse + if behind { 3.0 } else { 0.0 }
}

/// How far a unit fires, if it can at all.
fn fire_reach(unit: &Unit) -> Mils {
    let able = !unit.mounted() && unit.order != Ranks::Broken && !unit.silenced();
    if able { unit.reach() } else { 0 }
}

/// How much the same fire hurts a unit.
fn frailty(unit: &Unit) -> f64 {
    use regimental::battle::Formation;
    use regimental::fire::Class;
    let class = match unit.card.class {
        Class::Elite => 0.8,
        Class::Veteran => 0.9,
        Class::Trained => 1.0,
        Class::Raw => 1.1,
    };
    let formed = match unit.formation() {
        Formation::OpenOrder => 0.75,
        // Columns and squares: what the book counts against who fires at them.
        formed if !formed.nature().as_target.is_empty() => 1.25,
        _ => 1.0,
    };
    let shaken = if unit.order == Ranks::Good { 1.0 } else { 1.25 };
    class * formed * shaken
}

/// How far a place lies off a unit's front.
fn bearing_off(unit: &Unit, place: Point) -> i32 {
    if unit.formation().is_square() {
        return 0;
    }
    let aim = unit.place.pose.at.toward(place).unwrap_or(unit.place.pose.facing);
    unit.place.pose.facing.turn_to(aim).abs()
}

/// How far a unit goes at a pace, if it goes at all.
fn rate(unit: &Unit, pace: Pace) -> Option<Mils> {
    let row = unit.card.row(unit.formation(), unit.place.on_foot);
    match pace {
        Pace::DoubleQuick => Some(row.double_quick[0]),
        Pace::WellHandled => Some(row.full[0]),
        Pace::Tardy => Some(row.full[0] / 2),
        Pace::Hold => None,
    }
}

impl Colonel<'_> {
    /// The places worth comparing, with their worth; the first is where it stands.
    pub(crate) fn spots(&self, unit: &Unit, rate: Mils, task: Task) -> Vec<Spot> {
        let here = unit.place.pose;
        let mut spots = vec![(here, Why::Hold)];
        let mut near: Vec<&Unit> =
            self.seat.enemies().filter(|e| e.order != Ranks::Broken || task.heat > 1.0).collect();
        near.sort_by_key(|e| (e.middle.distance(here.at), e.id()));
        near.truncate(3);
        let reach = unit.reach();
        let measures = self.seat.battle.measures();
        #[allow(clippy::cast_possible_truncation)] // a few inches
        let grip = (self.plan.doctrine.grip * f64::from(INCH)) as Mils;
        let toward = |p: Point| here.at.toward(p).unwrap_or(here.facing);
        for e in &near {
            let bearing = toward(e.middle);
            spots.push((Pose::new(here.at, bearing), Why::Face(e.id())));
            let gap = here.at.distance(e.middle) - e.size().depth;
            let offs: &[Mils] = if unit.card.branch == Branch::Cavalry {
                &[measures.close_range * 5 / 2, reach.max(12 * INCH)]
            } else {
                &[measures.close_range - grip, measures.close_range * 3 / 2, reach - INCH / 2]
            };
            for off in offs {
                let way = (gap - off).clamp(-rate / 2, rate);
                if way.abs() < INCH / 2 {
                    continue;
                }
                let why = if way > 0 { Why::Close(e.id()) } else { Why::KeepOff(e.id()) };
                spots.push((Pose::new(here.at + bearing.offset(0, way), bearing), why));
            }
        }
        let foe = near.first().map(|e| e.middle);
        let front = |at: Point| -> Facing {
            let near_foe = foe.filter(|f| f.distance(at) <= 16 * INCH);
            near_foe.and_then(|f| at.toward(f)).unwrap_or_else(|| toward(task.aim))
        };
        let aim_way = here.at.distance(task.aim);
        if aim_way > INCH {
            for way in [rate, rate / 2] {
                let at = here.at.on_the_way(task.aim, way.min(aim_way));
                spots.push((Pose::new(at, front(at)), Why::Aim));
                spots.push((Pose::new(at, toward(task.aim)), Why::Aim));
            }
        }
        // A position in reach is worth a look, whatever the brigade is after.
        let battle = self.seat.battle;
        let grasp = battle.position_reach();
        for key in battle.keys().iter().filter(|k| k.holder != Some(self.seat.side)) {
            let way = here.at.distance(key.at);
            if way > rate + grasp || unit.is_guns() {
                continue;
            }
            for short in [0, grasp * 2 / 3] {
                let at = here.at.on_the_way(key.at, rate.min(way - short.min(way)));
                spots.push((Pose::new(at, front(at)), Why::Take(key.name)));
                spots.push((Pose::new(at, toward(key.at)), Why::Take(key.name)));
            }
        }
        for (right, ahead) in [(7, 7), (-7, 7), (5, 0), (-5, 0), (0, 10)] {
            let at = here.place(rate * right / 10, rate * ahead / 10);
            spots.push((Pose::new(at, here.facing), Why::Shift));
        }
        for back in [rate / 2, rate * 9 / 10] {
            spots.push((Pose::new(here.place(0, -back), here.facing), Why::Back));
        }
        let field = self.seat.battle.field();
        let weigh = |(pose, why): (Pose, Why)| Spot {
            pose,
            worth: self.worth(unit, pose, task) - self.taken(unit, pose),
            why,
        };
        spots.into_iter().filter(|(p, _)| field.on_table(p.at)).map(weigh).collect()
    }

    /// What a place is worth to a unit with its task, in its line.
    fn worth(&self, unit: &Unit, pose: Pose, task: Task) -> f64 {
        self.lookout.worth(unit, pose, task) - self.outrunning(unit, pose, task)
    }

    /// A unit in front of the others in its line is shot at alone.
    fn outrunning(&self, unit: &Unit, pose: Pose, task: Task) -> f64 {
        let Some(front) = task.front else { return 0.0 };
        // When time runs out a position is not waited for until the line is dressed.
        let battle = self.seat.battle;
        if battle.terms().turns <= battle.turn() + 1 && matches!(task.what, What::Position(_)) {
            return 0.0;
        }
        let ahead = |p: Point| f64::from(front.across_and_ahead(p - task.aim).1);
        let (mut sum, mut n) = (0.0, 0.0);
        for other in self.seat.own() {
            let beside = other.id() != unit.id()
                && other.order != Ranks::Broken
                && !other.is_guns()
                && !other.mounted()
                && self.plan.task(other).is_some_and(|t| t.what == task.what);
            if beside {
                sum += ahead(other.place.pose.at);
                n += 1.0;
            }
        }
        let step = f64::from(self.seat.battle.measures().scaled(4 * INCH));
        let by = if n > 0.0 { ahead(pose.at) - sum / n - step } else { 0.0 };
        self.plan.doctrine.outrun * by.max(0.0) / f64::from(INCH)
    }

    /// Ground a friend stands on is no place to go.
    fn taken(&self, unit: &Unit, pose: Pose) -> f64 {
        if pose == unit.place.pose {
            return 0.0;
        }
        let crowd = self.seat.own().filter(|u| {
            u.id() != unit.id() && {
                let (across, ahead) = pose.sees(u.middle);
                ahead.abs() < 2 * INCH && across.abs() < unit.frontage() / 2 + u.radius - INCH / 2
            }
        });
        self.plan.doctrine.crowd * f64::from(u32::try_from(crowd.count()).unwrap_or(1))
    }

    /// Whether a unit has a reason to move, at the pace a good check would give.
    pub(crate) fn wants_to_stir(&self, unit: &Unit) -> bool {
        if unit.order != Ranks::Good || unit.low || unit.silenced() {
            return true;
        }
        let Some(task) = self.plan.task(unit) else { return false };
        if unit.is_guns() {
            return self.guns_stir(unit);
        }
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let far = row.double_quick[0];
        if self.seat.enemies().any(|e| e.near(unit, far) && self.tempting(unit, e)) {
            return true;
        }
        if unit.formation().snakes() || self.post(unit, Pace::WellHandled).is_some() {
            return true;
        }
        let spots = self.spots(unit, row.full[0], task);
        let Some(here) = spots.first() else { return false };
        spots.iter().any(|s| s.worth > here.worth + self.stir(unit, task))
    }

    /// By how much a new place must be better than the old one. Who is to hold leaves good cover
    /// for something good only.
    fn stir(&self, unit: &Unit, task: Task) -> f64 {
        let usual = self.plan.doctrine.stir;
        let behind = || {
            let facing = unit.place.pose.place(0, 12 * INCH);
            self.lookout.cover(unit.place.pose, facing) <= 0.5
        };
        if !task.what.is_forward() && behind() { usual.max(self.plan.doctrine.hold) } else { usual }
    }

    /// The maneuver of a unit that moves freely: the best place it can get to.
    pub(crate) fn march(&self, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
        let task = self.plan.task(unit)?;
        let mut spots = self.spots(unit, rate(unit, pace)?, task);
        let here = spots.first()?.worth;
        let stir = self.stir(unit, task);
        spots.retain(|s| s.worth > here + stir);
        spots.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        let mut best: Option<(f64, Vec<Step>, Spot, Pose)> = None;
        for spot in spots.into_iter().take(3) {
            let plan = self.seat.battle.sketch(unit, pace, spot.pose);
            if plan.steps.is_empty() {
                continue;
            }
            let worth = self.worth(unit, plan.end, task);
            if worth > here + stir && best.as_ref().is_none_or(|b| worth > b.0) {
                let near = plan.end.at.distance(spot.pose.at) <= INCH;
                best = Some((worth, plan.steps, spot, plan.end));
                if near {
                    break;
                }
            }
        }
        let (_, steps, spot, end) = best?;
        Some((steps, self.because(unit, task, (spot.why, end))))
    }

    /// Other places a unit can get to, the better first.
    pub(crate) fn other_marches(&self, unit: &Unit, pace: Pace) -> Vec<(Vec<Step>, String)> {
        let Some((task, rate)) = self.plan.task(unit).zip(rate(unit, pace)) else { return vec![] };
        let mut spots = self.spots(unit, rate, task);
        spots.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        let mut ends: Vec<Pose> = vec![];
        let mut ways = vec![];
        for spot in spots {
            let plan = self.seat.battle.sketch(unit, pace, spot.pose);
            let again = |e: &Pose| {
                e.at.distance(plan.end.at) < INCH && e.facing.turn_to(plan.end.facing).abs() < 1000
            };
            if plan.steps.is_empty() || ends.iter().any(again) {
                continue;
            }
            ends.push(plan.end);
            ways.push((plan.steps, self.because(unit, task, (spot.why, plan.end))));
            if ways.len() == 4 {
                break;
            }
        }
        ways
    }

    /// Why a unit goes where its way ends.
    fn because(&self, unit: &Unit, task: Task, (why, end): (Why, Pose)) -> String {
        let battle = self.seat.battle;
        let name = &unit.card.name;
        let called =
            |id: Id| battle.unit(id).map_or_else(|| id.to_string(), |u| u.card.name.to_string());
        let within = |e: &Unit, reach: Mils| e.feet.iter().any(|f| f.distance_to(end.at) <= reach);
        let fires_at = |e: Id| battle.unit(e).is_some_and(|e| within(e, fire_reach(unit)));
        let near = |e: &Unit| within(e, fire_reach(e).max(battle.measures().scaled(12 * INCH)));
        let key_at = |name: Id| battle.keys().iter().find(|k| k.name == name).map(|k| k.at);
        match why {
            Why::Hold => format!("{name} holds."),
            Why::Face(e) => format!("{name} turns to face {}.", called(e)),
            Why::Close(e) if unit.mounted() => {
                format!("{name} comes within reach of {} for a charge.", called(e))
            }
            Why::Close(e) if fires_at(e) => {
                format!("{name} closes with {}: its fire there outweighs theirs.", called(e))
            }
            Why::Close(e) => format!("{name} goes toward {}.", called(e)),
            Why::KeepOff(e) => {
                format!("{name} keeps off {}: nearer it would lose more.", called(e))
            }
            Why::Back if self.seat.enemies().any(near) => {
                format!("{name} falls back: it would take more there than it gives.")
            }
            Why::Back => format!("{name} falls back to the others."),
            Why::Shift => format!("{name} shifts to a better place beside its brigade."),
            Why::Take(key) if key_at(key).is_some_and(|at| self.lookout.at(unit, end, at)) => {
                format!("{name} takes {key}.")
            }
            Why::Take(key) => format!("{name} goes for {key}."),
            Why::Aim => match task.what {
                What::Position(key) => format!("{name} goes for {key}."),
                What::Enemy(e) => format!("{name} goes toward {}, the easiest to beat.", called(e)),
                What::Keep(key) => format!("{name} closes up to keep {key}."),
                What::Ground => format!("{name} keeps with its brigade."),
                What::Rear => format!("{name} is spent and gives ground."),
                What::Battery => format!("{name} goes where it will bear on them."),
                What::Wing => format!("{name} rides wide, to threaten their flank."),
            },
        }
    }
}
