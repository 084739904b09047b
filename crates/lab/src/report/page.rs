//! The report as one page: no script, no network, everything in it.

use askama::Template;
use regimental::battle::Side;

use super::{Report, heat, plots, verdict};
use crate::tally::Cells;

#[derive(Template)]
#[template(path = "report.html", escape = "html")]
struct Page<'p> {
    title: &'p str,
    date: &'p str,
    book: &'p str,
    battles: u64,
    seed: &'p str,
    command: &'p str,
    verdict: String,
    sides: [SideView; 2],
    draws: String,
    draws_wide: f64,
    margin: String,
    no_troops: String,
    ground: String,
    margins: String,
    leads: String,
    lengths: String,
    decided: String,
    maps: Vec<(String, String)>,
    turns: Vec<u8>,
    units: Vec<UnitRow>,
    swings: Vec<[String; 5]>,
    effects: Vec<[String; 6]>,
    effects_plot: String,
}

struct SideView {
    name: String,
    color: String,
    player: String,
    wins: String,
    wide: f64,
    lost: String,
}

struct UnitRow {
    name: String,
    color: String,
    stands: u8,
    lost: String,
    gone: String,
    cells: Vec<(String, String)>,
}

/// The page.
///
/// # Errors
/// A fault of the template: never for what a run gives.
pub fn page(report: &Report<'_>) -> Result<String, askama::Error> {
    let s = &report.summary;
    let scenario = report.scenario;
    let colors = [0, 1].map(|i| scenario.sides[i].color.as_str());
    let margin = scenario.battle.terms().margin;
    let sides = [0, 1].map(|i| SideView {
        name: scenario.sides[i].name.clone(),
        color: colors[i].to_owned(),
        player: report.players[i].clone(),
        wins: s.wins[i].percent(),
        wide: 100.0 * s.wins[i].value,
        lost: s.stands_lost[i].words(1),
    });
    let map = |cells, color: &str, says: String| {
        let drawn = heat::over(scenario, report.tally.cells(cells), color, &says);
        (says, drawn)
    };
    let mut maps = Vec::new();
    for side in Side::BOTH {
        let (name, color) = (&scenario.side(side).name, &scenario.side(side).color);
        maps.push(map(Cells::Places(side), color, format!("Where {name} stood")));
        maps.push(map(Cells::Fallen(side), color, format!("Where stands of {name} fell")));
    }
    maps.push(map(Cells::Decided, "#3b2f1c", "Where battles were decided".to_owned()));
    let most = s.units.iter().flat_map(|u| &u.by_turn).copied().fold(0.01, f64::max);
    let units = s.units.iter().filter(|u| u.stands > 0).map(|u| UnitRow {
        name: u.name.clone(),
        color: colors[usize::from(u.side.min(1))].to_owned(),
        stands: u.stands,
        lost: format!("{:.2}", u.lost),
        gone: format!("{:.0}%", 100.0 * u.gone),
        cells: u
            .by_turn
            .iter()
            .map(|v| {
                let text = if *v >= 0.005 { format!("{v:.2}") } else { String::new() };
                (text, format!("{:.2}", 0.85 * (v / most).sqrt()))
            })
            .collect(),
    });
    let swings = s.swings.iter().filter(|w| w.decided >= 0.005 || w.strokes > 0).map(|w| {
        [
            w.result.clone(),
            format!("{:.2}", w.times),
            format!("{:.2}", w.size),
            format!("{:.1}%", 100.0 * w.decided),
            w.strokes.to_string(),
        ]
    });
    let effects = report.effects.iter().map(|e| {
        [
            e.change.clone(),
            e.battles.to_string(),
            e.wins.percent(),
            e.wins_more.times(100.0).signed(1),
            e.margin.words(1),
            e.margin_more.signed(1),
        ]
    });
    Page {
        title: &scenario.title,
        date: &scenario.date,
        book: &scenario.book.book.title,
        battles: s.battles,
        seed: report.seed,
        command: &report.command,
        verdict: verdict(report),
        draws: s.draws.percent(),
        draws_wide: 100.0 * s.draws.value,
        margin: s.margin.signed(2),
        no_troops: s.no_troops.percent(),
        ground: heat::ground(scenario),
        margins: plots::margins(s, colors, margin),
        leads: plots::leads(s),
        lengths: plots::by_turn("lengths", &s.lengths, "Turn in which the battle ended", "#8a6d3b"),
        decided: plots::by_turn(
            "decided",
            &s.decided,
            "Turn from which the winner led for good",
            "#4a3a22",
        ),
        maps,
        turns: (1..=scenario.battle.terms().turns).collect(),
        units: units.collect(),
        swings: swings.collect(),
        effects: effects.collect(),
        effects_plot: if report.effects.is_empty() {
            String::new()
        } else {
            plots::effects(&report.effects)
        },
        sides,
    }
    .render()
}
