//! `odds` against a full enumeration through `resolve`: the same function
//! decides both, and these tests would show it if it did not.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;

use engine::Library;
use serde_json::{Value, json};

fn resolve(library: &Library, request: &Value) -> Value {
    let mut out = Vec::new();
    library.resolve(&request.to_string(), &mut out);
    serde_json::from_slice(&out).expect("an answer is JSON")
}

fn odds(library: &Library, request: &Value) -> Value {
    let mut out = Vec::new();
    library.odds(&request.to_string(), &mut out);
    let answer: Value = serde_json::from_slice(&out).expect("an answer is JSON");
    assert!(answer.get("error").is_none(), "{request}: {answer}");
    answer
}

/// Outcomes as a map from the text of the result to its chance.
fn table(answer: &Value) -> BTreeMap<String, f64> {
    let mut table = BTreeMap::new();
    for outcome in answer["outcomes"].as_array().expect("outcomes") {
        let earlier = table.insert(
            outcome["result"].to_string(),
            outcome["probability"].as_f64().expect("a number"),
        );
        assert!(earlier.is_none(), "equal results are merged: {outcome}");
    }
    let sum: f64 = table.values().sum();
    assert!((sum - 1.0).abs() < 1e-12, "the chances add up to {sum}");
    table
}

/// Puts dice at the given places of a request, in every way there is, and
/// counts what `resolve` answers.
fn enumerate(library: &Library, request: &Value, places: &[&str]) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    let ways = 10usize.pow(u32::try_from(places.len()).expect("few dice"));
    for way in 0..ways {
        let mut rolled = request.clone();
        let mut rest = way;
        for place in places {
            let slot = rolled.pointer_mut(place).expect("a place for a die");
            *slot = json!(rest % 10 + 1);
            rest /= 10;
        }
        let answer = resolve(library, &rolled);
        assert!(answer.get("error").is_none(), "{rolled}: {answer}");
        *counts.entry(answer.to_string()).or_default() += 1.0 / ways as f64;
    }
    counts
}

fn without_dice(request: &Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for key in ["die", "dice", "loss_die"] {
                    map.remove(key);
                }
                map.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut bare = request.clone();
    strip(&mut bare);
    bare
}

fn agree(request: &Value, places: &[&str]) {
    let library = Library::default();
    let counted = enumerate(&library, request, places);
    let told = table(&odds(&library, &without_dice(request)));
    assert_eq!(counted.keys().collect::<Vec<_>>(), told.keys().collect::<Vec<_>>(), "{request}");
    for (result, chance) in &counted {
        assert!(
            (chance - told[result]).abs() < 1e-12,
            "{request}: {result}: {chance} or {}",
            told[result]
        );
    }
}

#[test]
fn single_dice() {
    for book in ["rff-awi-25mm", "rff-awi-15mm", "rff-triple-alliance"] {
        for order in ["good", "disordered", "broken"] {
            agree(
                &json!({ "book": book, "check": "maneuver", "arm": "troops", "order": order, "die": 0,
                         "conditions": ["maneuver.modifier.raw", "maneuver.modifier.spent"] }),
                &["/die"],
            );
        }
        for class in ["veteran", "trained", "raw"] {
            for charging in ["no", "yes", "cold-steel"] {
                agree(
                    &json!({ "book": book, "check": "fire", "kind": "cannonade", "points": 13.5, "die": 0,
                             "target": { "arm": "troops", "class": class, "charging": charging } }),
                    &["/die"],
                );
            }
        }
        agree(&json!({ "book": book, "check": "fallen-leader", "die": 0 }), &["/die"]);
    }
    for score in 1..=12 {
        agree(
            &json!({ "book": "rise-and-fight-again", "check": "fire", "arm": "small-arms", "score": score, "die": 0 }),
            &["/die"],
        );
    }
    for situation in ["fire", "melee-passed", "melee-failed"] {
        agree(
            &json!({ "book": "fire-and-discipline", "check": "commander", "situation": situation, "die": 0 }),
            &["/die"],
        );
    }
}

