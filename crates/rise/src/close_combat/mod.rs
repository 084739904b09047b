//! A round of close combat: both sides roll against their Combat Fatigue
//! Score and the engagement factors.

use dice::Distribution;
use rulebook::request::{Name, between, die};
use rulebook::{Amount, Check, Cite, Code, Conditions, Counted, Refusal, RuleId, request};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{MOST_SCORE, Rules, hits};

mod table;

pub(crate) use table::Table;
use table::{ResultRow, of_margin};

/// Who fights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Foot.
    Infantry,
    /// Horse.
    Cavalry,
    /// Guns.
    Artillery,
}

/// How it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formation {
    /// Line; for cavalry simply line.
    #[serde(alias = "line")]
    CloseOrderLine,
    /// Open order line.
    OpenOrderLine,
    /// Column of divisions.
    Column,
    /// Marching in column of route.
    MarchColumn,
    /// Skirmishing.
    Skirmish,
    /// Guns ready to fire.
    Unlimbered,
    /// Guns on the move.
    Limbered,
}

/// What a loss means to the loser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The combat goes on.
    Continue,
    /// The loser retreats.
    Retreat,
    /// The loser breaks and is gone.
    Broken,
}

/// One side of the combat.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideRequest<'a> {
    arm: Arm,
    formation: Formation,
    score: i64,
    #[serde(default)]
    round: Option<i64>,
    #[serde(default)]
    inspiration: i64,
    #[serde(default, borrow)]
    conditions: Vec<Name<'a>>,
    #[serde(default)]
    die: Option<i64>,
}

request! {
    /// A round of close combat.
    pub struct Request<'a> {
        #[serde(borrow)] sides: Vec<SideRequest<'a>>,
        #[serde(default)] round: Option<i64>,
    }
}

/// One side, assessed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    arm: Arm,
    formation: Formation,
    pub(crate) score: i32,
    round: i64,
    inspiration: i32,
    /// Whether this side is infantry that charged in this combat.
    charged_on_foot: bool,
    pub(crate) hold: Conditions,
    counted: Conditions,
    sum: i32,
    die: Option<i64>,
}

/// A round of close combat before its dice.
#[derive(Debug, Clone)]
pub struct Assessment<'r> {
    pub(crate) table: &'r Table,
    hits: &'r hits::Table,
    pub(crate) sides: [Side; 2],
}

const SIDE: [&str; 2] = ["0", "1"];
const MOST_ROUNDS: i64 = 1000;

/// Settles which factors count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.close_combat;
    let [a, b] = &request.sides[..] else {
        let message = format!("sides has {} entries: a combat has two sides", request.sides.len());
        return Err(Refusal::new(Code::BadValue, message));
    };
    let side = |given: &SideRequest<'_>| -> Result<Side, Refusal> {
        let guns = matches!(given.formation, Formation::Unlimbered | Formation::Limbered);
        if guns != (given.arm == Arm::Artillery) {
            let message = "artillery is unlimbered or limbered, and nobody else is";
            return Err(Refusal::new(Code::Contradiction, message));
        }
        let (low, high, _) = table.inspiration;
        let inspiration = between("inspiration", given.inspiration, low, high)?;
        let score = between("score", given.score, 1, MOST_SCORE)?;
        let round = given.round.or(request.round).unwrap_or(1);
        let hold = table.modifiers.conditions(&given.conditions)?;
        Ok(Side {
            arm: given.arm,
            formation: given.formation,
            score: i32::try_from(score).unwrap_or(0),
            round: between("round", round, 1, MOST_ROUNDS)?,
            inspiration: i32::try_from(inspiration).unwrap_or(0),
            charged_on_foot: given.arm == Arm::Infantry && hold.meets(table.infantry_charge),
            hold,
            counted: Conditions::default(),
            sum: 0,
            die: given.die,
        })
    };
    let mut combat = Assessment { table, hits: &rules.hits, sides: [side(a)?, side(b)?] };
    combat.recount()?;
    Ok(combat)
}

