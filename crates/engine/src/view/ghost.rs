//! Where a unit would stand, and where it could get to: what the mouse shows before an order.

use regimental::battle::state::{Pace, Placement};
use regimental::battle::{Battle, Command, No, Step, Unit};
use serde::Serialize;
use serde_json::Value;
use table::{Corner, Pose, inches};

use super::now::Stand;
use super::offers::Refusal;
use super::plain;
use crate::game::Game;

/// Where a unit would stand if it went somewhere.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Ghost {
    /// Its stands there.
    pub feet: Vec<Stand>,
    /// The way of the middle of its front.
    pub track: Vec<Stand>,
    /// How far it goes, in inches.
    pub cost: f64,
    /// How far it may.
    pub limit: f64,
    /// The worst ground it crosses.
    pub ground: String,
    /// The steps, in words.
    pub steps: Vec<String>,
    /// The order that does it; nothing if it would not move.
    #[cfg_attr(feature = "types", ts(type = "Record<string, unknown> | null"), schema(value_type = Object))]
    pub order: Option<Value>,
    /// Why it goes no farther, if it does not get there.
    pub stopped: Option<Refusal>,
    /// What it should be known to cost besides: that it leaves its leader's command.
    pub remark: Option<String>,
}

/// The pace a unit moves at, or would after a good check.
fn pace(unit: &Unit) -> Pace {
    unit.did.owes.unwrap_or(Pace::WellHandled)
}

/// Where a unit would stand if it were sent somewhere.
#[must_use]
pub fn ghost(game: &Game, unit: &Unit, to: Pose, disordered: bool) -> Ghost {
    let battle = game.now();
    let pace = pace(unit);
    let plan = battle.plan(unit, pace, to, disordered);
    let done = battle.judge(unit, pace, &plan.steps, disordered).ok();
    let place = done.as_ref().map_or(&unit.place, |m| &m.place);
    let order = Command::Maneuver { unit: unit.id(), steps: plan.steps.clone(), disordered };
    // The steps may be good and the time for them not.
    let not_now = journal::Battle::check(battle, unit.side(), &order).err();
    let moves = !plan.steps.is_empty() && done.is_some() && not_now.is_none();
    Ghost {
        feet: place.stands.iter().map(Stand::from).collect(),
        track: done.iter().flat_map(|m| &m.track).map(Stand::from).collect(),
        cost: done.as_ref().map_or(0.0, |m| inches(m.cost)),
        limit: done.as_ref().map_or(0.0, |m| inches(m.limit)),
        ground: done.as_ref().map_or(String::new(), |m| super::word(&m.ground)),
        steps: plan.steps.iter().map(step_words).collect(),
        order: moves.then(|| serde_json::to_value(&order).unwrap_or_default()),
        stopped: plan.stopped.map(farther).or(not_now).map(|no| Refusal::of(battle, no)),
        remark: moves.then(|| leaves_command(battle, unit, place)).flatten(),
    }
}

/// Why it goes no farther, as it reads beside a ghost that has gone as far as it may: the distance is
/// of what lies beyond, and to go less far is what the ghost does already.
fn farther(no: No) -> No {
    let shorter = |words: &String| words.contains(" at most ") || words.starts_with("stop farther");
    let by_distance = no.instead.as_ref().is_some_and(shorter);
    if !by_distance {
        return no;
    }
    let (goes, may) = no.fact.split_once("; it may go ").unwrap_or((&no.fact, ""));
    let rate =
        if may.is_empty() { String::new() } else { format!(", where it may go {may} in all") };
    No { fact: format!("a little farther {goes}{rate}"), instead: None, ..no }
}

/// That a unit would leave the command it is in.
fn leaves_command(battle: &Battle, unit: &Unit, place: &Placement) -> Option<String> {
    let now = battle.commanded(unit)?;
    let mut there = unit.clone();
    there.stand_at(place.clone());
    if battle.commanded(&there).is_some() {
        return None;
    }
    let leader = battle.leader(now.leader)?;
    Some(format!("It leaves the command of {}: he must ride after it.", leader.card.name))
}

/// The outline of where a unit could get to by moving alone.
#[must_use]
pub fn reach(game: &Game, unit: &Unit, disordered: bool) -> Vec<Stand> {
    let outline = game.now().reach(unit, pace(unit), disordered).outline;
    outline.iter().map(Stand::from).collect()
}

fn step_words(step: &Step) -> String {
    let corner = |c: &Corner| if *c == Corner::Left { "left" } else { "right" };
    let far = |m: &table::Mils| format!("{:.1}″", inches(*m));
    match step {
        Step::Advance { inches } => format!("advance {}", far(inches)),
        Step::Withdraw { inches } => format!("withdraw {}", far(inches)),
        Step::Oblique { inches, to, degrees } => {
            format!("oblique {} {} at {degrees:.0}°", corner(to), far(inches))
        }
        Step::Wheel { to, degrees } => format!("wheel {} {degrees:.0}°", corner(to)),
        Step::Turn { facing } => format!("turn to {:.0}°", facing.in_degrees()),
        Step::FlankMarch { to, inches } => {
            format!("march by the {} flank {}", corner(to), far(inches))
        }
        Step::Road { inches, .. } => format!("along the road {}", far(inches)),
        Step::ChangeFront { to, degrees, .. } => {
            format!("change front {} {degrees:.0}°", corner(to))
        }
        Step::HandHaul { inches } => format!("haul {}", far(inches)),
        other => {
            let value = serde_json::to_value(other).unwrap_or_default();
            plain(value["step"].as_str().unwrap_or_default())
        }
    }
}