#[test]
fn opposed_dice() {
    for arm in ["infantry", "cavalry", "guns-light", "guns-heavy", "guns-limbered"] {
        agree(
            &json!({ "book": "rff-awi-15mm", "check": "charge",
                     "attacker": { "arm": "cavalry", "die": 0, "conditions": ["charge.modifier.cavalry-open-ground"] },
                     "defender": { "arm": arm, "disordered": true, "die": 0, "conditions": ["charge.modifier.outflanked"] } }),
            &["/attacker/die", "/defender/die"],
        );
    }
    agree(
        &json!({ "book": "rise-and-fight-again", "check": "close-combat", "sides": [
            { "arm": "cavalry", "formation": "column", "score": 9, "round": 1, "die": 0 },
            { "arm": "infantry", "formation": "skirmish", "score": 7, "die": 0 } ] }),
        &["/sides/0/die", "/sides/1/die"],
    );
}

#[test]
fn pools_of_dice() {
    agree(
        &json!({ "book": "fire-and-discipline", "check": "musketry", "castings": 6, "grade": 1, "weapon": "musket",
                 "range": 90, "dice": [0, 0, 0] }),
        &["/dice/0", "/dice/1", "/dice/2"],
    );
    agree(
        &json!({ "book": "fire-and-discipline", "check": "artillery", "pounder": 6, "range": 150, "guns": 2,
                 "dice": [0, 0] }),
        &["/dice/0", "/dice/1"],
    );
    agree(
        &json!({ "book": "fire-and-discipline", "check": "skirmish", "stands": ["musket", "rifle"],
                 "dice": [0, 0, 0, 0] }),
        &["/dice/0", "/dice/1", "/dice/2", "/dice/3"],
    );
    agree(
        &json!({ "book": "fire-and-discipline", "check": "melee", "sides": [
            { "castings": 2, "grade": 0, "status": "charging", "dice": [0, 0] },
            { "castings": 1, "grade": 1, "status": "holding", "dice": [0, 0] } ] }),
        &["/sides/0/dice/0", "/sides/0/dice/1", "/sides/1/dice/0", "/sides/1/dice/1"],
    );
}

#[test]
fn morale_with_its_second_die() {
    for (castings, near) in [(2, true), (2, false), (7, true), (12, true)] {
        agree(
            &json!({ "book": "fire-and-discipline", "check": "morale", "arm": "foot", "castings": castings, "grade": 1,
                     "enemy_within_100": near, "die": 0, "loss_die": 0 }),
            &["/die", "/loss_die"],
        );
    }
}

#[test]
fn odds_give_exact_ways_where_they_fit() {
    let answer =
        odds(&Library::default(), &json!({ "book": "rff-awi-25mm", "check": "fallen-leader" }));
    let removed = &answer["outcomes"][3];
    assert_eq!(removed["result"]["effect"], "removed");
    assert_eq!((&removed["ways"], &removed["of"]), (&json!(3), &json!(10)));
}

