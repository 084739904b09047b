//! The way of a charge: the wheel, the run, and whom it meets first.

use table::{Corner, Facing, Footprint, INCH, Mils, Pose, Swept, TOUCH, inches};

use super::Battle;
use super::command::Step;
use super::drill::Sergeant;
use super::formation::Formation;
use super::gap::gap;
use super::id::Id;
use super::refusal::No;
use super::state::{Placement, Unit, shifted};
use super::terrain::Ground;
use super::way::Way;

/// The way of a charge.
#[derive(Debug, Clone)]
pub(crate) struct ChargeWay {
    pub(crate) place: Placement,
    pub(crate) hit: Option<Id>,
    pub(crate) way: Mils,
    pub(crate) ahead: Mils,
    pub(crate) ground: Ground,
    pub(crate) stopped_by: Option<String>,
}

/// A unit that has wheeled for its charge, and goes straight on from there.
pub(crate) struct Wheeled<'u> {
    pub(crate) unit: &'u Unit,
    pub(crate) place: Placement,
    pub(crate) feet: Vec<Footprint>,
    /// How far it has come by wheeling, and over what.
    pub(crate) way: Mils,
    pub(crate) ground: Ground,
    /// Whom it charges: of several it meets at once it strikes him.
    pub(crate) aim: Option<Id>,
}

impl<'u> Wheeled<'u> {
    /// One that goes straight on from a place without a wheel.
    pub(crate) fn at_once(unit: &'u Unit, place: Placement) -> Self {
        let feet = unit.feet_at(&place);
        Self { unit, place, feet, way: 0, ground: Ground::Open, aim: None }
    }

    /// Its stands so far on.
    fn at(&self, way: Mils) -> Vec<Footprint> {
        shifted(&self.feet, self.place.pose.facing.offset(0, way))
    }

    /// What is left of its rate on some ground.
    fn left(&self, ground: Ground, rate: [Mils; 3]) -> Mils {
        (rate[ground as usize] - self.way).max(0)
    }
}

/// A wheel after which the way straight ahead leads to the target.
struct Aimed<'u> {
    wheel: i32,
    wheeled: Wheeled<'u>,
    /// The first enemy on that way, and how far he is.
    met: (Id, Mils),
}

/// Why no way leads a charge home: enough to say it in words, which can cost more than to find it.
#[derive(Debug, Clone)]
pub(crate) enum Astray {
    /// It is refused whatever lies on the way.
    Refused(No),
    /// Out of reach whichever way it wheels.
    OutOfReach,
    /// No wheel led home.
    Failed,
}

/// A charge straight ahead.
struct Run {
    /// The first enemy on the way.
    met: Option<Id>,
    /// How far it would go if nothing stopped it.
    goal: Mils,
    /// How far it goes, over what ground and onto whom, if nothing does.
    home: Option<(Mils, Ground, Option<Id>)>,
}

/// Ways are followed in pieces of a quarter inch.
const PIECE: Mils = INCH / 4;

impl Battle {
    /// The least wheel whose way straight ahead meets the target first, within the rate.
    pub(super) fn find_way(
        &self,
        unit: &Unit,
        target: Id,
        rate: [Mils; 3],
        wheel: Option<f64>,
    ) -> Result<(i32, ChargeWay), Astray> {
        let most = self.measures().wheel;
        if let Some(degrees) = wheel {
            let turn = table::turn(degrees);
            if turn.abs() > most {
                return Err(Astray::Refused(self.no(
                    &["ruling.charge-declaration"],
                    format!(
                        "a charge begins with a wheel of at most {} degrees",
                        f64::from(most) / 100.0
                    ),
                )));
            }
            let way = self.charge_way(unit, (turn, Some(target)), rate);
            return self.reached(unit, target, way).map(|w| (turn, w)).map_err(Astray::Refused);
        }
        if self.has(unit) {
            let seek = || self.seek_way(unit, target, rate, most);
            let ground = || {
                let far = rate.into_iter().max().unwrap_or(0) + 2 * unit.radius + INCH;
                unit.bounds.grown(far)
            };
            return self.memo.charges.or((unit.id(), target, rate), ground, seek);
        }
        self.seek_way(unit, target, rate, most)
    }

