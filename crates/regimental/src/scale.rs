//! The scale of the game: what a stand, an inch and a turn stand for.

use rulebook::{Amount, Book, Flaw, Lookup, Refusal, request};
use serde::Serialize;

use crate::Rules;

/// What models and distances stand for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// The figure sizes it is for, in millimetres.
    pub figures_mm: [i32; 2],
    /// Men of a troop stand.
    pub men_per_stand: u32,
    /// Guns of a gun stand.
    pub guns_per_stand: u32,
    /// Yards of an inch.
    pub yards_per_inch: Amount,
    /// Minutes of a turn, at least and at most.
    pub minutes_per_turn: [i32; 2],
}

#[derive(Debug, Clone)]
pub(crate) struct Scale(Lookup<Outcome>);

impl Scale {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let pair = |id: &str, figure: &str| -> Result<[i32; 2], Flaw> {
            let list = book.ints(id, figure)?;
            <[i32; 2]>::try_from(list).map_err(|_| Flaw::of(id, format!("`{figure}` is a pair")))
        };
        let inches = book.number("scale.ground", "inches")?;
        if inches <= 0.0 {
            return Err(Flaw::of("scale.ground", "`inches` must be more than 0"));
        }
        let ids =
            ["scale.figures", "scale.troop-stand", "scale.gun-stand", "scale.ground", "scale.turn"];
        Ok(Self(Lookup {
            outcome: Outcome {
                figures_mm: pair("scale.figures", "mm")?,
                men_per_stand: book.count("scale.troop-stand", "men")?,
                guns_per_stand: book.count("scale.gun-stand", "guns")?,
                yards_per_inch: Amount(book.number("scale.ground", "yards")? / inches),
                minutes_per_turn: pair("scale.turn", "minutes")?,
            },
            rules: ids.iter().map(|id| book.rule(id)).collect::<Result<_, _>>()?,
        }))
    }
}

request! {
    /// The scale; there is nothing to say.
    pub struct Request<'a> {}
}

#[allow(clippy::unnecessary_wraps)] // the shape every check has
/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess(rules: &Rules, _: &Request<'_>) -> Result<Lookup<Outcome>, Refusal> {
    Ok(rules.scale.0.clone())
}