/// Rolls a Desperate Struggle again through `resolve`, hundreds of times.
#[test]
fn a_struggle_is_solved_as_the_limit_of_its_rolls() {
    let library = Library::default();
    let first = json!({ "book": "rff-awi-25mm", "check": "charge",
        "attacker": { "arm": "cavalry", "die": 0, "conditions":
            ["charge.modifier.cavalry-open-ground", "charge.modifier.veteran", "charge.modifier.fresh"] },
        "defender": { "arm": "infantry", "die": 0, "conditions": ["charge.modifier.trained", "charge.modifier.cold-steel"] } });
    // After a tie: no impetus, both disordered.
    let mut again = first.clone();
    again["attacker"]["conditions"] = json!([
        "charge.modifier.veteran",
        "charge.modifier.fresh",
        "charge.modifier.disordered-troops"
    ]);
    again["attacker"]["disordered"] = json!(true);
    again["defender"]["conditions"] =
        json!(["charge.modifier.trained", "charge.modifier.disordered-troops"]);
    again["defender"]["disordered"] = json!(true);
    let places = ["/attacker/die", "/defender/die"];
    let (first_table, again_table) =
        (enumerate(&library, &first, &places), enumerate(&library, &again, &places));
    let tie = |result: &str| result.contains("desperate-struggle");
    let mut limit: BTreeMap<String, f64> = BTreeMap::new();
    let mut open = 0.0;
    for (result, chance) in first_table {
        if tie(&result) { open += chance } else { *limit.entry(result).or_default() += chance }
    }
    assert!(open > 0.0);
    for _ in 0..400 {
        let mut still = 0.0;
        for (result, chance) in &again_table {
            let chance = open * chance;
            if tie(result) {
                still += chance
            } else {
                *limit.entry(result.clone()).or_default() += chance
            }
        }
        open = still;
    }
    let mut asked = without_dice(&first);
    asked["until_decided"] = json!(true);
    let told = table(&odds(&library, &asked));
    assert_eq!(limit.keys().collect::<Vec<_>>(), told.keys().collect::<Vec<_>>());
    for (result, chance) in limit {
        assert!((chance - told[&result]).abs() < 1e-12, "{result}: {chance} or {}", told[&result]);
    }
}

#[test]
fn a_struggle_with_known_stands_ends_when_a_side_is_gone() {
    let library = Library::default();
    let answer = odds(
        &library,
        &json!({ "book": "rff-awi-15mm", "check": "charge", "until_decided": true,
        "attacker": { "arm": "infantry", "stands": 2, "worn_at": 1, "spent_at": 0 },
        "defender": { "arm": "infantry", "stands": 3 } }),
    );
    let mut lost_all = 0.0;
    for outcome in answer["outcomes"].as_array().expect("outcomes") {
        let result = &outcome["result"];
        for side in ["attacker", "defender"] {
            let most = if side == "attacker" { 2 } else { 3 };
            let lost = result[side]["stands_lost"].as_i64().expect("a number");
            assert!(lost <= most, "{result}");
            assert_eq!(lost == most, result[side]["state"] == "eliminated", "{result}");
        }
        if result["effect"] == "desperate-struggle" {
            // Two ties in a row: the attacker's two stands are gone.
            assert_eq!(result["attacker"]["state"], "eliminated");
            assert_eq!(result["attacker"]["stands_lost"], 2);
            lost_all += outcome["probability"].as_f64().expect("a number");
        }
    }
    // First roll: 2 against 3 is 3:2, so the attacker is at -1: 9 ties of 100.
    // After it both have lost one: 1 against 2 is 2:1 at -2; both are disordered. The attacker was
    // fresh (+2) and is worn now (0), so -2 stands against 0: 8 ties of 100.
    let expected = {
        let ties = |difference: i32| f64::from(10 - difference.abs()) / 100.0;
        ties(2 - 1) * ties(-2)
    };
    assert!((lost_all - expected).abs() < 1e-12, "{lost_all} or {expected}");
}

#[test]
fn a_pool_of_forty_against_forty_adds_up() {
    let answer = odds(
        &Library::default(),
        &json!({ "book": "fire-and-discipline", "check": "melee", "sides": [
        { "castings": 36, "grade": 4, "status": "charging" }, { "castings": 38, "grade": 2, "status": "holding" } ] }),
    );
    let table = table(&answer);
    assert_eq!(table.len(), 41 * 41);
    let first = &answer["outcomes"][0];
    assert_eq!(first["result"]["dice"], json!([40, 40]));
    // Nobody hits: 8 of 10 misses against 7 of 10, forty times each.
    let none = 0.8f64.powi(40) * 0.7f64.powi(40);
    let told = first["probability"].as_f64().expect("a number");
    assert!((told / none - 1.0).abs() < 1e-12);
    assert!(first.get("ways").is_none(), "ten to the eighty does not fit in 64 bits");
}
