//! Random battles: no crash, no dead end, no endless game, nothing impossible on the table.
//! `LINSTOCK_BATTLES=10000` plays as many; CI plays 200.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::Source;
use engine::{Library, SCENARIOS, Scenario, auto};
use journal::{Battle as _, Journal};
use regimental::battle::{Battle, Command, Id};

fn scenario(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).expect("built in").unwrap_or_else(|f| panic!("{f}"))
}

/// A battle as a text that differs if anything differs.
fn bits(battle: &Battle) -> String {
    format!("{battle:?}")
}

fn play(id: &str, share: usize) {
    let all: usize =
        std::env::var("LINSTOCK_BATTLES").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let scenario = scenario(id);
    for seed in 0..(all * share / 100).max(1) {
        let seed = format!("{id} {seed}");
        let mut journal = Journal::new(scenario.battle.clone());
        let mut dice = Source::seeded(&seed);
        let mut orders = 0;
        let done = auto::play(&mut journal, &seed, &mut dice, |j| {
            orders += 1;
            if let Err(what) = auto::sound(j.now()) {
                let last = j.records().last().expect("a record");
                panic!("{seed}, order {orders}: {what}\n{last:#?}");
            }
            if orders % 40 == 0 {
                refusals_leave_no_trace(j.now());
                undo_and_redo(j);
            }
        });
        done.unwrap_or_else(|e| panic!("{seed}, order {orders}: {e:?}"));
        let replayed = Journal::replay(scenario.battle.clone(), journal.records().to_vec());
        assert_eq!(bits(replayed.now()), bits(journal.now()), "{seed} replays");
        assert!(replayed.now().awaiting().side.is_none());
    }
}

/// Orders that make no sense now are refused, with a rule and a fact, and change nothing.
fn refusals_leave_no_trace(battle: &Battle) {
    let before = bits(battle);
    let nobody = Id::new("nobody").unwrap();
    let side = battle.awaited().unwrap_or(regimental::battle::Side::One);
    for unit in battle.units().iter().map(|u| u.id()).chain([nobody]).take(6) {
        let orders = [
            Command::Check { units: vec![unit, unit] },
            Command::Charge {
                unit,
                target: unit,
                cold_steel: true,
                disordered: true,
                wheel: Some(80.0),
            },
            Command::Fire { units: vec![unit], target: unit, passing: false, mark: None },
            Command::Fight { unit: nobody },
            Command::Enter { unit, inches: 1 },
        ];
        for order in orders {
            for by in [side, side.other()] {
                let no = battle.check(by, &order).expect_err("nonsense");
                assert!(!no.rule.is_empty() && !no.fact.is_empty());
            }
        }
    }
    assert_eq!(before, bits(battle));
}

/// What was taken back and done again is as it was.
fn undo_and_redo(journal: &mut Journal<Battle>) {
    let (before, undoable) = (bits(journal.now()), journal.undoable());
    for _ in 0..undoable {
        assert!(journal.undo());
    }
    assert!(!journal.undo(), "nothing past the last die");
    for _ in 0..undoable {
        assert!(journal.redo());
    }
    assert_eq!(before, bits(journal.now()));
}

macro_rules! random_battles {
    ($($name:ident $id:literal $share:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            play($id, $share);
        })*

        #[test]
        fn every_scenario_is_played() {
            let played = [$($id),*];
            assert!(SCENARIOS.iter().all(|(id, _)| played.contains(id)));
            assert_eq!(100, [$($share),*].iter().sum::<usize>());
        }
    };
}

random_battles!(
    training_25mm "training-25mm" 14,
    training_15mm "training-15mm" 14,
    training_triple_alliance "training-triple-alliance" 14,
    field_day_25mm "field-day-25mm" 6,
    field_day_15mm "field-day-15mm" 6,
    field_day_triple_alliance "field-day-triple-alliance" 6,
    cowpens "cowpens" 10,
    guilford_courthouse "guilford-courthouse" 8,
    hobkirks_hill "hobkirks-hill" 12,
    yatay "yatay" 8,
    tuyuti "tuyuti" 2,
);
