//! Whatever comes in, one JSON object comes out, and nothing panics.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use engine::Library;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::default)
}

fn answered(line: &str) {
    for odds in [false, true] {
        let mut out = Vec::new();
        if odds {
            library().odds(line, &mut out)
        } else {
            library().resolve(line, &mut out)
        }
        let text = std::str::from_utf8(&out).expect("UTF-8");
        assert!(!text.contains('\n'), "one line for {line}");
        let answer: Value =
            serde_json::from_str(text).unwrap_or_else(|e| panic!("{line} gave {text}: {e}"));
        assert!(answer.is_object(), "{line} gave {text}");
    }
}

/// Every name a request can have in it, good and bad.
fn words() -> impl Strategy<Value = String> {
    let mut known: Vec<String> = [
        "troops",
        "guns",
        "good",
        "disordered",
        "broken",
        "musketry",
        "cannonade",
        "elite",
        "veteran",
        "trained",
        "raw",
        "yes",
        "no",
        "cold-steel",
        "infantry",
        "cavalry",
        "guns-light",
        "guns-heavy",
        "guns-limbered",
        "spirited",
        "dispirited",
        "small-arms",
        "artillery",
        "column",
        "skirmish",
        "unlimbered",
        "limbered",
        "close-order-line",
        "charging",
        "holding",
        "engaged",
        "musket",
        "rifle",
        "carbine",
        "combined",
        "fire",
        "melee-failed",
        "foot",
        "mounted",
        "M",
        "BR",
        "SG",
        "open",
        "broken",
        "road",
        "infantry.line",
        "field",
        "",
    ]
    .map(String::from)
    .to_vec();
    for id in engine::BOOKS {
        let loaded = library().get(id).expect("a book");
        for check in loaded.rules.checks() {
            known.push((*check).to_owned());
            for table in loaded.rules.conditions(check) {
                known.extend(table.ids().map(String::from));
            }
        }
    }
    prop::sample::select(known)
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..14).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|x| json!(x)),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((fields(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn fields() -> impl Strategy<Value = String> {
    let known = [
        "arm",
        "order",
        "conditions",
        "die",
        "in_command",
        "firers",
        "weapon",
        "stands",
        "range",
        "halved",
        "kind",
        "points",
        "target",
        "class",
        "disordered",
        "charging",
        "gun_stands",
        "attacker",
        "defender",
        "morale",
        "lost",
        "score",
        "sides",
        "formation",
        "round",
        "inspiration",
        "pounder",
        "shell",
        "guns",
        "gun_hits",
        "dice",
        "limbered",
        "castings",
        "grade",
        "status",
        "blade",
        "firers",
        "enemy_within_100",
        "loss_die",
        "situation",
        "chain",
        "until_decided",
        "detail",
        "id",
        "worn_at",
        "spent_at",
        "ground",
        "troops",
        "pace",
        "from",
        "to",
        "at",
    ];
    prop::sample::select(known.map(String::from).to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(line in "\\PC*") {
        answered(&line.replace('\n', " "));
    }

    #[test]
    fn any_json(value in values()) {
        answered(&value.to_string());
    }

    #[test]
    fn any_request(
        book in prop::sample::select(engine::BOOKS.to_vec()),
        check in words(),
        rest in prop::collection::vec((fields(), values()), 0..8),
    ) {
        let mut request: Map<String, Value> = rest.into_iter().collect();
        request.insert("book".into(), json!(book));
        request.insert("check".into(), json!(check));
        answered(&Value::Object(request).to_string());
    }
}

/// Requests that are right but for one field, which gets anything at all.
#[test]
fn good_requests_with_one_field_spoiled() {
    let good = [
        json!({ "book": "rff-awi-15mm", "check": "fire", "kind": "musketry", "points": 4, "die": 3,
                "target": { "arm": "guns", "class": "raw", "gun_stands": 2 } }),
        json!({ "book": "rff-awi-15mm", "check": "charge", "until_decided": true,
                "attacker": { "arm": "infantry", "stands": 4, "die": 3 }, "defender": { "arm": "guns-light", "stands": 2, "die": 3 } }),
        json!({ "book": "rise-and-fight-again", "check": "close-combat", "sides": [
            { "arm": "infantry", "formation": "column", "score": 6, "die": 3 },
            { "arm": "cavalry", "formation": "column", "score": 6, "die": 4 } ] }),
        json!({ "book": "fire-and-discipline", "check": "melee", "sides": [
            { "castings": 3, "grade": 1, "status": "charging", "dice": [1, 2, 3, 4] },
            { "castings": 3, "grade": 1, "status": "holding", "dice": [1, 2, 3, 4] } ] }),
        json!({ "book": "fire-and-discipline", "check": "artillery", "pounder": 6, "range": 300, "guns": 2, "dice": [1, 2] }),
    ];
    let spoils = [
        json!(null),
        json!(-1),
        json!(0),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e308),
        json!(-0.5),
        json!(""),
        json!("x"),
        json!([]),
        json!({}),
        json!([[]]),
        json!(true),
        json!([1, 2, 3]),
        json!(200),
        json!(1000),
    ];
    fn spoil(whole: &Value, path: &str, at: &Value, spoils: &[Value]) {
        let children: Vec<String> = match at {
            Value::Object(map) => map.keys().cloned().collect(),
            Value::Array(items) => (0..items.len()).map(|i| i.to_string()).collect(),
            _ => Vec::new(),
        };
        for child in children {
            let place = format!("{path}/{child}");
            for value in spoils {
                let mut changed = whole.clone();
                *changed.pointer_mut(&place).expect("a place") = value.clone();
                answered(&changed.to_string());
            }
            spoil(whole, &place, whole.pointer(&place).expect("a place"), spoils);
        }
    }
    for request in &good {
        spoil(request, "", request, &spoils);
    }
}
