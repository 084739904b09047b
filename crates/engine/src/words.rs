//! A battle in words: one line for each thing that happens, and the state as data.

use regimental::battle::state::{LeaderState, Unit};
use regimental::battle::{Battle, Event, Id, Line, Reason, Side, Whereabouts, Why, phase_name};
use regimental::maneuver::Order;
use serde_json::{Value, json};

use crate::Scenario;

fn tally(lines: &[Line]) -> String {
    if lines.is_empty() {
        return "no modifiers".into();
    }
    let word = |l: &Line| {
        let last = l.rule.rsplit('.').next().unwrap_or(&l.rule).replace('-', " ");
        let name = if l.rule.contains("points-modifier") { format!("{last} points") } else { last };
        format!("{name} {:+}", l.value)
    };
    lines.iter().map(word).collect::<Vec<_>>().join(", ")
}

fn kebab(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('-', " ")
}

/// What an event says to a reader; nothing, if it says nothing by itself.
#[must_use]
pub fn describe(scenario: &Scenario, event: &Event) -> Option<String> {
    tell(scenario, event, Naming::Short)
}

/// How units and leaders are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// By the short names that orders use, with the modifiers of each roll.
    Short,
    /// By their names; the modifiers stand elsewhere.
    Full,
}

/// What an event says to a reader, with the names he likes.
#[must_use]
pub fn tell(scenario: &Scenario, event: &Event, naming: Naming) -> Option<String> {
    let side = |s: Side| scenario.side(s).name.clone();
    let full = naming == Naming::Full;
    let called = |id: &Id| {
        let unit = || scenario.battle.unit(*id).map(|u| u.card.name.to_string());
        let leader = || scenario.battle.leader(*id).map(|l| l.card.name.to_string());
        full.then(|| unit().or_else(leader)).flatten().unwrap_or_else(|| id.to_string())
    };
    let list = |ids: &[Id]| ids.iter().map(&called).collect::<Vec<_>>().join(" and ");
    let tally = |lines: &[Line]| if full { String::new() } else { tally(lines) };
    Some(match event {
        Event::TurnBegan { turn, side: s, .. } => format!("\nTurn {turn}: {}", side(*s)),
        Event::PhaseBegan { phase } => {
            use regimental::battle::Phase::{Charges, Checks, Maneuvers};
            if matches!(phase, Charges | Checks | Maneuvers) {
                return None;
            }
            format!("  {}", phase_name(*phase))
        }
        Event::Checked { leader, die, units } => {
            let by = leader.map_or(String::new(), |l| format!(" under {l}"));
            let mut text = format!("    Check{by}, die {die}:");
            for line in units {
                let command = if line.in_command { "" } else { ", out of command" };
                text.push_str(&format!(
                    "\n      {}: {} = {}{command}: {}",
                    called(&line.unit),
                    tally(&line.tally),
                    line.total,
                    kebab(&line.effect)
                ));
            }
            text
        }
        Event::Ordered { unit, order, .. } => {
            let unit = called(unit);
            format!(
                "    {unit} is {}",
                match order {
                    Order::Good => "in good order",
                    Order::Disordered => "disordered",
                    Order::Broken => "broken",
                }
            )
        }
        Event::Placed { why: Why::CloseUp, .. } => return None,
        Event::Placed { unit, why, place, .. } => {
            let unit = called(unit);
            if full {
                let formation = place.formation.name().replace('-', " ");
                return Some(format!("{unit} {} ({formation})", why_words(*why)));
            }
            format!(
                "    {unit} {}, {} at {:.1} {:.1} facing {:.0}",
                why_words(*why),
                place.formation.name().replace('-', " "),
                table::inches(place.pose.at.x),
                table::inches(place.pose.at.y),
                place.pose.facing.in_degrees()
            )
        }
        Event::Lost { unit, stands, left, .. } => {
            let unit = called(unit);
            format!("    {unit} loses {stands}, {left} left")
        }
        Event::Gun { unit, stand, state, wrecked, .. } => {
            let unit = called(unit);
            let what = if *wrecked {
                "wrecked"
            } else if state.damaged {
                "damaged"
            } else if state.silenced {
                "silenced"
            } else if state.low {
                "low on ammunition"
            } else {
                "ready again"
            };
            format!("    {unit}: gun {} {what}", stand + 1)
        }
        Event::Removed { unit, gone, .. } => {
            let unit = called(unit);
            format!("    {unit} is gone: {}", kebab(gone))
        }
        Event::Declared { unit, charge } => {
            let unit = called(unit);
            format!(
                "    {unit} declares a charge on {}{}",
                called(&charge.target),
                if charge.cold_steel { " with cold steel" } else { "" }
            )
        }
        Event::ChargeMoved { unit, charge } => {
            let unit = called(unit);
            format!("    {unit} reaches {}", called(&charge.target))
        }
        Event::ChargeOver { unit } => {
            let unit = called(unit);
            format!("    the charge of {unit} is over")
        }
        Event::Answered { unit, answer } => {
            let unit = called(unit);
            format!(
                "    {unit} answers: {}",
                serde_json::to_value(answer).ok()?["choice"].as_str()?.replace('-', " ")
            )
        }
        Event::Fired {
            units, target, points, die, tally: lines, total, effect, charge, ..
        } => {
            let target = called(target);
            let fate = charge.map_or(String::new(), |c| format!(", charge {}", kebab(&c)));
            format!(
                "    {} fire at {target}: {points} points, die {die}, {} = {total}: {}{fate}",
                list(units),
                tally(lines),
                kebab(effect)
            )
        }
        Event::Massed { unit, behind, effect } => {
            let unit = called(unit);
            let behind = called(behind);
            format!("    {unit}, massed behind {behind}: {}", kebab(effect))
        }
        Event::Fought {
            attackers,
            defenders,
            dice,
            attacker,
            defender,
            difference,
            effect,
            ..
        } => format!(
            "    {} charge {}: {} ({}) against {} ({}): {difference:+}, {}",
            list(attackers),
            list(defenders),
            dice[0],
            tally(attacker),
            dice[1],
            tally(defender),
            kebab(effect)
        ),
        Event::LeaderMoved { leader, attached: Some(unit), .. } => {
            let unit = called(unit);
            let leader = called(leader);
            format!("    {leader} joins {unit}")
        }
        Event::LeaderMoved { leader, to, .. } => {
            let leader = called(leader);
            if full {
                return Some(format!("{leader} rides"));
            }
            format!("    {leader} rides to {:.1} {:.1}", table::inches(to.x), table::inches(to.y))
        }
        Event::LeaderHit { leader, die, state, .. } => {
            let leader = called(leader);
            format!(
                "    {leader} checks, die {die}: {}",
                match state {
                    LeaderState::Fallen => "he is out of the game",
                    LeaderState::Absent => "a wound takes him off the table for a turn",
                    LeaderState::Dismounted => "he is on foot",
                    _ => "unhurt",
                }
            )
        }
        Event::LeaderReturned { leader, unit, rating, .. } => {
            let unit = called(unit);
            let leader = called(leader);
            format!("    {leader}'s command is taken up with {unit} ({})", kebab(rating))
        }
        Event::LeaderRemoved { leader } => {
            let leader = called(leader);
            format!("    {leader} is lost")
        }
        Event::SentOff { unit, detachment, stands } => {
            let unit = called(unit);
            let detachment = called(detachment);
            format!("    {unit} sends off {stands} stands as {detachment}")
        }
        Event::Rejoined { unit, parent, .. } => {
            let unit = called(unit);
            let parent = called(parent);
            format!("    {unit} rejoins {parent}")
        }
        Event::KeyPosition { name, holder } => {
            let name = if full { kebab(name) } else { name.to_string() };
            format!("    {name} is held by {}", holder.map_or("nobody".into(), side))
        }
        Event::Marked { unit, mark, on: true } => {
            let unit = called(unit);
            use regimental::battle::Mark::{AboutFaced, FlankMarched, LowOnAmmo, Passage};
            if !matches!(mark, LowOnAmmo | AboutFaced | Passage | FlankMarched) {
                return None;
            }
            format!("    {unit}: {}", kebab(mark))
        }
        Event::Over { points, winner, reason } => {
            let why = match reason {
                Reason::LastTurn => "the last turn is over",
                Reason::NoTroops => "one side has no unbroken troops left",
            };
            let won = winner.map_or("A draw".into(), |w| format!("{} win", side(w)));
            format!(
                "\n{won}: {} {}, {} {} ({why})",
                side(Side::One),
                points[0],
                side(Side::Two),
                points[1]
            )
        }
        Event::Sheltered { unit, square: Some(square) } => {
            let unit = called(unit);
            let square = called(square);
            format!("    the crew of {unit} runs into {square}")
        }
        Event::Ready { .. }
        | Event::MustDo { .. }
        | Event::Held { .. }
        | Event::Marked { .. }
        | Event::Countercharged { .. }
        | Event::Sheltered { .. }
        | Event::Queued { .. }
        | Event::Settled => return None,
    })
}

