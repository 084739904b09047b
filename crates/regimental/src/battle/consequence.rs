//! What a result would do, in a few words: for whoever reads the odds before the dice fall.

use table::inches;

use super::Battle;
use super::moves::half;
use super::state::Unit;
use crate::charge::{self, Move, SideOutcome, State};
use crate::fire::{self, Fate};
use crate::maneuver::{self, Effect, Order};

/// So many of something.
fn count(n: u32, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

fn joined(parts: Vec<String>) -> String {
    if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
}

/// What a volley does to its target.
pub(super) fn of_fire(out: &fire::Outcome) -> String {
    let mut does = Vec::new();
    if out.stands_lost > 0 {
        does.push(format!("{} lost", count(out.stands_lost, "stand")));
    }
    let guns = [
        (out.guns_wrecked, "wrecked"),
        (out.guns_damaged, "damaged"),
        (out.guns_silenced, "silenced"),
    ];
    for (n, what) in guns.into_iter().filter(|g| g.0 > 0) {
        does.push(format!("{} {what}", count(n, "gun stand")));
    }
    if out.disordered {
        does.push("disordered".into());
    }
    match out.charge {
        Some(Fate::Checked) => does.push("the charge is stopped".into()),
        Some(Fate::Home) => does.push("the charge goes home".into()),
        None => {}
    }
    joined(does)
}

/// What a volley comes to on a target as it is: no more stands than it has, and a gun stand that is
/// damaged again is wrecked.
pub(super) fn on(target: &Unit, mut out: fire::Outcome) -> fire::Outcome {
    out.stands_lost = out.stands_lost.min(target.stands.into());
    let whole = target.guns.iter().filter(|g| !g.damaged).count();
    let again = out.guns_damaged.saturating_sub(u32::try_from(whole).unwrap_or(0));
    if target.is_guns() {
        out.guns_damaged -= again;
        out.guns_wrecked = (out.guns_wrecked + again).min(target.stands.into());
    }
    out
}

/// What a combat does to both sides.
pub(super) fn of_combat(out: &charge::Outcome) -> String {
    let (attacker, defender) = (of_side(&out.attacker), of_side(&out.defender));
    let sides = [("attacker", attacker), ("defender", defender)];
    let said: Vec<String> = sides
        .into_iter()
        .filter(|s| !s.1.is_empty())
        .map(|(who, does)| format!("{who}: {}", does.join(", ")))
        .collect();
    if said.is_empty() { joined(vec![]) } else { said.join("; ") }
}

fn of_side(out: &SideOutcome) -> Vec<String> {
    let mut does = Vec::new();
    if out.stands_lost > 0 {
        does.push(format!("{} lost", count(out.stands_lost.unsigned_abs(), "stand")));
    }
    let state = match out.state {
        State::Unchanged => None,
        State::Disordered => Some("disordered"),
        State::Silenced => Some("silenced"),
        State::Broken => Some("broken"),
        State::Eliminated => Some("wiped out"),
    };
    let moves = match out.moves {
        Move::Hold => None,
        Move::Carry => Some("may take the ground"),
        Move::Breakthrough => Some("may break through"),
        Move::RetreatShort => Some("goes back a little"),
        Move::RetreatBeyondCloseRange => Some("goes back out of close range"),
        Move::FullRetreat => Some("retreats a full move"),
    };
    // Of those who are gone nobody goes anywhere.
    let moves = moves.filter(|_| out.state != State::Eliminated);
    does.extend(state.into_iter().chain(moves).map(str::to_owned));
    does
}

impl Battle {
    /// What a maneuver check lets a unit do, or makes it do.
    pub(super) fn of_check(&self, unit: &Unit, out: &maneuver::Outcome) -> String {
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let mut does = Vec::new();
        if out.stands_lost > 0 {
            does.push(format!("{} lost", count(out.stands_lost.unsigned_abs(), "stand")));
        }
        let far = |mils| format!("moves up to {}″", inches(mils));
        let charges = !unit.is_guns() && unit.formation().nature().charges;
        let or_charges = |s: String| if charges { format!("{s} or charges") } else { s };
        let threat = self.in_close_range(unit).is_some();
        let left =
            self.rules.maneuver.order_after(unit.order, out.effect).map(|order| match order {
                Order::Good => "good order",
                Order::Disordered => "disordered",
                Order::Broken => "broken",
            });
        match out.effect {
            Effect::DoubleQuick => does.push(or_charges(far(row.double_quick[0]))),
            Effect::WellHandled => does.push(or_charges(far(row.full[0]))),
            Effect::Tardy => {
                does.push(or_charges(far(half(row.full[0], self.measures().half))));
                let disordered = "troop-maneuvers.tardy.full-move-disordered";
                if !unit.is_guns() && self.measures().clauses.has(disordered) {
                    does.push(format!("up to {}″ if it is disordered by it", inches(row.full[0])));
                }
            }
            Effect::RallyWithElan | Effect::Rally => {
                does.push("good order".into());
                match self.rules.maneuver.list_after(out.effect) {
                    Some("well-handled") => does.push("moves at once".into()),
                    Some(_) => does.push("half a move".into()),
                    None => does.push("stays".into()),
                }
            }
            Effect::FallBack if unit.is_guns() && threat => does.push("driven off".into()),
            Effect::FallBack if threat => {
                does.push("back out of close range".into());
                does.extend(left.map(str::to_owned));
            }
            Effect::FallBack => does.push("stays where it is".into()),
            Effect::Shaken if threat => {
                does.extend(["good order".into(), "back out of close range".into()]);
            }
            Effect::Shaken => does.extend(["good order".into(), "stays".into()]),
            Effect::Wavering if threat => {
                does.extend(["back out of close range".into(), still(unit).into()]);
            }
            Effect::Wavering => does.push(still(unit).into()),
            Effect::Panic if unit.is_guns() => does.push("silenced and driven off".into()),
            Effect::Panic | Effect::Rout => {
                does.push(left.map_or("flees".to_owned(), |left| format!("flees, {left}")));
            }
        }
        joined(does)
    }
}

/// What a unit is that does not rally.
fn still(unit: &Unit) -> &'static str {
    match unit.order {
        Order::Broken => "disordered",
        _ => "still disordered",
    }
}

