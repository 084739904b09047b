//! Musketry and cannonade: who may fire at whom, with how many points, and what comes of it.

use std::sync::Arc;

use rulebook::{Conditions, Refusal};
use table::{Footprint, INCH, Mils, Point, TOUCH, inches};

use super::Battle;
use super::card::{Branch, Side, Trait, WeaponOf};
use super::event::Phase;
use super::formation::Formation;
use super::id::Id;
use super::memo::Aim;
use super::refusal::No;
use super::sight::Bearing;
use super::state::Unit;
use super::terrain::Cover;
use crate::fire::Class;
use crate::fire::{self, Assessment, Charging, Kind, Target, TargetArm};
use crate::maneuver::Order;

/// One unit's part in a fire.
#[derive(Debug, Clone)]
pub(crate) struct Firer {
    pub(crate) unit: Id,
    pub(crate) stands: Vec<Bearing>,
    pub(crate) points: f64,
    /// Points from stands behind the line of the target's front.
    pub(crate) behind: f64,
    pub(crate) cannon: bool,
    pub(crate) close: bool,
}

/// Whether a line of the sheet holds for a firer.
type Holds<'h> = &'h dyn Fn(&Firer, &Unit) -> bool;

/// A fire that may be given.
#[derive(Debug, Clone)]
pub(crate) struct Volley {
    pub(crate) firers: Vec<Firer>,
    pub(crate) target: Id,
    pub(crate) feet: Vec<Footprint>,
    pub(crate) points: f64,
    pub(crate) hold: Conditions,
    pub(crate) kind: Kind,
}

impl Battle {
    /// What keeps a unit from firing in this step, if anything does.
    pub(super) fn silent(&self, unit: &Unit) -> Option<(&'static str, &'static str)> {
        if !self.can_fire(unit) {
            return Some(if unit.silenced() {
                ("artillery.silenced.no-fire", "is silenced: it cannot fire")
            } else if unit.order == Order::Broken {
                ("ruling.who-fires", "is broken: it cannot fire")
            } else if unit.mounted() {
                ("ruling.who-fires", "is mounted: it cannot fire")
            } else if unit.sheltering.is_some() {
                ("ruling.who-fires", "shelters in a square: it cannot fire")
            } else if unit.card.weapon.is_none() {
                ("ruling.who-fires", "has no firearms: it cannot fire")
            } else {
                let why = "is limbered or in a formation that does not fire: it cannot fire";
                ("ruling.who-fires", why)
            });
        }
        if unit.did.countercharged.is_some() {
            return Some(("ruling.countercharge", "went out to meet a charge"));
        }
        if self.phase != Phase::OffensiveFire {
            return None;
        }
        if unit.did.fell_back || unit.did.busy {
            return Some((
                "ruling.who-fires",
                "was driven back, replenished or scaled an obstacle",
            ));
        }
        if unit.is_guns() && !unit.did.guns_ready {
            return Some(("ruling.gun-moves-and-fire", "spent its maneuver on moving"));
        }
        let steel = unit.did.cold_steel && unit.card.class != Class::Elite;
        steel.then_some(("special.cold-steel.no-fire", "charges with cold steel and does not fire"))
    }

    /// Whether it is a unit's time to fire, and if not why.
    pub(super) fn may_fire(&self, unit: &Unit) -> Result<(), No> {
        self.silent(unit).map_or(Ok(()), |(rule, why)| {
            // The ruling stands in where a book has no such clause.
            let ruling = match rule {
                "special.cold-steel.no-fire" => "ruling.cold-steel",
                "artillery.silenced.no-fire" => "ruling.who-fires",
                ruling => ruling,
            };
            Err(self.no(&[rule, ruling], format!("{} {why}", unit.id())))
        })
    }

    pub(crate) fn firing_side(&self) -> Option<Side> {
        match self.phase {
            Phase::DefensiveFire => Some(self.mover.other()),
            Phase::OffensiveFire => Some(self.mover),
            _ => None,
        }
    }

    /// Whether a unit could bear on something within a circle: not if it is wholly behind its
    /// front, or outside the lines from its flanks.
    pub(super) fn faces(unit: &Unit, middle: Point, radius: Mils) -> bool {
        if unit.formation().nature().all_round || unit.place.refused.is_some() {
            return true;
        }
        let (across, ahead) = unit.place.pose.sees(middle);
        ahead + radius >= 0 && across.abs() - radius <= 2 * unit.radius + ahead + radius
    }

    /// Whether a stand of a unit that bears at some range has not fired yet and could.
    pub(super) fn still(&self, unit: &Unit, (stand, range): Bearing) -> bool {
        unit.did.fired & (1 << stand) == 0 && self.stand_points(unit, stand, range) > 0.0
    }

