//! The report in a few lines.

use std::fmt::Write as _;

use super::Report;

/// Which way the scenario leans, in a sentence.
#[must_use]
pub fn verdict(report: &Report<'_>) -> String {
    let s = &report.summary;
    if s.battles == 0 {
        return "No battle was fought.".to_owned();
    }
    let [one, two] = &report.scenario.sides;
    let (ahead, by) =
        if s.wins[0].value >= s.wins[1].value { (one, [0, 1]) } else { (two, [1, 0]) };
    let apart = s.wins[by[0]].low > s.wins[by[1]].high;
    let gap = s.wins[by[0]].value - s.wins[by[1]].value;
    let name = &ahead.name;
    match (apart, gap) {
        (false, _) if s.battles < 100 => "Too few battles to say which way it leans.".to_owned(),
        (false, _) => "It is even: neither side wins more often than chance allows.".to_owned(),
        (true, g) if g < 0.1 => format!("It is close, with a shade for {name}."),
        (true, g) if g < 0.3 => format!("It leans to {name}."),
        (true, g) if g < 0.6 => format!("It clearly favours {name}."),
        (true, _) => format!("It is {name}'s battle to lose."),
    }
}

/// The summary for a terminal.
#[must_use]
pub fn terminal(report: &Report<'_>) -> String {
    let s = &report.summary;
    let mut out = String::new();
    let _ = writeln!(out, "{}: {} battles", report.scenario.title, s.battles);
    for side in 0..2 {
        let name = &report.scenario.sides[side].name;
        let by = &report.players[side];
        let _ = writeln!(out, "  {name} ({by}) wins {}", s.wins[side].percent());
    }
    let _ = writeln!(out, "  Nobody wins {}", s.draws.percent());
    let _ = writeln!(out, "  Lead of {} at the end, in points: {}", s.sides[0], s.margin.signed(2));
    for side in 0..2 {
        let lost = s.stands_lost[side].words(1);
        let _ = writeln!(out, "  Stands lost by {} {lost}", s.sides[side]);
    }
    let decided = s.decided.iter().filter(|d| d.1 > 0);
    if let Some((turn, n)) = decided.max_by_key(|d| (d.1, std::cmp::Reverse(d.0))) {
        let _ = writeln!(out, "  Decided most often in turn {turn} ({n} battles)");
    }
    for effect in &report.effects {
        let _ = writeln!(
            out,
            "  With {}: {} wins {} in a hundred, lead {}, {} pairs",
            effect.change,
            s.sides[0],
            effect.wins_more.times(100.0).signed(1),
            effect.margin_more.signed(2),
            effect.battles
        );
    }
    let _ = writeln!(out, "  {}", verdict(report));
    out
}
