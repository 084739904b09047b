//! The lists of maneuvers: what a result allows to troops and to guns.

use table::{Mils, inches};

use super::Battle;
use super::card::{Branch, Carriage, Trait};
use super::command::Step;
use super::drill::Drill;
use super::formation::Formation;
use super::refusal::No;
use super::state::{Pace, Unit};
use crate::maneuver::Order;

/// What the steps amount to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Deeds {
    pub(super) moves: bool,
    pub(super) turns: bool,
    pub(super) form: Option<Formation>,
    pub(super) flank: bool,
    pub(super) about: bool,
    pub(super) scale: bool,
    pub(super) replenish: bool,
    pub(super) alone: Option<&'static str>,
    pub(super) limber: bool,
    pub(super) unlimber: bool,
    pub(super) pivot: bool,
    pub(super) haul: Option<Mils>,
    pub(super) rally: bool,
    pub(super) actions: u8,
    /// It moves both before and after what else it does.
    pub(super) divided: bool,
}

impl Deeds {
    pub(super) fn of(steps: &[Step]) -> Self {
        let mut d = Self::default();
        // Whether it had moved when it began what else it does.
        let mut moved_before = false;
        for step in steps {
            match *step {
                Step::Advance { .. }
                | Step::Withdraw { .. }
                | Step::Oblique { .. }
                | Step::Wheel { .. }
                | Step::Road { .. } => {
                    d.divided |= moved_before;
                    d.moves = true;
                    continue;
                }
                Step::Turn { .. } => {
                    d.turns = true;
                    continue;
                }
                Step::Expand { .. } | Step::RefuseFlank { .. } => continue,
                Step::Form { formation, .. } => d.form = Some(formation),
                Step::Mount => d.form = Some(Formation::Line),
                Step::Dismount => d.form = Some(Formation::OpenOrder),
                Step::Garrison { .. } => d.form = Some(Formation::Garrison),
                Step::FlankMarch { .. } => d.flank = true,
                Step::AboutFace => d.about = true,
                Step::Scale { .. } => d.scale = true,
                Step::Replenish => d.replenish = true,
                Step::DeployToTheFront => d.alone = Some("deploying to the front"),
                Step::ChangeFront { .. } => d.alone = Some("changing front"),
                Step::Limber => d.limber = true,
                Step::Unlimber { .. } => d.unlimber = true,
                Step::Pivot { .. } => d.pivot = true,
                Step::HandHaul { inches } => d.haul = Some(inches.abs()),
                Step::Rally => d.rally = true,
            }
            d.actions += 1;
            moved_before |= d.moves;
        }
        d
    }
}

/// How far the steps may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    DoubleQuick,
    Full,
    Half,
    None,
    /// Only what its own step measures.
    Own,
}