    /// The stands of a unit that bear on a target where it stands, fired or not; none if they are
    /// too far off or look another way.
    fn bearings(&self, unit: &Unit, target: &Unit) -> Option<Arc<[Bearing]>> {
        let reach = unit.reach();
        if reach == 0 || !unit.near(target, reach) {
            return None;
        }
        let around = target.bounds.middle();
        let radius = around.distance(target.bounds.high) + TOUCH;
        if !Self::faces(unit, around, radius) {
            return None;
        }
        let measure = || self.bearing(unit, target, &target.feet, reach).into();
        if !self.has(unit) || !self.has(target) {
            return Some(measure());
        }
        let ground = || unit.bounds.and(target.bounds).grown(INCH);
        Some(self.memo.bearings.or((unit.id(), target.id()), ground, measure))
    }

    /// The enemies a unit bears on, fired or not. They are asked for before every volley, and
    /// remembered until somebody moves within its reach.
    fn aims(&self, unit: &Unit) -> Arc<[Aim]> {
        let enemies = || self.units.iter().filter(|e| e.present() && e.side() != unit.side());
        let measure = || {
            let aim = |e: &Unit| {
                let stands = self.bearings(unit, e)?;
                (!stands.is_empty()).then(|| (e.id(), stands))
            };
            enemies().filter_map(aim).collect()
        };
        if !self.has(unit) {
            return measure();
        }
        let reach = unit.reach();
        let ground = || {
            let near = enemies().filter(|e| e.near(unit, reach));
            near.fold(unit.bounds.grown(reach), |all, e| all.and(e.bounds)).grown(INCH)
        };
        self.memo.aims.or(unit.id(), ground, measure)
    }

    /// The nearest range of the stands of some that have not fired yet.
    fn nearest_of(&self, unit: &Unit, stands: &[Bearing]) -> Option<Mils> {
        stands.iter().filter(|b| self.still(unit, **b)).map(|b| b.1).min()
    }

    /// The stands of a unit, not fired yet, that bear on a target.
    pub(super) fn bears_on(&self, unit: &Unit, target: &Unit) -> Vec<Bearing> {
        let found = self.bearings(unit, target);
        let still = |b: &Bearing| self.still(unit, *b);
        found.map_or_else(Vec::new, |f| f.iter().copied().filter(still).collect())
    }

    /// The nearest range at which a stand of a unit, not fired yet, bears on a target.
    pub(super) fn nearest_bearing(&self, unit: &Unit, target: &Unit) -> Option<Mils> {
        self.nearest_of(unit, &self.bearings(unit, target)?)
    }

    /// The points of a stand at a range.
    pub(super) fn stand_points(&self, unit: &Unit, stand: u8, range: Mils) -> f64 {
        let Some(weapon) = &unit.card.weapon else { return 0.0 };
        let disordered = unit.order == Order::Disordered;
        if unit.is_guns() {
            let gun = unit.guns.get(usize::from(stand)).copied().unwrap_or_default();
            let points = if gun.silenced { 0.0 } else { WeaponOf::points(&weapon.bands, range) };
            return points * self.rules.weapons.halving(disordered, gun.low, gun.damaged);
        }
        let amusette = unit.amusette && stand == 0;
        let bands = if amusette { &weapon.amusette } else { &weapon.bands };
        WeaponOf::points(bands, range) * self.rules.weapons.halving(disordered, unit.low, false)
    }

    /// The points of all stands of a unit at a range, halved as the book halves them.
    #[must_use]
    pub fn points_at(&self, unit: &Unit, range: Mils) -> f64 {
        (0..unit.stands).map(|stand| self.stand_points(unit, stand, range)).sum()
    }

    /// Whether an enemy is not hidden in a square, nor fired at by a unit in this step: all its fire
    /// at one target is rolled once (ruling.combining-fire).
    fn is_mark(&self, unit: &Unit, enemy: Id) -> bool {
        !unit.did.targets.contains(&enemy)
            && self.unit(enemy).is_some_and(|e| e.sheltering.is_none())
    }

    /// The enemies a unit could fire at now, with the nearest range to each.
    #[must_use]
    pub fn targets(&self, unit: &Unit) -> Vec<(Id, Mils)> {
        if self.silent(unit).is_some() || unit.did.targets.len() >= 2 {
            return vec![];
        }
        let aims = self.aims(unit);
        let aims = aims.iter().filter(|(e, _)| self.is_mark(unit, *e));
        let mut found: Vec<(Id, Mils)> =
            aims.filter_map(|(e, stands)| Some((*e, self.nearest_of(unit, stands)?))).collect();
        self.prefer(unit, &mut found);
        found
    }

