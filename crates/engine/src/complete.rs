//! What follows from what a person said.
//!
//! A program that sends a request lists the modifiers itself, and they are
//! taken as they stand. A person says "disordered" once and means the state
//! and its modifier. So whoever asks on a person's behalf completes the
//! request first, and shows what was added.

use serde_json::{Map, Value, json};

use crate::Loaded;

/// Adds the conditions that follow from the other fields of a request, and
/// says which.
pub fn complete(loaded: &Loaded, check: &str, request: &mut Map<String, Value>) -> Vec<String> {
    let mut notes = Vec::new();
    match (loaded.book.family.as_str(), check) {
        ("regimental", "maneuver") if request.get("order") == Some(&json!("broken")) => {
            add(loaded, request, "maneuver.modifier.broken", &mut notes);
        }
        ("regimental", "fire") => both_kinds_of_cover(loaded, request, &mut notes),
        ("regimental", "charge") => {
            for side in ["attacker", "defender"] {
                if let Some(Value::Object(side)) = request.get_mut(side) {
                    charging_side(loaded, side, &mut notes);
                }
            }
        }
        ("discipline", "morale") if request.get("arm") == Some(&json!("mounted")) => {
            add(loaded, request, "morale.modifier.mounted", &mut notes);
        }
        _ => {}
    }
    notes
}

fn charging_side(loaded: &Loaded, side: &mut Map<String, Value>, notes: &mut Vec<String>) {
    let guns = side.get("arm").and_then(Value::as_str).is_some_and(|arm| arm.starts_with("guns"));
    if side.get("disordered") == Some(&Value::Bool(true)) {
        let shaken =
            if guns { "charge.modifier.silenced-gun" } else { "charge.modifier.disordered-troops" };
        add(loaded, side, shaken, notes);
    }
    if side.get("arm") == Some(&json!("guns-limbered")) {
        add(loaded, side, "charge.modifier.limbered-guns", notes);
    }
}

/// Open order and partial cover together are a line of their own.
fn both_kinds_of_cover(loaded: &Loaded, request: &mut Map<String, Value>, notes: &mut Vec<String>) {
    let has = |id: &str| {
        let listed = request.get("conditions").and_then(Value::as_array);
        listed.is_some_and(|all| all.iter().any(|c| c == id))
    };
    if has("fire.modifier.open-order") && has("fire.modifier.partial-cover") {
        add(loaded, request, "fire.modifier.open-order-in-partial-cover", notes);
    }
}

fn add(loaded: &Loaded, to: &mut Map<String, Value>, id: &str, notes: &mut Vec<String>) {
    if loaded.book.clause(id).is_none() {
        return;
    }
    let conditions = to.entry("conditions").or_insert_with(|| json!([]));
    if let Value::Array(all) = conditions
        && !all.iter().any(|c| c == id)
    {
        all.push(json!(id));
        notes.push(id.to_owned());
    }
}