impl Battle {
    pub(super) fn troop_list(
        &self,
        unit: &Unit,
        pace: Pace,
        d: Deeds,
        how: (&Drill, bool),
    ) -> Result<Share, No> {
        let (drill, disordered) = how;
        let name = unit.id();
        if d.limber || d.unlimber || d.pivot || d.haul.is_some() || d.rally {
            let rule = if d.rally {
                "gun-maneuvers.well-handled.rally"
            } else if d.pivot {
                "gun-maneuvers.well-handled.pivot"
            } else {
                "gun-maneuvers.well-handled.limber"
            };
            return Err(self.no(&[rule], format!("{name} is not artillery")));
        }
        if d.actions > 1 {
            return Err(self.no(&["ruling.half-move-and"], "one maneuver of the list, not two"));
        }
        if d.divided {
            let fact = "half a move comes before the rest of the maneuver or after it, not both";
            return Err(self.no(&["ruling.half-move-and"], fact));
        }
        if unit.order == Order::Broken {
            return Err(self.no(&["ruling.broken-state"], format!("{name} is broken")));
        }
        self.dismounting(unit, drill)?;
        if drill.place.on_foot != unit.place.on_foot && pace == Pace::Tardy {
            let fact = format!("{name} is tardy: mounting and dismounting are well handled");
            return Err(self.no(&["ruling.mount-dismount"], fact));
        }
        if disordered && d.actions > 0 {
            let front = d.alone == Some("changing front");
            let (rule, what) = match d {
                _ if front => ("no-change-front", "changes no front"),
                Deeds { flank: true, .. } => ("no-flank-march", "does not march by the flank"),
                Deeds { about: true, .. } => ("direction", "does not face about"),
                _ => ("no-change-formation", "does nothing else"),
            };
            let rule = format!("troop-maneuvers.full-move-disordered.{rule}");
            let fact = format!("a full move disordered goes forward or backward and {what}");
            return Err(self.no(&[rule.as_str(), "ruling.half-move-and"], fact));
        }
        if let Some(what) = d.alone {
            self.standing_alone(unit, pace, d, what)?;
            return Ok(Share::Own);
        }
        if d.scale && unit.mounted() {
            return Err(self.no(&["ruling.obstacles"], "cavalry cannot scale an obstacle"));
        }
        if let Some(place) = &drill.replenished {
            let rules = ["troop-maneuvers.well-handled.replenish-ammunition", "ruling.low-on-ammo"];
            if !unit.low {
                return Err(self.no(&rules, format!("{name} is not low on ammunition")));
            }
            let mut there = unit.clone();
            there.stand_at(place.clone());
            if let Some(enemy) = self.in_close_range(&there) {
                let fact = format!("{name} is in close range of {} there", enemy.id());
                return Err(self.no(&rules, fact).instead("replenish out of close range"));
            }
        }
        match pace {
            Pace::Hold if d.actions > 0 || d.moves => {
                Err(self.no(&["ruling.hold-and-fire"], format!("{name} may only hold and fire")))
            }
            Pace::Hold => Ok(Share::None),
            Pace::WellHandled | Pace::DoubleQuick => Ok(match (d.actions, pace) {
                (0, Pace::DoubleQuick) if !disordered => Share::DoubleQuick,
                (0, _) => Share::Full,
                _ => Share::Half,
            }),
            Pace::Tardy if disordered => Ok(Share::Full),
            Pace::Tardy if d.actions == 0 => Ok(Share::Half),
            Pace::Tardy => self.tardy(unit, d),
        }
    }

    /// Changing front and deploying to the front are whole maneuvers.
    pub(super) fn standing_alone(
        &self,
        unit: &Unit,
        pace: Pace,
        d: Deeds,
        what: &str,
    ) -> Result<(), No> {
        let rule = match what {
            "changing front" => "troop-maneuvers.well-handled.change-front",
            _ => "troop-maneuvers.well-handled.deploy-to-the-front",
        };
        let clauses = &self.measures().clauses;
        if !clauses.has(rule) {
            return Err(self.no(&["ruling.half-move-and"], format!("this book has no {what}")));
        }
        if d.moves || d.turns {
            let alone = if what == "changing front" {
                "formations.change-front.alone"
            } else {
                "formations.deploy-to-the-front.whole-maneuver"
            };
            return Err(self.no(
                &[alone, "ruling.half-move-and"],
                format!("{what} is a whole maneuver: no move or turn before or after it"),
            ));
        }
        let tardy_may = what == "changing front";
        match pace {
            Pace::WellHandled | Pace::DoubleQuick => Ok(()),
            Pace::Tardy if tardy_may => Ok(()),
            _ => Err(self.no(
                &["formations.deploy-to-the-front.requires-well-handled", rule],
                format!("{} needs Well Handled for {what}", unit.id()),
            )),
        }
    }

    pub(super) fn dismounting(&self, unit: &Unit, drill: &Drill) -> Result<(), No> {
        if drill.place.on_foot != unit.place.on_foot && !unit.card.is(Trait::Dragoons) {
            return Err(self
                .no(&["ruling.mount-dismount"], format!("{} does not fight on foot", unit.id())));
        }
        Ok(())
    }