fn why_words(why: Why) -> &'static str {
    match why {
        Why::Maneuver => "moves",
        Why::Charge => "charges",
        Why::Countercharge => "goes out to meet the charge",
        Why::HastySquare => "forms square in haste",
        Why::Enter => "enters",
        Why::Withdraw => "falls back out of close range",
        Why::Back => "goes back",
        Why::Retreat => "retreats",
        Why::Recall => "recalls",
        Why::Carry => "carries the position",
        Why::Breakthrough => "breaks through",
        Why::CloseUp => "closes up",
        Why::SentOff => "forms up",
        Why::Widen => "widens its gaps",
        Why::MakeRoom => "makes room",
    }
}

fn unit_state(scenario: &Scenario, unit: &Unit) -> Value {
    let mut state = json!({
        "id": unit.id(),
        "side": scenario.side(unit.side()).id,
        "where": match unit.whereabouts {
            Whereabouts::Table => json!("table"),
            Whereabouts::Reserve => json!("reserve"),
            Whereabouts::Gone(gone) => json!(gone),
        },
        "stands": unit.stands,
        "order": unit.order,
        "freshness": unit.freshness,
        "low_on_ammo": unit.low,
    });
    if unit.present() {
        state["formation"] = json!(unit.place.formation);
        state["at"] = json!(unit.place.pose.at);
        state["facing"] = json!(unit.place.pose.facing);
    }
    if unit.is_guns() {
        state["guns"] = json!(unit.guns);
    }
    for (key, on) in [
        ("about_faced", unit.about_faced),
        ("passage_of_lines", unit.passage),
        ("marched_by_flank", unit.flank_marched),
        ("on_foot", unit.place.on_foot),
        ("amusette", unit.amusette),
    ] {
        if on {
            state[key] = json!(true);
        }
    }
    state
}

