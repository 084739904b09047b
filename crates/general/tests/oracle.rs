//! The oracle: whole battles, each with a hash over the lines of its save (orders, dice and events
//! as they are written). A change that only moves code leaves every hash as it is. A change of a
//! rule moves some: its commit says so, names the rule, and brings the new hashes, which
//! `LINSTOCK_WRITE=1 cargo nextest run -p general --test oracle` writes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use dice::stream::{Source, commitment};
use engine::{Library, SCENARIOS, Scenario, auto, save};
use general::{Limit, Mind};
use journal::Journal;

/// Battles at random of each scenario, and of the largest.
const RANDOM: usize = 30;
const RANDOM_TUYUTI: usize = 6;

/// Who fights whom in the battles between officers of each scenario.
const OFFICERS: [[&str; 2]; 6] = [
    ["recruit", "recruit"],
    ["recruit", "colonel"],
    ["colonel", "recruit"],
    ["colonel", "colonel"],
    ["recruit", "recruit"],
    ["colonel", "colonel"],
];

fn scenario(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).unwrap().unwrap()
}

/// What the record lines of a save come to: the header, which names versions, is left out, and so
/// are the seals, which depend on it.
fn hash(scenario: &Scenario, journal: &Journal<regimental::battle::Battle>) -> String {
    let text = save::write(scenario, journal, None, false);
    let lines: Vec<&str> =
        text.lines().skip(2).map(|l| l.rsplit_once(",\"sum\":").unwrap().0).collect();
    assert!(lines.len() > 10, "a battle was fought");
    commitment(&lines.join("\n"))[..16].to_owned()
}

fn at_random(id: &str, found: &mut BTreeMap<String, String>) {
    let scenario = scenario(id);
    for n in 0..if id == "tuyuti" { RANDOM_TUYUTI } else { RANDOM } {
        let seed = format!("oracle {n}");
        let mut journal = Journal::new(scenario.battle.clone());
        auto::play(&mut journal, &seed, &mut Source::seeded(&seed), |_| {}).expect("an end");
        found.insert(format!("{id} random {n:02}"), hash(&scenario, &journal));
    }
}

fn between_officers(id: &str, found: &mut BTreeMap<String, String>) {
    let scenario = scenario(id);
    // The largest battle once for each level, so that the whole stays quick.
    let pairs = if id == "tuyuti" { &OFFICERS[1..3] } else { &OFFICERS[..] };
    for (n, levels) in pairs.iter().enumerate() {
        let seed = format!("oracle {n}");
        let mut journal = Journal::new(scenario.battle.clone());
        let mut dice = Source::seeded(&seed);
        let mut minds = levels.map(|l| Mind::new(l, &seed).with_limit(Limit::Nodes(200)));
        while let Some(side) = journal.now().awaited() {
            assert!(journal.records().len() < 5000, "{id} {levels:?}: an end");
            let order = minds[side.index()].order(journal.now()).expect("an order");
            journal.submit(side, &order.command, &mut dice).expect("a legal order");
        }
        let name = format!("{id} {} {} {n:02}", levels[0], levels[1]);
        found.insert(name, hash(&scenario, &journal));
    }
}

/// Where the hashes of a scenario's battles are kept: a file each, so that tests may write them
/// side by side.
fn compare(id: &str, kind: &str, found: &BTreeMap<String, String>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/oracle/{id}-{kind}.txt"));
    let mut text = String::new();
    for (name, hash) in found {
        writeln!(text, "{name} {hash}").unwrap();
    }
    if std::env::var_os("LINSTOCK_WRITE").is_some() {
        std::fs::write(&file, &text).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    let moved: Vec<&str> = text.lines().filter(|line| !kept.lines().any(|k| k == *line)).collect();
    assert!(
        text == kept,
        "{} of {} battles went another way: a change of a rule moves them and says so.\n{}",
        moved.len(),
        found.len(),
        moved.join("\n")
    );
}

macro_rules! oracle {
    ($($name:ident $id:literal),* $(,)?) => {
        $(mod $name {
            #[test]
            fn at_random() {
                let mut found = Default::default();
                super::at_random($id, &mut found);
                super::compare($id, "random", &found);
            }
            #[test]
            fn between_officers() {
                let mut found = Default::default();
                super::between_officers($id, &mut found);
                super::compare($id, "officers", &found);
            }
        })*

        #[test]
        fn every_scenario_has_its_hashes() {
            let kept = [$($id),*];
            assert!(SCENARIOS.iter().all(|(id, _)| kept.contains(id)));
            assert!(RANDOM * (kept.len() - 1) + RANDOM_TUYUTI >= 300);
            assert!(OFFICERS.len() * (kept.len() - 1) + 2 >= 60);
        }
    };
}

oracle!(
    tuyuti "tuyuti",
    guilford_courthouse "guilford-courthouse",
    yatay "yatay",
    cowpens "cowpens",
    hobkirks_hill "hobkirks-hill",
    field_day_25mm "field-day-25mm",
    field_day_15mm "field-day-15mm",
    field_day_triple_alliance "field-day-triple-alliance",
    training_25mm "training-25mm",
    training_15mm "training-15mm",
    training_triple_alliance "training-triple-alliance",
);
