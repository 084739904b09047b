//! What has happened, told line by line; each unfolds to its modifiers and clauses.

use regimental::battle::{Command, Event, Id, Phase, Side};
use regimental::charge::ChargeEffect;
use regimental::fire::Fate;
use serde::Serialize;

use super::rolls::{TallyLine, tally};
use super::{plain, word};
use crate::game::Game;
use crate::words::{self, Naming};

/// What one order led to.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Entry {
    /// Which order of the game it was, from 1.
    pub n: usize,
    /// Who gave it.
    pub by: String,
    /// The dice thrown for it.
    pub dice: Vec<u8>,
    /// What happened.
    pub lines: Vec<LogLine>,
    /// Why it was given, if a general gave it.
    pub reason: Option<String>,
}

/// A line of the log.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct LogLine {
    /// `turn`, `step`, `roll`, `move`, `loss`, `order` or `end`.
    pub kind: String,
    /// What happened, in a sentence.
    pub text: String,
    /// The modifiers of a roll.
    pub tally: Vec<TallyLine>,
    /// Those of the other side in a combat.
    pub against: Vec<TallyLine>,
    /// The clauses it rests on.
    pub rules: Vec<String>,
    /// What the book says of a result.
    pub says: Vec<String>,
    /// The units it is about.
    pub units: Vec<String>,
    /// The one of them that is fired at or charged.
    pub target: Option<String>,
}

/// The log of a game from an order on.
#[must_use]
pub fn log(game: &Game, from: usize) -> Vec<Entry> {
    let records = game.journal.records().iter().enumerate().skip(from);
    records
        .map(|(i, record)| Entry {
            n: i + 1,
            by: game.scenario.side(record.by).id.clone(),
            dice: record.dice.clone(),
            lines: told(game, record),
            reason: record.reason.clone(),
        })
        .collect()
}

/// The lines of a record; holding is told too, though nothing happens.
fn told(game: &Game, record: &journal::Record<Side, Command, Event>) -> Vec<LogLine> {
    let told = |(i, event): (usize, &Event)| {
        let mut lines = lines(game, event);
        if missed(event, &record.events[i + 1..]) {
            lines.iter_mut().for_each(|l| l.text.push_str(", to no effect"));
        }
        lines
    };
    let all: Vec<LogLine> = record.events.iter().enumerate().flat_map(told).collect();
    match &record.command {
        Command::Maneuver { unit, steps, .. } if steps.is_empty() && all.is_empty() => {
            let name = game.now().unit(*unit).map_or(String::new(), |u| u.card.name.to_string());
            vec![line("move", format!("{name} holds"), &[*unit])]
        }
        _ => all,
    }
}

/// Whether an event is fire that did nothing to its target: the name of its result does not say so.
fn missed(event: &Event, after: &[Event]) -> bool {
    let Event::Fired { target, charge: None, .. } = event else { return false };
    !after.iter().any(|e| {
        let (kind, units, _) = sort(e);
        matches!(kind, "loss" | "order") && units.contains(target)
    })
}

fn line(kind: &str, text: String, units: &[Id]) -> LogLine {
    LogLine {
        kind: kind.into(),
        text,
        tally: vec![],
        against: vec![],
        rules: vec![],
        says: vec![],
        units: units.iter().map(ToString::to_string).collect(),
        target: None,
    }
}