impl Assessment<'_> {
    pub(crate) fn recount(&mut self) -> Result<(), Refusal> {
        for side in &mut self.sides {
            self.table.modifiers.count(side.hold)?;
            let hold = if side.round > 1 {
                side.hold.without(self.table.first_round_only)
            } else {
                side.hold
            };
            (side.counted, side.sum) = self.table.modifiers.count(hold)?;
        }
        Ok(())
    }

    /// The next round after this one was not decided: scores lowered by the
    /// hits, and the bonus for winning where there is one.
    pub(crate) fn next_round(&self, out: &Outcome) -> Self {
        let mut next = self.clone();
        let winning =
            self.table.won_last.with(self.table.drew_against_charge).with(self.table.beat_charge);
        for i in 0..2 {
            let other = self.sides[1 - i];
            let side = &mut next.sides[i];
            side.score -=
                i32::from(out.hits[1 - i]) + i32::try_from(out.extra_hits_each).unwrap_or(0);
            side.round += 1;
            side.hold = side.hold.without(winning);
            let bonus = match out.loser {
                Some(loser) if loser == 1 - i => {
                    if other.charged_on_foot {
                        self.table.beat_charge
                    } else {
                        self.table.won_last
                    }
                }
                None if other.charged_on_foot => self.table.drew_against_charge,
                _ => Conditions::default(),
            };
            side.hold = side.hold.with(bonus);
        }
        // Only the winning factors changed, and they are of one group.
        let _ = next.recount();
        next
    }

    fn required(&self, side: &Side, cited: &mut impl Cite) -> i32 {
        let (share, rule) = self.table.scores.share(side.arm, side.formation, side.round);
        cited.cite(self.table.scores.by_formation);
        cited.cite(rule);
        self.table.scores.score(share, side.score) + side.sum + side.inspiration
    }

    /// The row that a loss is read from: by the guns, else by the horse, else
    /// among foot (ruling.rafa-result-table-choice).
    fn row(&self, loser: usize, margin: u32) -> &ResultRow {
        let results = &self.table.results;
        let (lost, won) = (self.sides[loser].arm, self.sides[1 - loser].arm);
        let rows = if lost == Arm::Artillery {
            &results.artillery_loses
        } else if won == Arm::Artillery {
            &results.artillery_wins
        } else if lost == Arm::Cavalry {
            &results.cavalry_loser
        } else if won == Arm::Cavalry {
            &results.infantry_loser
        } else {
            &results.infantry
        };
        of_margin(rows, margin)
    }

    fn draw(&self) -> (RuleId, RuleId, u32) {
        let arms = [self.sides[0].arm, self.sides[1].arm];
        let list = if arms.contains(&Arm::Artillery) {
            2
        } else {
            usize::from(arms.contains(&Arm::Cavalry))
        };
        self.table.results.draw[list]
    }
}

/// What a round came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// The roll each side required, before its limits.
    pub required: [i32; 2],
    /// Fatigue Hits that each side scored.
    pub hits: [u8; 2],
    /// By how many hits the round was won.
    pub margin: u32,
    /// Who lost.
    pub loser: Option<usize>,
    /// What it means to the loser.
    pub result: Verdict,
    /// Hits marked on every unit of a bloodless draw.
    pub extra_hits_each: u32,
}

impl Check for Assessment<'_> {
    type Roll = [u8; 2];
    type Outcome = Outcome;

    fn given(&self) -> Result<[u8; 2], Refusal> {
        let of = |i: usize| {
            die(self.sides[i].die)
                .map_err(|r| Refusal::new(r.code, format!("side {i}: {}", r.message)))
        };
        Ok([of(0)?, of(1)?])
    }

    fn rolls(&self) -> Distribution<[u8; 2]> {
        dice::opposed()
    }

    fn resolve<C: Cite>(&self, roll: [u8; 2], cited: &mut C) -> Outcome {
        let required = [self.required(&self.sides[0], cited), self.required(&self.sides[1], cited)];
        let mut hits = [0; 2];
        for i in 0..2 {
            let (scored, rule) = self.hits.hits(required[i], roll[i]);
            cited.cite(rule);
            hits[i] = scored;
        }
        let margin = u32::from(hits[0].abs_diff(hits[1]));
        let loser = match hits[0].cmp(&hits[1]) {
            std::cmp::Ordering::Less => Some(0),
            std::cmp::Ordering::Greater => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        let (result, extra_hits_each) = match loser {
            Some(loser) => {
                let row = self.row(loser, margin);
                cited.cite(row.rule);
                if row.verdict == Verdict::Retreat && self.sides[loser].arm == Arm::Infantry {
                    cited.cite(self.table.results.half_speed.1);
                }
                (row.verdict, 0)
            }
            None => {
                let (draw, bloodless, each) = self.draw();
                if hits == [0, 0] {
                    cited.cite(bloodless);
                    (Verdict::Continue, each)
                } else {
                    cited.cite(draw);
                    (Verdict::Continue, 0)
                }
            }
        };
        Outcome { required, hits, margin, loser, result, extra_hits_each }
    }

    fn modifiers(&self) -> Vec<Counted> {
        let mut all = Vec::new();
        for (i, side) in self.sides.iter().enumerate() {
            all.extend(self.table.modifiers.lines(side.counted).map(|m| Counted::of(SIDE[i], m)));
            if side.inspiration != 0 {
                let value = Amount::from(side.inspiration);
                all.push(Counted { rule: self.table.inspiration.2, value, side: Some(SIDE[i]) });
            }
        }
        all
    }

    fn details(&self, roll: [u8; 2]) -> Vec<(&'static str, Value)> {
        let out = self.resolve(roll, &mut ());
        let Some(loser) = out.loser else {
            return Vec::new();
        };
        let row = self.row(loser, out.margin);
        let mut details = Vec::new();
        if let Some(segments) = row.retreat_segments {
            details.push(("retreat_segments", json!(segments)));
            // Foot goes back at half speed in every list (ruling.rafa-retreat-speed).
            let foot = self.sides[loser].arm == Arm::Infantry;
            let speed = if foot { self.table.results.half_speed.0 } else { 1.0 };
            details.push(("retreat_speed", json!(speed)));
        }
        if !row.bonus.is_empty() {
            details.push(("winning_bonus", json!(row.bonus)));
        }
        details
    }
}
