//! The JSON contract: what is refused, and how.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use engine::Library;
use serde_json::{Value, json};

fn ask(line: &str) -> Value {
    let mut out = Vec::new();
    Library::default().resolve(line, &mut out);
    assert!(!out.contains(&b'\n'), "one line");
    serde_json::from_slice(&out).expect("an answer is JSON")
}

fn refused(request: &Value) -> (String, String) {
    let answer = ask(&request.to_string());
    let error = &answer["error"];
    assert!(error.is_object(), "{request} was answered: {answer}");
    let text = |key: &str| error[key].as_str().expect("text").to_owned();
    (text("code"), text("message"))
}

#[test]
fn unknown_names_are_refused_with_the_nearest_known() {
    let fire = |book: &str, check: &str, condition: &str| {
        json!({ "book": book, "check": check, "kind": "musketry", "points": 4, "die": 3,
                "target": { "arm": "troops", "class": "raw" }, "conditions": [condition] })
    };
    for (request, code, near) in [
        (fire("rff-awi-25m", "fire", "fire.modifier.fortified"), "unknown-book", "rff-awi-25mm"),
        (fire("rff-awi-25mm", "fir", "fire.modifier.fortified"), "unknown-check", "fire"),
        (
            fire("rff-awi-25mm", "fire", "fire.modifier.fortifed"),
            "unknown-condition",
            "fire.modifier.fortified",
        ),
        (
            json!({ "book": "rff-awi-25mm", "check": "fallen-leader", "dye": 3 }),
            "unknown-field",
            "die",
        ),
        (
            json!({ "book": "rff-awi-25mm", "check": "maneuver", "arm": "troop", "order": "good", "die": 3 }),
            "bad-value",
            "troops",
        ),
    ] {
        let (given, message) = refused(&request);
        assert_eq!(given, code, "{request}");
        assert!(message.contains(near), "{message}");
    }
}

#[test]
fn a_value_of_another_kind_is_no_fault_of_the_json() {
    let fire = |key: &str, value: Value| {
        let mut request = json!({ "book": "rff-awi-25mm", "check": "fire", "kind": "musketry",
            "points": 4, "die": 3, "target": { "arm": "troops", "class": "raw" } });
        let (at, target) = (key.strip_prefix("target."), key.starts_with("target."));
        let table = if target { &mut request["target"] } else { &mut request };
        table[at.unwrap_or(key)] = value;
        request
    };
    for (request, known) in [
        (fire("kind", json!(1)), "musketry, cannonade"),
        (fire("target.class", json!(null)), "elite, veteran, trained, raw"),
        (fire("target.charging", json!(true)), "no, yes, cold-steel"),
        (fire("target.arm", json!([5])), "troops"),
        (fire("conditions", json!(["fire.modifier.zzzzzzzz"])), "fire.modifier.fortified"),
        (
            json!({ "book": "rff-awi-25mm", "check": "fire-points",
                    "firers": [{ "weapon": "M", "stands": 3, "range": 2, "halved": "sleepy" }] }),
            "disordered, low-on-ammo, damaged",
        ),
    ] {
        let (code, message) = refused(&request);
        assert!(matches!(&*code, "bad-value" | "unknown-condition"), "{request}: {code}");
        assert!(message.contains(known), "{request}: {message}");
    }
}

