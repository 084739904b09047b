//! The way of a charge: the wheel, the run, and whom it meets first.

use table::{Corner, Facing, Footprint, INCH, Mils, Swept, TOUCH};

use super::Battle;
use super::command::Step;
use super::drill::Sergeant;
use super::formation::Formation;
use super::gap::{gap, gap_under};
use super::id::Id;
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

/// A charge straight ahead.
pub(super) struct Run {
    /// The first enemy on the way.
    met: Option<Id>,
    /// How far it would go if nothing stopped it.
    goal: Mils,
    /// How far it goes, over what ground and onto whom, if nothing does.
    pub(super) home: Option<(Mils, Ground, Option<Id>)>,
}

/// Ways are followed in pieces of a quarter inch.
const PIECE: Mils = INCH / 4;

impl Battle {
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
    pub(super) fn charge_home(
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
    pub(super) fn run_to(
        &self,
        from: &Wheeled<'_>,
        met: Option<(Id, Mils)>,
        rate: [Mils; 3],
    ) -> Run {
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
    pub(super) fn first_met(
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
    pub(super) fn until_walls(
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

    /// The way of a charge on guns whose crew has run into a square: it has nobody to strike there,
    /// and ends before them (ruling.crew-in-square).
    pub(super) fn short_of_guns(&self, unit: &Unit, mut way: ChargeWay, guns: &Unit) -> ChargeWay {
        let facing = way.place.pose.facing;
        let begin = way.place.shifted(facing.offset(0, -way.ahead));
        let feet = unit.feet_at(&begin);
        let pairs = feet.iter().flat_map(|a| guns.feet.iter().map(move |b| (a, b)));
        let until = pairs.filter_map(|(a, b)| a.way_until(facing, b)).fold(f64::MAX, f64::min);
        if until >= f64::from(way.ahead) {
            return way;
        }
        #[allow(clippy::cast_possible_truncation)] // less than the way
        let ahead = (until as Mils - self.measures().short).max(0);
        way.way -= way.ahead - ahead;
        way.place = begin.shifted(facing.offset(0, ahead));
        way.ahead = ahead;
        way.hit = None;
        way
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
                e.present() && e.side() != unit.side() && gap_under(&feet, &e.feet, short).is_some()
            });
            if !near && self.free(unit, &feet) {
                return place;
            }
            back += PIECE;
        }
        unit.place.clone()
    }
}
