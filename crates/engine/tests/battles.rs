//! Random battles: no crash, no dead end, no endless game, nothing impossible on the table.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::Source;
use engine::{Library, Scenario, auto};
use journal::{Battle as _, Journal};

fn scenario(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).expect("built in").unwrap_or_else(|f| panic!("{f}"))
}

fn play(id: &str, seeds: std::ops::Range<u32>) {
    let scenario = scenario(id);
    for seed in seeds {
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
        });
        done.unwrap_or_else(|e| panic!("{seed}, order {orders}: {e:?}"));
        let replayed = Journal::replay(scenario.battle.clone(), journal.records().to_vec());
        assert_eq!(format!("{:?}", replayed.now()), format!("{:?}", journal.now()), "{seed} replays");
        assert!(replayed.now().awaiting().side.is_none());
    }
}

#[test]
fn training_15mm() {
    play("training-15mm", 0..40);
}

#[test]
fn training_25mm() {
    play("training-25mm", 0..40);
}

#[test]
fn training_triple_alliance() {
    play("training-triple-alliance", 0..40);
}
