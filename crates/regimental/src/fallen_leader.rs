//! The fallen leader check: one unmodified die.

use dice::Distribution;
use rulebook::request::die;
use rulebook::{Book, Bounds, Check, Cite, Flaw, Ladder, Refusal, request};
use serde::Serialize;

use crate::{Rules, ten_sided};

/// What becomes of the leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Out of the game.
    Removed,
    /// Off the table for one turn.
    OutOneTurn,
    /// On foot for one turn.
    DismountedOneTurn,
    /// Nothing.
    None,
}

#[derive(Debug, Clone)]
pub(crate) struct Table {
    ladder: Ladder<Effect>,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        ten_sided(book, "fallen-leader.die")?;
        let mut rows = Vec::new();
        for (rule, clause) in book.clauses() {
            if !clause.id.starts_with("fallen-leader.result.") {
                continue;
            }
            let effect = match book.text(&clause.id, "effect")? {
                "removed" => Effect::Removed,
                "absent-one-turn" => Effect::OutOneTurn,
                "dismounted-one-turn" => Effect::DismountedOneTurn,
                "none" => Effect::None,
                other => return Err(Flaw::of(&clause.id, format!("no such effect: {other}"))),
            };
            rows.push((
                clause.id.clone(),
                Bounds::read(&clause.id, &clause.figures)?,
                rule,
                effect,
            ));
        }
        // The die has no modifiers, so the ends of the table are the faces.
        let face = |n: i32| Some(i64::from(n));
        for (id, bounds, ..) in &mut rows {
            if bounds.min == face(1) {
                bounds.min = None;
            }
            if bounds.max == face(10) {
                bounds.max = None;
            }
            if bounds.min.is_none() && bounds.max.is_none() {
                return Err(Flaw::of(id.as_str(), "this row covers every face"));
            }
        }
        Ok(Self { ladder: Ladder::build("the fallen leader table", rows)? })
    }
}

request! {
    /// A fallen leader check.
    pub struct Request<'a> {
        #[serde(default)] die: Option<i64>,
    }
}

/// A fallen leader check before its die.
#[derive(Debug)]
pub struct Assessment<'r> {
    table: &'r Table,
    die: Option<i64>,
}

#[allow(clippy::unnecessary_wraps)] // the shape every check has
/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    Ok(Assessment { table: &rules.fallen_leader, die: request.die })
}

/// The check, with a die to come.
pub(crate) fn prepare(rules: &Rules) -> Assessment<'_> {
    Assessment { table: &rules.fallen_leader, die: None }
}

/// What became of the leader.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// The effect.
    pub effect: Effect,
}

impl Check for Assessment<'_> {
    type Roll = u8;
    type Outcome = Outcome;

    fn given(&self) -> Result<u8, Refusal> {
        die(self.die)
    }

    fn rolls(&self) -> Distribution<u8> {
        dice::die()
    }

    fn resolve<C: Cite>(&self, roll: u8, cited: &mut C) -> Outcome {
        let (rule, effect) = self.table.ladder.read(roll.into());
        cited.cite(rule);
        Outcome { effect }
    }
}
