//! A round of close combat: both sides roll against their Combat Fatigue
//! Score and the engagement factors.

use dice::Distribution;
use rulebook::request::{Name, between, die};
use rulebook::{
    Amount, Book, Check, Cite, Code, Conditions, Counted, Figure, Flaw, ModifierTable, Refusal,
    RuleId, request,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Rules, hits};

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

/// How a formation turns the Fatigue Score into the Combat Fatigue Score.
#[derive(Debug, Clone, Copy)]
enum Share {
    /// This part of it.
    Fraction(f64),
    /// Classed as this.
    Fixed(i32),
}

#[derive(Debug, Clone)]
struct Scores {
    by_formation: RuleId,
    line: (Share, RuleId),
    infantry_column: (Share, RuleId),
    cavalry_column_first: (Share, RuleId),
    cavalry_column_later: (Share, RuleId),
    skirmish: (Share, RuleId),
    march_column: (Share, RuleId),
    unlimbered: (Share, RuleId),
    limbered: (Share, RuleId),
    halves_round_up: bool,
}

impl Scores {
    fn read(book: &Book) -> Result<Self, Flaw> {
        let share = |name: &str| -> Result<(Share, RuleId), Flaw> {
            let id = format!("combat-fatigue.{name}");
            let rule = book.rule(&id)?;
            if book.clause(&id).is_some_and(|c| c.figures.contains_key("fixed")) {
                return Ok((Share::Fixed(book.int(&id, "fixed")?), rule));
            }
            let fraction = book.number(&id, "fraction")?;
            if fraction < 0.0 {
                return Err(Flaw::of(&id, "`fraction` may not be negative"));
            }
            Ok((Share::Fraction(fraction), rule))
        };
        for (id, round) in [
            ("combat-fatigue.cavalry-column-first-round", 1),
            ("combat-fatigue.cavalry-column-second-round", 2),
        ] {
            if book.int(id, "round")? != round {
                return Err(Flaw::of(id, format!("this is the score of round {round}")));
            }
        }
        let skirmish = "combat-fatigue.skirmish";
        let up = match book.text(skirmish, "rounding")? {
            "up" => true,
            "down" => false,
            other => {
                return Err(Flaw::of(skirmish, format!("`rounding` is {other}: up or down")));
            }
        };
        Ok(Self {
            by_formation: book.rule("combat-fatigue.by-formation")?,
            line: share("any-line")?,
            infantry_column: share("infantry-column")?,
            cavalry_column_first: share("cavalry-column-first-round")?,
            cavalry_column_later: share("cavalry-column-second-round")?,
            skirmish: share("skirmish")?,
            march_column: share("march-column")?,
            unlimbered: share("unlimbered-artillery")?,
            limbered: share("limbered-artillery")?,
            halves_round_up: up && book.setting("rafa-halving-rounds-up") != "down",
        })
    }

    fn share(&self, arm: Arm, formation: Formation, round: i64) -> (Share, RuleId) {
        match (formation, arm) {
            (Formation::CloseOrderLine | Formation::OpenOrderLine, _) => self.line,
            (Formation::Column, Arm::Cavalry) if round <= 1 => self.cavalry_column_first,
            (Formation::Column, Arm::Cavalry) => self.cavalry_column_later,
            (Formation::Column, _) => self.infantry_column,
            (Formation::MarchColumn, _) => self.march_column,
            (Formation::Skirmish, _) => self.skirmish,
            (Formation::Unlimbered, _) => self.unlimbered,
            (Formation::Limbered, _) => self.limbered,
        }
    }