    pub(super) fn tardy(&self, unit: &Unit, d: Deeds) -> Result<Share, No> {
        let clauses = &self.measures().clauses;
        // A garrison has no front: it turns to the side by which it leaves.
        let turns = d.turns && unit.formation() != Formation::Garrison;
        if d.moves || turns {
            return Err(self.no(
                &["troop-maneuvers.tardy.half-move"],
                "tardy: a half move, or one maneuver without moving or turning",
            ));
        }
        let may = match d.form {
            Some(formation) if formation.nature().line => true,
            Some(Formation::Garrison) => unit.card.branch != Branch::Cavalry,
            Some(Formation::Square) => {
                clauses.has("troop-maneuvers.tardy.change-formation.square")
                    && unit.formation().nature().squares
            }
            Some(_) => false,
            None => d.about || d.scale,
        };
        if may {
            return Ok(Share::None);
        }
        let square = "troop-maneuvers.tardy.change-formation.square";
        if d.form == Some(Formation::Square) && clauses.has(square) {
            let fact = format!("{} is tardy: it forms square from line or field column", unit.id());
            return Err(self.no(&[square], fact));
        }
        let also = [
            ("troop-maneuvers.tardy.full-move-disordered", "full move disordered, "),
            ("troop-maneuvers.tardy.change-front", "change front, "),
            ("troop-maneuvers.tardy.change-formation.square", "square, "),
        ];
        let also = also.map(|(clause, words)| if clauses.has(clause) { words } else { "" });
        Err(self.no(
            &["maneuver.good-order.tardy.effect"],
            format!(
                "{} is tardy: half move, {}{}into {}line, open order or garrison, about face or scale",
                unit.id(),
                also[0],
                also[1],
                also[2]
            ),
        ))
    }

    pub(super) fn gun_list(&self, unit: &Unit, pace: Pace, d: Deeds) -> Result<Share, No> {
        let name = unit.id();
        let clauses = &self.measures().clauses;
        let mobile = unit.card.carriage == Carriage::Light;
        if d.scale {
            let fact = format!("{name} is artillery: guns do not cross major obstacles");
            return Err(self.no(&["ruling.obstacles"], fact));
        }
        if d.form.is_some() || d.flank || d.about || d.alone.is_some() {
            return Err(
                self.no(&["gun-maneuvers.well-handled.full-move"], format!("{name} is artillery"))
            );
        }
        if unit.card.carriage == Carriage::Fixed && (d.moves || d.limber || d.haul.is_some()) {
            return Err(
                self.no(&["ruling.fixed-guns"], format!("{name} has no limber and never moves"))
            );
        }
        let well = matches!(pace, Pace::WellHandled | Pace::DoubleQuick);
        if pace == Pace::Hold && (d.actions > 0 || d.moves) {
            return Err(
                self.no(&["ruling.hold-and-fire"], format!("{name} may only hold and fire"))
            );
        }
        let alone = d.actions == 1 && !d.moves;
        if d.rally
            && !(alone
                && unit.guns.iter().any(|g| g.silenced)
                && (well || clauses.has("gun-maneuvers.tardy.rally")))
        {
            return Err(self.no(
                if well {
                    &["gun-maneuvers.well-handled.rally"]
                } else {
                    &["gun-maneuvers.tardy.no-rally", "gun-maneuvers.tardy.rally"]
                },
                if clauses.has("gun-maneuvers.tardy.rally") {
                    format!("{name} rallies as its whole maneuver, and if it is silenced")
                } else {
                    format!(
                        "{name} rallies as its whole maneuver, on Well Handled, if it is silenced"
                    )
                },
            ));
        }
        if d.replenish
            && !(alone
                && well
                && unit.guns.iter().any(|g| g.low)
                && self.in_close_range(unit).is_none())
        {
            return Err(self.no(&["gun-maneuvers.well-handled.replenish-ammunition"], format!("{name} replenishes as its whole maneuver, on Well Handled, outside enemy close range, if it is low")));
        }
        if d.haul.is_some() && !(alone && well) {
            return Err(self.no(
                &[
                    "gun-maneuvers.well-handled.mobile.hand-haul",
                    "gun-maneuvers.well-handled.hand-haul",
                ],
                "hauling by hand is a whole well handled maneuver",
            ));
        }
        let combined = d.actions + u8::from(d.moves) > 1;
        if combined {
            if !mobile {
                return Err(self.no(&["gun-maneuvers.mobile-only", "artillery.carriage.heavy.common-maneuvers-only", "gun-maneuvers.well-handled.full-move"], format!("{name} may do one thing of the common list: combined maneuvers are for mobile guns")));
            }
            let pair = d.actions == 1 && d.moves && (d.limber || (d.unlimber && well));
            if !pair {
                let rule = match well {
                    true => "gun-maneuvers.well-handled.mobile.full-move-and-unlimber",
                    false => "gun-maneuvers.tardy.mobile.limber-and-full-retreat",
                };
                return Err(self.no(
                    &[rule, "gun-maneuvers.well-handled.mobile.full-move-and-unlimber"],
                    if well {
                        format!("{name} may move and unlimber, or limber and move")
                    } else {
                        format!(
                            "{name} is tardy: it may limber and retreat, and nothing else at once"
                        )
                    },
                ));
            }
        }
        Ok(match (d.moves, pace) {
            // The supplement's example holds a move that ends in action to the full rate; the
            // sheets it explains say nothing else (ruling.gun-moves-and-fire).
            (true, Pace::DoubleQuick) if !d.unlimber => Share::DoubleQuick,
            (true, _) => Share::Full,
            _ => Share::Own,
        })
    }

