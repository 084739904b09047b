//! The combat tables, read from their clauses.

use rulebook::{Book, Conditions, Figure, Flaw, ModifierTable, RuleId};

use super::{Arm, Formation, Verdict};

/// How a formation turns the Fatigue Score into the Combat Fatigue Score.
#[derive(Debug, Clone, Copy)]
pub(super) enum Share {
    /// This part of it.
    Fraction(f64),
    /// Classed as this.
    Fixed(i32),
}

#[derive(Debug, Clone)]
pub(super) struct Scores {
    pub(super) by_formation: RuleId,
    pub(super) line: (Share, RuleId),
    pub(super) infantry_column: (Share, RuleId),
    pub(super) cavalry_column_first: (Share, RuleId),
    pub(super) cavalry_column_later: (Share, RuleId),
    pub(super) skirmish: (Share, RuleId),
    pub(super) march_column: (Share, RuleId),
    pub(super) unlimbered: (Share, RuleId),
    pub(super) limbered: (Share, RuleId),
    pub(super) halves_round_up: bool,
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

    pub(super) fn share(&self, arm: Arm, formation: Formation, round: i64) -> (Share, RuleId) {
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

    pub(super) fn score(&self, share: Share, score: i32) -> i32 {
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

/// A row of a result list.
#[derive(Debug, Clone)]
pub(super) struct ResultRow {
    pub(super) from: u32,
    pub(super) to: Option<u32>,
    pub(super) verdict: Verdict,
    pub(super) retreat_segments: Option<i32>,
    pub(super) bonus: Vec<i32>,
    pub(super) rule: RuleId,
}

#[derive(Debug, Clone)]
pub(super) struct Results {
    pub(super) infantry: Vec<ResultRow>,
    pub(super) cavalry_loser: Vec<ResultRow>,
    pub(super) infantry_loser: Vec<ResultRow>,
    pub(super) artillery_loses: Vec<ResultRow>,
    pub(super) artillery_wins: Vec<ResultRow>,
    pub(super) draw: [(RuleId, RuleId, u32); 3], // infantry, cavalry, artillery: rule, rule and hits without hits
    pub(super) half_speed: (f64, RuleId),
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

pub(super) fn row(book: &Book, id: &str) -> Result<ResultRow, Flaw> {
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
pub(super) fn whole(book: &Book, rows: &[ResultRow], fallback: RuleId) -> Result<(), Flaw> {
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

pub(super) fn of_margin(rows: &[ResultRow], margin: u32) -> &ResultRow {
    rows.iter().rev().find(|r| margin >= r.from).unwrap_or(&rows[0])
}

/// The engagement factors and results.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) modifiers: ModifierTable,
    pub(super) scores: Scores,
    pub(super) results: Results,
    pub(super) inspiration: (i64, i64, RuleId),
    /// Factors of a charge, which hold in the first round only.
    pub(super) first_round_only: Conditions,
    pub(crate) won_last: Conditions,
    pub(crate) drew_against_charge: Conditions,
    pub(crate) beat_charge: Conditions,
    pub(super) infantry_charge: Conditions,
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
