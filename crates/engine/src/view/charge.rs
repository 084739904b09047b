//! Where a charge would end, before it is declared.

use dice::stream::Source;
use regimental::battle::{Battle, Command, Decision, Event, Pending, Phase, Side, Unit, Why};
use serde::Serialize;
use table::{Footprint, TOUCH, inches};

use super::now::Stand;

/// Where a charge would end if those who are charged stand.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct ChargeView {
    /// The unit that charges.
    pub unit: String,
    /// Its stands there.
    pub feet: Vec<Stand>,
    /// The way of the middle of its front.
    pub track: Vec<Stand>,
    /// The fronts of its stands that come to the enemy: from where to where, in inches.
    pub contact: Vec<[[f64; 2]; 2]>,
    /// Whom it meets; nobody if it stops short.
    pub meets: Option<String>,
}

/// Answers there may be to a charge before it moves: no more are waited for.
const ANSWERS: usize = 16;

/// Where a charge would end; nothing for another order, or one that is refused.
#[must_use]
pub fn charge_view(battle: &Battle, by: Side, order: &Command) -> Option<ChargeView> {
    let Command::Charge { unit, .. } = order else { return None };
    journal::Battle::check(battle, by, order).ok()?;
    // It is declared, answered and moved on a copy, by the rules that will move it on the table. It
    // throws dice only for leaders who are ridden over: they do not change where it ends.
    let mut there = battle.clone();
    let mut dice = Source::seeded("where a charge ends");
    let mut next = order.clone();
    for _ in 0..ANSWERS {
        let (_, events) = journal::carry_out(&mut there, &mut dice, &next).ok()?;
        let placed = events.into_iter().find_map(|event| match event {
            Event::Placed { unit: who, why: Why::Charge, track, .. } if who == *unit => Some(track),
            _ => None,
        });
        if let Some(track) = placed {
            return seen(&there, there.unit(*unit)?, &track);
        }
        next = match journal::Battle::awaiting(&there).choice {
            Some(pending @ Pending::Answer { .. }) => {
                Command::Decide { unit: pending.unit(), decision: Decision::Stand }
            }
            None if there.phase() == Phase::Charges => Command::Done,
            _ => return None,
        };
    }
    None
}

fn seen(there: &Battle, unit: &Unit, track: &[table::Pose]) -> Option<ChargeView> {
    let meets = unit.did.charge.as_ref().filter(|c| c.home).map(|c| c.target);
    let enemy = meets.and_then(|id| there.unit(id));
    let half = unit.size().width / 2;
    // Behind walls nobody is touched: then those who come nearest.
    let off = |foot: &Footprint| {
        enemy.and_then(|e| e.feet.iter().map(|other| foot.distance(other)).min())
    };
    let least = unit.feet.iter().filter_map(off).min();
    let near = |foot: &Footprint| off(foot).zip(least).is_some_and(|(o, l)| o <= l + TOUCH);
    let place = |p: table::Point| [inches(p.x), inches(p.y)];
    let contact = unit
        .place
        .stands
        .iter()
        .zip(&unit.feet)
        .filter(|(_, foot)| near(foot))
        .map(|(pose, _)| [place(pose.place(-half, 0)), place(pose.place(half, 0))]);
    Some(ChargeView {
        unit: unit.id().to_string(),
        feet: unit.place.stands.iter().map(Stand::from).collect(),
        track: track.iter().map(Stand::from).collect(),
        contact: contact.collect(),
        meets: meets.map(|id| id.to_string()),
    })
}