    pub(super) fn haul(&self, unit: &Unit, way: Mils) -> Result<(), No> {
        let [any, light, galloper] = self.measures().haul;
        let most = if unit.card.is(Trait::Galloper) && galloper > 0 {
            galloper
        } else if unit.card.carriage == Carriage::Light && light > 0 {
            light
        } else {
            any
        };
        if way <= most {
            return Ok(());
        }
        let rules: &[&str] = if unit.card.is(Trait::Galloper) {
            &[
                "artillery.galloper.hand-haul",
                "gun-maneuvers.well-handled.mobile.hand-haul-galloper",
            ]
        } else {
            &["gun-maneuvers.well-handled.mobile.hand-haul", "gun-maneuvers.well-handled.hand-haul"]
        };
        let fact = if most == 0 {
            format!("{} has no light carriage: its crew cannot haul it", unit.id())
        } else {
            format!("{} may be hauled {} inches", unit.id(), inches(most))
        };
        Err(self.no(rules, fact))
    }

    pub(super) fn limits_of_turning(
        &self,
        unit: &Unit,
        drill: &Drill,
        disordered: bool,
    ) -> Result<(), No> {
        let most = self.measures().wheel_disordered;
        if disordered && drill.wheeled + drill.obliqued + drill.turned > most {
            let rule = "troop-maneuvers.full-move-disordered.wheel-or-oblique";
            let fact =
                format!("at most {} degrees in a full move disordered", f64::from(most) / 100.0);
            return Err(self.no(&[rule, "ruling.wheel-measurement"], fact));
        }
        let rules = ["formations.wheel.basic", "ruling.wheel-measurement"];
        if drill.veered > self.measures().wheel {
            return Err(self.no(
                &rules,
                format!(
                    "{} would wheel {} degrees from the facing it began with; {} is the most",
                    unit.id(),
                    f64::from(drill.veered) / 100.0,
                    f64::from(self.measures().wheel) / 100.0
                ),
            ));
        }
        if drill.wheeled > 0 && drill.obliqued > 0 {
            return Err(self.no(&rules, "a move has a wheel or an oblique, not both"));
        }
        if drill.back > 0 && drill.ahead > 0 {
            return Err(
                self.no(&["ruling.backward-move"], "a move backward is backward as a whole")
            );
        }
        Ok(())
    }

    /// A column that turns back marches until it is clear of its own tail.
    pub(super) fn lies_free(&self, unit: &Unit, drill: &Drill) -> Result<(), No> {
        let by_road = drill.legs.iter().any(|l| l.road.is_some());
        if !drill.place.formation.snakes() || drill.turned <= 9000 || by_road {
            return Ok(());
        }
        let Some(feet) = drill.legs.last().map(|l| &l.feet) else { return Ok(()) };
        let on_itself = (2..feet.len()).any(|i| feet[..i - 1].iter().any(|f| f.overlaps(&feet[i])));
        if on_itself {
            let fact = format!("{} would lie on its own tail", unit.id());
            let no = self.no(&["ruling.formation-layout"], fact);
            return Err(no.instead("face about, or march on until it is clear"));
        }
        Ok(())
    }
}