    /// The same with wheels of so many hundredths of a degree at most.
    pub(super) fn seek_way(
        &self,
        unit: &Unit,
        target: Id,
        rate: [Mils; 3],
        most: i32,
    ) -> Result<(i32, ChargeWay), Astray> {
        let far = rate.iter().copied().max().unwrap_or(0);
        let enemy = self.unit(target).filter(|t| self.in_reach(unit, t, far));
        let enemy = enemy.ok_or(Astray::OutOfReach)?;
        // The ground it begins on is the least it has to cross.
        let ground = self.begins_on(unit);
        let slow = rate[ground as usize..].iter().copied().max().unwrap_or(0);
        if slow < far && !self.in_reach(unit, enemy, slow) {
            return Err(Astray::Failed);
        }
        let sergeant = Sergeant::new(self, unit);
        let home = |aimed: Aimed<'_>| {
            if aimed.met.0 != target || !self.could_get_there(&aimed, rate) {
                return None;
            }
            let way = self.charge_home(unit, (aimed.wheel, target), rate)?;
            (way.hit == Some(target)).then_some((aimed.wheel, way))
        };
        self.wheels(&sergeant, (enemy, ground), slow, most).find_map(home).ok_or(Astray::Failed)
    }

    /// The wheels after which the way straight ahead leads to the target, the least first, each with
    /// whom it meets.
    fn wheels<'b>(
        &'b self,
        sergeant: &'b Sergeant<'b>,
        (enemy, ground): (&'b Unit, Ground),
        far: Mils,
        most: i32,
    ) -> impl Iterator<Item = Aimed<'b>> {
        // Toward the target first: the other way round would not shorten it.
        let sign = if sergeant.unit.place.pose.sees(enemy.middle).0 >= 0 { 100 } else { -100 };
        let turns = move || (3..=most / 100).step_by(3);
        let wheels = turns().map(move |d| d * sign).chain(turns().map(move |d| -d * sign));
        let width = sergeant.front_width();
        let aims = move |wheel| self.aims_at(sergeant, (enemy, ground), (wheel, width), far);
        [0].into_iter().chain(wheels).filter_map(aims)
    }

    /// Whether the run after a wheel would lead home, whatever the wheel itself leads over. A column
    /// lies otherwise once it has turned: it is not asked.
    fn could_get_there(&self, aimed: &Aimed<'_>, rate: [Mils; 3]) -> bool {
        let turns = aimed.wheeled.unit.formation().nature().turns;
        turns || self.run_to(&aimed.wheeled, Some(aimed.met), rate).home.is_some()
    }

    /// The slowest ground a unit stands on as it sets out to charge, as far as it can be said before
    /// its way is known: water may be bridged, and a column or a refused flank is laid anew.
    fn begins_on(&self, unit: &Unit) -> Ground {
        if unit.formation().nature().turns || unit.place.refused.is_some() {
            return Ground::Open;
        }
        let under = self.field.pieces.iter().filter(|p| {
            p.ground > Ground::Open
                && !p.kind.is_watery()
                && p.shape.bounds().meets(&unit.bounds)
                && unit.feet.iter().any(|f| p.shape.under(f))
        });
        under.map(|p| p.ground).max().unwrap_or(Ground::Open)
    }

    /// Whether an enemy, or the walls of his building, could be reached whichever way a charge
    /// wheels.
    pub(super) fn in_reach(&self, unit: &Unit, enemy: &Unit, far: Mils) -> bool {
        let walls = || self.building(enemy).map(|b| unit.feet.iter().map(|f| b.shape.gap(f)).min());
        enemy.within(unit, far + 2 * TOUCH) || walls().flatten().is_some_and(|gap| gap <= far)
    }

    /// Why no way was found, in words.
    pub(super) fn why_astray(
        &self,
        unit: &Unit,
        target: Id,
        rate: [Mils; 3],
        astray: Astray,
    ) -> No {
        let Some(enemy) = self.unit(target) else {
            let fact = format!("there is no {target} to charge");
            return self.no(&["ruling.charge-declaration"], fact);
        };
        let most = rate.iter().copied().max().unwrap_or(0);
        let (id, far, gap) = (unit.id(), inches(most), inches(enemy.distance(unit)));
        match astray {
            Astray::Refused(no) => return no,
            Astray::OutOfReach => {
                let fact = format!(
                    "{target} is out of reach of {id}: {gap} inches off, and it charges {far}"
                );
                return self.no(&["ruling.charge-declaration"], fact);
            }
            Astray::Failed => {}
        }
        let sergeant = Sergeant::new(self, unit);
        let widest = self.measures().wheel;
        let wheels = self.wheels(&sergeant, (enemy, Ground::Open), most, widest);
        let wheels: Vec<(i32, Id)> = wheels.map(|aimed| (aimed.wheel, aimed.met.0)).collect();
        // Somebody in the way is a better reason than the distance; how far it would have come is
        // measured for that reason alone.
        let whys = wheels.into_iter().rev().filter_map(|(wheel, met)| {
            if met != target {
                return Some(self.in_the_way(met, target));
            }
            let way = self.charge_way(unit, (wheel, Some(target)), rate);
            let barred = way.hit.is_some() || way.stopped_by.is_some();
            self.reached(unit, target, way).err().filter(|_| wheel == 0 || barred)
        });
        whys.into_iter().next().unwrap_or_else(|| {
            let fact = if gap > far {
                format!("{target} is {gap} inches off; {id} charges {far} inches at most")
            } else {
                format!(
                    "{target} is {gap} inches off, but not straight before {id}, which charges \
                     {far} inches at most with its wheel"
                )
            };
            self.no(&["ruling.charge-declaration"], fact)
        })
    }

    fn in_the_way(&self, other: Id, target: Id) -> No {
        let fact = format!("{other} is in the way of the charge on {target}");
        self.no(&["ruling.charge-declaration"], fact)
    }

    /// Which enemy the way straight ahead after a wheel leads to, whatever the ground, if it
    /// leads over the target at all.
    fn aims_at<'b>(
        &self,
        sergeant: &Sergeant<'b>,
        (target, ground): (&Unit, Ground),
        (wheel, width): (i32, Mils),
        far: Mils,
    ) -> Option<Aimed<'b>> {
        let unit = sergeant.unit;
        let place = &sergeant.drill.place;
        let (front, spent) = if unit.formation().nature().turns {
            (Pose::new(place.pose.at, place.pose.facing.turned(wheel)), 0)
        } else {
            table::wheel(place.pose, width, Corner::of_turn(wheel), wheel)
        };
        // What the wheel has left of the rate.
        let far = far - spent;
        let (across, ahead) = front.sees(target.middle);
        let wide = unit.frontage() / 2 + unit.size().depth + target.radius;
        let deep = far + unit.size().depth + target.radius + INCH;
        if far < 0 || across.abs() > wide || ahead + target.radius < 0 {
            return None;
        }
        if ahead > deep && self.building(target).is_none() {
            return None;
        }
        let place = if wheel == 0 { place.clone() } else { sergeant.laid_like(front) };
        let feet = unit.feet_at(&place);
        let there = shifted(&feet, front.facing.offset(0, far + 2 * TOUCH));
        let walls = || self.until_walls(target, &feet, (front.facing, far)).is_some();
        if !Way::new(&feet, &there).sweeps(target) && !walls() {
            return None;
        }
        let aim = Some(target.id());
        let met = self.first_met(unit, &feet, (front.facing, far), aim)?;
        Some(Aimed { wheel, wheeled: Wheeled { unit, place, feet, way: spent, ground, aim }, met })
    }

    pub(super) fn reached(&self, unit: &Unit, target: Id, way: ChargeWay) -> Result<ChargeWay, No> {
        match (way.hit, &way.stopped_by) {
            (Some(hit), _) if hit == target => Ok(way),
            (Some(hit), _) => Err(self.in_the_way(hit, target)),
            (None, Some(why)) => Err(self.no(
                &["ruling.charge-declaration"],
                format!("the charge of {} on {target} stops: {why}", unit.id()),
            )),
            (None, None) => Err(self.no(
                &["ruling.charge-declaration"],
                format!(
                    "{target} is out of reach of {}: {} inches go no farther",
                    unit.id(),
                    inches(way.way)
                ),
            )),
        }
    }

    /// A wheel, then straight ahead to the first enemy, as far as the rate allows.
    pub(crate) fn charge_way(
        &self,
        unit: &Unit,
        (wheel, aim): (i32, Option<Id>),
        rate: [Mils; 3],
    ) -> ChargeWay {
        match self.charge_wheel(unit, wheel) {
            Ok(wheeled) => self.straight_charge(&Wheeled { aim, ..wheeled }, rate),
            Err((ground, why)) => ChargeWay {
                place: unit.place.clone(),
                hit: None,
                way: 0,
                ahead: 0,
                ground,
                stopped_by: Some(why),
            },
        }
    }

    /// The same, if it leads home: to the first enemy on its way.
    fn charge_home(
        &self,
        unit: &Unit,
        (wheel, aim): (i32, Id),
        rate: [Mils; 3],
    ) -> Option<ChargeWay> {
        let wheeled = Wheeled { aim: Some(aim), ..self.charge_wheel(unit, wheel).ok()? };
        let run = self.run_in(&wheeled, rate);
        let home = run.home.filter(|_| run.met.is_some())?;
        Some(self.end_of_run(&wheeled, home, None)).filter(|way| way.hit.is_some())
    }

    /// The wheel a charge begins with, or what bars it on which ground.
    fn charge_wheel<'u>(
        &self,
        unit: &'u Unit,
        wheel: i32,
    ) -> Result<Wheeled<'u>, (Ground, String)> {
        let mut sergeant = Sergeant::new(self, unit);
        if wheel != 0 {
            let to = if wheel < 0 { Corner::Left } else { Corner::Right };
            let degrees = f64::from(wheel.abs()) / 100.0;
            let step = if unit.formation().nature().turns {
                Step::Turn { facing: unit.place.pose.facing.turned(wheel) }
            } else {
                Step::Wheel { to, degrees }
            };
            sergeant.step(&step).map_err(|no| (Ground::Open, no.fact))?;
        }
        let mut drill = sergeant.drill;
        let mut ground = Ground::Open;
        for pair in drill.legs.windows(2) {
            let from = if pair[1].sets { &pair[1].feet } else { &pair[0].feet };
            let stop = self.charge_blocked(unit, from, &pair[1].feet, &mut ground);
            let way = Way::new(from, &pair[1].feet);
            let met = |u: &&Unit| u.present() && u.side() != unit.side() && way.sweeps(u);
            let enemy = self.units.iter().find(met);
            let wheel = |e: &Unit| format!("{} is in the way of the wheel", e.id());
            if let Some(why) = stop.or(enemy.map(wheel)) {
                return Err((ground, why));
            }
        }
        let way = drill.way();
        let feet = drill.legs.pop().map(|l| l.feet).unwrap_or_default();
        Ok(Wheeled { unit, place: drill.place, feet, way, ground, aim: None })
    }

    /// Straight ahead from a place to the first enemy.
    pub(crate) fn straight_charge(&self, from: &Wheeled<'_>, rate: [Mils; 3]) -> ChargeWay {
        let run = self.run_in(from, rate);
        if let Some(home) = run.home {
            return self.end_of_run(from, home, None);
        }
        // As far as the ground and friends allow.
        let (mut low, mut high) = (0, run.goal);
        while high - low > 1 {
            let middle = i32::midpoint(low, high);
            let (under, why) = self.charged_over(from, middle);
            let goes = why.is_none() && middle <= from.left(under, rate);
            if goes { low = middle } else { high = middle }
        }
        let slow = || run.met.map(|_| "the ground is too slow".to_owned());
        let why = self.charged_over(from, high).1.or_else(slow);
        self.end_of_run(from, (low, self.charged_over(from, low).0, None), why)
    }

    /// Whom a charge straight ahead meets, and whether it gets there.
    fn run_in(&self, from: &Wheeled<'_>, rate: [Mils; 3]) -> Run {
        let most = from.left(from.ground, rate);
        let met = self.first_met(from.unit, &from.feet, (from.place.pose.facing, most), from.aim);
        self.run_to(from, met, rate)
    }

    /// The same, with whom it meets known.
    fn run_to(&self, from: &Wheeled<'_>, met: Option<(Id, Mils)>, rate: [Mils; 3]) -> Run {
        let most = from.left(from.ground, rate);
        let goal = met.map_or(most, |(_, way)| way.min(most));
        let (under, why) = self.charged_over(from, goal);
        let left = from.left(under, rate);
        // Contact on the very limit counts; a stand that has wheeled is rounded to a mil.
        let reaches = why.is_none()
            && match met {
                Some((_, way)) => way <= left + 1,
                None => goal <= left,
            };
        let home = reaches.then(|| (goal.min(left), under, met.map(|m| m.0)));
        Run { met: met.map(|m| m.0), goal, home }
    }

    /// The ground under a charge so far on, and what bars the way there.
    fn charged_over(&self, from: &Wheeled<'_>, way: Mils) -> (Ground, Option<String>) {
        let mut under = from.ground;
        let there = from.at(way);
        let why = self.charge_blocked(from.unit, &from.feet, &there, &mut under);
        (under, why)
    }

    /// Where a charge ends that could go so far: friends it may pass through, or who got there
    /// first, leave no room to stand.
    fn end_of_run(
        &self,
        from: &Wheeled<'_>,
        (mut way, ground, mut hit): (Mils, Ground, Option<Id>),
        mut why: Option<String>,
    ) -> ChargeWay {
        while let Some(other) = self.overlapped(from.unit, &from.at(way), None) {
            hit = None;
            why = why.or_else(|| Some(format!("{other} stands where it would end")));
            if way == 0 {
                break;
            }
            way = (way - PIECE).max(0);
        }
        let place = from.place.shifted(from.place.pose.facing.offset(0, way));
        ChargeWay { place, hit, way: from.way + way, ahead: way, ground, stopped_by: why }
    }

    /// The first enemy on the way straight ahead, and how far it is until they touch.
    fn first_met(
        &self,
        unit: &Unit,
        feet: &[Footprint],
        (facing, most): (Facing, Mils),
        aim: Option<Id>,
    ) -> Option<(Id, Mils)> {
        let whole = shifted(feet, facing.offset(0, most + 2 * TOUCH));
        let way = Way::new(feet, &whole);
        let contact = |enemy: &Unit| {
            let pairs = feet.iter().flat_map(|a| enemy.feet.iter().map(move |b| (a, b)));
            let ways = pairs.filter_map(|(a, b)| a.way_until(facing, b));
            let least = ways.chain(self.until_walls(enemy, feet, (facing, most)));
            let least = least.fold(f64::MAX, f64::min);
            #[allow(clippy::cast_possible_truncation)] // no farther than the rate
            let until = (least <= f64::from(most + 2 * TOUCH)).then_some(least as Mils)?;
            Some((enemy.id(), (until - TOUCH).max(0)))
        };
        let met: Vec<(Id, Mils)> = self
            .units
            .iter()
            .filter(|u| u.present() && u.side() != unit.side() && u.sheltering.is_none())
            .filter(|u| way.reaches(u, 0) || self.building(u).is_some_and(|b| way.enters(b)))
            .filter_map(contact)
            .collect();
        let first = met.iter().copied().min_by_key(|met| met.1)?;
        // Of several met at once he strikes whom he charges; also a square that found no room
        // beside its neighbours and was formed a little behind them.
        let set_back =
            |id: Id| self.unit(id).is_some_and(|u| u.formation() == Formation::HastySquare);
        let aimed = met.iter().find(|met| Some(met.0) == aim);
        Some(match aimed {
            Some(aimed) if aimed.1 <= first.1 + TOUCH => *aimed,
            Some(aimed) if set_back(aimed.0) && aimed.1 <= first.1 + INCH => (aimed.0, first.1),
            _ => first,
        })
    }

    /// How far it is to the walls of a garrison: they are met like its stands (ruling.garrison).
    fn until_walls(
        &self,
        enemy: &Unit,
        feet: &[Footprint],
        (facing, most): (Facing, Mils),
    ) -> Option<f64> {
        let walls = self.building(enemy)?;
        let entered = |way: Mils| {
            let by = facing.offset(0, way);
            feet.iter().any(|f| walls.shape.entered(&Swept::between(f, &f.shifted(by))))
        };
        let (mut low, mut high) = (0, most + 2 * TOUCH);
        if !entered(high) {
            return None;
        }
        while high - low > 1 {
            let middle = i32::midpoint(low, high);
            if entered(middle) { high = middle } else { low = middle }
        }
        Some(f64::from(high))
    }

    /// What stops a charge besides enemies: friends in close order, closed ground, the edge.
    pub(super) fn charge_blocked(
        &self,
        unit: &Unit,
        from: &[Footprint],
        to: &[Footprint],
        ground: &mut Ground,
    ) -> Option<String> {
        let over = self.field.crossed_but((from, to), &[], *ground);
        *ground = over.ground;
        if let Some(closed) = over.closed {
            // A garrison is charged at its walls.
            let held = self.units.iter().any(|u| {
                u.present() && u.side() != unit.side() && u.place.garrison == Some(closed)
            });
            if !held {
                return Some(format!("{closed} is in the way"));
            }
        }
        if let Some(obstacle) = over.obstacle {
            return Some(format!("{obstacle} must be scaled"));
        }
        if to.iter().any(|f| !self.field.holds(f)) {
            return Some("the table ends".into());
        }
        let way = Way::new(from, to);
        let friend = self.units.iter().find(|u| {
            way.reaches(u, 0)
                && u.present()
                && u.side() == unit.side()
                && u.id() != unit.id()
                && !u.formation().nature().loose
                && u.formation() != Formation::Broken
                && way.sweeps(u)
        });
        friend.map(|f| format!("{} is in the way", f.id()))
    }

    /// Straight ahead until it touches an enemy beside its way, whom it would not run into.
    pub(super) fn brushing(&self, unit: &Unit, rate: [Mils; 3]) -> Option<ChargeWay> {
        let from = Wheeled::at_once(unit, unit.place.clone());
        let run = self.straight_charge(&from, rate);
        let whole = from.at(run.ahead);
        let way = Way::new(&from.feet, &whole);
        let foe = |e: &&Unit| e.present() && e.side() != unit.side() && way.reaches(e, TOUCH);
        let beside: Vec<&Unit> = self.units.iter().filter(foe).collect();
        let touched = |way: Mils| {
            let feet = from.at(way);
            beside.iter().find(|e| gap(&feet, &e.feet) <= TOUCH)
        };
        // No stand is less deep than a piece: none is passed over.
        let mut pieces = (0..=run.ahead / PIECE).map(|n| n * PIECE).chain([run.ahead]);
        let mut high = pieces.find(|way| touched(*way).is_some())?;
        let mut low = (high - PIECE).max(0);
        while high - low > 1 {
            let middle = i32::midpoint(low, high);
            if touched(middle).is_some() { high = middle } else { low = middle }
        }
        let (way, met) = (high, touched(high)?.id());
        let (ground, why) = self.charged_over(&from, way);
        let way = self.end_of_run(&from, (way, ground, Some(met)), why);
        (way.hit.is_some() && way.stopped_by.is_none()).then_some(way)
    }

    /// How far ahead a unit that may go so far gets before it comes too near an enemy beside its way.
    pub(super) fn until_near(&self, unit: &Unit, far: Mils) -> Mils {
        let from = Wheeled::at_once(unit, unit.place.clone());
        let short = self.measures().short;
        let near = |way: Mils| {
            let feet = from.at(way);
            self.units.iter().any(|e| {
                let enemy = e.present() && e.side() != unit.side() && e.near(unit, far + short);
                enemy && {
                    let off = gap(&feet, &e.feet);
                    off < short && off < e.distance(unit)
                }
            })
        };
        let mut ways = (1..=far / PIECE).map(|n| n * PIECE).chain([far]);
        ways.find(|way| near(*way)).map_or(far, |way| (way - PIECE).max(0))
    }

    /// A charge that does not reach anybody stops short of every enemy.
    pub(super) fn stop_short(&self, unit: &Unit, way: &ChargeWay) -> Placement {
        let short = self.measures().short;
        let facing = way.place.pose.facing;
        let mut back = 0;
        while back <= way.ahead {
            let place = way.place.shifted(facing.offset(0, -back));
            let feet = unit.feet_at(&place);
            let near = self.units.iter().any(|e| {
                e.present()
                    && e.side() != unit.side()
                    && feet.iter().any(|a| e.feet.iter().any(|b| a.distance(b) < short))
            });
            if !near && self.free(unit, &feet) {
                return place;
            }
            back += PIECE;
        }
        unit.place.clone()
    }
}
