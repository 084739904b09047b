//! Finding a charge: the least wheel after which the way straight ahead leads home, or why none does.

use table::{Corner, INCH, Mils, Pose, TOUCH, inches};

use super::Battle;
use super::charge_way::{ChargeWay, Wheeled};
use super::drill::Sergeant;
use super::id::Id;
use super::refusal::No;
use super::state::{Unit, shifted};
use super::terrain::Ground;
use super::way::Way;

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
            // A column that turns its head brings a corner forward: no farther than its rate.
            let in_reach = self.in_reach(unit, enemy, rate[way.ground as usize]);
            (way.hit == Some(target) && in_reach).then_some((aimed.wheel, way))
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

    /// The slowest ground a unit stands on as it sets out, as far as it can be said before
    /// its way is known: water may be bridged, and a column or a refused flank is laid anew.
    pub(super) fn begins_on(&self, unit: &Unit) -> Ground {
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
}
