//! Standing questions: situations that every book of a family can be asked
//! about, so that two books can be compared by their odds.

use rulebook::Book;
use serde_json::{Map, Value, json};

/// A situation, in words and as a request without its book.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// The situation in words.
    pub(crate) words: String,
    /// The request.
    pub(crate) request: Value,
}

impl Question {
    /// What a case asks, without the dice that were thrown.
    pub(crate) fn of_case(ask: &Map<String, Value>) -> Self {
        let mut request = Value::Object(ask.clone());
        without_dice(&mut request);
        Self { words: in_words(&request), request }
    }
}

fn without_dice(request: &mut Value) {
    match request {
        Value::Object(fields) => {
            fields.retain(|key, _| !["die", "dice", "loss_die", "detail", "id"].contains(&&**key));
            fields.values_mut().for_each(without_dice);
        }
        Value::Array(items) => items.iter_mut().for_each(without_dice),
        _ => {}
    }
}

/// A request as a reader says it: its fields, and the last part of its conditions' names.
fn in_words(request: &Value) -> String {
    let mut parts = Vec::new();
    for (key, value) in request.as_object().into_iter().flatten() {
        let name = key.replace('_', " ");
        match value {
            _ if key == "check" => {}
            Value::Null | Value::Bool(false) => {}
            Value::Bool(true) => parts.push(name),
            Value::String(text) if text == "no" => {}
            Value::String(text) if ["arm", "class", "kind", "order"].contains(&&**key) => {
                parts.push(text.replace('-', " "));
            }
            Value::String(text) => parts.push(format!("{name} {}", text.replace('-', " "))),
            Value::Array(ids) if key == "conditions" => {
                let ids: Vec<&str> = ids.iter().filter_map(Value::as_str).collect();
                if !ids.is_empty() {
                    parts.push(format!("with {}", named(&ids)));
                }
            }
            Value::Array(items) => {
                let each = items.iter().map(|item| match item {
                    Value::Object(_) => in_words(item),
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                });
                parts.push(format!("{name}: {}", each.collect::<Vec<_>>().join("; ")));
            }
            Value::Object(_) => parts.push(format!("{name}: {}", in_words(value))),
            other => parts.push(format!("{name} {other}")),
        }
    }
    parts.join(", ")
}

fn question(words: impl Into<String>, request: Value) -> Question {
    Question { words: words.into(), request }
}

/// The standing questions of a family, and one for each of the conditions
/// named.
#[must_use]
pub(crate) fn questions(book: &Book, conditions: &[Vec<&str>]) -> Vec<Question> {
    match book.family.as_str() {
        "regimental" => regimental(book, conditions),
        "rise" => rise(conditions),
        _ => discipline(conditions),
    }
}

fn named(ids: &[&str]) -> String {
    let words: Vec<String> =
        ids.iter().map(|id| id.rsplit('.').next().unwrap_or(id).replace('-', " ")).collect();
    words.join(" and ")
}

fn regimental(book: &Book, conditions: &[Vec<&str>]) -> Vec<Question> {
    let mut all = Vec::new();
    let maneuver = |order: &str, conditions: Value| json!({ "check": "maneuver", "arm": "troops", "order": order, "conditions": conditions });
    for order in ["good", "disordered"] {
        all.push(question(
            format!("maneuver of troops, order {order}"),
            maneuver(order, json!([])),
        ));
    }
    let fire = |class: &str, points: f64, charging: &str, conditions: Value| {
        json!({ "check": "fire", "kind": "musketry", "points": points, "conditions": conditions,
                "target": { "arm": "troops", "class": class, "charging": charging } })
    };
    for class in ["elite", "veteran", "trained", "raw"] {
        if book.clause(&format!("fire.result.withering.{class}")).is_some() {
            for points in [0.5, 4.0, 8.0, 13.0, 22.0] {
                let words = format!("{points} points at charging {class} troops");
                all.push(question(words, fire(class, points, "yes", json!([]))));
            }
        }
    }
    let guns = json!({ "check": "fire", "kind": "cannonade", "points": 6, "conditions": [],
                       "target": { "arm": "guns", "class": "trained", "gun_stands": 2 } });
    all.push(question("6 points at two gun stands", guns));
    let charge = |arm: &str, attacker: Value, defender: Value| {
        json!({ "check": "charge", "attacker": { "arm": arm, "conditions": attacker },
                "defender": { "arm": "infantry", "conditions": defender } })
    };
    for arm in ["infantry", "cavalry"] {
        all.push(question(format!("{arm} charges infantry"), charge(arm, json!([]), json!([]))));
    }
    for (words, weapon, range) in weapons(book) {
        let firers = json!([{ "weapon": weapon.0, "arm": weapon.1, "stands": 4, "range": range }]);
        all.push(question(words, json!({ "check": "fire-points", "firers": firers })));
    }
    for ids in conditions {
        let id = ids.first().copied().unwrap_or("");
        let with = json!(ids);
        let words = format!("with {}", named(ids));
        if id.starts_with("maneuver.modifier.") {
            all.push(question(format!("maneuver {words}"), maneuver("good", with)));
        } else if id.starts_with("fire.modifier.") {
            all.push(question(
                format!("8 points at trained troops {words}"),
                fire("trained", 8.0, "no", with),
            ));
        } else if id.starts_with("charge.modifier.") {
            all.push(question(
                format!("an attacker {words}"),
                charge("infantry", with.clone(), json!([])),
            ));
            all.push(question(format!("a defender {words}"), charge("infantry", json!([]), with)));
        }
    }
    for morale in ["spirited", "reliable", "unreliable", "dispirited"] {
        for stands in [4, 7, 8, 12, 20] {
            let request =
                json!({ "check": "effectiveness", "morale": morale, "stands": stands, "lost": 1 });
            all.push(question(format!("{morale} unit of {stands} after one loss"), request));
        }
    }
    all
}

