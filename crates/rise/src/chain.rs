//! Fire and then close combat: hits lower the score that fights.

use dice::Distribution;
use rulebook::request::{Request, countable, parse};
use rulebook::{Check, Code, Refusal};
use serde::{Deserialize, Serialize};

use crate::close_combat::{self, Verdict};
use crate::{Rules, fire};

/// What one step of a chain came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Link {
    /// Fire.
    Fire(fire::Outcome),
    /// A round of close combat.
    Round(close_combat::Outcome),
    /// Not reached.
    None,
}

#[derive(Debug, Deserialize)]
struct Aim {
    #[serde(default)]
    at: usize,
}

impl Request for Aim {
    type Of<'x> = Self;
}

/// Fire, then rounds of close combat.
#[derive(Debug)]
pub struct Chain<'r> {
    volleys: Vec<(usize, fire::Assessment<'r>)>,
    combat: close_combat::Assessment<'r>,
    rounds: usize,
}

impl Rules {
    /// Reads a chain: any number of `fire` steps, each with `at` 0 or 1 for
    /// the side it hits, then one or more rounds of `close-combat`. The later
    /// rounds follow from the first; their own text is not read again.
    ///
    /// # Errors
    /// A refusal of a step, or of a chain of another shape.
    pub fn chain<'r>(&'r self, steps: &[(&str, &str)]) -> Result<Chain<'r>, Refusal> {
        let volleys = steps.iter().take_while(|(check, _)| *check == "fire").count();
        let rounds = steps.len() - volleys;
        if rounds == 0
            || steps.len() < 2
            || steps[volleys..].iter().any(|(check, _)| *check != "close-combat")
        {
            let message =
                "a chain in this book is fire steps and then one or more rounds of close-combat";
            return Err(Refusal::new(Code::NotAllowed, message));
        }
        let mut assessed = Vec::new();
        for (_, json) in &steps[..volleys] {
            let at = parse::<Aim>(json)?.at;
            if at > 1 {
                let message = "at is the side that is hit: 0 or 1";
                return Err(Refusal::new(Code::BadValue, message));
            }
            assessed.push((at, fire::assess(self, &parse(json)?)?));
        }
        let combat = close_combat::assess(self, &parse(steps[volleys].1)?)?;
        let each = assessed.iter().map(|(_, volley)| volley.odds().len());
        countable(each.chain(std::iter::repeat_n(combat.odds().len(), rounds)))?;
        Ok(Chain { volleys: assessed, combat, rounds })
    }
}

impl<'r> Chain<'r> {
    /// The distribution of the whole chain: the outcome of each step.
    #[must_use]
    pub fn odds(&self) -> Distribution<Vec<Link>> {
        self.step(0, Vec::new(), self.combat.clone())
    }

    fn step(
        &self,
        at: usize,
        done: Vec<Link>,
        combat: close_combat::Assessment<'r>,
    ) -> Distribution<Vec<Link>> {
        let steps = self.volleys.len() + self.rounds;
        if at == steps || combat.sides.iter().any(|side| side.score <= 0) {
            let mut links = done;
            links.resize(steps, Link::None);
            return Distribution::certain(links);
        }
        let with = |link: Link| {
            let mut links = done.clone();
            links.push(link);
            links
        };
        if let Some((side, volley)) = self.volleys.get(at) {
            // The firer is the other side, with what is left of its own score.
            let mut volley = volley.clone();
            let firer = 1 - *side;
            volley.tire(self.combat.sides[firer].score - combat.sides[firer].score);
            return volley.odds().then(|out| {
                let mut combat = combat.clone();
                combat.sides[*side].score -= i32::from(out.hits);
                self.step(at + 1, with(Link::Fire(out.clone())), combat)
            });
        }
        combat.odds().then(|out| {
            let links = with(Link::Round(out.clone()));
            if out.result == Verdict::Continue {
                self.step(at + 1, links, combat.next_round(out))
            } else {
                let mut links = links;
                links.resize(steps, Link::None);
                Distribution::certain(links)
            }
        })
    }
}
