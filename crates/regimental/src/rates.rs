//! Movement rates: the inches a formation covers on each kind of ground.

use std::collections::BTreeMap;

use rulebook::request::{Name, unknown};
use rulebook::{Amount, Book, Code, Flaw, Lookup, Refusal, RuleId, request};
use serde::{Deserialize, Serialize};
use table::{Mils, mils};

use crate::Rules;

/// Kinds of ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// Open ground.
    Open,
    /// Broken ground.
    Broken,
    /// Rough ground.
    Rough,
    /// A road in good condition.
    Road,
}

const GROUNDS: [(&str, Ground); 4] = [
    ("open", Ground::Open),
    ("broken", Ground::Broken),
    ("rough", Ground::Rough),
    ("road", Ground::Road),
];

/// What a cell of the movement table says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Rate {
    /// Inches at a full move.
    pub full: Option<Amount>,
    /// Inches at the double quick, where there is such a rate.
    pub double_quick: Option<Amount>,
    /// What the distance along a good road is multiplied by.
    pub road_multiplier: Option<Amount>,
}

#[derive(Debug, Clone)]
pub(crate) struct Rates {
    cells: BTreeMap<(String, Ground), (Rate, RuleId)>,
}

/// A line of the movement table in mils, for use on the table.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Row {
    /// Full moves on open, broken and rough ground.
    pub full: [Mils; 3],
    /// The double quick on the same; the full move where there is none.
    pub double_quick: [Mils; 3],
    /// What a good road gives.
    pub road: RoadRate,
}

/// What a good road gives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum RoadRate {
    /// Nothing.
    #[default]
    None,
    /// The distance along it is multiplied.
    Times(f64),
    /// Full move and double quick of a move made wholly on it.
    Whole(Mils, Mils),
}

impl RoadRate {
    /// Whether a way is within a rate: so far beside a good road, so far along it. The road counts
    /// by its bonus, or has a rate of its own for who keeps to it.
    pub(crate) fn covers(self, beside: Mils, along: Mils, rate: Mils) -> bool {
        match self {
            Self::Times(times) => f64::from(beside) + f64::from(along) / times <= f64::from(rate),
            Self::Whole(full, _) if beside == 0 => along <= full,
            _ => beside + along <= rate,
        }
    }
}

impl Rates {
    /// The line of some troops, such as `infantry.line`.
    pub(crate) fn row(&self, troops: &str) -> Option<Row> {
        let cell = |ground| self.cells.get(&(troops.to_owned(), ground)).map(|(rate, _)| *rate);
        let mils = |amount: Option<Amount>| amount.map_or(0, |a| mils(a.0));
        let grounds = [cell(Ground::Open)?, cell(Ground::Broken)?, cell(Ground::Rough)?];
        let road = cell(Ground::Road)?;
        Some(Row {
            full: grounds.map(|r| mils(r.full)),
            double_quick: grounds.map(|r| mils(r.double_quick.or(r.full))),
            road: match (road.road_multiplier, road.full) {
                (Some(times), _) => RoadRate::Times(times.0),
                (None, Some(_)) => {
                    RoadRate::Whole(mils(road.full), mils(road.double_quick.or(road.full)))
                }
                _ => RoadRate::None,
            },
        })
    }

    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let mut cells = BTreeMap::new();
        for (rule, clause) in book.clauses() {
            let Some(tail) = clause.id.strip_prefix("movement.") else {
                continue;
            };
            let Some((row, column)) = tail.rsplit_once('.') else {
                continue;
            };
            let Some((_, ground)) = GROUNDS.iter().find(|(name, _)| *name == column) else {
                continue;
            };
            if row.matches('.').count() != 1 {
                continue;
            }
            let figure = |key: &str| -> Result<Option<Amount>, Flaw> {
                let given = clause.figures.contains_key(key);
                given.then(|| book.number(&clause.id, key).map(Amount)).transpose()
            };
            let rate = Rate {
                full: figure("full")?,
                double_quick: figure("double_quick")?,
                road_multiplier: figure("multiplier")?,
            };
            let closed = clause.figures.contains_key("road") && !book.flag(&clause.id, "road")?;
            if rate.full.is_none() && rate.road_multiplier.is_none() && !closed {
                return Err(Flaw::of(&clause.id, "a rate needs the figure `full` or `multiplier`"));
            }
            if rate.full.zip(rate.double_quick).is_some_and(|(full, quick)| quick.0 < full.0) {
                return Err(Flaw::of(&clause.id, "the double quick is slower than the full move"));
            }
            cells.insert((row.to_owned(), *ground), (rate, rule));
        }
        for (row, _) in cells.keys() {
            for (name, ground) in GROUNDS {
                if !cells.contains_key(&(row.clone(), ground)) {
                    let id = format!("movement.{row}.{name}");
                    return Err(Flaw::of(id, "the movement table has no such cell"));
                }
            }
        }
        Ok(Self { cells })
    }
}

request! {
    /// How far troops may go.
    pub struct Request<'a> {
        #[serde(borrow)] troops: Name<'a>,
        ground: Ground,
    }
}

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess(rules: &Rules, request: &Request<'_>) -> Result<Lookup<Rate>, Refusal> {
    let row = request.troops.as_ref();
    let found = rules.rates.cells.get(&(row.to_owned(), request.ground));
    let Some((rate, rule)) = found else {
        let known: Vec<&str> = rules
            .rates
            .cells
            .keys()
            .filter(|(_, g)| *g == Ground::Open)
            .map(|(r, _)| r.as_str())
            .collect();
        return Err(unknown(Code::BadValue, "troops", row, &known));
    };
    Ok(Lookup { outcome: *rate, rules: vec![*rule] })
}