/// Each weapon at the limit of each of its bands.
fn weapons(book: &Book) -> Vec<(String, (String, &'static str), f64)> {
    let mut all = Vec::new();
    for (_, clause) in book.clauses() {
        let code = clause.figures.get("weapon").and_then(|f| f.text());
        let to = clause.figures.get("to").and_then(rulebook::Figure::number);
        if let Some((code, to)) = code.zip(to) {
            let arm = if clause.section == "musketry" { "small-arms" } else { "guns" };
            all.push((format!("four stands of {code} at {to} inches"), (code.to_owned(), arm), to));
        }
    }
    all
}

fn rise(conditions: &[Vec<&str>]) -> Vec<Question> {
    let fire = |arm: &str, score: i32, conditions: Value| json!({ "check": "fire", "arm": arm, "score": score, "conditions": conditions });
    let combat = |a: Value, b: Value| {
        json!({ "check": "close-combat", "sides": [
            { "arm": "infantry", "formation": "close-order-line", "score": 8, "conditions": a },
            { "arm": "infantry", "formation": "close-order-line", "score": 8, "conditions": b } ] })
    };
    let mut all = Vec::new();
    for score in 3..=10 {
        all.push(question(
            format!("small arms with a score of {score}"),
            fire("small-arms", score, json!([])),
        ));
    }
    all.push(question("foot against foot", combat(json!([]), json!([]))));
    for (arm, formation) in
        [("cavalry", "column"), ("infantry", "skirmish"), ("artillery", "unlimbered")]
    {
        let request = json!({ "check": "close-combat", "sides": [
            { "arm": "infantry", "formation": "close-order-line", "score": 8 },
            { "arm": arm, "formation": formation, "score": 7 } ] });
        all.push(question(format!("foot against {arm} in {formation}"), request));
    }
    for ids in conditions {
        let id = ids.first().copied().unwrap_or("");
        let with = json!(ids);
        let words = named(ids);
        if id.starts_with("artillery-fire.") {
            all.push(question(format!("guns with {words}"), fire("artillery", 7, with)));
        } else if id.starts_with("fire.") {
            all.push(question(format!("small arms with {words}"), fire("small-arms", 7, with)));
        } else if id.starts_with("engagement.") {
            all.push(question(format!("an attacker with {words}"), combat(with, json!([]))));
        }
    }
    all
}

fn discipline(conditions: &[Vec<&str>]) -> Vec<Question> {
    let mut all = Vec::new();
    let artillery = |pounder: i32, range: i32, conditions: Value| json!({ "check": "artillery", "pounder": pounder, "range": range, "guns": 2, "conditions": conditions });
    for pounder in [4, 6, 9, 12, 18] {
        for range in [100, 200, 400, 600, 1000, 1200] {
            let words = format!("two {pounder} pounders at {range} yards");
            all.push(question(words, artillery(pounder, range, json!([]))));
        }
    }
    let musketry = |range: i32, conditions: Value| {
        json!({ "check": "musketry", "castings": 9, "grade": 2, "weapon": "musket", "range": range,
                "conditions": conditions })
    };
    for range in [60, 100, 150] {
        all.push(question(
            format!("a volley of nine at {range} yards"),
            musketry(range, json!([])),
        ));
    }
    let skirmish = json!({ "check": "skirmish", "stands": ["musket", "rifle", "combined"] });
    all.push(question("three skirmishing stands", skirmish));
    let melee = |status: [&str; 2], conditions: Value| {
        json!({ "check": "melee", "sides": [
            { "castings": 6, "grade": 2, "status": status[0], "conditions": conditions },
            { "castings": 6, "grade": 2, "status": status[1] } ] })
    };
    for status in [["charging", "holding"], ["charging", "charging"], ["engaged", "engaged"]] {
        all.push(question(
            format!("melee, {} against {}", status[0], status[1]),
            melee(status, json!([])),
        ));
    }
    let morale = |castings: i32, conditions: Value| {
        json!({ "check": "morale", "arm": "foot", "castings": castings, "grade": 1, "enemy_within_100": true,
                "conditions": conditions })
    };
    for castings in [2, 5, 8] {
        all.push(question(format!("morale of {castings} castings"), morale(castings, json!([]))));
    }
    for situation in ["fire", "melee-passed", "melee-failed"] {
        let request = json!({ "check": "commander", "situation": situation });
        all.push(question(format!("a commander, {}", situation.replace('-', " ")), request));
    }
    for ids in conditions {
        let id = ids.first().copied().unwrap_or("");
        let with = json!(ids);
        let words = named(ids);
        if id.starts_with("artillery.") {
            all.push(question(format!("guns with {words}"), artillery(6, 300, with)));
        } else if id.starts_with("musketry.") {
            all.push(question(format!("a volley with {words}"), musketry(100, with)));
        } else if id.starts_with("melee.") {
            all.push(question(format!("melee with {words}"), melee(["charging", "holding"], with)));
        } else if id.starts_with("morale.") {
            all.push(question(format!("morale with {words}"), morale(4, with)));
        }
    }
    all
}