/// What happens in each of some cases, with its chance in a hundred, as one line: the chances are
/// named where they differ.
pub(super) fn together(cases: &[(String, u32)]) -> String {
    match cases {
        [(only, _)] => only.clone(),
        _ => {
            let said = cases.iter().map(|(does, percent)| format!("{percent}% {does}"));
            said.collect::<Vec<_>>().join(" / ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{count, of_combat, of_fire, together};
    use crate::charge::{ChargeEffect, Move, Outcome, SideOutcome, State};
    use crate::fire::{self, Fate, FireEffect};

    fn volley() -> fire::Outcome {
        fire::Outcome {
            total: 9,
            effect: FireEffect::Telling,
            charge: None,
            stands_lost: 0,
            disordered: false,
            guns_wrecked: 0,
            guns_damaged: 0,
            guns_silenced: 0,
            low_on_ammo: false,
            leader_check: false,
        }
    }

    #[test]
    fn a_volley_says_what_it_costs() {
        assert_eq!(of_fire(&volley()), "nothing");
        let troops = fire::Outcome { stands_lost: 2, disordered: true, ..volley() };
        assert_eq!(of_fire(&troops), "2 stands lost, disordered");
        let guns = fire::Outcome { guns_silenced: 1, guns_damaged: 1, ..volley() };
        assert_eq!(of_fire(&guns), "1 gun stand damaged, 1 gun stand silenced");
        let charge = fire::Outcome { charge: Some(Fate::Checked), ..volley() };
        assert_eq!(of_fire(&charge), "the charge is stopped");
        assert_eq!(count(1, "stand"), "1 stand");
    }

    #[test]
    fn a_combat_says_it_for_both_sides() {
        let side = |stands_lost, state, moves| SideOutcome {
            stands_lost,
            state,
            moves,
            may_recall: false,
            leader_check: false,
        };
        let mut out = Outcome {
            totals: [9, 3],
            difference: 6,
            effect: ChargeEffect::Swept,
            attacker: side(0, State::Unchanged, Move::Breakthrough),
            defender: side(2, State::Broken, Move::FullRetreat),
            held_in_square: false,
        };
        assert_eq!(
            of_combat(&out),
            "attacker: may break through; defender: 2 stands lost, broken, retreats a full move"
        );
        out.defender = side(3, State::Eliminated, Move::FullRetreat);
        assert!(of_combat(&out).ends_with("defender: 3 stands lost, wiped out"));
    }

    #[test]
    fn cases_that_differ_name_their_chances() {
        let case = |does: &str, percent| (does.to_owned(), percent);
        assert_eq!(together(&[case("nothing", 40)]), "nothing");
        let two = [case("2 stands lost", 10), case("1 stand lost", 30)];
        assert_eq!(together(&two), "10% 2 stands lost / 30% 1 stand lost");
    }
}