#[test]
fn an_id_of_null_is_given_back() {
    let leader = |id: &str| {
        ask(&format!(r#"{{"book":"rff-awi-25mm","check":"fallen-leader","die":3,"id":{id}}}"#))
    };
    assert_eq!(leader("null").get("id"), Some(&Value::Null));
    assert_eq!(leader(r#"{"a":[1]}"#)["id"], json!({ "a": [1] }));
}

#[test]
fn a_chain_has_no_fields_that_are_not_read() {
    let chain = |beside: &str, within: &str| {
        let line = format!(
            r#"{{"book":"rff-awi-25mm"{beside},"chain":[
            {{"check":"fire"{within},"kind":"musketry","points":6,
              "target":{{"arm":"troops","class":"trained","charging":"yes"}}}},
            {{"check":"charge","attacker":{{"arm":"infantry","stands":6}},
              "defender":{{"arm":"infantry","stands":4}}}}]}}"#
        );
        let mut out = Vec::new();
        Library::default().odds(&line, &mut out);
        let answer: Value = serde_json::from_slice(&out).expect("JSON");
        answer["error"]["code"].as_str().map(str::to_owned)
    };
    assert_eq!(chain("", ""), None);
    assert_eq!(chain(r#","x":1"#, "").as_deref(), Some("unknown-field"));
    assert_eq!(chain("", r#","book":"rff-awi-15mm""#).as_deref(), Some("unknown-field"));
}

#[test]
fn dice_out_of_range_missing_or_miscounted_are_refused() {
    let leader =
        |die: Value| json!({ "book": "rff-awi-25mm", "check": "fallen-leader", "die": die });
    for die in [0, 11, -1, 255, 256, 1_000_000] {
        assert_eq!(refused(&leader(json!(die))).0, "die-out-of-range", "{die}");
    }
    assert_eq!(refused(&leader(json!(3.5))).0, "bad-value");
    assert_eq!(refused(&leader(json!("7"))).0, "bad-value");
    assert_eq!(
        refused(&json!({ "book": "rff-awi-25mm", "check": "fallen-leader" })).0,
        "missing-field"
    );
    let (code, message) =
        refused(&json!({ "book": "fire-and-discipline", "check": "musketry", "castings": 6,
        "grade": 2, "weapon": "rifle", "range": 100, "dice": [1, 2] }));
    assert_eq!(code, "wrong-number-of-dice");
    assert!(message.contains("ask for 6"), "{message}");
}

#[test]
fn contradictions_are_refused() {
    for (check, pair) in [
        ("maneuver", ["maneuver.modifier.fresh", "maneuver.modifier.spent"]),
        ("maneuver", ["maneuver.modifier.elite", "maneuver.modifier.raw"]),
        ("maneuver", ["maneuver.modifier.gallant-leader", "maneuver.modifier.poor-leader"]),
    ] {
        let request = json!({ "book": "rff-awi-25mm", "check": check, "arm": "troops", "order": "good", "die": 5,
                              "conditions": pair });
        let (code, message) = refused(&request);
        assert_eq!(code, "contradiction");
        assert!(pair.iter().all(|id| message.contains(id)), "{message}");
    }
    let side = |conditions: Value| json!({ "arm": "infantry", "die": 5, "conditions": conditions });
    let request = json!({ "book": "rff-awi-15mm", "check": "charge", "attacker": side(json!([])),
        "defender": side(json!(["charge.modifier.outnumbered-3-2", "charge.modifier.outnumbered-2-1"])) });
    assert_eq!(refused(&request).0, "contradiction");
}

#[test]
fn a_condition_given_twice_counts_once() {
    let answer = ask(
        &json!({ "book": "rff-awi-25mm", "check": "maneuver", "arm": "troops", "order": "good",
        "die": 5, "conditions": ["maneuver.modifier.raw", "maneuver.modifier.raw"] })
        .to_string(),
    );
    assert_eq!(answer["total"], 4);
    assert_eq!(answer["modifiers"], json!([{ "rule": "maneuver.modifier.raw", "value": -1 }]));
}

#[test]
fn fewer_than_one_die_is_no_fire_and_no_error() {
    let answer = ask(&json!({ "book": "fire-and-discipline", "check": "musketry", "castings": 3, "grade": 0,
        "weapon": "musket", "range": 100, "conditions": ["musketry.dice-modifier.earthworks"], "dice": [] }).to_string());
    assert_eq!((&answer["dice"], &answer["hits"]), (&json!(0), &json!(0)));
}

#[test]
fn the_id_is_given_back_whatever_it_is() {
    for id in [json!(7), json!("a\"b"), json!(null), json!({ "deep": [1, 2] })] {
        let good =
            ask(&json!({ "id": id, "book": "rff-awi-25mm", "check": "fallen-leader", "die": 2 })
                .to_string());
        assert_eq!(good["id"], id);
        assert_eq!(good["effect"], "none");
        let bad =
            ask(&json!({ "id": id, "book": "nowhere", "check": "fallen-leader", "die": 2 })
                .to_string());
        assert_eq!(bad["id"], id);
        assert!(bad["error"].is_object());
    }
}

#[test]
fn what_is_no_request_is_refused() {
    for line in
        ["", "   ", "null", "[]", "7", "\"x\"", "{", "{}", "{\"book\":", "\u{0}", "{\"book\":5}"]
    {
        let answer = ask(line);
        assert!(answer["error"]["message"].is_string(), "{line:?}: {answer}");
    }
    let deep = format!(
        "{{\"book\":\"rff-awi-25mm\",\"check\":{}1{}}}",
        "[".repeat(5000),
        "]".repeat(5000)
    );
    assert!(ask(&deep)["error"].is_object());
}

#[test]
fn numbers_too_large_are_refused() {
    for request in [
        json!({ "book": "fire-and-discipline", "check": "musketry", "castings": 100_000, "grade": 2,
                "weapon": "musket", "range": 100, "dice": [] }),
        json!({ "book": "rff-awi-25mm", "check": "fire-points",
                "firers": [{ "weapon": "M", "stands": 9_999_999_999i64, "range": 3 }] }),
        json!({ "book": "rff-awi-25mm", "check": "fire", "kind": "musketry", "points": 1e300, "die": 3,
                "target": { "arm": "troops", "class": "raw" } }),
        json!({ "book": "fire-and-discipline", "check": "artillery", "pounder": 6, "range": 100,
                "guns": i64::MAX, "dice": [] }),
    ] {
        let (code, message) = refused(&request);
        assert_eq!(code, "too-large", "{message}");
    }
}

#[test]
fn a_letter_pair_of_two_weapons_asks_which() {
    let ask_for = |arm: Option<&str>| {
        let mut firer = json!({ "weapon": "BR", "stands": 2, "range": 4 });
        if let Some(arm) = arm {
            firer["arm"] = json!(arm);
        }
        json!({ "book": "rff-triple-alliance", "check": "fire-points", "firers": [firer] })
    };
    assert!(refused(&ask_for(None)).1.contains("small-arms or guns"));
    assert_eq!(ask(&ask_for(Some("small-arms")).to_string())["points"], 4);
    assert_eq!(ask(&ask_for(Some("guns")).to_string())["points"], 8);
}

#[test]
fn a_chain_is_for_odds() {
    let (code, message) = refused(&json!({ "book": "rff-awi-25mm", "chain": [] }));
    assert_eq!(code, "unknown-field");
    assert!(message.contains("odds"), "{message}");
}

#[test]
fn a_side_with_known_stands_loses_no_more_than_it_has() {
    let charge = |attacker: Value, defender: Value| json!({ "book": "rff-awi-15mm", "check": "charge", "attacker": attacker, "defender": defender });
    let answer = ask(&charge(
        json!({ "arm": "infantry", "stands": 1, "die": 10 }),
        json!({ "arm": "infantry", "stands": 1, "die": 1 }),
    )
    .to_string());
    assert_eq!(answer["effect"], "swept");
    assert_eq!(answer["defender"]["stands_lost"], 1);
    assert_eq!(answer["defender"]["state"], "eliminated");
    let thresholds = charge(
        json!({ "arm": "infantry", "stands": 4, "worn_at": 2, "spent_at": 3, "die": 5 }),
        json!({ "arm": "infantry", "stands": 4, "die": 5 }),
    );
    assert_eq!(refused(&thresholds).0, "contradiction");
    let untrue = charge(
        json!({ "arm": "infantry", "stands": 6, "die": 5, "conditions": ["charge.modifier.outnumbered-3-2"] }),
        json!({ "arm": "infantry", "stands": 3, "die": 5 }),
    );
    assert_eq!(refused(&untrue).0, "contradiction");
    // A struggle wears both sides down, so it wants the stands of both, and not thousands.
    for (attacker, code) in [
        (json!({ "arm": "infantry" }), "missing-field"),
        (json!({ "arm": "infantry", "stands": 900 }), "too-large"),
    ] {
        let mut struggle = charge(attacker, json!({ "arm": "infantry", "stands": 4 }));
        struggle["until_decided"] = json!(true);
        let mut out = Vec::new();
        Library::default().odds(&struggle.to_string(), &mut out);
        let answer: Value = serde_json::from_slice(&out).expect("an answer is JSON");
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
}

/// A tracker that counts stands needs to know how many went with those that are gone.
#[test]
fn the_eliminated_have_lost_all_they_had() {
    let charge = |arm: &str, stands: Option<i64>, dice: [i64; 2]| {
        let mut request = json!({ "book": "rff-awi-15mm", "check": "charge",
            "attacker": { "arm": "cavalry", "stands": 6, "die": dice[0] },
            "defender": { "arm": arm, "die": dice[1] } });
        if let Some(stands) = stands {
            request["defender"]["stands"] = json!(stands);
        }
        ask(&request.to_string())["defender"].clone()
    };
    for stands in [1, 2, 4] {
        let gone = charge("guns-heavy", Some(stands), [10, 1]);
        assert_eq!(gone["state"], "eliminated", "{gone}");
        assert_eq!(gone["stands_lost"], stands, "{gone}");
    }
    // Who is not told how many there were says what the row says, as the contract has it.
    let row = charge("guns-heavy", None, [10, 1]);
    assert_eq!((&row["state"], &row["stands_lost"]), (&json!("eliminated"), &json!(2)), "{row}");
    // Who is not gone loses what the row says.
    let swept = charge("infantry", Some(4), [10, 1]);
    assert_eq!((&swept["state"], &swept["stands_lost"]), (&json!("broken"), &json!(3)), "{swept}");
}

/// An arm that adds nothing is not asked for; what it is called changes no total.
#[test]
fn the_arm_of_a_morale_check_adds_nothing_and_may_be_left_out() {
    let morale = |more: Value| {
        let mut request = json!({ "book": "fire-and-discipline", "check": "morale", "castings": 3,
            "grade": 1, "die": 4 });
        for (key, value) in more.as_object().expect("fields") {
            request[key] = value.clone();
        }
        ask(&request.to_string())
    };
    let without = morale(json!({}));
    assert_eq!(without["total"], 4, "{without}");
    for arm in ["foot", "mounted", "artillery"] {
        assert_eq!(morale(json!({ "arm": arm })), without);
    }
    let mounted = morale(json!({ "conditions": ["morale.modifier.mounted"] }));
    assert_eq!(mounted["total"], 7, "{mounted}");
}

/// What the docs say belongs inside a side is taken there, and not beside it.
#[test]
fn the_fields_of_a_side_are_inside_it() {
    let side = |extra: &str| -> Value {
        let text = format!("{{\"castings\":6,\"grade\":2,\"status\":\"charging\"{extra}}}");
        serde_json::from_str(&text).expect("JSON")
    };
    let dice = json!([3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
    let melee =
        |sides: Value| json!({ "book": "fire-and-discipline", "check": "melee", "sides": sides });
    let inside = melee(json!([side(",\"firers\":1,\"blade\":true"), side("")]));
    let (code, message) = refused(&inside);
    assert_eq!((code.as_str(), message.contains("dice")), ("missing-field", true), "{message}");
    let mut beside = inside;
    beside["dice"] = dice.clone();
    assert_eq!(refused(&beside).0, "unknown-field");
    // A list with a word for each stand, not one word.
    let skirmish = |stands: Value| json!({ "book": "fire-and-discipline", "check": "skirmish", "stands": stands, "dice": dice });
    assert_eq!(refused(&skirmish(json!(["musket", "rifle"]))).0, "wrong-number-of-dice");
    assert_eq!(refused(&skirmish(json!("musket"))).0, "bad-value");
    // A letter pair that names a small arm and a gun asks which; each is taken.
    let points = |arm: Value| {
        let mut firer = json!({ "weapon": "BR", "stands": 2, "range": 4 });
        if !arm.is_null() {
            firer["arm"] = arm;
        }
        json!({ "book": "rff-triple-alliance", "check": "fire-points", "firers": [firer] })
    };
    assert_eq!(refused(&points(Value::Null)).0, "missing-field");
    let each = ["small-arms", "guns"].map(|arm| ask(&points(json!(arm)).to_string()));
    assert!(each.iter().all(|a| a["points"].is_number()) && each[0] != each[1], "{each:?}");
    assert_eq!(refused(&points(json!("cannon"))).0, "bad-value");
}
