//! Heat maps: how often, drawn over the scenario's own map.

use std::fmt::Write as _;

use engine::{Scenario, map};
use table::inches;

use crate::fought::{CELL, Grid};
use crate::interval::count;

/// The ground, once, for all maps of a page.
pub(super) fn ground(scenario: &Scenario) -> String {
    let (width, height) = size(scenario);
    format!(
        "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><symbol id=\"ground\" viewBox=\"0 0 {width} {height}\">{}</symbol></svg>",
        map::ground(scenario)
    )
}

fn size(scenario: &Scenario) -> (f64, f64) {
    let field = scenario.battle.field();
    (inches(field.width), inches(field.height))
}

/// One map: each cell the darker the more it counts.
pub(super) fn over(scenario: &Scenario, cells: (Grid, &[u64]), color: &str, says: &str) -> String {
    let (grid, counts) = cells;
    let (width, height) = size(scenario);
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let side = inches(CELL);
    let mut svg = format!(
        "<svg class=\"heat\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{says}\"><use href=\"#ground\" width=\"{width}\" height=\"{height}\"/><g fill=\"{color}\">"
    );
    for (i, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        let i = u32::try_from(i).unwrap_or(0);
        let (x, y) = (i % grid.wide, i / grid.wide);
        let dark = 0.08 + 0.82 * (count(*n) / count(most)).sqrt();
        let _ = write!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill-opacity=\"{dark:.2}\"/>",
            f64::from(x) * side,
            height - (f64::from(y) + 1.0) * side
        );
    }
    svg.push_str("</g></svg>");
    svg
}
