//! The scale of the game: what a casting, an inch and a turn stand for.

use rulebook::request::between;
use rulebook::{Book, Flaw, Lookup, Refusal, RuleId, request};
use serde::Serialize;

use crate::Rules;

/// What castings and distances stand for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Men of a casting, at least and at most.
    pub men_per_casting: [i32; 2],
    /// Minutes of a turn.
    pub minutes_per_turn: u32,
    /// Yards of an inch.
    pub yards_per_inch: u32,
    /// Yards of a centimetre, for those who measure so.
    pub yards_per_centimetre: u32,
    /// Guns of a section, at least and at most.
    pub guns_per_section: [i32; 2],
    /// The years the rules cover.
    pub years: [i32; 2],
}

#[derive(Debug, Clone)]
pub(crate) struct Scale {
    outcome: Outcome,
    later: ([i32; 2], i32),
    rules: Vec<RuleId>,
    later_rule: RuleId,
}

impl Scale {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let pair = |id: &str, figure: &str| -> Result<[i32; 2], Flaw> {
            let list = book.ints(id, figure)?;
            <[i32; 2]>::try_from(list).map_err(|_| Flaw::of(id, format!("`{figure}` is a pair")))
        };
        let men = book.int("scale.figure-ratio", "men_per_casting")?;
        let later = "scale.figure-ratio-post-1800";
        let ids = [
            "scale.figure-ratio",
            "scale.turn-length",
            "scale.ground-inch",
            "scale.ground-centimetre",
            "scale.stand-artillery",
            "scale.period",
        ];
        Ok(Self {
            outcome: Outcome {
                men_per_casting: [men, men],
                minutes_per_turn: book.count("scale.turn-length", "minutes")?,
                yards_per_inch: book.count("scale.ground-inch", "yards_per_inch")?,
                yards_per_centimetre: book.count("scale.ground-centimetre", "yards_per_cm")?,
                guns_per_section: pair("scale.stand-artillery", "guns")?,
                years: [
                    book.int("scale.period", "from_year")?,
                    book.int("scale.period", "to_year")?,
                ],
            },
            later: (pair(later, "men_per_casting")?, book.int(later, "from_year")?),
            rules: ids.iter().map(|id| book.rule(id)).collect::<Result<_, _>>()?,
            later_rule: book.rule(later)?,
        })
    }
}

request! {
    /// The scale, for a year if one is given.
    pub struct Request<'a> {
        #[serde(default)] year: Option<i64>,
    }
}

/// Settles which ratio holds.
///
/// # Errors
/// A refusal of a year that is none.
pub fn assess(rules: &Rules, request: &Request<'_>) -> Result<Lookup<Outcome>, Refusal> {
    let scale = &rules.scale;
    let year = request.year.map(|y| between("year", y, 1, 3000)).transpose()?;
    let mut found = Lookup { outcome: scale.outcome.clone(), rules: scale.rules.clone() };
    if year.is_some_and(|y| y >= i64::from(scale.later.1)) {
        found.outcome.men_per_casting = scale.later.0;
        found.rules.push(scale.later_rule);
    }
    Ok(found)
}
