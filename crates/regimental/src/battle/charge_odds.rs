//! What a charge comes to in all: the fire against it, its own volley and the combat, with every die
//! thrown every way.
//!
//! Nothing is estimated. Each volley is fired on copies of the battle, by the function that fires it
//! on the table, once for each face of each die; copies that came out alike are counted together; and
//! the combat is assessed on each as it stands then: with the stands, the order, the freshness and
//! the leaders that are left.

use journal::{Branch, Recorder, branches};

use super::Battle;
use super::card::Side;
use super::event::{Event, Phase};
use super::firing::Volley;
use super::id::Id;
use super::state::{Leader, Unit};
use crate::charge::ChargeEffect;

/// A volley throws its die and one for a leader who may fall; this leaves room.
const MOST_DICE: usize = 4;

/// The counts are of so many: as many dice as two volleys throw at most, and two of the combat.
const ALL: u64 = 10_u64.pow(10);

/// In how many of all throws a charge comes to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChargeOdds {
    /// The fire stops it, or leaves nobody.
    pub stopped: u64,
    /// Its own volley leaves nobody to fight.
    pub unopposed: u64,
    /// It wins the first round.
    pub won: u64,
    /// Neither side gives way in it.
    pub struggle: u64,
    /// It loses it.
    pub lost: u64,
}

impl ChargeOdds {
    /// A count as a chance in a hundred.
    #[must_use]
    pub fn percent(count: u64) -> f64 {
        #[allow(clippy::cast_precision_loss)] // to ten places
        let percent = count as f64 / (ALL / 100) as f64;
        percent
    }

    /// What is told beside the rolls, with its chances in a hundred.
    pub(super) fn told(&self) -> Vec<(&'static str, f64)> {
        let told = [
            ("stopped-by-fire", self.stopped),
            ("wins-in-all", self.won),
            ("struggles-on", self.struggle),
            ("nobody-left-to-fight", self.unopposed),
        ];
        let told = told.into_iter().filter(|(what, n)| *n > 0 || *what == "wins-in-all");
        told.map(|(what, n)| (what, Self::percent(n))).collect()
    }
}

/// A battle that came about in so many of all throws.
struct Case {
    battle: Battle,
    count: u64,
}

impl Battle {
    /// What a charge that has moved comes to in all. None if its dice are more than can be counted.
    pub(super) fn charge_odds(&self, side: Side, charger: Id) -> Option<ChargeOdds> {
        let mut odds = ChargeOdds::default();
        let mut cases = vec![Case { battle: self.in_step(Phase::DefensiveFire), count: ALL }];
        let firers = cases[0].battle.firers_at(side, charger);
        if let Ok(volley) = cases[0].battle.check_fire(side.other(), &firers, charger, false) {
            cases = fired(&cases[0], &volley)?;
        }
        let target = |b: &Self| {
            let charge = b.unit(charger).filter(|u| u.present())?.did.charge.as_ref();
            charge.map(|c| c.target)
        };
        let mut home: Vec<Case> = Vec::new();
        for case in cases {
            let Some(target) = target(&case.battle) else {
                odds.stopped += case.count;
                continue;
            };
            let battle = case.battle.in_step(Phase::OffensiveFire);
            let volley = battle.check_fire(side, &[charger], target, false);
            let case = Case { battle, ..case };
            match volley {
                Ok(volley) => home.extend(fired(&case, &volley)?),
                Err(_) => home.push(case),
            }
        }
        for Case { battle, count } in alike(home) {
            battle.in_step(Phase::Combat).count_combat(charger, count, &mut odds);
        }
        Some(odds)
    }

    /// The first round of a charger's combat, all pairs of faces.
    fn count_combat(&self, charger: Id, count: u64, odds: &mut ChargeOdds) {
        let Some((_, outcomes)) = self.foresee_combat(charger) else {
            odds.unopposed += count;
            return;
        };
        let each = count / 100;
        for out in outcomes {
            match out.effect {
                ChargeEffect::Swept | ChargeEffect::DrivenBack | ChargeEffect::HardPressed => {
                    odds.won += each;
                }
                ChargeEffect::DesperateStruggle => odds.struggle += each,
                ChargeEffect::Falter | ChargeEffect::Recoil | ChargeEffect::Repulsed => {
                    odds.lost += each;
                }
            }
        }
    }

    /// A copy in a step of the turn.
    fn in_step(&self, phase: Phase) -> Self {
        let mut there = self.clone();
        if there.phase != phase {
            journal::Battle::apply(&mut there, &Event::PhaseBegan { phase });
        }
        there
    }

    /// Whether nothing tells two battles apart that began as one.
    fn same_as(&self, other: &Self) -> bool {
        let units = |(a, b): (&Unit, &Unit)| a.unchanged(b);
        let leaders = |(a, b): (&Leader, &Leader)| a.unchanged(b);
        self.pending == other.pending
            && self.units.iter().zip(&other.units).all(units)
            && self.leaders.iter().zip(&other.leaders).all(leaders)
    }
}

/// A volley, fired every way.
fn fired(case: &Case, volley: &Volley) -> Option<Vec<Case>> {
    let fire = |turn: &mut Recorder<'_, Battle>| Battle::fire(turn, volley, false, None);
    let found = branches(&case.battle, MOST_DICE, fire)?.into_iter();
    let counted = |Branch { battle, one_in }| Case { battle, count: case.count / one_in };
    Some(alike(found.map(counted).collect()))
}

/// Those that came out alike as one.
fn alike(cases: Vec<Case>) -> Vec<Case> {
    let mut distinct: Vec<Case> = Vec::new();
    for case in cases {
        match distinct.iter_mut().find(|known| known.battle.same_as(&case.battle)) {
            Some(known) => known.count += case.count,
            None => distinct.push(case),
        }
    }
    distinct
}
