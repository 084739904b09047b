//! Saves that nobody got from a game: anybody can write one and seal it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::Table;
use dice::stream::Source;
use engine::save::Writer;
use engine::{Library, Scenario};
use journal::Journal;
use regimental::battle::Battle;
use serde_json::{Value, json};

fn training() -> &'static str {
    engine::SCENARIOS.iter().find(|s| s.0 == "training-15mm").unwrap().1
}

/// A battle played to its end.
fn played(scenario: &Scenario) -> Journal<Battle> {
    let mut journal = Journal::new(scenario.battle.clone());
    let mut dice = Source::seeded("saves");
    engine::auto::play(&mut journal, "saves", &mut dice, |_| {}).unwrap();
    journal
}

/// A sealed save of a scenario whose text was tampered with, and so many times its shortest record that
/// threw no die.
fn forged(change: impl Fn(&str) -> String, records: usize) -> String {
    let library = Library::default();
    let mut scenario = Scenario::built_in(&library, "training-15mm").unwrap().unwrap();
    let journal = played(&scenario);
    let diceless = journal.records().iter().filter(|r| r.dice.is_empty());
    let record = diceless.min_by_key(|r| serde_json::to_string(r).unwrap().len()).unwrap().clone();
    scenario.text = change(&scenario.text);
    let (mut writer, mut text) = Writer::begin(&scenario, None);
    for _ in 0..records {
        text.push_str(&writer.record(&scenario, &record));
    }
    text
}

fn load(table: &Table, save: &str) -> common::Answer {
    table.ask("/api/games", None, Some(&json!({"save": save, "mode": {"kind": "hot-seat"}})))
}

/// Refused with a sentence that says why.
fn refused(table: &Table, save: &str, why: &str) {
    let answer = load(table, save);
    assert_eq!(answer.status, 400, "{}", &answer.body[..answer.body.len().min(300)]);
    let message = answer.json()["message"].as_str().unwrap().to_owned();
    assert!(message.contains(why), "{message}");
}

#[test]
fn a_save_of_more_orders_than_a_game_may_have_is_refused() {
    let table = Table::new();
    refused(&table, &forged(str::to_owned, 60_000), "at most 10000 orders");
    assert_eq!(load(&table, &forged(str::to_owned, 50)).status, 200);
}

#[test]
fn the_text_of_a_scenario_has_the_same_limit_wherever_it_comes_in() {
    let table = Table::new();
    let long = |text: &str| format!("{text}\n{}", "# a long remark\n".repeat(20_000));
    refused(&table, &forged(long, 0), "at most 256 KB");
    let body = json!({"scenario_text": long(training()), "mode": {"kind": "hot-seat"}});
    let answer = table.ask("/api/games", None, Some(&body));
    assert!(answer.status == 400 && answer.body.contains("at most 256 KB"), "{}", answer.body);
    let huge = |text: &str| format!("{text}\n{}", "# a long remark\n".repeat(750_000));
    refused(&table, &forged(huge, 0), "at most 256 KB");
}

#[test]
fn names_in_saves_are_held_to_what_scenarios_are() {
    let table = Table::new();
    let side = |to: &'static str| move |text: &str| text.replace("\"british\"", to);
    for (change, why) in [
        (
            Box::new(|t: &str| t.replace("\"training-15mm\"", "\"a\\nb\""))
                as Box<dyn Fn(&str) -> String>,
            "no name of a scenario",
        ),
        (
            Box::new(|t: &str| t.replace("\"training-15mm\"", "\"a\\\"; b=\\\"c\"")),
            "no name of a scenario",
        ),
        (Box::new(side("\"watch\"")), "a seat without a side"),
        (Box::new(side("\"both\"")), "a seat without a side"),
        (Box::new(side("\"two\"")), "what orders call the other side"),
        (Box::new(|t: &str| t.replacen("name = \"", "name = \"\\u202e", 1)), "unseen character"),
        (Box::new(|t: &str| t.replacen("title = \"", "title = \"\\u200b", 1)), "unseen character"),
        (Box::new(|t: &str| t.replacen("title = \"", "title = \"\\u001b", 1)), "control character"),
    ] {
        refused(&table, &forged(change, 0), why);
    }
}

#[test]
fn a_game_that_is_as_long_as_it_may_be_is_told_and_can_be_given_up() {
    let table = Table::new();
    let loaded = load(&table, &forged(str::to_owned, 10_000));
    assert_eq!(loaded.status, 200, "{}", loaded.body);
    let loaded = loaded.json();
    let (game, token) = (loaded["game"].as_str().unwrap(), loaded["token"].as_str());
    let path = format!("/api/games/{game}");
    let opened = table.ask(&path, token, None);
    assert_eq!(opened.status, 200);
    let view = opened.json()["now"]["view"].clone();
    let order = json!({"order": common::order(&view)});
    let refused = table.ask(&format!("{path}/orders"), token, Some(&order));
    assert!(refused.status == 403 && refused.body.contains("as long as"), "{}", refused.body);
    let save = table.ask(&format!("{path}/save"), token, None);
    assert_eq!(save.status, 200);
    assert_eq!(load(&table, &save.body).status, 200, "it can be loaded again");
    let side = opened.json()["board"]["sides"][0]["id"].clone();
    let side = if side.is_null() { Value::from("british") } else { side };
    let given_up = table.ask(&format!("{path}/concede"), token, Some(&json!({"side": side})));
    assert_eq!(given_up.status, 200, "{}", given_up.body);
}

/// Nobody ends another's game by filling its journal.
#[test]
fn taking_back_and_doing_again_does_not_use_a_game_up() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str());
    let path = format!("/api/games/{game}");
    let check = json!({"order": {"do": "check", "units": ["33rd"]}});
    assert_eq!(table.ask(&format!("{path}/orders"), token, Some(&check)).status, 200);
    let hold = json!({"order": {"do": "maneuver", "unit": "33rd", "steps": []}});
    assert_eq!(table.ask(&format!("{path}/orders"), token, Some(&hold)).status, 200);
    let mut refused = 0;
    for n in 0..5_100 {
        let step = if n % 2 == 0 { "undo" } else { "redo" };
        let done = table.ask(&format!("{path}/{step}"), token, Some(&json!({"brief": true})));
        if done.status == 403 {
            assert!(done.body.contains("taken back"), "{}", done.body);
            refused += 1;
            break;
        }
        assert_eq!(done.status, 200, "{}", done.body);
    }
    assert_eq!(refused, 1, "there is an end of it");
    let check = json!({"order": {"do": "check", "units": ["23rd"]}});
    let ordered = table.ask(&format!("{path}/orders"), token, Some(&check));
    assert_eq!(ordered.status, 200, "{}", ordered.body);
}
