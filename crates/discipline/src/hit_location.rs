//! Which part of a gun section a hit strikes.

use dice::Distribution;
use rulebook::request::die;
use rulebook::{Book, Check, Cite, Flaw, Refusal, RuleId, request};
use serde::Serialize;

use crate::{Rules, faces, ten_sided};

/// A part of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Crew.
    Crew,
    /// The limber team.
    Limber,
    /// A gun.
    Gun,
}

type Faces = [(Part, RuleId); 10];

#[derive(Debug, Clone)]
pub(crate) struct Table {
    limbered: Faces,
    unlimbered: Faces,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        Ok(Self {
            limbered: column(
                book,
                [("limbered-crew", Part::Crew), ("limbered-limber", Part::Limber)],
            )?,
            unlimbered: column(
                book,
                [("unlimbered-crew", Part::Crew), ("unlimbered-gun", Part::Gun)],
            )?,
        })
    }
}

fn column(book: &Book, rows: [(&str, Part); 2]) -> Result<Faces, Flaw> {
    let mut slots: [Option<(Part, RuleId)>; 10] = [None; 10];
    let mut last = String::new();
    for (name, part) in rows {
        let id = format!("artillery.hit-location.{name}");
        ten_sided(book, &id)?;
        for face in faces(book, &id, "roll")? {
            let slot = &mut slots[usize::from(face) - 1];
            if slot.is_some() {
                return Err(Flaw::of(&id, format!("a roll of {face} hits two parts")));
            }
            *slot = Some((part, book.rule(&id)?));
        }
        last = id;
    }
    let mut whole = Vec::with_capacity(10);
    for (face, slot) in (1..).zip(slots) {
        whole.push(slot.ok_or_else(|| Flaw::of(&last, format!("a roll of {face} hits nothing")))?);
    }
    Faces::try_from(whole).map_err(|_| Flaw::of(&last, "ten faces"))
}

request! {
    /// Where a hit on a section strikes.
    pub struct Request<'a> {
        limbered: bool,
        #[serde(default)] die: Option<i64>,
    }
}

/// A hit before its die.
#[derive(Debug)]
pub struct Assessment<'r> {
    faces: &'r Faces,
    die: Option<i64>,
}

/// Chooses the column.
///
/// # Errors
/// None; the shape every check has.
#[allow(clippy::unnecessary_wraps)]
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.hit_location;
    let faces = if request.limbered { &table.limbered } else { &table.unlimbered };
    Ok(Assessment { faces, die: request.die })
}

/// The part that is hit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// The part.
    pub part: Part,
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
        let (part, rule) = self.faces[(usize::from(roll) - 1).min(9)];
        cited.cite(rule);
        Outcome { part }
    }
}
