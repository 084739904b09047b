//! The luck audit as a page.

use askama::Template;
use engine::Scenario;

use super::plots;
use crate::audit::Audit;

#[derive(Template)]
#[template(path = "luck.html", escape = "html")]
struct Page<'p> {
    title: &'p str,
    sides: [(&'p str, &'p str); 2],
    start: String,
    end: String,
    dice: String,
    generalship: String,
    verdict: &'static str,
    course: String,
    rows: Vec<Row>,
}

struct Row {
    order: usize,
    turn: u8,
    by: String,
    color: String,
    what: String,
    dice: String,
    expected: String,
    actual: String,
    luck: String,
    wide: String,
    toward: &'static str,
}

/// The page of an audit.
///
/// # Errors
/// A fault of the template: never for what an audit gives.
pub fn luck(scenario: &Scenario, audit: &Audit) -> Result<String, askama::Error> {
    let most = audit.throws.iter().map(|t| t.luck().abs()).fold(0.01, f64::max);
    let rows = audit.throws.iter().map(|t| Row {
        order: t.order,
        turn: t.turn,
        by: scenario.sides[usize::from(t.by.min(1))].name.clone(),
        color: scenario.sides[usize::from(t.by.min(1))].color.clone(),
        what: t.what.clone(),
        dice: t.dice.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
        expected: format!("{:+.2}", t.expected),
        actual: format!("{:+.2}", t.actual),
        luck: format!("{:+.2}", t.luck()),
        wide: format!("{:.1}", 50.0 * t.luck().abs() / most),
        toward: if t.luck() >= 0.0 { "one" } else { "two" },
    });
    Page {
        title: &scenario.title,
        sides: [0, 1].map(|i| (scenario.sides[i].name.as_str(), scenario.sides[i].color.as_str())),
        start: format!("{:+.1}", audit.start),
        end: format!("{:+.1}", audit.end),
        dice: format!("{:+.1}", audit.luck),
        generalship: format!("{:+.1}", audit.generalship),
        verdict: audit.verdict(),
        course: plots::course(audit),
        rows: rows.collect(),
    }
    .render()
}
