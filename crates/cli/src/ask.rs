//! A question in words: flags become the same request that a program sends.

use engine::{Library, Loaded, complete};
use rulebook::{Shorthand, shorthand};
use serde_json::{Map, Value, json};

use crate::args::{Ask, Fields};
use crate::failure::Failure;
use crate::jsonl::Question;
use crate::show;

/// Asks the question and shows the answer.
pub(crate) fn answer(
    library: &Library,
    question: Question,
    check: &str,
    asked: &Ask,
) -> Result<(), Failure> {
    let Some(name) = &asked.book else {
        let message = format!("say which rulebook with --book: {}", engine::BOOKS.join(", "));
        return Err(Failure::Said(message));
    };
    let loaded = library.load(name)?;
    let mut request = request(&loaded, check, asked)?;
    let added = complete(&loaded, check, &mut request);
    request.insert("book".into(), json!(name));
    request.insert("check".into(), json!(check));
    let resolving = matches!(question, Question::Resolve);
    if resolving && !asked.json {
        request.insert("detail".into(), json!(true));
    }
    if asked.sides.until_decided {
        request.insert("until_decided".into(), json!(true));
    }
    let mut out = Vec::new();
    let line = Value::Object(request.clone()).to_string();
    match question {
        Question::Resolve => library.resolve(&line, &mut out),
        Question::Odds => library.odds(&line, &mut out),
    }
    let answer: Value = serde_json::from_slice(&out)
        .map_err(|e| Failure::Said(format!("the answer is not readable: {e}")))?;
    if let Some(message) = answer["error"]["message"].as_str() {
        return Err(Failure::Said(in_flags(check, message)));
    }
    if asked.json {
        out.push(b'\n');
        return Ok(std::io::Write::write_all(&mut std::io::stdout().lock(), &out)?);
    }
    let page = show::Page { loaded: &loaded, check, request: &request, added: &added };
    let text = if resolving { page.resolved(&answer) } else { page.odds(&answer) };
    Ok(std::io::Write::write_all(&mut anstream::stdout().lock(), text.as_bytes())?)
}

/// A refusal in terms of the command line: fields are flags, and those of a
/// combat are words of its sides.
fn in_flags(check: &str, message: &str) -> String {
    const SIDES: [&str; 3] = ["charge", "close-combat", "melee"];
    if let Some(rest) = message.strip_prefix("no field die here") {
        if SIDES.contains(&check) {
            return "each side has a die of its own: --attacker …,die=7 --defender …,die=3".into();
        }
        return format!("no --die here{rest}");
    }
    let Some(rest) = message.strip_prefix("the field ") else { return message.to_owned() };
    let Some((field, rest)) = rest.split_once(" is missing") else { return message.to_owned() };
    let flag = match (check, field) {
        ("fire", "kind" | "target") => "--target CLASS (and --points)".to_owned(),
        (_, "attacker" | "defender" | "sides") => {
            "--attacker WORDS and --defender WORDS".to_owned()
        }
        (_, "firers") => "--firer WEAPON:STANDS@INCHES".to_owned(),
        (check, field) if SIDES.contains(&check) => {
            format!("{field}=… among the words of --attacker and --defender")
        }
        (_, field) => format!("--{}", field.replace('_', "-")),
    };
    format!("this check needs {flag}{rest}")
}

fn request(loaded: &Loaded, check: &str, asked: &Ask) -> Result<Map<String, Value>, Failure> {
    let fields = &asked.fields;
    let mut request = Map::new();
    plain_fields(fields, &mut request);
    if fields.out_of_command {
        request.insert("in_command".into(), json!(false));
    }
    if let Some(stands) = &fields.stands {
        let number = stands.parse::<i64>().map(|n| json!(n));
        let list = || json!(stands.split(',').map(str::trim).collect::<Vec<_>>());
        request.insert("stands".into(), number.unwrap_or_else(|_| list()));
    }
    if !fields.firer.is_empty() {
        let firers: Result<Vec<Value>, Failure> = fields.firer.iter().map(|f| firer(f)).collect();
        request.insert("firers".into(), Value::Array(firers?));
    }
    target(check, fields, &mut request);
    for (key, value) in [("die", asked.dice.die), ("loss_die", asked.dice.loss_die)] {
        if let Some(n) = value {
            request.insert(key.into(), json!(n));
        }
    }
    if !asked.dice.dice.is_empty() {
        request.insert("dice".into(), json!(asked.dice.dice));
    }
    let known = Known::of(loaded, check, &request);
    if !asked.conditions.is_empty() {
        let ids: Result<Vec<&str>, Failure> =
            asked.conditions.iter().map(|written| known.condition(written)).collect();
        request.insert("conditions".into(), json!(ids?));
    }
    two_sides(check, asked, &known, &mut request)?;
    Ok(request)
}

