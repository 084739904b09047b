//! Whether an attached commander falls.

use dice::Distribution;
use rulebook::request::die;
use rulebook::{Book, Check, Cite, Flaw, Refusal, RuleId, request};
use serde::{Deserialize, Serialize};

use crate::{Rules, faces, ten_sided};

/// What his stand has been through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Situation {
    /// Casualties from fire.
    Fire,
    /// A melee, and morale passed.
    MeleePassed,
    /// A melee, and morale failed.
    MeleeFailed,
}

#[derive(Debug, Clone)]
pub(crate) struct Table {
    killed_on: [(Vec<u8>, RuleId); 3],
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let row = |name: &str| -> Result<(Vec<u8>, RuleId), Flaw> {
            let id = format!("command.casualty-{name}");
            ten_sided(book, &id)?;
            Ok((faces(book, &id, "killed_on")?, book.rule(&id)?))
        };
        Ok(Self { killed_on: [row("fire")?, row("melee-passed")?, row("melee-failed")?] })
    }
}

request! {
    /// Whether a commander falls.
    pub struct Request<'a> {
        situation: Situation,
        #[serde(default)] die: Option<i64>,
    }
}

/// A commander's roll before his die.
#[derive(Debug)]
pub struct Assessment<'r> {
    killed_on: &'r (Vec<u8>, RuleId),
    die: Option<i64>,
}

/// Finds the row.
///
/// # Errors
/// None; the shape every check has.
#[allow(clippy::unnecessary_wraps)]
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    Ok(Assessment {
        killed_on: &rules.commander.killed_on[request.situation as usize],
        die: request.die,
    })
}

/// Whether he fell.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Whether he was killed.
    pub killed: bool,
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
        cited.cite(self.killed_on.1);
        Outcome { killed: self.killed_on.0.contains(&roll) }
    }
}
