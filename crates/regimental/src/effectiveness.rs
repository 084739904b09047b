//! Unit effectiveness: how many lost stands make a unit worn or spent.

use std::collections::BTreeMap;

use rulebook::request::between;
use rulebook::{Book, Code, Figure, Flaw, Lookup, Refusal, RuleId, request};
use serde::{Deserialize, Serialize};

use crate::Rules;

/// The four morale levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Morale {
    /// High.
    Spirited,
    /// Average.
    Reliable,
    /// Low.
    Unreliable,
    /// Very low.
    Dispirited,
}

const LEVELS: [(&str, Morale); 4] = [
    ("spirited", Morale::Spirited),
    ("reliable", Morale::Reliable),
    ("unreliable", Morale::Unreliable),
    ("dispirited", Morale::Dispirited),
];

/// The stands left at which a unit is worn and spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Thresholds {
    /// Worn at this many stands; never, if the unit goes straight to spent.
    pub worn: Option<i64>,
    /// Spent at this many stands.
    pub spent: i64,
}

#[derive(Debug, Clone)]
pub(crate) struct Table {
    levels: BTreeMap<Morale, (RuleId, BTreeMap<i64, Thresholds>)>,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let known = book.clause("morale.levels").and_then(|c| c.figures.get("levels"));
        let known: Vec<&str> = known
            .and_then(Figure::list)
            .unwrap_or_default()
            .iter()
            .filter_map(Figure::text)
            .collect();
        if known != LEVELS.map(|(name, _)| name) {
            return Err(Flaw::of(
                "morale.levels",
                "`levels` are spirited, reliable, unreliable, dispirited",
            ));
        }
        let mut levels = BTreeMap::new();
        for (name, level) in LEVELS {
            let id = format!("morale.effectiveness.{name}");
            let dash = i64::from(book.int(&id, "no_worn_marker")?);
            let mut rows = BTreeMap::new();
            for row in book.rows(&id, "rows")? {
                let [start, worn, spent] = row[..] else {
                    return Err(Flaw::of(&id, "a row is start, worn, spent"));
                };
                let (start, worn, spent) = (i64::from(start), i64::from(worn), i64::from(spent));
                let worn = (worn != dash).then_some(worn);
                if start <= spent || worn.is_some_and(|w| w <= spent || w >= start) {
                    let message = format!(
                        "the row for {start} stands does not fall from start to worn to spent"
                    );
                    return Err(Flaw::of(&id, message));
                }
                if rows.insert(start, Thresholds { worn, spent }).is_some() {
                    return Err(Flaw::of(&id, format!("two rows for {start} stands")));
                }
            }
            if rows.is_empty() {
                return Err(Flaw::of(&id, "no rows"));
            }
            levels.insert(level, (book.rule(&id)?, rows));
        }
        Ok(Self { levels })
    }
}

impl Table {
    /// The stands at which a unit of a level and strength is worn and spent.
    pub(crate) fn thresholds(&self, level: Morale, strength: i64) -> Option<Thresholds> {
        self.levels.get(&level)?.1.get(&strength).copied()
    }
}

/// Fresh, worn or spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// As it started.
    Fresh,
    /// Worn down.
    Worn,
    /// Spent.
    Spent,
}

request! {
    /// How effective a unit still is.
    pub struct Request<'a> {
        morale: Morale,
        stands: i64,
        #[serde(default)] lost: i64,
    }
}

/// How effective the unit is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Fresh, worn or spent.
    pub state: State,
    /// The stands at which the state changes.
    pub thresholds: Thresholds,
}

impl Thresholds {
    fn state(self, stands_left: i64) -> State {
        if stands_left <= self.spent {
            State::Spent
        } else if self.worn.is_some_and(|worn| stands_left <= worn) {
            State::Worn
        } else {
            State::Fresh
        }
    }
}

/// Finds the row of the unit.
///
/// # Errors
/// A refusal of what was said.
pub fn assess(rules: &Rules, request: &Request<'_>) -> Result<Lookup<Outcome>, Refusal> {
    let Some((rule, rows)) = rules.effectiveness.levels.get(&request.morale) else {
        return Err(Refusal::new(Code::BadValue, "this book has no such morale level"));
    };
    let first = rows.keys().next().copied().unwrap_or(0);
    let last = rows.keys().next_back().copied().unwrap_or(0);
    let stands = between("stands", request.stands, first, last)?;
    let lost = between("lost", request.lost, 0, stands)?;
    let Some(thresholds) = rows.get(&stands).copied() else {
        let message = format!("the table has no row for {stands} stands");
        return Err(Refusal::new(Code::BadValue, message));
    };
    let state = thresholds.state(stands - lost);
    Ok(Lookup { outcome: Outcome { state, thresholds }, rules: vec![*rule] })
}