/// The state of a battle as data.
#[must_use]
pub fn state(scenario: &Scenario, battle: &Battle) -> Value {
    let leaders: Vec<Value> = battle
        .leaders()
        .iter()
        .map(|l| json!({"id": l.card.id, "side": scenario.side(l.card.side).id, "rating": l.rating, "state": l.state, "at": battle.leader_at(l), "with": l.attached}))
        .collect();
    let units: Vec<Value> = battle.units().iter().map(|u| unit_state(scenario, u)).collect();
    let ending = battle.ending().map(|e| json!({"points": e.points, "winner": e.winner.map(|w| scenario.side(w).id.clone()), "reason": e.reason}));
    json!({
        "turn": battle.turn(),
        "mover": scenario.side(battle.mover()).id,
        "phase": battle.phase(),
        "awaiting": battle.awaited().map(|s| scenario.side(s).id.clone()),
        "units": units,
        "leaders": leaders,
        "key_positions": battle.keys().iter().map(|k| json!({"id": k.name, "holder": k.holder.map(|h| scenario.side(h).id.clone()), "value": k.value})).collect::<Vec<_>>(),
        "stands_lost": battle.stands_lost(),
        "points": battle.points(),
        "ending": ending,
    })
}

/// The last lines of a report: what each side has left.
#[must_use]
pub fn summary(scenario: &Scenario, battle: &Battle) -> String {
    let mut text = String::new();
    for side in Side::BOTH {
        text.push_str(&format!("\n{}\n", scenario.side(side).name));
        for unit in battle.units().iter().filter(|u| u.side() == side) {
            let place = match unit.whereabouts {
                Whereabouts::Table => format!("{}, {}", kebab(&unit.order), kebab(&unit.freshness)),
                Whereabouts::Reserve => "not on the table".into(),
                Whereabouts::Gone(gone) => kebab(&gone),
            };
            text.push_str(&format!(
                "  {:<16} {:>2}/{:<2} {place}  {}\n",
                unit.id(),
                unit.stands,
                unit.card.strength,
                unit.card.name
            ));
        }
    }
    text
}