/// The fields that have the same name in a request.
fn plain_fields(fields: &Fields, request: &mut Map<String, Value>) {
    let texts = [
        ("arm", &fields.arm),
        ("order", &fields.order),
        ("kind", &fields.kind),
        ("morale", &fields.morale),
        ("weapon", &fields.weapon),
        ("situation", &fields.situation),
        ("troops", &fields.troops),
        ("ground", &fields.ground),
        ("pace", &fields.pace),
        ("from", &fields.from),
        ("to", &fields.to),
    ];
    for (key, value) in texts {
        if let Some(text) = value {
            request.insert(key.into(), json!(text));
        }
    }
    let numbers = [
        ("lost", fields.lost),
        ("year", fields.year),
        ("score", fields.score),
        ("castings", fields.castings),
        ("grade", fields.grade),
        ("pounder", fields.pounder),
        ("guns", fields.guns),
        ("gun_hits", fields.gun_hits),
    ];
    for (key, value) in numbers {
        if let Some(n) = value {
            request.insert(key.into(), json!(n));
        }
    }
    for (key, value) in [("points", fields.points), ("range", fields.range)] {
        if let Some(n) = value {
            request.insert(key.into(), json!(n));
        }
    }
    for (key, value) in [
        ("shell", fields.shell),
        ("limbered", fields.limbered),
        ("enemy_within_100", fields.enemy_within_100),
    ] {
        if value {
            request.insert(key.into(), json!(true));
        }
    }
}

/// The target of Regimental fire, and what goes without saying about it.
fn target(check: &str, fields: &Fields, request: &mut Map<String, Value>) {
    if check == "hit-location" {
        request.insert("limbered".into(), json!(fields.limbered));
    }
    let Some(class) = &fields.target else { return };
    let mut target = Map::new();
    target.insert("arm".into(), json!(if fields.gun_stands.is_some() { "guns" } else { "troops" }));
    target.insert("class".into(), json!(class));
    if let Some(stands) = fields.gun_stands {
        target.insert("gun_stands".into(), json!(stands));
    }
    if fields.disordered {
        target.insert("disordered".into(), json!(true));
    }
    if let Some(silenced) = fields.silenced {
        target.insert("silenced".into(), json!(silenced));
    }
    if let Some(charging) = &fields.charging {
        target.insert("charging".into(), json!(charging));
    }
    request.insert("target".into(), Value::Object(target));
    request.entry("kind").or_insert_with(|| json!("musketry"));
}

/// `M:6@4`, or `BR/guns:2@10:halved`.
fn firer(written: &str) -> Result<Value, Failure> {
    let wrong = || {
        let message =
            format!("{written} is not WEAPON:STANDS@INCHES, such as M:6@4 or LG:2@12:halved");
        Failure::Said(message)
    };
    let (weapon, rest) = written.split_once(':').ok_or_else(wrong)?;
    let (stands, rest) = rest.split_once('@').ok_or_else(wrong)?;
    let (range, why) = rest.split_once(':').unwrap_or((rest, ""));
    let mut firer = Map::new();
    let (code, arm) = weapon.split_once('/').unwrap_or((weapon, ""));
    firer.insert("weapon".into(), json!(code.to_uppercase()));
    if !arm.is_empty() {
        firer.insert("arm".into(), json!(arm));
    }
    firer.insert("stands".into(), json!(stands.parse::<i64>().map_err(|_| wrong())?));
    firer.insert("range".into(), json!(range.parse::<f64>().map_err(|_| wrong())?));
    match why {
        "" => {}
        "halved" => drop(firer.insert("halved".into(), json!(true))),
        cause => drop(firer.insert("halved".into(), json!(cause))),
    }
    Ok(Value::Object(firer))
}

/// The names a person may shorten.
struct Known<'a> {
    conditions: Vec<&'a str>,
}

