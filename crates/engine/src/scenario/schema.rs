//! The JSON Schema of scenario files, for editors: what belongs where, said while one writes.

use serde_json::{Map, Value, json};

use super::keys::{self, Key, MOST_LISTED, MOST_POINTS, Shape, Table, WINDS};

/// The schema. It says no more than older editors understand, and less than the reader: what
/// depends on the book, or on another table of the file, is found by `scenario check`.
#[must_use]
pub fn schema() -> Value {
    let mut all = table(&keys::TOP);
    all["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    all["title"] = json!("A Linstock scenario");
    all
}

fn table(table: &Table) -> Value {
    let mut properties = Map::new();
    let mut rules = Vec::new();
    for key in table.keys {
        let mut value = shape(key.shape);
        value["description"] = json!(key.says);
        properties.insert(key.name.to_owned(), value);
        rules.extend(conditions(key));
    }
    for (one, other, why) in table.apart {
        rules.push(json!({ "not": { "required": [one, other] }, "description": why }));
    }
    let needed: Vec<&str> = table.keys.iter().filter(|k| k.needed).map(|k| k.name).collect();
    let mut all = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    // Old readers of schemas refuse empty lists here.
    if !needed.is_empty() {
        all["required"] = json!(needed);
    }
    if !rules.is_empty() {
        all["allOf"] = json!(rules);
    }
    all
}

/// Where a key belongs: not there at all, or with what it needs.
fn conditions(key: &Key) -> Vec<Value> {
    let absent = json!({ "not": { "required": [key.name] } });
    let mut all = Vec::new();
    if let Some((other, words)) = key.only {
        let fits = json!({ "properties": { other: { "enum": words } } });
        all.push(json!({ "anyOf": [absent.clone(), fits] }));
    }
    if !key.beside.is_empty() {
        let with = key.beside.iter().map(|other| json!({ "required": [other] }));
        let any: Vec<Value> = std::iter::once(absent).chain(with).collect();
        all.push(json!({ "anyOf": any }));
    }
    all
}

fn shape(of: Shape) -> Value {
    let list = |items: Value, least: usize, most: usize| json!({ "type": "array", "items": items, "minItems": least, "maxItems": most });
    let number =
        |least: f64, most: f64| json!({ "type": "number", "minimum": least, "maximum": most });
    let far = table::inches(table::FARTHEST);
    let point = || list(number(-far, far), 2, 2);
    match of {
        Shape::Text => json!({ "type": "string" }),
        Shape::Name => json!({ "type": "string", "pattern": "^[a-z0-9-]{1,40}$" }),
        Shape::Id => json!({ "type": "string", "pattern": "^[a-z0-9-]{1,16}$" }),
        Shape::Color => json!({ "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Facing => {
            let winds: Vec<&str> = WINDS.iter().map(|w| w.0).collect();
            json!({ "anyOf": [{ "enum": winds }, number(-360.0, 360.0)] })
        }
        Shape::Point => point(),
        Shape::Points(least) => list(point(), least, MOST_POINTS),
        Shape::Texts => list(json!({ "type": "string" }), 0, MOST_LISTED),
        Shape::Turns => {
            list(json!({ "type": "integer", "minimum": 1, "maximum": 99 }), 0, MOST_LISTED)
        }
        Shape::Whole(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Shape::Inches(least, most) => number(least, most),
        Shape::Word(words) => json!({ "enum": words }),
        Shape::Words(words) => list(json!({ "enum": words }), 0, MOST_LISTED),
        Shape::One(of) => table(of),
        Shape::Many(of, least, most) => list(table(of), least, most),
    }
}