    fn score(&self, share: Share, score: i32) -> i32 {
        match share {
            Share::Fixed(n) => n,
            Share::Fraction(part) => {
                let exact = f64::from(score) * part;
                let rounded = if self.halves_round_up { exact.ceil() } else { exact.floor() };
                #[allow(clippy::cast_possible_truncation)] // scores are small
                let rounded = rounded as i32;
                rounded
            }
        }
    }
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

/// A row of a result list.
#[derive(Debug, Clone)]
struct ResultRow {
    from: u32,
    to: Option<u32>,
    verdict: Verdict,
    retreat_segments: Option<i32>,
    bonus: Vec<i32>,
    rule: RuleId,
}

#[derive(Debug, Clone)]
struct Results {
    infantry: Vec<ResultRow>,
    cavalry_loser: Vec<ResultRow>,
    infantry_loser: Vec<ResultRow>,
    artillery_loses: Vec<ResultRow>,
    artillery_wins: Vec<ResultRow>,
    draw: [(RuleId, RuleId, u32); 3], // infantry, cavalry, artillery: rule, rule and hits without hits
    half_speed: (f64, RuleId),
}

impl Results {
    fn read(book: &Book) -> Result<Self, Flaw> {
        let tables = "combat-results.three-tables";
        let lists: Vec<&str> = book
            .clause(tables)
            .and_then(|c| c.figures.get("tables"))
            .and_then(Figure::list)
            .unwrap_or_default()
            .iter()
            .filter_map(Figure::text)
            .collect();
        if lists != ["infantry", "cavalry", "artillery"] {
            book.rule(tables)?;
            return Err(Flaw::of(tables, "`tables` are infantry, cavalry and artillery"));
        }
        let row = |name: &str| row(book, &format!("combat-results.{name}"));
        let draw = |list: &str| -> Result<(RuleId, RuleId, u32), Flaw> {
            let plain = format!("combat-results.{list}.draw");
            let bloodless = format!("combat-results.{list}.draw-without-hits");
            for id in [&plain, &bloodless] {
                if book.int(id, "margin")? != 0 {
                    return Err(Flaw::of(id, "a draw has a margin of 0"));
                }
            }
            Ok((book.rule(&plain)?, book.rule(&bloodless)?, book.count(&bloodless, "hits_each")?))
        };
        let speed = "combat-results.infantry.retreat-half-speed";
        let mut artillery_wins = vec![row("artillery.artillery-wins-by-1")?];
        let one = artillery_wins[0].rule;
        if book.setting("rafa-artillery-wins-by-2") == "fight-on" {
            artillery_wins[0].to = None;
        } else {
            // Not printed: the attackers go back as infantry that lost by two.
            let mut beaten = row("infantry.lose-by-2-or-more")?;
            beaten.from = artillery_wins[0].to.map_or(2, |to| to + 1);
            artillery_wins.push(beaten);
        }
        let results = Self {
            infantry: vec![row("infantry.lose-by-1")?, row("infantry.lose-by-2-or-more")?],
            cavalry_loser: vec![
                row("cavalry.cavalry-loses-by-1")?,
                row("cavalry.cavalry-loses-by-2-or-more")?,
            ],
            infantry_loser: vec![
                row("cavalry.infantry-loses-by-1")?,
                row("cavalry.infantry-loses-by-2-or-more")?,
            ],
            artillery_loses: vec![row("artillery.artillery-loses")?],
            artillery_wins,
            draw: [draw("infantry")?, draw("cavalry")?, draw("artillery")?],
            half_speed: (book.number(speed, "speed")?, book.rule(speed)?),
        };
        for rows in [
            &results.infantry,
            &results.cavalry_loser,
            &results.infantry_loser,
            &results.artillery_loses,
            &results.artillery_wins,
        ] {
            whole(book, rows, one)?;
        }
        Ok(results)
    }
}

fn row(book: &Book, id: &str) -> Result<ResultRow, Flaw> {
    let rule = book.rule(id)?;
    let has = |key: &str| book.clause(id).is_some_and(|c| c.figures.contains_key(key));
    let (from, to) = if has("margin") {
        let margin = book.count(id, "margin")?;
        (margin, Some(margin))
    } else {
        (book.count(id, "margin_min")?, None)
    };
    let retreat_segments =
        has("retreat_segments").then(|| book.int(id, "retreat_segments")).transpose()?;
    let removed = has("removed") && book.flag(id, "removed")?;
    let bonus = match book.clause(id).and_then(|c| c.figures.get("bonus")) {
        None => Vec::new(),
        Some(Figure::List(_)) => book.ints(id, "bonus")?,
        Some(_) => vec![book.int(id, "bonus")?],
    };
    let verdict = match (removed, retreat_segments) {
        (true, _) => Verdict::Broken,
        (_, Some(_)) => Verdict::Retreat,
        _ => Verdict::Continue,
    };
    Ok(ResultRow { from, to, verdict, retreat_segments, bonus, rule })
}

/// A list must have one row for every margin from 1 up.
fn whole(book: &Book, rows: &[ResultRow], fallback: RuleId) -> Result<(), Flaw> {
    let mut next = Some(1);
    for row in rows {
        if next != Some(row.from) {
            let message =
                format!("the result list has a hole or an overlap at {}", next.unwrap_or(row.from));
            return Err(Flaw::of(book.name(row.rule), message));
        }
        next = row.to.map(|to| to + 1);
    }
    match next {
        None => Ok(()),
        Some(n) => {
            let last = rows.last().map_or(fallback, |r| r.rule);
            Err(Flaw::of(book.name(last), format!("the result list has no row for {n} and more")))
        }
    }
}

fn of_margin(rows: &[ResultRow], margin: u32) -> &ResultRow {
    rows.iter().rev().find(|r| margin >= r.from).unwrap_or(&rows[0])
}

/// The engagement factors and results.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) modifiers: ModifierTable,
    scores: Scores,
    results: Results,
    inspiration: (i64, i64, RuleId),
    /// Factors of a charge, which hold in the first round only.
    first_round_only: Conditions,
    pub(crate) won_last: Conditions,
    pub(crate) drew_against_charge: Conditions,
    pub(crate) beat_charge: Conditions,
    infantry_charge: Conditions,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let commander = "engagement.modifier.commander-inspiration";
        let inspiration = (
            i64::from(book.int(commander, "minimum")?),
            i64::from(book.int(commander, "maximum")?),
            book.rule(commander)?,
        );
        let modifiers =
            ModifierTable::read_where(book, "engagement.modifier.", "modifier", |id| {
                id != commander
            })?;
        let charge = modifiers
            .named("infantry-into-contact")
            .with(modifiers.named("british-or-elite-charge"));
        Ok(Self {
            scores: Scores::read(book)?,
            results: Results::read(book)?,
            inspiration,
            first_round_only: charge.with(modifiers.named("light-cavalry-charge")),
            won_last: modifiers.named("winning-won-last-round"),
            drew_against_charge: modifiers.named("winning-drew-v-charging-infantry"),
            beat_charge: modifiers.named("winning-beat-charging-infantry"),
            infantry_charge: charge,
            modifiers,
        })
    }
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
const MOST_SCORE: i64 = 100;
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