impl<'a> Known<'a> {
    fn of(loaded: &'a Loaded, check: &str, request: &Map<String, Value>) -> Self {
        let target = request.get("target").and_then(|t| t["arm"].as_str());
        let mut tables = loaded.rules.conditions(check);
        if loaded.book.family == "rise" && check == "fire" {
            // Artillery has a list of its own, which takes the place of the general one.
            match request.get("arm").and_then(Value::as_str) {
                Some("artillery") => tables.reverse(),
                _ => tables.truncate(1),
            }
        }
        let mut conditions: Vec<&str> = Vec::new();
        for table in tables {
            match target {
                Some(arm) => conditions.extend(table.ids_for(arm)),
                None => conditions.extend(table.ids()),
            }
        }
        Self { conditions }
    }

    fn condition(&self, written: &str) -> Result<&'a str, Failure> {
        match shorthand(written, &self.conditions) {
            Shorthand::One(id) => Ok(id),
            Shorthand::Many(ids) => {
                let message = format!("{written} could be {}: write more of it", ids.join(" or "));
                Err(Failure::Said(message))
            }
            Shorthand::None(near) => {
                let hint = near.map(|n| format!("; did you mean {n}?")).unwrap_or_default();
                let tails: Vec<&str> =
                    self.conditions.iter().map(|id| id.rsplit('.').next().unwrap_or(id)).collect();
                let known = if tails.is_empty() {
                    "this check takes no conditions".to_owned()
                } else {
                    format!("known here: {}", tails.join(", "))
                };
                Err(Failure::Said(format!("no condition {written}{hint} ({known})")))
            }
        }
    }
}

/// Words of a side that are not conditions: a field and its value.
fn side_word(check: &str, word: &str) -> Option<(&'static str, Value)> {
    let vocabulary: &[(&'static str, &[&str])] = match check {
        "charge" => &[(
            "arm",
            &["infantry", "cavalry", "guns-light", "guns-heavy", "guns-limbered", "guns-fixed"],
        )],
        "close-combat" => &[
            ("arm", &["infantry", "cavalry", "artillery"]),
            (
                "formation",
                &[
                    "line",
                    "close-order-line",
                    "open-order-line",
                    "column",
                    "march-column",
                    "skirmish",
                    "unlimbered",
                    "limbered",
                ],
            ),
        ],
        "melee" => &[("status", &["charging", "holding", "engaged"])],
        _ => &[],
    };
    if let Some((field, _)) = vocabulary.iter().find(|(_, words)| words.contains(&word)) {
        return Some((field, json!(word)));
    }
    match (check, word) {
        ("charge", "disordered" | "silenced") => Some(("disordered", json!(true))),
        ("charge", "square") => Some(("square", json!(true))),
        ("melee", "blade") => Some(("blade", json!(true))),
        _ => None,
    }
}

fn side(check: &str, words: &str, known: &Known<'_>) -> Result<Value, Failure> {
    let mut side = Map::new();
    let mut conditions = Vec::new();
    for word in words.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        if let Some((key, value)) = word.split_once('=') {
            let key = key.replace('-', "_");
            let value = match value.split('+').map(str::parse).collect::<Result<Vec<i64>, _>>() {
                Ok(dice) if key == "dice" => json!(dice),
                Ok(numbers) if numbers.len() == 1 => json!(numbers[0]),
                _ if key == "ground" => json!(value),
                _ => return Err(Failure::Said(format!("{word}: a number is needed after the ="))),
            };
            once(side.insert(key, value), word, words)?;
        } else if let Some((field, value)) = side_word(check, word) {
            once(side.insert(field.into(), value), word, words)?;
        } else {
            conditions.push(json!(known.condition(word)?));
        }
    }
    if !conditions.is_empty() {
        side.insert("conditions".into(), Value::Array(conditions));
    }
    Ok(Value::Object(side))
}

/// A side has one arm, one die, one of everything.
fn once(earlier: Option<Value>, word: &str, words: &str) -> Result<(), Failure> {
    match earlier {
        None => Ok(()),
        Some(said) => {
            Err(Failure::Said(format!("{words}: {word} after {said} was said already; give one")))
        }
    }
}

fn two_sides(
    check: &str,
    asked: &Ask,
    known: &Known<'_>,
    request: &mut Map<String, Value>,
) -> Result<(), Failure> {
    let (a, d) = match (&asked.sides.attacker, &asked.sides.defender) {
        (None, None) => return Ok(()),
        (Some(a), Some(d)) => (side(check, a, known)?, side(check, d, known)?),
        _ => {
            return Err(Failure::Said(
                "a combat has two sides: give --attacker and --defender".into(),
            ));
        }
    };
    if check == "charge" {
        request.insert("attacker".into(), a);
        request.insert("defender".into(), d);
    } else {
        request.insert("sides".into(), json!([a, d]));
    }
    Ok(())
}
