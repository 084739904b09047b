//! What a volley does: to its target, to those behind it, to the firers.

use journal::Recorder;
use rulebook::{Check, Conditions};

use super::Battle;
use super::aftermath::GoingBack;
use super::card::Side;
use super::event::{Event, Mark};
use super::firing::{Firer, Volley};
use super::id::Id;
use super::measures::Clause;
use super::refusal::No;
use super::state::{GunStand, Unit};
use crate::charge::Move;
use crate::fire::{self, Charging, Fate, FireEffect, Kind, Outcome};

impl Battle {
    pub(crate) fn fire(
        turn: &mut Recorder<'_, Self>,
        volley: &Volley,
        passing: bool,
        mark: Option<Id>,
    ) {
        let die = turn.throw(10);
        let mut cited = Vec::new();
        let Ok(check) = turn.assess_volley(volley) else { return };
        let out = check.resolve(die, &mut cited);
        let massed_effect = check.massed(out.effect);
        let tally = turn.tally(check.modifiers());
        // Only cavalry recalls.
        let mounted = turn.unit(volley.target).is_some_and(Unit::mounted);
        let concerns = |r: &Clause| mounted || !r.ends_with("cavalry-recall");
        let rules = cited.iter().map(|r| turn.measures().clauses.name(*r));
        let rules: Vec<Clause> = rules.filter(concerns).collect();
        let masks = volley
            .firers
            .iter()
            .map(|f| f.stands.iter().fold(0_u64, |m, (i, _)| m | 1 << i))
            .collect();
        let target = volley.target;
        let side = turn.unit(target).map_or(Side::One, Unit::side);
        let massed = turn.massed(volley);
        turn.emit(Event::Fired {
            units: volley.firers.iter().map(|f| f.unit).collect(),
            stands: masks,
            target,
            passing,
            points: volley.points,
            die,
            tally,
            total: out.total,
            effect: out.effect,
            charge: out.charge,
            rules: rules.clone(),
        });
        Self::suffer(turn, target, &out, &rules);
        if let Some(effect) = massed_effect {
            for unit in massed {
                Self::suffer_massed(turn, unit, target, effect, volley.kind);
            }
        }
        if out.low_on_ammo {
            Self::run_low(turn, volley, mark);
        }
        if out.leader_check {
            Self::leader_near(turn, side, &volley.feet, target);
        }
        if out.charge == Some(Fate::Checked) {
            Self::check_the_charge(turn, target);
        }
    }

    /// A checked charge is pulled back; cavalry may recall.
    pub(super) fn check_the_charge(turn: &mut Recorder<'_, Self>, id: Id) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let Some(charge) = unit.did.charge.clone() else { return };
        let recall = unit.mounted();
        let supports = turn.behind(unit, &[charge.target]);
        turn.emit(Event::ChargeOver { unit: id });
        let (how, inches) = (Move::RetreatShort, turn.measures().checked);
        let back = GoingBack { unit: id, how, inches, from: &[charge.target] };
        Self::queue_retreat(turn, &back, &supports, (recall, true));
    }

    /// Friends of the target close behind it, in the way of the shot (ruling.massed-target).
    pub(super) fn massed(&self, volley: &Volley) -> Vec<Id> {
        let Some(target) = self.unit(volley.target) else { return vec![] };
        let Some(from) = volley.firers.first().and_then(|f| self.unit(f.unit)) else {
            return vec![];
        };
        let within = self.measures().massed;
        let Some(line) = from.middle.toward(target.middle) else { return vec![] };
        let half = target.frontage() / 2;
        self.units
            .iter()
            .filter(|u| {
                u.present()
                    && u.side() == target.side()
                    && u.id() != target.id()
                    && u.near(target, within)
            })
            .filter(|u| u.distance(target) <= within)
            .filter(|u| {
                u.feet.iter().any(|f| {
                    f.corners.iter().chain([&f.centre()]).any(|c| {
                        let (across, ahead) = line.across_and_ahead(*c - target.middle);
                        ahead > 0 && across.abs() < half && target.place.pose.sees(*c).1 < 0
                    })
                })
            })
            .map(Unit::id)
            .collect()
    }

    /// What an effect does to one of them.
    pub(super) fn massed_outcome(&self, id: Id, effect: FireEffect, kind: Kind) -> Option<Outcome> {
        let target = self.as_target(self.unit(id), Charging::No);
        let check = fire::prepare(&self.rules, kind, 1.0, target, Conditions::default()).ok()?;
        Some(check.effect_alone(effect))
    }

    pub(super) fn suffer_massed(
        turn: &mut Recorder<'_, Self>,
        id: Id,
        behind: Id,
        effect: FireEffect,
        kind: Kind,
    ) {
        turn.emit(Event::Massed { unit: id, behind, effect });
        let Some(out) = turn.massed_outcome(id, effect, kind) else { return };
        let rules = vec![turn.measures().clauses.cite(&["fire.additional.massed-target"])];
        Self::suffer(turn, id, &out, &rules);
    }

    /// Whether a unit that fires can run low on ammunition by it.
    pub(super) fn can_run_low(&self, firer: &Firer) -> bool {
        let share = self.measures().low_on_ammo;
        self.unit(firer.unit).is_some_and(|u| {
            if u.is_guns() {
                let full = |i: u8| u.guns.get(usize::from(i)).is_some_and(|g| !g.low);
                return firer.stands.iter().any(|(i, _)| full(*i));
            }
            #[allow(clippy::cast_precision_loss)] // a few dozen
            let part = firer.stands.len() as f64 / u.bases().max(1) as f64;
            !u.low && part >= share
        })
    }

    /// Whether the unit named to run low could, where another of those who fire could.
    pub(super) fn check_mark(&self, volley: &Volley, mark: Option<Id>) -> Result<(), No> {
        let able: Vec<Id> =
            volley.firers.iter().filter(|f| self.can_run_low(f)).map(|f| f.unit).collect();
        let Some(named) = mark.filter(|m| !able.is_empty() && !able.contains(m)) else {
            return Ok(());
        };
        let fact = format!("{named} is low already, or too little of it fires to run low");
        let names: Vec<String> = able.iter().map(ToString::to_string).collect();
        let no = self.no(&["ruling.mixed-fire"], fact);
        Err(no.instead(format!("name {}", names.join(" or "))))
    }

    pub(super) fn run_low(turn: &mut Recorder<'_, Self>, volley: &Volley, mark: Option<Id>) {
        let able: Vec<&Firer> = volley.firers.iter().filter(|f| turn.can_run_low(f)).collect();
        let chosen = able.iter().find(|f| Some(f.unit) == mark).or(able.first()).copied();
        let Some(firer) = chosen else { return };
        let Some(unit) = turn.unit(firer.unit) else { return };
        if unit.is_guns() {
            let stands: Vec<u8> = firer
                .stands
                .iter()
                .map(|s| s.0)
                .filter(|i| unit.guns.get(usize::from(*i)).is_some_and(|g| !g.low))
                .take(usize::try_from(turn.measures().low_guns).unwrap_or(usize::MAX))
                .collect();
            let rule = turn.measures().clauses.cite(&["fire.additional.low-on-ammo.guns"]);
            let guns: Vec<GunStand> = unit.guns.clone();
            for stand in stands {
                let state = GunStand { low: true, ..guns[usize::from(stand)] };
                let rule = rule.clone();
                turn.emit(Event::Gun { unit: firer.unit, stand, state, wrecked: false, rule });
            }
        } else {
            turn.emit(Event::Marked { unit: firer.unit, mark: Mark::LowOnAmmo, on: true });
        }
    }
}
