//! Fire: the current Fatigue Score and the tactical firing factors make the
//! roll that is required.

use dice::Distribution;
use rulebook::request::{Name, between, die};
use rulebook::{
    Book, Check, Cite, Code, Conditions, Counted, Flaw, ModifierTable, Refusal, RuleId, request,
};
use serde::{Deserialize, Serialize};

use crate::{MOST_SCORE, Rules, hits};

/// The firing factors.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) general: ModifierTable,
    pub(crate) artillery: ModifierTable,
    /// What artillery keeps of the general list.
    for_artillery: Conditions,
    general_apply: RuleId,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let general = ModifierTable::read(book, "fire.modifier.", "modifier")?;
        let artillery = ModifierTable::read(book, "artillery-fire.modifier.", "modifier")?;
        book.rule("fire.restriction.initial-volley-line-only")?;
        let restriction = "fire.restriction.initial-volley-short-range-only";
        if book.text(restriction, "range")? != "short" {
            return Err(Flaw::of(restriction, "the initial volley is for short range"));
        }
        let mut for_artillery = Conditions::default();
        for (_, clause) in book.clauses() {
            if !general.claims(&clause.id) || !clause.figures.contains_key("artillery") {
                continue;
            }
            match book.text(&clause.id, "artillery")? {
                "kept" => {
                    for_artillery = for_artillery.with(general.find(&clause.id).unwrap_or_default())
                }
                other => {
                    return Err(Flaw::of(
                        &clause.id,
                        format!("`artillery` is {other}: kept, or nothing"),
                    ));
                }
            }
        }
        Ok(Self {
            general,
            artillery,
            for_artillery,
            general_apply: book.rule("artillery-fire.general-factors-apply")?,
        })
    }
}

/// Who fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Muskets, rifles, carbines, bows.
    SmallArms,
    /// Guns.
    Artillery,
}

request! {
    /// Fire at one target.
    pub struct Request<'a> {
        arm: Arm,
        score: i64,
        #[serde(default, borrow)] conditions: Vec<Name<'a>>,
        #[serde(default)] die: Option<i64>,
    }
}

/// Fire before its die.
#[derive(Debug, Clone)]
pub struct Assessment<'r> {
    table: &'r Table,
    hits: &'r hits::Table,
    arm: Arm,
    score: i32,
    general: Conditions,
    artillery: Conditions,
    sum: i32,
    die: Option<i64>,
}

/// Settles which factors count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.fire;
    let score = between("score", request.score, 1, MOST_SCORE)?;
    let mut general = Conditions::default();
    let mut artillery = Conditions::default();
    for id in &request.conditions {
        let id = id.as_ref();
        if let Some(both) = table.general.also(general, id) {
            general = both;
        } else if let Some(both) = table.artillery.also(artillery, id) {
            if request.arm == Arm::SmallArms {
                let message = format!("{id} is a factor of artillery, and small arms fire");
                return Err(Refusal::new(Code::Contradiction, message));
            }
            artillery = both;
        } else if table.artillery.claims(id) {
            return Err(table.artillery.unknown(id));
        } else {
            return Err(table.general.unknown(id));
        }
    }
    // Contradictions are found among all that was said.
    table.general.count(general)?;
    if request.arm == Arm::Artillery {
        let kept = general.without(general.without(table.for_artillery));
        general = kept;
    }
    let (general, by_general) = table.general.count(general)?;
    let (artillery, by_artillery) = table.artillery.count(artillery)?;
    Ok(Assessment {
        table,
        hits: &rules.hits,
        arm: request.arm,
        score: i32::try_from(score).unwrap_or(0),
        general,
        artillery,
        sum: by_general + by_artillery,
        die: request.die,
    })
}

/// What fire came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// The roll required, before its limits.
    pub required: i32,
    /// Fatigue Hits scored.
    pub hits: u8,
}

impl Assessment<'_> {
    /// The same fire after the firer has taken hits.
    pub(crate) fn tire(&mut self, hits: i32) {
        self.score -= hits;
    }
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
        let required = self.score + self.sum;
        if self.arm == Arm::Artillery {
            cited.cite(self.table.general_apply);
        }
        let (hits, rule) = self.hits.hits(required, roll);
        cited.cite(rule);
        Outcome { required, hits }
    }

    fn modifiers(&self) -> Vec<Counted> {
        let general = self.table.general.lines(self.general);
        general.chain(self.table.artillery.lines(self.artillery)).map(Counted::plain).collect()
    }
}
