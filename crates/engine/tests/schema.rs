//! The JSON Schema of scenario files takes what the reader takes, and refuses what it refuses of
//! the shape of a file.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use engine::scenario::schema;
use engine::{Library, SCENARIOS, Scenario};
use serde_json::Value;

/// What is wrong with a value by a schema, as `path: what`. It knows the words our schema uses and
/// no others: one it does not know fails the test.
fn faults(schema: &Value, value: &Value, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (word, of) in schema.as_object().expect("a schema is an object") {
        let listed = || of.as_array().unwrap();
        match word.as_str() {
            "$schema" | "title" | "description" => {}
            "properties" => {
                for (key, of) in of.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        found.extend(faults(of, value, &format!("{path}.{key}")));
                    }
                }
            }
            "items" => {
                for (i, value) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(faults(of, value, &format!("{path}[{i}]")));
                }
            }
            "required" => {
                let gone = listed().iter().filter(|k| value.get(k.as_str().unwrap()).is_none());
                found.extend(gone.map(|key| format!("{path}: {key} is missing")));
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().unwrap();
                let keys = value.as_object().into_iter().flat_map(|o| o.keys());
                let other = keys.filter(|k| !known.contains_key(*k));
                found.extend(other.map(|key| format!("{path}: {key} is unknown")));
            }
            "allOf" => found.extend(listed().iter().flat_map(|of| faults(of, value, path))),
            word if !fits(word, of, value) => found.push(format!("{path}: {value}, {word} {of}")),
            _ => {}
        }
    }
    found
}

/// Whether a value fits one word of a schema.
fn fits(word: &str, of: &Value, value: &Value) -> bool {
    let size = value.as_array().map_or(0, Vec::len) as u64;
    let listed = || of.as_array().unwrap();
    match word {
        "type" => match of.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            "number" => value.is_number(),
            other => panic!("type {other}"),
        },
        "enum" => listed().contains(value),
        "minimum" => value.as_f64().is_none_or(|n| n >= of.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|n| n <= of.as_f64().unwrap()),
        "minItems" => !value.is_array() || size >= of.as_u64().unwrap(),
        "maxItems" => size <= of.as_u64().unwrap(),
        "pattern" => matches(of.as_str().unwrap(), value),
        "not" => !faults(of, value, "").is_empty(),
        "anyOf" => listed().iter().any(|of| faults(of, value, "").is_empty()),
        other => panic!("the schema has a word this test does not know: {other}"),
    }
}

fn matches(pattern: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return true };
    let name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    match pattern {
        "^[a-z0-9-]{1,16}$" => (1..=16).contains(&text.len()) && text.bytes().all(name),
        "^[a-z0-9-]{1,40}$" => (1..=40).contains(&text.len()) && text.bytes().all(name),
        "^#[0-9a-fA-F]{6}$" => {
            let hex = text.strip_prefix('#').unwrap_or_default();
            hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit())
        }
        other => panic!("pattern {other}"),
    }
}

fn of_text(text: &str) -> Vec<String> {
    let value: Value = toml::from_str(text).expect("TOML");
    faults(&schema(), &value, "")
}

fn example() -> &'static str {
    let docs = include_str!("../../../docs/scenarios.md");
    docs.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example")
}

#[test]
fn every_scenario_and_the_example_of_the_docs_fit_the_schema() {
    for (id, text) in SCENARIOS {
        assert_eq!(of_text(text), Vec::<String>::new(), "{id}");
    }
    assert_eq!(of_text(example()), Vec::<String>::new());
}

/// What the reader refuses of the shape of a file the schema refuses too: each is told by both.
#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let cases: &[(&str, &str)] = &[
        ("title = \"Small\"", ""),
        ("width = 48", "width = \"48\""),
        ("width = 48", "width = 4000"),
        ("turns = 8", "turns = 8.5"),
        ("home = \"south\"", "home = \"down\""),
        ("id = \"british\"\nname", "id = \"The British\"\nname"),
        ("color = \"#a3322b\"", "color = \"red\""),
        ("kind = \"woods\"", "kind = \"forest\""),
        ("kind = \"woods\"", "kind = \"woods\"\nwidth = 2"),
        ("kind = \"woods\"", "kind = \"woods\"\ngood = true"),
        ("points = [[2, 14], [9, 12], [10, 22]]", "points = [[2, 14], [9]]"),
        ("facing = \"south\"", "facing = \"down\""),
        ("facing = \"south\"", "fasing = \"south\""),
        ("arm = \"infantry\"\nclass = \"veteran\"\nstands = 7", "class = \"veteran\"\nstands = 7"),
        ("stands = 7\nweapon = \"M\"", "stands = 7\nweapon = \"M\"\npounder = 6"),
        ("stands = 7\nweapon = \"M\"", "stands = 7\nweapon = \"M\"\nsilenced = 1"),
        (
            "stands = 7\nweapon = \"M\"",
            "stands = 7\nweapon = \"M\"\nmorale = \"reliable\"\nspent = 2",
        ),
        ("stands = 7\nweapon = \"M\"", "stands = 7\nweapon = \"M\"\nworn = 4"),
        ("stands = 7\nweapon = \"M\"", "stands = 7\nweapon = \"M\"\ntraits = [\"brave\"]"),
        ("at = [18, 26]\n", "arrives = { turn = 2, at = [18, 36], facing = 180 }\n"),
        ("at = [24, 3] ", "at = [24, 3]\nwith = \"23rd\" "),
        ("twilight = [1] ", "twilight = [\"dusk\"] "),
    ];
    for (from, to) in cases {
        assert!(example().contains(from), "{from}");
        let text = example().replacen(from, to, 1);
        assert!(!of_text(&text).is_empty(), "the schema takes {to}");
        assert!(Scenario::read(&Library::default(), "s.toml", &text).is_err(), "read: {to}");
    }
}

/// A key the reader knows is in the schema, and the other way round: the reader refuses a key it
/// does not know, with its name.
#[test]
fn the_keys_of_the_schema_are_those_of_the_reader() {
    let schema = schema();
    let of = |table: &str| match table {
        "" => &schema["properties"],
        "table" | "game" => &schema["properties"][table]["properties"],
        _ => &schema["properties"][table]["items"]["properties"],
    };
    let known = |table: &str, key: &str| {
        // A value that no key takes: what is known is refused for that, not for its name.
        let open = match table {
            "" => String::new(),
            "table" | "game" => format!("[{table}]\n"),
            _ => format!("[[{table}]]\n"),
        };
        // Units and leaders are read by a book.
        let book = if key == "book" { "" } else { "book = \"rff-awi-15mm\"\n" };
        let text = format!("{book}{open}{key} = 1979-05-27\n");
        let no = Scenario::read(&Library::default(), "s.toml", &text).unwrap_err().to_string();
        !no.contains(&format!("unknown key `{key}`"))
    };
    let mut keys = 0;
    for table in ["", "table", "game", "side", "terrain", "leader", "unit", "key-position"] {
        for key in of(table).as_object().unwrap().keys() {
            assert!(known(table, key), "[{table}] {key}");
            keys += 1;
        }
        assert!(!known(table, "zz") && of(table).get("zz").is_none());
    }
    assert!(keys > 80, "{keys}");
}