fn lines(game: &Game, event: &Event) -> Vec<LogLine> {
    let scenario = &game.scenario;
    let side = |s: Side| scenario.side(s).name.clone();
    let name = |id: &Id| {
        scenario.battle.unit(*id).map_or_else(|| id.to_string(), |u| u.card.name.to_string())
    };
    let names = |ids: &[Id]| ids.iter().map(name).collect::<Vec<_>>().join(" and ");
    let strings = |rules: &[regimental::battle::Clause]| -> Vec<String> {
        rules.iter().map(ToString::to_string).collect()
    };
    // What the clauses of a result say it does; which total leads to it is in the tally.
    let says = |rules: &[regimental::battle::Clause], effect: &str| -> Vec<String> {
        let book = &scenario.book.book;
        let of = format!(".{effect}.");
        let ids = rules.iter().map(ToString::to_string);
        let found = ids.filter(|id| id.contains(&of) && !id.contains(".result."));
        let found = found.filter(|id| !id.ends_with(".range"));
        found.filter_map(|id| book.clause(&id).map(|c| c.says.clone())).collect()
    };
    match event {
        Event::TurnBegan { turn, side: s, .. } => {
            vec![line("turn", format!("Turn {turn}: {}", side(*s)), &[])]
        }
        Event::PhaseBegan { phase: Phase::Leaders } => vec![],
        Event::Checked { die, units, .. } => units
            .iter()
            .map(|u| LogLine {
                tally: tally(&u.tally),
                rules: strings(&u.rules),
                says: says(&u.rules, &word(&u.effect)),
                ..line(
                    "roll",
                    format!(
                        "{} checks: die {die}{} = {}: {}{}",
                        name(&u.unit),
                        signed(u.total - i32::from(*die)),
                        whole(u.total),
                        plain(&word(&u.effect)),
                        if u.in_command { "" } else { " (out of command)" }
                    ),
                    &[u.unit],
                )
            })
            .collect(),
        Event::Fired {
            units, target, points, die, tally: t, total, effect, charge, rules, ..
        } => {
            let fate = match charge {
                Some(Fate::Home) => ", the charge goes home",
                Some(Fate::Checked) => ", the charge is stopped",
                None => "",
            };
            let mut all = units.clone();
            all.push(*target);
            vec![LogLine {
                tally: tally(t),
                rules: strings(rules),
                says: says(rules, &word(effect)),
                target: Some(target.to_string()),
                ..line(
                    "roll",
                    format!(
                        "{} fire at {}: {points} points, die {die}{} = {}: {} fire{fate}",
                        names(units),
                        name(target),
                        signed(total - i32::from(*die)),
                        whole(*total),
                        plain(&word(effect))
                    ),
                    &all,
                )
            }]
        }
        Event::Fought {
            attackers,
            defenders,
            dice,
            attacker,
            defender,
            difference,
            effect,
            rules,
        } => {
            let mut all = attackers.clone();
            all.extend(defenders);
            vec![LogLine {
                tally: tally(attacker),
                against: tally(defender),
                rules: strings(rules),
                says: says(rules, &word(effect)),
                target: defenders.first().map(ToString::to_string),
                ..line(
                    "roll",
                    format!(
                        "{} charge {}: {} against {}, difference {}: {}",
                        names(attackers),
                        names(defenders),
                        with_modifiers(dice[0], attacker),
                        with_modifiers(dice[1], defender),
                        if *difference > 0 { format!("+{difference}") } else { whole(*difference) },
                        fought(*effect, attackers.len(), defenders.len())
                    ),
                    &all,
                )
            }]
        }
        other => {
            let Some(text) = words::tell(scenario, other, Naming::Full) else { return vec![] };
            let (kind, units, rules) = sort(other);
            let target = match other {
                Event::Declared { charge, .. } | Event::ChargeMoved { charge, .. } => {
                    Some(charge.target.to_string())
                }
                _ => None,
            };
            vec![LogLine { rules, target, ..line(kind, sentence(&text), &units) }]
        }
    }
}

/// What a combat comes to, and for whom.
fn fought(effect: ChargeEffect, attackers: usize, defenders: usize) -> String {
    let them = |side: &str, n: usize, one: &str, many: &str| {
        if n == 1 { format!("the {side} {one}") } else { format!("the {side}s {many}") }
    };
    let (att, def) = (
        |one: &str, many: &str| them("attacker", attackers, one, many),
        |one: &str, many: &str| them("defender", defenders, one, many),
    );
    match effect {
        ChargeEffect::Swept => def("is swept from the field", "are swept from the field"),
        ChargeEffect::DrivenBack => def("is driven back", "are driven back"),
        ChargeEffect::HardPressed => def("is hard pressed", "are hard pressed"),
        ChargeEffect::DesperateStruggle => "desperate struggle, neither gives way yet".into(),
        ChargeEffect::Falter => att("falters", "falter"),
        ChargeEffect::Recoil => att("recoils", "recoil"),
        ChargeEffect::Repulsed => att("is repulsed", "are repulsed"),
    }
}

/// The kind of a line, the units it is about, and its clauses.
fn sort(event: &Event) -> (&'static str, Vec<Id>, Vec<String>) {
    match event {
        Event::PhaseBegan { .. } => ("step", vec![], vec![]),
        Event::Placed { unit, .. } => ("move", vec![*unit], vec![]),
        Event::Lost { unit, rule, .. } | Event::Removed { unit, rule, .. } => {
            ("loss", vec![*unit], vec![rule.to_string()])
        }
        Event::Gun { unit, rule, .. } => ("loss", vec![*unit], vec![rule.to_string()]),
        Event::Ordered { unit, rules, .. } => {
            ("order", vec![*unit], rules.iter().map(ToString::to_string).collect())
        }
        Event::Declared { unit, charge } | Event::ChargeMoved { unit, charge } => {
            ("move", vec![*unit, charge.target], vec![])
        }
        Event::LeaderHit { rule, .. } => ("loss", vec![], vec![rule.to_string()]),
        Event::Over { .. } => ("end", vec![], vec![]),
        Event::Marked { unit, .. } => ("order", vec![*unit], vec![]),
        _ => ("move", vec![], vec![]),
    }
}

/// A die of a combat with what is added to it.
fn with_modifiers(die: u8, modifiers: &[regimental::battle::Line]) -> String {
    #[allow(clippy::cast_possible_truncation)] // a few pips
    let added = modifiers.iter().map(|m| m.value).sum::<f64>() as i32;
    match added {
        0 => die.to_string(),
        _ => format!("{die}{} = {}", signed(added), whole(i32::from(die) + added)),
    }
}

/// A number with the minus that stands with the others of a sum.
fn whole(value: i32) -> String {
    value.to_string().replace('-', "−")
}

fn signed(value: i32) -> String {
    match value {
        0 => String::new(),
        v if v > 0 => format!(" + {v}"),
        v => format!(" − {}", -v),
    }
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
