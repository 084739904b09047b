//! The luck audit of a saved battle: what each throw was worth on average, what it came to, and
//! so how much of the end was dice and how much was generalship.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use dice::stream::Source;
use journal::{Journal, carry_out};
use regimental::battle::{Battle, Command, Side};
use serde::Serialize;

use crate::lead;

/// One throw of a battle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Throw {
    /// The order, from 1.
    pub order: usize,
    /// The turn.
    pub turn: u8,
    /// Who gave the order: 0 or 1.
    pub by: u8,
    /// What it was.
    pub what: String,
    /// The dice.
    pub dice: Vec<u8>,
    /// Points the first side could expect to gain.
    pub expected: f64,
    /// Points it gained.
    pub actual: f64,
}

impl Throw {
    /// How lucky the first side was.
    #[must_use]
    pub fn luck(&self) -> f64 {
        self.actual - self.expected
    }
}

/// The audit of a battle, in points of the first side's lead.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audit {
    /// The short names of the sides.
    pub sides: [String; 2],
    /// The lead at the start.
    pub start: f64,
    /// The lead at the end.
    pub end: f64,
    /// What the dice gave the first side beyond what could be expected.
    pub luck: f64,
    /// What both sides' orders were worth with average dice.
    pub generalship: f64,
    /// The throws, in order.
    pub throws: Vec<Throw>,
}

/// Throws for which later dice are drawn from a stream instead of counted out.
const COUNTED: usize = 2;

/// Audits a battle between two sides. `progress` hears how many orders of how many are done, and
/// may break it off: then there is none.
pub fn audit(
    sides: [String; 2],
    journal: &Journal<Battle>,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Option<Audit> {
    let records = journal.records();
    let mut battle = journal.start().clone();
    let start = lead(&battle, Side::One);
    let mut throws = Vec::new();
    let mut before = start;
    for (i, record) in records.iter().enumerate() {
        let mut next = battle.clone();
        for event in &record.events {
            journal::Battle::apply(&mut next, event);
        }
        let after = lead(&next, Side::One);
        if !record.dice.is_empty() {
            let mean = expected(&battle, &record.command, record.dice.len(), i);
            throws.push(Throw {
                order: i + 1,
                turn: battle.turn(),
                by: record.by as u8,
                what: what(&battle, &record.command),
                dice: record.dice.clone(),
                expected: mean - before,
                actual: after - before,
            });
        }
        (battle, before) = (next, after);
        if progress(i + 1, records.len()).is_break() {
            return None;
        }
    }
    let luck: f64 = throws.iter().map(Throw::luck).sum();
    Some(Audit { sides, start, end: before, luck, generalship: before - start - luck, throws })
}

/// The mean lead of the first side after an order: every face of the first dice is tried.
fn expected(battle: &Battle, command: &Command, dice: usize, order: usize) -> f64 {
    let faces = 10_u32.pow(u32::try_from(dice.min(COUNTED)).unwrap_or(1));
    let mut sum = 0.0;
    for n in 0..faces {
        let shown = |d: u32| u8::try_from(d % 10 + 1).unwrap_or(1);
        let first: Vec<u8> =
            if faces == 10 { vec![shown(n)] } else { vec![shown(n / 10), shown(n)] };
        let mut there = battle.clone();
        let mut dice = Source::loaded(first, &format!("audit {order} {n}"));
        // The order was carried out once, so it can be again.
        if carry_out(&mut there, &mut dice, command).is_ok() {
            sum += lead(&there, Side::One);
        }
    }
    sum / f64::from(faces)
}

/// An order in a few words.
fn what(battle: &Battle, command: &Command) -> String {
    let name = |id: regimental::battle::Id| {
        battle.unit(id).map_or_else(|| id.to_string(), |u| u.card.name.to_string())
    };
    let first = |units: &[regimental::battle::Id]| match units {
        [] => String::new(),
        [one] => name(*one),
        [one, rest @ ..] => format!("{} and {} more", name(*one), rest.len()),
    };
    match command {
        Command::Fire { units, target, .. } => {
            format!("{} fires on {}", first(units), name(*target))
        }
        Command::Fight { unit } => format!("{} charges home", name(*unit)),
        Command::Check { units } => format!("{} checks", first(units)),
        Command::Decide { unit, .. } => format!("{} decides", name(*unit)),
        Command::Maneuver { unit, .. } | Command::Go { unit, .. } => {
            format!("{} maneuvers", name(*unit))
        }
        _ => "the step ends".to_owned(),
    }
}

impl Audit {
    /// Which of the two weighed more.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if (self.luck.abs() - self.generalship.abs()).abs() < 0.05 {
            "The dice and the orders weighed the same."
        } else if self.luck.abs() > self.generalship.abs() {
            "The dice weighed more than the orders."
        } else {
            "The orders weighed more than the dice."
        }
    }

    /// The audit in words: the sums, and the throws that mattered most.
    #[must_use]
    pub fn words(&self, most: usize) -> String {
        let mut out = String::new();
        let [one, two] = &self.sides;
        let whom = |worth: f64| match worth {
            w if w >= 0.05 => one.as_str(),
            w if w <= -0.05 => two.as_str(),
            _ => "neither",
        };
        let (lucky, better) = (whom(self.luck), whom(self.generalship));
        let _ = writeln!(
            out,
            "Lead of {one}, troops half lost counted as half: {:+.1} at the start, {:+.1} at the end.",
            self.start, self.end
        );
        let _ = writeln!(out, "  Dice:        {:+.1}  ({lucky} was the luckier)", self.luck);
        let _ = writeln!(
            out,
            "  Generalship: {:+.1}  ({better} made more of average dice)",
            self.generalship
        );
        let _ = writeln!(out, "  {}", self.verdict());
        let mut strokes: Vec<&Throw> = self.throws.iter().collect();
        strokes.sort_by(|a, b| b.luck().abs().total_cmp(&a.luck().abs()));
        let _ = writeln!(out, "\nThe luckiest throws (points for {one}):");
        let _ = writeln!(out, "  order turn  expected  actual    luck  dice");
        for t in strokes.into_iter().take(most) {
            let dice: Vec<String> = t.dice.iter().map(u8::to_string).collect();
            let _ = writeln!(
                out,
                "  {:>5} {:>4}  {:>+8.2} {:>+7.2} {:>+7.2}  {:<8} {}",
                t.order,
                t.turn,
                t.expected,
                t.actual,
                t.luck(),
                dice.join(" "),
                t.what
            );
        }
        out
    }
}
