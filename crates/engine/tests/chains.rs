//! Chains: one step's result sets the conditions of the next.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use engine::Library;
use serde_json::{Value, json};

fn odds(request: &Value) -> Value {
    let mut out = Vec::new();
    Library::default().odds(&request.to_string(), &mut out);
    serde_json::from_slice(&out).expect("an answer is JSON")
}

fn chance(answer: &Value, is: impl Fn(&[Value]) -> bool) -> f64 {
    answer["outcomes"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"))
        .iter()
        .filter(|o| is(o["result"]["steps"].as_array().expect("steps")))
        .map(|o| o["probability"].as_f64().expect("a number"))
        .sum()
}

#[test]
fn defensive_fire_then_charge() {
    let answer = odds(&json!({ "book": "rff-awi-25mm", "chain": [
        { "check": "fire", "kind": "musketry", "points": 6,
          "target": { "arm": "troops", "class": "trained", "charging": "yes" } },
        { "check": "charge", "attacker": { "arm": "infantry", "stands": 6 },
          "defender": { "arm": "infantry", "stands": 4 } } ] }));
    assert!((chance(&answer, |_| true) - 1.0).abs() < 1e-12);
    // Trained chargers are checked on 8, 9 and 10 of the die at 6 points (no modifier).
    let checked = chance(&answer, |steps| steps[1].is_null());
    assert!((checked - 0.3).abs() < 1e-12, "{checked}");
    // On a 1 to 4 nothing happens: 6 against 4 stands is 3:2, and the defender is at -1.
    let unhurt =
        chance(&answer, |steps| steps[0]["total"] == 1 && steps[1]["totals"] == json!([1, 9]));
    assert!((unhurt - 0.1 * 0.01).abs() < 1e-12, "one way in a thousand: {unhurt}");
    // On a 7 the attacker loses a stand, is disordered (-1), and 5 against 4 is no longer 3:2.
    let shaken =
        chance(&answer, |steps| steps[0]["total"] == 7 && steps[1]["totals"] == json!([0, 10]));
    assert!((shaken - 0.1 * 0.01).abs() < 1e-12, "a 1 less 1 against a 10: {shaken}");
}

#[test]
fn a_volley_at_the_defender_counts_too() {
    let answer = odds(&json!({ "book": "rff-triple-alliance", "chain": [
        { "check": "fire", "at": "defender", "kind": "cannonade", "points": 3,
          "target": { "arm": "troops", "class": "raw" } },
        { "check": "charge", "attacker": { "arm": "cavalry" }, "defender": { "arm": "infantry" } } ] }));
    // -2 for 3 points: a 5 totals 3, Lively from guns disorders raw troops, who are then at -1.
    let lively = chance(&answer, |steps| {
        steps[0]["effect"] == "lively" && steps[1]["totals"] == json!([10, 9])
    });
    // Two faces are lively (5 and 6), and of the charge only a 10 against a 10 totals so.
    assert!((lively - 0.2 * 0.01).abs() < 1e-12, "{lively}");
}

#[test]
fn fire_then_close_combat() {
    let answer = odds(&json!({ "book": "rise-and-fight-again", "chain": [
        { "check": "fire", "at": 0, "arm": "small-arms", "score": 8 },
        { "check": "close-combat", "sides": [
            { "arm": "infantry", "formation": "close-order-line", "score": 2 },
            { "arm": "infantry", "formation": "close-order-line", "score": 8 } ] } ] }));
    // Required 8: two or three hits on 1 to 4 break a unit with a score of 2 before contact.
    let broken = chance(&answer, |steps| steps[1].is_null());
    assert!((broken - 0.4).abs() < 1e-12, "{broken}");
    // One hit, on 5 to 8, leaves it a score of 1.
    let weak = chance(&answer, |steps| steps[1]["required"] == json!([1, 8]));
    assert!((weak - 0.4).abs() < 1e-12, "{weak}");
}

#[test]
fn rounds_of_close_combat_follow_each_other() {
    let round = json!({ "check": "close-combat", "sides": [
        { "arm": "infantry", "formation": "close-order-line", "score": 5,
          "conditions": ["engagement.modifier.infantry-into-contact"] },
        { "arm": "infantry", "formation": "close-order-line", "score": 6 } ] });
    let answer = odds(&json!({ "book": "rise-and-fight-again", "chain": [round, round] }));
    // The attacker rolls 7 (one hit needs 4 to 7), the defender 5 (6: one hit needs 4 to 6): drawn
    // one all. Next round 4 without the bonus of the charge, against 5 and 2 for having drawn.
    let drawn = chance(&answer, |steps| {
        steps[0]["hits"] == json!([1, 1]) && steps[1]["required"] == json!([4, 7])
    });
    assert!((drawn - 0.4 * 0.3).abs() < 1e-12, "{drawn}");
}

#[test]
fn volley_melee_morale() {
    let answer = odds(&json!({ "book": "fire-and-discipline", "chain": [
        { "check": "musketry", "at": 1, "castings": 3, "grade": 0, "weapon": "musket", "range": 50 },
        { "check": "melee", "sides": [
            { "castings": 4, "grade": 0, "status": "charging" },
            { "castings": 3, "grade": 0, "status": "holding" } ] },
        { "check": "morale", "arm": "foot", "at": 1, "castings": 3, "grade": 0 } ] }));
    assert!((chance(&answer, |_| true) - 1.0).abs() < 1e-12);
    // One die hits on 1 to 8; the holder then has two castings and two dice.
    let two = chance(&answer, |steps| steps[1]["dice"] == json!([4, 2]));
    assert!((two - 0.8).abs() < 1e-12, "{two}");
    // Unhurt in the volley and in the melee, hitting once: castings 3, grade 0, +3 for more hits.
    let steady = chance(&answer, |steps| {
        steps[1]["dice"] == json!([4, 3])
            && steps[1]["hits"] == json!([0, 1])
            && steps[2]["total"] == 6
    });
    let by_hand = 0.2 * 0.8f64.powi(4) * 3.0 * 0.3 * 0.49;
    assert!((steady - by_hand).abs() < 1e-12, "{steady} or {by_hand}");
    // Nobody left to check: all three castings fall.
    let gone = chance(&answer, |steps| steps[2].is_null());
    assert!(gone > 0.0);
}

#[test]
fn a_chain_of_another_shape_says_what_it_should_be() {
    for (book, words) in [
        ("rff-awi-25mm", "fire steps and then a charge"),
        ("rise-and-fight-again", "rounds of close-combat"),
        ("fire-and-discipline", "fire, melee and morale"),
    ] {
        let answer = odds(&json!({ "book": book, "chain": [
            { "check": "fallen-leader" }, { "check": "scale" } ] }));
        let message = answer["error"]["message"].as_str().expect("a refusal");
        assert!(message.contains(words), "{book}: {message}");
    }
}

#[test]
fn a_volley_at_the_attacker_finds_him_charging() {
    let chain = |target: Value| {
        odds(&json!({ "book": "rff-awi-25mm", "chain": [
            { "check": "fire", "kind": "musketry", "points": 25, "target": target },
            { "check": "charge", "attacker": { "arm": "infantry" }, "defender": { "arm": "infantry" } } ] }))
    };
    let unsaid = chain(json!({ "arm": "troops", "class": "raw" }));
    let said = chain(json!({ "arm": "troops", "class": "raw", "charging": "yes" }));
    assert_eq!(unsaid, said);
    // +5: a 3 totals 8, which checks a charge of raw troops; a 2 totals 7, checked but for cold steel.
    let checked = chance(&unsaid, |steps| steps[1].is_null());
    assert!((checked - 0.9).abs() < 1e-12, "{checked}");
    let guns = chain(json!({ "arm": "guns", "class": "raw" }));
    assert_eq!(guns["error"]["code"], "contradiction");
}

#[test]
fn whoever_was_shot_fires_with_what_is_left() {
    let answer = odds(&json!({ "book": "fire-and-discipline", "chain": [
        { "check": "musketry", "at": 1, "castings": 3, "grade": 0, "weapon": "musket", "range": 50 },
        { "check": "musketry", "at": 0, "castings": 6, "grade": 0, "weapon": "musket", "range": 50 },
        { "check": "morale", "arm": "foot", "at": 0, "castings": 9, "grade": 0 },
        { "check": "morale", "arm": "foot", "at": 1, "castings": 6, "grade": 0 } ] }));
    // Six castings have two dice; five after a hit, on 1 to 8 of one die, have one.
    let fewer = chance(&answer, |steps| steps[0]["hits"] == 1 && steps[1]["dice"] == 1);
    assert!((fewer - 0.8).abs() < 1e-12, "{fewer}");
    let answer = odds(&json!({ "book": "rise-and-fight-again", "chain": [
        { "check": "fire", "at": 1, "arm": "small-arms", "score": 4 },
        { "check": "fire", "at": 0, "arm": "small-arms", "score": 6 },
        { "check": "close-combat", "sides": [
            { "arm": "infantry", "formation": "close-order-line", "score": 8 },
            { "arm": "infantry", "formation": "close-order-line", "score": 6 } ] } ] }));
    let tired = chance(&answer, |steps| steps[0]["hits"] == 1 && steps[1]["required"] == 5);
    assert!((tired - 0.4).abs() < 1e-12, "{tired}");
}

#[test]
fn a_chain_that_branches_too_often_is_refused() {
    let fire = json!({ "check": "fire", "kind": "musketry", "points": 6,
        "target": { "arm": "troops", "class": "trained" } });
    let charge = json!({ "check": "charge", "attacker": { "arm": "infantry" }, "defender": { "arm": "infantry" } });
    let mut steps = vec![fire; 8];
    steps.push(charge);
    let answer = odds(&json!({ "book": "rff-awi-25mm", "chain": steps }));
    assert_eq!(answer["error"]["code"], "too-large");
    let volley =
        json!({ "check": "musketry", "castings": 60, "grade": 2, "weapon": "musket", "range": 50 });
    let morale = json!({ "check": "morale", "arm": "foot", "castings": 9, "grade": 1 });
    let answer = odds(
        &json!({ "book": "fire-and-discipline", "chain": [volley, volley, volley, volley, volley, morale] }),
    );
    assert_eq!(answer["error"]["code"], "too-large");
}
