//! Whom a move passes: friends it goes through, enemies it keeps off, and who stands where it ends.

use table::{Footprint, INCH, Mils, inches};

use super::Battle;
use super::drill::Leg;
use super::formation::Formation;
use super::id::Id;
use super::refusal::No;
use super::state::Unit;
use super::way::Way;

impl Battle {
    pub(super) fn past_friends(&self, unit: &Unit, way: Way<'_>, passed: &mut Vec<Id>) {
        for friend in self
            .units
            .iter()
            .filter(|u| u.present() && u.side() == unit.side() && u.id() != unit.id())
        {
            if friend.is_firm() && !passed.contains(&friend.id()) && way.sweeps(friend) {
                passed.push(friend.id());
            }
        }
    }

    pub(super) fn past_enemies(
        &self,
        unit: &Unit,
        way: Way<'_>,
        leg: &Leg,
        start: &[Footprint],
    ) -> Result<(), No> {
        let short = self.measures().short;
        for enemy in self.units.iter().filter(|u| u.present() && u.side() != unit.side()) {
            self.past_walls(unit, enemy, (&leg.feet, start))?;
            if !self.keeps_off(enemy) || !way.reaches(enemy, short) {
                continue;
            }
            if way.sweeps(enemy) {
                return Err(self.no(
                    &["ruling.enemy-proximity"],
                    format!("{} is in the way: charge it, or go round", enemy.id()),
                ));
            }
            // The stands that can come so near anywhere on their way, and whom they come near.
            let near: Vec<(&Footprint, table::Point, &Footprint)> = leg
                .feet
                .iter()
                .zip(way.from)
                .flat_map(|(to, from)| {
                    let back = from.pose.at - to.pose.at;
                    let swept = to.bounds().and(to.bounds().shifted(back)).grown(short);
                    let met = enemy.feet.iter().filter(move |e| swept.meets(&e.bounds()));
                    met.map(move |e| (to, back, e))
                })
                .collect();
            if near.is_empty() {
                continue;
            }
            let before = distance(start, enemy);
            // A wheel is cut into small turns already: what counts is where each of them ends.
            let turns = near.iter().any(|(to, _, _)| to.pose.facing != way.facing());
            let pieces = if turns { 1 } else { (leg.way / (INCH / 4)).clamp(1, 200) };
            for i in 1..=pieces {
                let near = near.iter().any(|(to, back, e)| {
                    let part = table::Point {
                        x: back.x - back.x * i / pieces,
                        y: back.y - back.y * i / pieces,
                    };
                    let at = to.shifted(part);
                    at.bounds().grown(short).meets(&e.bounds()) && {
                        let gap = at.distance(e);
                        // Turning stands are rounded to a mil.
                        gap + 2 < short && gap + 2 < before
                    }
                });
                if near {
                    return Err(self
                        .no(
                            &["ruling.enemy-proximity"],
                            format!(
                                "{} would come within {} inches of {}",
                                unit.id(),
                                inches(short),
                                enemy.id()
                            ),
                        )
                        .instead("stop farther off"));
                }
            }
        }
        Ok(())
    }

    /// One keeps off the walls an enemy holds as off his stands.
    fn past_walls(
        &self,
        unit: &Unit,
        enemy: &Unit,
        (feet, start): (&[Footprint], &[Footprint]),
    ) -> Result<(), No> {
        let Some(piece) = enemy.place.garrison.and_then(|g| self.field.piece(g)) else {
            return Ok(());
        };
        let off = |feet: &[Footprint]| feet.iter().map(|f| piece.shape.gap(f)).min();
        let (now, before) = (off(feet), off(start));
        let short = self.measures().short;
        if now.zip(before).is_some_and(|(now, before)| now + 2 < short && now + 2 < before) {
            let fact = format!(
                "{} would come within {} inches of {}, which {} holds",
                unit.id(),
                inches(short),
                piece.id,
                enemy.id()
            );
            let no = self.no(&["ruling.enemy-proximity"], fact);
            return Err(no.instead("stop farther off"));
        }
        Ok(())
    }

    /// Whether one must keep off an enemy unless charging it.
    pub(crate) fn keeps_off(&self, enemy: &Unit) -> bool {
        enemy.formation() != Formation::Limbered
    }

    /// Who is on the ground some stands would cover.
    pub(crate) fn overlapped(
        &self,
        unit: &Unit,
        feet: &[Footprint],
        garrison: Option<Id>,
    ) -> Option<Id> {
        let stands = self.units.iter().filter(|u| u.present() && u.id() != unit.id());
        // A garrison is inside its building, where nobody else can be.
        let met = stands.filter(|u| u.place.garrison.is_none() && garrison.is_none());
        let way = Way::at(feet);
        met.into_iter().find(|u| way.lies_on(u)).map(Unit::id)
    }
}

fn distance(feet: &[Footprint], unit: &Unit) -> Mils {
    super::gap::gap(feet, &unit.feet)
}