    /// Whether an enemy is one of those a unit could fire at now.
    pub(super) fn may_aim(&self, unit: &Unit, enemy: &Unit) -> bool {
        self.nearest_bearing(unit, enemy).is_some()
            && self.targets(unit).iter().any(|t| t.0 == enemy.id())
    }

    /// Whether a unit could fire at anybody now.
    #[must_use]
    pub fn could_fire(&self, unit: &Unit) -> bool {
        if unit.did.charge.as_ref().is_some_and(|c| c.cold_steel) {
            return !self.targets(unit).is_empty();
        }
        // Whom it must prefer does not matter: of some it may fire at one.
        self.silent(unit).is_none()
            && unit.did.targets.len() < 2
            && self.aims(unit).iter().any(|(e, stands)| {
                self.is_mark(unit, *e) && self.nearest_of(unit, stands).is_some()
            })
    }

    /// Keeps the targets a unit must prefer (ruling.target-selection).
    pub(super) fn prefer(&self, unit: &Unit, found: &mut Vec<(Id, Mils)>) {
        let charge = unit.did.charge.as_ref().filter(|c| c.home);
        if let Some(charge) = charge.filter(|c| c.cold_steel) {
            found.retain(|(e, _)| *e == charge.target);
            return;
        }
        let charges_it = |e: Id| {
            self.unit(e).is_some_and(|e| {
                e.did.charge.as_ref().is_some_and(|c| c.home && c.target == unit.id())
                    && e.within(unit, TOUCH * 2)
            })
        };
        if found.iter().any(|(e, _)| charges_it(*e)) {
            found.retain(|(e, _)| charges_it(*e));
            return;
        }
        let close = self.measures().close_range_guns;
        if unit.is_guns() {
            if found.iter().any(|f| f.1 <= close) {
                found.retain(|f| f.1 <= close);
            }
        } else if let Some(nearest) = found.iter().map(|f| f.1).min() {
            let near = |f: &(Id, Mils)| f.1 <= nearest + TOUCH;
            // An amusette may reach past its unit's target: at whom it alone bears, or when the
            // others have fired.
            let fired = !unit.did.targets.is_empty();
            let alone = |f: &(Id, Mils)| {
                unit.amusette
                    && (fired
                        || self
                            .unit(f.0)
                            .is_some_and(|e| self.bears_on(unit, e).iter().all(|b| b.0 == 0)))
            };
            found.retain(|f| near(f) || alone(f));
        }
    }

    /// Whether a fire may be given, and what it consists of.
    pub(crate) fn check_fire(
        &self,
        side: Side,
        units: &[Id],
        target: Id,
        passing: bool,
    ) -> Result<Volley, No> {
        let Some(firing) = self.firing_side() else {
            return Err(self.no(&["sequence.phase-order"], "it is not time to fire"));
        };
        if firing != side {
            return Err(self.no(&["sequence.fire.1-defensive"], "the other side fires now"));
        }
        if units.is_empty() {
            return Err(self.no(&["ruling.combining-fire"], "name at least one unit that fires"));
        }
        let Some(enemy) =
            self.unit(target).filter(|u| u.present() && u.side() != side && u.sheltering.is_none())
        else {
            let own = self.unit(target).is_some_and(|u| u.side() == side);
            let why = match own {
                true => format!("{target} is of the side that fires now, and no enemy to fire at"),
                false => format!("there is no enemy {target} to fire at"),
            };
            return Err(self.no(&["ruling.target-selection"], why));
        };
        let mut firers: Vec<Firer> = Vec::new();
        let mut feet = enemy.feet.clone();
        for (i, id) in units.iter().enumerate() {
            let unit = self.own_unit(side, *id)?;
            if units[..i].contains(id) {
                return Err(self.no(&["ruling.combining-fire"], format!("{id} is named twice")));
            }
            self.may_fire(unit)?;
            if unit.did.targets.len() >= 2 {
                return Err(
                    self.no(&["ruling.splitting-fire"], format!("{id} has fired at two targets"))
                );
            }
            if unit.did.targets.contains(&target) {
                let fact = format!(
                    "{id} has fired at {target} in this step: all its fire at one target is rolled once"
                );
                return Err(self.elsewhere(unit, self.no(&["ruling.combining-fire"], fact)));
            }
            let stands = if passing {
                let (stands, there) = self.as_it_passed(unit, enemy)?;
                feet = there;
                stands
            } else {
                self.bears_on(unit, enemy)
            };
            if stands.is_empty() {
                return Err(self.elsewhere(unit, self.bears_not(unit, enemy)));
            }
            if !passing && !self.may_aim(unit, enemy) {
                let fact = format!("{id} must fire at a nearer enemy, or at its charger");
                return Err(self.elsewhere(unit, self.no(&["ruling.target-selection"], fact)));
            }
            firers.push(self.firer(unit, enemy, stands));
        }
        let points: f64 = firers.iter().map(|f| f.points).sum();
        if points <= 0.0 {
            return Err(self.no(&["ruling.fire-zero-points"], "no fire points at all"));
        }
        let cannon = firers.iter().any(|f| f.cannon);
        let kind = if cannon { Kind::Cannonade } else { Kind::Musketry };
        let hold = self.fire_conditions(&firers, enemy, &feet, points);
        Ok(Volley { firers, target, feet, points, hold, kind })
    }

