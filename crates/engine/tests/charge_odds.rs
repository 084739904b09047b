//! What is told of a charge in all, fire, own volley and combat together, is what comes of it when
//! every die is thrown every way: charges of random battles, declared, answered and played out
//! through the orders of both sides.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::Source;
use engine::{Library, Scenario, auto};
use journal::Battle as _;
use regimental::battle::{Battle, Command, Decision, Id, Phase, Side};

/// Shares in a hundred: stopped, won, struggling on, nobody left to fight.
type Shares = [f64; 4];

/// A charge as it is declared and played out.
struct Trial {
    by: Side,
    charger: Id,
    target: Id,
}

/// Carries an order out with every face of every die it throws; each battle with its share of one.
fn every(battle: &Battle, order: &Command) -> Vec<(Battle, f64)> {
    let mut open = vec![vec![]];
    let mut found = vec![];
    while let Some(faces) = open.pop() {
        let mut there = battle.clone();
        match journal::carry_out(&mut there, &mut Source::scripted(faces.clone()), order) {
            Ok((thrown, _)) => found.push((there, 0.1_f64.powi(thrown.len() as i32))),
            Err(_) => open.extend((1..=10).map(|face| [faces.clone(), vec![face]].concat())),
        }
    }
    found
}

/// An order that throws no dice; none if it does.
fn quietly(battle: &Battle, order: &Command) -> Option<Battle> {
    let mut there = battle.clone();
    journal::carry_out(&mut there, &mut Source::scripted([]), order).is_ok().then_some(there)
}

impl Trial {
    fn charging(&self, battle: &Battle) -> bool {
        battle.unit(self.charger).is_some_and(|u| u.present() && u.did.charge.is_some())
    }

    /// On to a step, nobody else doing anything; the charged answer as the preview takes for granted:
    /// squares and horse where they may.
    fn on_to(&self, mut battle: Battle, phase: Phase) -> Option<Battle> {
        for _ in 0..60 {
            if battle.phase() == phase && battle.awaiting().choice.is_none() {
                return Some(battle);
            }
            let order = match battle.awaiting().choice {
                None => Command::Done,
                Some(owed) => {
                    let may = |decision| {
                        let order = Command::Decide { unit: owed.unit(), decision };
                        battle.check(battle.awaited()?, &order).ok().map(|()| order)
                    };
                    let best = [Decision::HastySquare, Decision::Countercharge, Decision::Stand];
                    best.into_iter().find_map(may)?
                }
            };
            battle = quietly(&battle, &order)?;
        }
        None
    }

    fn fight(&self, battle: &Battle, share: f64, sums: &mut Shares) -> Option<()> {
        let Some(battle) = self.on_to(battle.clone(), Phase::Combat) else {
            // With nobody to fight the step is passed over.
            sums[3] += share;
            return Some(());
        };
        let Ok(rolls) = battle.preview(self.by, &Command::Fight { unit: self.charger }) else {
            sums[3] += share;
            return Some(());
        };
        for (effect, percent, _) in &rolls[0].odds {
            let at = match effect.as_str() {
                "swept" | "driven-back" | "hard-pressed" => 1,
                "desperate-struggle" => 2,
                _ => continue,
            };
            sums[at] += share * f64::from(*percent) / 100.0;
        }
        Some(())
    }

    /// After the defensive fire: the charger's own volley, if it has one, and the combat.
    fn press_on(&self, battle: &Battle, share: f64, sums: &mut Shares) -> Option<()> {
        if !self.charging(battle) {
            sums[0] += share;
            return Some(());
        }
        let volley = Command::Fire {
            units: vec![self.charger],
            target: self.target,
            passing: false,
            mark: None,
        };
        let fires = self
            .on_to(battle.clone(), Phase::OffensiveFire)
            .filter(|b| b.check(self.by, &volley).is_ok());
        let Some(there) = fires else { return self.fight(battle, share, sums) };
        for (after, part) in every(&there, &volley) {
            self.fight(&after, share * part, sums)?;
        }
        Some(())
    }

