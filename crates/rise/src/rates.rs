//! Move segments: how far troops go, what tires them, and what a change of
//! formation costs.

use std::collections::BTreeMap;

use rulebook::request::{Name, unknown};
use rulebook::{Book, Code, Figure, Flaw, Lookup, Refusal, RuleId, request};
use serde::Serialize;

use crate::Rules;

/// The segments of a turn, in inches.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Segments {
    /// Inches of each segment.
    pub segments: Vec<i32>,
    /// The segment that costs Fatigue Hits.
    pub fatigue_segment: Option<i32>,
    /// How many.
    pub fatigue_hits: i32,
}

#[derive(Debug, Clone)]
struct Change {
    arm: String,
    from: String,
    to: Vec<String>,
    reversible: bool,
    segments: i32,
    rule: RuleId,
}

#[derive(Debug, Clone)]
pub(crate) struct Rates {
    rows: BTreeMap<String, (Segments, Vec<RuleId>)>,
    changes: Vec<Change>,
}

impl Rates {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let mut rows = BTreeMap::new();
        for (rule, clause) in book.clauses() {
            let Some(name) = clause.id.strip_prefix("movement.") else {
                continue;
            };
            if clause.figures.contains_key("segments") {
                rows.insert(name.to_owned(), troops(book, name, rule)?);
            }
        }
        rows.insert("commander".into(), commander(book)?);
        let mut changes = Vec::new();
        for (rule, clause) in book.clauses() {
            let Some(name) = clause.id.strip_prefix("formation-change.") else {
                continue;
            };
            let id = &clause.id;
            let to = clause.figures.get("to").and_then(Figure::list).unwrap_or_default();
            let to: Vec<String> = to.iter().filter_map(|f| f.text().map(str::to_owned)).collect();
            if to.is_empty() {
                return Err(Flaw::of(id, "`to` is the formations it leads to"));
            }
            changes.push(Change {
                arm: name.split('.').next().unwrap_or(name).to_owned(),
                from: book.text(id, "from")?.to_owned(),
                to,
                reversible: clause.figures.contains_key("reversible")
                    && book.flag(id, "reversible")?,
                segments: book.int(id, "segments")?,
                rule,
            });
        }
        Ok(Self { rows, changes })
    }
}

fn troops(book: &Book, name: &str, rule: RuleId) -> Result<(Segments, Vec<RuleId>), Flaw> {
    let id = format!("movement.{name}");
    let segments = book.ints(&id, "segments")?;
    if i32::try_from(segments.len()).ok() != Some(book.int(&id, "max_segments")?) {
        return Err(Flaw::of(&id, "`max_segments` is not the number of `segments`"));
    }
    let tires = format!("{id}-fatigue");
    let mut rules = vec![rule];
    let mut row = Segments { segments, fatigue_segment: None, fatigue_hits: 0 };
    if let Ok(rule) = book.rule(&tires) {
        rules.push(rule);
        row.fatigue_segment = Some(book.int(&tires, "fatigue_segment")?);
        row.fatigue_hits = book.int(&tires, "fatigue_hits")?;
        let known = 1..=row.segments.len() as i64;
        if !row.fatigue_segment.is_some_and(|n| known.contains(&i64::from(n))) {
            return Err(Flaw::of(&tires, "`fatigue_segment` is not one of the segments"));
        }
    } else if !book.ints(&id, "fatigue_segments")?.is_empty() {
        return Err(Flaw::of(&id, "`fatigue_segments` is empty where nothing tires"));
    }
    Ok((row, rules))
}

fn commander(book: &Book) -> Result<(Segments, Vec<RuleId>), Flaw> {
    let parts = ["commanders.segment-one", "commanders.segment-two"];
    let mut segments = Vec::new();
    for (number, id) in (1..).zip(parts) {
        if book.int(id, "segment")? != number {
            return Err(Flaw::of(id, format!("this is segment {number}")));
        }
        segments.push(book.int(id, "distance")?);
    }
    book.flag(parts[1], "starred")?;
    if book.int("commanders.segments", "max_segments")? != 2 {
        return Err(Flaw::of("commanders.segments", "a commander has two segments"));
    }
    if !book.ints("commanders.no-movement-fatigue", "fatigue_segments")?.is_empty() {
        return Err(Flaw::of("commanders.no-movement-fatigue", "commanders do not tire"));
    }
    let ids = ["commanders.segments", parts[0], parts[1], "commanders.no-movement-fatigue"];
    let rules = ids.iter().map(|id| book.rule(id)).collect::<Result<_, _>>()?;
    Ok((Segments { segments, fatigue_segment: None, fatigue_hits: 0 }, rules))
}

request! {
    /// How far troops may go.
    pub struct Request<'a> {
        #[serde(borrow)] troops: Name<'a>,
    }
}

request! {
    /// What a change of formation costs.
    pub struct ChangeRequest<'a> {
        #[serde(borrow)] arm: Name<'a>,
        #[serde(borrow)] from: Name<'a>,
        #[serde(borrow)] to: Name<'a>,
    }
}

/// Finds the row of the movement table.
///
/// # Errors
/// A refusal of what was said.
pub fn assess(rules: &Rules, request: &Request<'_>) -> Result<Lookup<Segments>, Refusal> {
    let name = request.troops.as_ref();
    let Some((segments, cites)) = rules.rates.rows.get(name) else {
        let known: Vec<&str> = rules.rates.rows.keys().map(String::as_str).collect();
        return Err(unknown(Code::BadValue, "troops", name, &known));
    };
    Ok(Lookup { outcome: segments.clone(), rules: cites.clone() })
}

/// The segments a change of formation costs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Cost {
    /// Move segments.
    pub segments: i32,
}

/// Finds the row of the formation change table.
///
/// # Errors
/// A refusal of what was said.
pub fn assess_change(rules: &Rules, request: &ChangeRequest<'_>) -> Result<Lookup<Cost>, Refusal> {
    let (arm, from, to) = (request.arm.as_ref(), request.from.as_ref(), request.to.as_ref());
    let is = |row: &str, said: &str| {
        let members: &[&str] = match row {
            "any-column" => &["column-road", "column-of-divisions"],
            "any-mounted" => &["column-road", "column-of-divisions", "line", "skirmish"],
            _ => &[],
        };
        row == said || members.contains(&said)
    };
    let fits = |c: &&Change| {
        let there = is(&c.from, from) && c.to.iter().any(|t| is(t, to));
        let back = c.reversible && is(&c.from, to) && c.to.iter().any(|t| is(t, from));
        c.arm == arm && (there || back)
    };
    match rules.rates.changes.iter().find(fits) {
        Some(c) => Ok(Lookup { outcome: Cost { segments: c.segments }, rules: vec![c.rule] }),
        None => {
            let of_arm = rules.rates.changes.iter().filter(|c| c.arm == arm);
            let known: Vec<String> =
                of_arm.map(|c| format!("{} to {}", c.from, c.to.join(" or "))).collect();
            if known.is_empty() {
                let arms: std::collections::BTreeSet<&str> =
                    rules.rates.changes.iter().map(|c| c.arm.as_str()).collect();
                let arms: Vec<&str> = arms.into_iter().collect();
                return Err(unknown(Code::BadValue, "arm", arm, &arms));
            }
            let message =
                format!("no change of {arm} from {from} to {to}; there is: {}", known.join("; "));
            Err(Refusal::new(Code::BadValue, message))
        }
    }
}