    /// Why no stand of a unit bears on an enemy: arc, range or sight, or they all have fired.
    fn bears_not(&self, unit: &Unit, enemy: &Unit) -> No {
        let (id, target) = (unit.id(), enemy.id());
        let reach = unit.reach();
        let width = unit.size().width;
        let ranges = self.firing_stands(unit).flat_map(|(_, front)| {
            let facing = enemy.feet.iter().filter(move |f| f.in_arc_of(front, width));
            facing.map(move |f| f.distance_to(front.at))
        });
        match ranges.min() {
            None => self.no(
                &["ruling.arc-of-fire"],
                format!("{target} is outside the arc of fire of {id}"),
            ),
            Some(range) if range > reach => self.no(
                &["ruling.range-measurement"],
                format!(
                    "{target} is {} inches from {id}, which reaches {}",
                    inches(range),
                    inches(reach)
                ),
            ),
            Some(_) if self.bearing(unit, enemy, &enemy.feet, reach).is_empty() => {
                self.no(&["ruling.line-of-sight"], format!("{id} does not see {target}"))
            }
            Some(_) => self.no(
                &["ruling.splitting-fire"],
                format!("the stands of {id} that bear on {target} have fired"),
            ),
        }
    }

    /// A refusal with the enemies a unit may fire at instead, if there are any.
    pub(super) fn elsewhere(&self, unit: &Unit, no: No) -> No {
        let targets = self.targets(unit);
        if targets.is_empty() {
            return no;
        }
        let each = targets.iter().map(|(e, r)| format!("{e} ({} inches)", inches(*r)));
        no.instead(format!("it may fire at {}", each.collect::<Vec<_>>().join(", ")))
    }

    pub(super) fn firer(&self, unit: &Unit, target: &Unit, stands: Vec<Bearing>) -> Firer {
        let mut points = 0.0;
        let mut behind = 0.0;
        for (i, range) in &stands {
            let p = self.stand_points(unit, *i, *range);
            points += p;
            let from = unit.feet.get(usize::from(*i)).map_or(Point::default(), Footprint::centre);
            if target.turns_its_back_to(from) {
                behind += p;
            }
        }
        let cannon = unit.is_guns() || (unit.amusette && stands.iter().any(|(i, _)| *i == 0));
        let close = stands.iter().all(|(_, r)| *r <= self.measures().close_range);
        Firer { unit: unit.id(), stands, points, behind, cannon, close }
    }