    /// The charge played out every way; none where dice fall before the fire.
    fn played(&self, battle: &Battle, declared: &Command) -> Option<Shares> {
        let there = quietly(battle, declared)?;
        let there = self.on_to(there, Phase::DefensiveFire)?;
        if !self.charging(&there) {
            return None;
        }
        let by = self.by.other();
        let aims = |id: &Id| {
            let order = Command::Fire {
                units: vec![*id],
                target: self.charger,
                passing: false,
                mark: None,
            };
            there.check(by, &order).is_ok()
        };
        let firers = there.units().iter().filter(|u| u.present() && u.side() == by);
        let firers: Vec<Id> = firers.map(|u| u.id()).filter(aims).collect();
        let mut sums = Shares::default();
        let volley =
            Command::Fire { units: firers, target: self.charger, passing: false, mark: None };
        if there.check(by, &volley).is_err() {
            self.press_on(&there, 1.0, &mut sums)?;
        } else {
            for (after, share) in every(&there, &volley) {
                self.press_on(&after, share, &mut sums)?;
            }
        }
        Some(sums.map(|sum| 100.0 * sum))
    }
}

/// What the preview says.
fn told(battle: &Battle, by: Side, declared: &Command) -> Option<Shares> {
    let rolls = battle.preview(by, declared).ok()?;
    let home = rolls.iter().find(|r| !r.against.is_empty())?;
    let share = |what: &str| home.besides.iter().find(|b| b.0 == what).map(|b| b.1);
    share("wins-in-all")?;
    let all = ["stopped-by-fire", "wins-in-all", "struggles-on", "nobody-left-to-fight"];
    Some(all.map(|what| share(what).unwrap_or_default()))
}

/// A charge that may be declared now, with or without cold steel.
fn some_charge(battle: &Battle, steel: bool) -> Option<(Trial, Command)> {
    let by = battle.awaited()?;
    let own = battle.units().iter().filter(|u| u.present() && u.side() == by);
    let enemies = || battle.units().iter().filter(|u| u.present() && u.side() != by);
    let pairs = own.flat_map(|u| enemies().map(move |e| (u.id(), e.id())));
    let orders = pairs.map(|(unit, target)| {
        let order =
            Command::Charge { unit, target, cold_steel: steel, disordered: false, wheel: None };
        (Trial { by, charger: unit, target }, order)
    });
    let mut legal = orders.filter(|(_, order)| battle.check(by, order).is_ok());
    legal.find(|(_, order)| told(battle, by, order).is_some())
}

/// Plays random battles and tries charges in them; how many.
fn tried(id: &str, battles: usize, most: usize) -> usize {
    let scenario = Scenario::built_in(&Library::default(), id)
        .expect("built in")
        .unwrap_or_else(|faults| panic!("{faults}"));
    let mut count = 0;
    for seed in 0..battles {
        let seed = format!("charges {seed}");
        let mut pick = auto::picker(&seed);
        let mut dice = Source::seeded(&seed);
        let mut battle = scenario.battle.clone();
        let mut here = 0;
        while let (Some(_), Some(order)) = (battle.awaited(), battle.some_order(&mut pick)) {
            if battle.phase() == Phase::Charges
                && here < most
                && let Some((trial, declared)) = some_charge(&battle, count % 2 == 1)
                    .or_else(|| some_charge(&battle, count % 2 == 0))
                && let Some(played) = trial.played(&battle, &declared)
            {
                let told = told(&battle, trial.by, &declared).unwrap();
                let same = told.iter().zip(&played).all(|(a, b)| (a - b).abs() < 1e-6);
                assert!(same, "{id}, {seed}, {declared:?}: told {told:?}, played {played:?}");
                here += 1;
                count += 1;
            }
            journal::carry_out(&mut battle, &mut dice, &order).map_err(|_| "refused").unwrap();
        }
    }
    count
}

#[test]
fn a_charge_of_15mm_comes_to_what_is_told() {
    assert!(tried("guilford-courthouse", 2, 6) + tried("field-day-15mm", 4, 4) > 10);
}

#[test]
fn a_charge_of_25mm_comes_to_what_is_told() {
    assert!(tried("cowpens", 4, 5) + tried("field-day-25mm", 3, 4) > 10);
}

#[test]
fn a_charge_of_the_triple_alliance_comes_to_what_is_told() {
    assert!(tried("tuyuti", 1, 6) + tried("yatay", 4, 4) > 10);
}
