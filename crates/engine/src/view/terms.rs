//! The words of the game, explained where they stand.

use rulebook::Book;
use serde::Serialize;

/// A word of the game and what it means under the book in play.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Term {
    /// The word as it stands on a unit's card or in an order.
    pub word: String,
    /// What it means: a sentence of ours, then what the book says of it.
    pub means: Vec<String>,
}

/// A word, what it is, and the clauses that say what it does. A clause that a book does not have is
/// left out.
type Row = (&'static str, &'static str, &'static [&'static str]);

const TERMS: [Row; 13] = [
    (
        "disordered",
        "Its ranks are in confusion until a maneuver check rallies it.",
        &["fire.points.halved.disordered", "charge.modifier.disordered-troops"],
    ),
    (
        "broken",
        "It has lost heart and goes back until it rallies.",
        &["maneuver.modifier.broken", "charge.modifier.broken"],
    ),
    (
        "worn",
        "It has lost stands enough to feel it.",
        &["maneuver.modifier.worn", "charge.modifier.worn"],
    ),
    (
        "spent",
        "It has lost so many stands that there is little left in it.",
        &["maneuver.modifier.spent", "charge.modifier.spent"],
    ),
    (
        "low on ammunition",
        "It has fired nearly all it had; a maneuver replenishes it.",
        &["fire.points.halved.low-on-ammo"],
    ),
    ("damaged guns", "A gun was hit and is served badly.", &["fire.points.halved.damaged"]),
    ("silenced", "The crew was driven from a gun: it does not fire until it rallies.", &[]),
    (
        "out of command",
        "No leader who may command it is near enough.",
        &["maneuver.modifier.out-of-command"],
    ),
    ("double quick", "The best result of a check.", &["maneuver.good-order.double-quick.effect"]),
    ("well handled", "A good result of a check.", &["maneuver.good-order.well-handled.effect"]),
    ("tardy", "A poor result of a check.", &["maneuver.good-order.tardy.effect"]),
    (
        "cold steel",
        "It charges with the bayonet and keeps its fire.",
        &[
            "charge.modifier.cold-steel",
            "fire.effect.telling.cold-steel",
            "special.cold-steel.no-fire",
            "special.cold-steel.elite-fires",
        ],
    ),
    ("fire points", "What the stands that bear give together; the more, the better the roll.", &[]),
];

/// The words and what they mean under a book.
pub(super) fn terms(book: &Book) -> Vec<Term> {
    let clause = |id: &&str| book.clause(id).map(|c| c.says.clone());
    let term = |(word, is, clauses): &Row| Term {
        word: (*word).to_owned(),
        means: std::iter::once((*is).to_owned()).chain(clauses.iter().filter_map(clause)).collect(),
    };
    TERMS.iter().map(term).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{TERMS, terms};
    use crate::Library;

    #[test]
    fn every_clause_a_word_is_explained_by_is_in_a_book() {
        let library = Library::default();
        let books = ["rff-awi-15mm", "rff-awi-25mm", "rff-triple-alliance"]
            .map(|id| library.get(id).unwrap());
        for (word, _, clauses) in TERMS {
            for clause in clauses {
                let known = books.iter().any(|b| b.book.clause(clause).is_some());
                assert!(known, "{word}: no book has {clause}");
            }
        }
        for book in &books {
            let said = terms(&book.book);
            let worn = said.iter().find(|t| t.word == "worn").unwrap();
            assert!(worn.means.len() > 1, "{}", book.book.id);
        }
    }
}