    /// The lines of the firers that hold for half or more of the points (ruling.mixed-fire). Those
    /// of one group are one line of the sheet, such as raw troops or guns: together they hold, and
    /// the one with the most points is named.
    fn firer_lines(&self, firers: &[Firer], target: &Unit, points: f64) -> Vec<&'static str> {
        let charges = |a: &Unit, b: &Unit| {
            a.did.charge.as_ref().is_some_and(|c| c.home && c.target == b.id())
        };
        let raw = |u: &Unit, guns: bool| u.card.class == Class::Raw && u.is_guns() == guns;
        let buck_and_ball = |f: &Firer, u: &Unit| {
            u.card.is(Trait::BuckAndBall)
                && u.card.branch == Branch::Infantry
                && u.card.weapon.as_ref().is_some_and(|w| w.ways.buck_and_ball)
                && f.close
                && (charges(u, target) || charges(target, u))
        };
        let lines: [(&str, Holds<'_>); 4] = [
            ("raw-troops-firing", &|_, u| raw(u, false)),
            ("raw-guns-firing", &|_, u| raw(u, true)),
            ("buck-and-ball", &buck_and_ball),
            ("marksmen", &|_, u| u.card.is(Trait::Marksmen)),
        ];
        let names = &self.rules.fire.modifiers;
        let of = |has: Holds<'_>| -> f64 {
            let with = firers.iter().filter(|f| self.unit(f.unit).is_some_and(|u| has(f, u)));
            with.map(|f| f.points).sum()
        };
        let mut held = Vec::new();
        for (at, (name, has)) in lines.iter().enumerate() {
            let own = of(has);
            if own <= 0.0 {
                continue;
            }
            let group = names.group_of(names.named(name)).with(names.named(name));
            let alike = |other: &str| group.meets(names.named(other));
            let whole = of(&|f, u| lines.iter().any(|(other, has)| alike(other) && has(f, u)));
            let most = lines.iter().enumerate().all(|(i, (other, has))| {
                !alike(other) || own > of(has) || own == of(has) && at <= i
            });
            if 2.0 * whole >= points && most {
                held.push(*name);
            }
        }
        held
    }

    pub(super) fn fire_conditions(
        &self,
        firers: &[Firer],
        target: &Unit,
        feet: &[Footprint],
        points: f64,
    ) -> Conditions {
        let names = &self.rules.fire.modifiers;
        let mut hold = Conditions::default();
        let mut add = |name: &str| hold = hold.with(names.named(name));
        for line in self.firer_lines(firers, target, points) {
            add(line);
        }
        let behind: f64 = firers.iter().map(|f| f.behind).sum();
        let enfiladed = 2.0 * behind >= points
            && self.has_flanks(target)
            && !target.formation().nature().all_round
            && !target.formation().is_open();
        if target.is_guns() {
            if target.formation() == Formation::Limbered {
                add("gun-limbered");
            }
            if enfiladed {
                add("gun-enfiladed");
            }
        } else {
            self.target_conditions(target, enfiladed, &mut add);
        }
        // The cover that holds against the majority of the fire.
        let mut covers: Vec<(Cover, f64)> = firers
            .iter()
            .filter_map(|f| self.unit(f.unit).map(|u| (self.cover_from(target, feet, u), f.points)))
            .collect();
        covers.sort_by_key(|c| c.0);
        let mut sum = 0.0;
        let cover = covers
            .iter()
            .find(|(_, p)| {
                sum += p;
                // Cover counts against the majority of the fire: half of it is none.
                2.0 * sum >= points
            })
            .map_or(Cover::None, |c| c.0);
        let open = target.formation().is_open();
        if open {
            add("open-order");
        }
        match cover {
            Cover::None => {}
            Cover::Partial if open => {
                add("partial-cover");
                add("open-order-in-partial-cover");
            }
            Cover::Partial => add("partial-cover"),
            Cover::Full => add("full-cover"),
            Cover::Fortified => add("fortified"),
        }
        hold
    }

    pub(super) fn target_conditions(
        &self,
        target: &Unit,
        enfiladed: bool,
        add: &mut impl FnMut(&str),
    ) {
        target.formation().nature().as_target.iter().for_each(|name| add(name));
        if target.order == Order::Broken {
            add("target-broken");
        }
        if target.about_faced {
            add("target-about-faced");
        }
        if target.passage {
            add("target-passage-of-lines");
        }
        if target.flank_marched {
            add("target-marched-by-flank");
        }
        if target.mounted() {
            add("target-cavalry");
        }
        if enfiladed && target.formation() != Formation::MarchColumn {
            add("target-enfiladed");
        }
    }

    /// A volley before its die.
    ///
    /// # Errors
    /// Never for what was found on the table.
    pub(crate) fn assess_volley(&self, volley: &Volley) -> Result<Assessment<'_>, Refusal> {
        let target = self.unit(volley.target);
        let charge = target.and_then(|t| t.did.charge.as_ref()).filter(|c| c.home);
        let charging = match charge {
            Some(c) if c.cold_steel => Charging::ColdSteel,
            Some(_) => Charging::Yes,
            None => Charging::No,
        };
        fire::prepare(
            &self.rules,
            volley.kind,
            volley.points,
            self.as_target(target, charging),
            volley.hold,
        )
    }

    pub(super) fn as_target(&self, target: Option<&Unit>, charging: Charging) -> Target {
        let guns = target.is_some_and(Unit::is_guns);
        let silenced = target.map_or(0, |t| t.guns.iter().filter(|g| g.silenced).count());
        Target::of(
            if guns { TargetArm::Guns } else { TargetArm::Troops },
            target.map_or(Class::Trained, |t| t.card.class),
            target.is_some_and(|t| t.order != Order::Good),
            charging,
            (target.map_or(1, |t| t.guns.len().max(1)), silenced),
        )
    }
}
