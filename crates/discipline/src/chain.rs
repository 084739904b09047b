//! Volley, melee, morale: castings lost in one step are missing in the next.

use dice::Distribution;
use rulebook::request::{Request, countable, parse};
use rulebook::{Check, Code, Refusal};
use serde::{Deserialize, Serialize};

use crate::{Rules, artillery, melee, morale, musketry, skirmish};

/// What one step of a chain came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Link {
    /// A volley.
    Musketry(musketry::Outcome),
    /// Artillery fire.
    Artillery(artillery::Outcome),
    /// Skirmish fire.
    Skirmish(skirmish::Outcome),
    /// The melee.
    Melee(melee::Outcome),
    /// A morale check.
    Morale(morale::Outcome),
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

#[derive(Debug)]
enum Step<'r> {
    Musketry(musketry::Assessment<'r>),
    Artillery(artillery::Assessment<'r>),
    Skirmish(skirmish::Assessment<'r>),
    Melee(melee::Assessment<'r>),
    Morale(morale::Assessment<'r>),
}

impl Step<'_> {
    /// How many outcomes it has at full strength, which is when it has most.
    fn outcomes(&self) -> usize {
        match self {
            Self::Musketry(check) => check.odds().len(),
            Self::Artillery(check) => check.odds().len(),
            Self::Skirmish(check) => check.odds().len(),
            Self::Melee(check) => check.odds().len(),
            Self::Morale(_) => 5, // pass, halt, flee, flee and lose one, surrender
        }
    }
}

/// Fire at two sides, their melee, their morale.
#[derive(Debug)]
pub struct Chain<'r> {
    steps: Vec<(usize, Step<'r>)>,
    castings: [Option<i64>; 2],
}

/// Where the two sides stand between the steps.
#[derive(Debug, Clone, Copy)]
struct Sides {
    castings: [Option<i64>; 2],
    melee: Option<[u32; 2]>,
}

impl Rules {
    /// Reads a chain of `musketry`, `artillery`, `skirmish`, `melee` and
    /// `morale` steps. `at` is the side, 0 or 1, that is fired at or that
    /// checks. The castings come from the melee, or from a side's first
    /// morale check; each step begins with what is left of them. A side that
    /// fails morale before the melee, or has no casting left, ends the chain.
    ///
    /// # Errors
    /// A refusal of a step, or of a chain of another shape.
    pub fn chain<'r>(&'r self, steps: &[(&str, &str)]) -> Result<Chain<'r>, Refusal> {
        let shape = |message: &str| Refusal::new(Code::NotAllowed, message);
        if steps.len() < 2 {
            return Err(shape("a chain has two steps or more: fire, melee, morale"));
        }
        let mut chain = Chain { steps: Vec::new(), castings: [None; 2] };
        let mut melees = 0;
        for (check, json) in steps {
            let at = parse::<Aim>(json)?.at;
            if at > 1 {
                return Err(Refusal::new(Code::BadValue, "at is a side: 0 or 1"));
            }
            let step = match *check {
                "musketry" => Step::Musketry(musketry::assess(self, &parse(json)?)?),
                "artillery" => Step::Artillery(artillery::assess(self, &parse(json)?)?),
                "skirmish" => Step::Skirmish(skirmish::assess(self, &parse(json)?)?),
                "melee" => {
                    melees += 1;
                    let melee = melee::assess(self, &parse(json)?)?;
                    chain.castings = [Some(melee.sides[0].castings), Some(melee.sides[1].castings)];
                    Step::Melee(melee)
                }
                "morale" => {
                    let check = morale::assess(self, &parse(json)?)?;
                    chain.castings[at].get_or_insert(check.castings);
                    Step::Morale(check)
                }
                _ => {
                    return Err(shape("a chain in this book is of fire, melee and morale steps"));
                }
            };
            chain.steps.push((at, step));
        }
        if melees > 1 {
            return Err(shape("a chain has one melee"));
        }
        countable(chain.steps.iter().map(|(_, step)| step.outcomes()))?;
        Ok(chain)
    }
}

impl Chain<'_> {
    /// The distribution of the whole chain: the outcome of each step.
    ///
    /// # Errors
    /// A refusal if a step's conditions contradict what came before it.
    pub fn odds(&self) -> Result<Distribution<Vec<Link>>, Refusal> {
        self.step(0, Vec::new(), Sides { castings: self.castings, melee: None })
    }

    fn stop(&self, mut links: Vec<Link>) -> Distribution<Vec<Link>> {
        links.resize(self.steps.len(), Link::None);
        Distribution::certain(links)
    }

    fn step(
        &self,
        at: usize,
        done: Vec<Link>,
        sides: Sides,
    ) -> Result<Distribution<Vec<Link>>, Refusal> {
        let Some((side, step)) = self.steps.get(at) else {
            return Ok(self.stop(done));
        };
        if sides.castings.contains(&Some(0)) {
            return Ok(self.stop(done));
        }
        let shot = |hits: u32| {
            let mut sides = sides;
            sides.castings[*side] = sides.castings[*side].map(|c| (c - i64::from(hits)).max(0));
            sides
        };
        match step {
            Step::Musketry(check) => {
                // The firer is the other side, with what is left of its castings.
                let firer = 1 - *side;
                let castings = self.castings[firer].zip(sides.castings[firer]);
                let check = check.after_losing(castings.map_or(0, |(had, has)| had - has));
                self.follow(at, &done, &check.odds(), |out| {
                    (Link::Musketry(out.clone()), Some(shot(out.hits)))
                })
            }
            Step::Artillery(check) => self.follow(at, &done, &check.odds(), |out| {
                (Link::Artillery(out.clone()), Some(shot(out.hits)))
            }),
            Step::Skirmish(check) => self.follow(at, &done, &check.odds(), |out| {
                // A target that goes back does not stand to be charged.
                let gone = out.retreat > 0;
                (Link::Skirmish(out.clone()), (!gone).then(|| shot(out.casualties)))
            }),
            Step::Melee(check) => {
                let mut check = check.clone();
                for (side, castings) in check.sides.iter_mut().zip(sides.castings) {
                    side.castings = castings.unwrap_or(side.castings);
                }
                check.count_dice();
                self.follow(at, &done, &check.odds(), |out| {
                    let mut sides = sides;
                    for i in 0..2 {
                        let taken = i64::from(out.hits[1 - i]);
                        sides.castings[i] = sides.castings[i].map(|c| (c - taken).max(0));
                    }
                    sides.melee = Some(out.hits);
                    (Link::Melee(out.clone()), Some(sides))
                })
            }
            Step::Morale(check) => {
                let castings = sides.castings[*side].unwrap_or(check.castings);
                let more = sides.melee.is_some_and(|hits| hits[*side] > hits[1 - *side]);
                let check = check.after(castings, more)?;
                self.follow(at, &done, &check.odds(), |out| {
                    let ends = !out.passed && sides.melee.is_none();
                    (Link::Morale(out.clone()), (!ends).then_some(sides))
                })
            }
        }
    }

    /// Each outcome of a step, and then the rest of the chain.
    fn follow<O: Clone + Eq + std::hash::Hash>(
        &self,
        at: usize,
        done: &[Link],
        odds: &Distribution<O>,
        next: impl Fn(&O) -> (Link, Option<Sides>),
    ) -> Result<Distribution<Vec<Link>>, Refusal> {
        let mut refused = None;
        let all = odds.then(|out| {
            let (link, sides) = next(out);
            let mut links = done.to_vec();
            links.push(link);
            match sides {
                None => self.stop(links),
                Some(sides) => self.step(at + 1, links.clone(), sides).unwrap_or_else(|refusal| {
                    refused = Some(refusal);
                    self.stop(links)
                }),
            }
        });
        refused.map_or(Ok(all), Err)
    }
}
