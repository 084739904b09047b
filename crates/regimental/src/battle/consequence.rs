//! What a result would do, in a few words: for whoever reads the odds before the dice fall.

use rulebook::Check;
use table::inches;

use super::Battle;
use super::card::Carriage;
use super::formation::Formation;
use super::id::Id;
use super::measures::Clause;
use super::melee::Combat;
use super::moves::half;
use super::shares::Share;
use super::state::{Pace, Unit};
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
fn of_fire(out: &fire::Outcome) -> String {
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

/// What a volley does to a target as it is.
pub(super) fn of_volley(target: &Unit, out: fire::Outcome) -> String {
    let out = on(target, out);
    let lost = if target.is_guns() { out.guns_wrecked } else { out.stands_lost };
    if lost < target.stands.into() {
        return of_fire(&out);
    }
    let what = if target.is_guns() { "gun stand" } else { "stand" };
    let how = if target.is_guns() { "wrecked" } else { "lost" };
    format!("{} {how}, {WIPED_OUT}", count(lost, what))
}

/// What a volley comes to on a target as it is: no more stands than it has, and a gun stand that is
/// damaged again is wrecked.
fn on(target: &Unit, mut out: fire::Outcome) -> fire::Outcome {
    out.stands_lost = out.stands_lost.min(target.stands.into());
    out.disordered &= target.order == Order::Good;
    let whole = target.guns.iter().filter(|g| !g.damaged).count();
    let again = out.guns_damaged.saturating_sub(u32::try_from(whole).unwrap_or(0));
    if target.is_guns() {
        out.guns_damaged -= again;
        out.guns_wrecked = (out.guns_wrecked + again).min(target.stands.into());
    }
    out
}

/// What a result does to one of those who fought, beside its losses.
fn of_share(out: &SideOutcome, unit: &Unit) -> Vec<String> {
    let guns = unit.is_guns();
    let state = match out.state {
        State::Unchanged => None,
        State::Disordered | State::Silenced | State::Broken if guns => {
            (!unit.silenced()).then_some("silenced")
        }
        State::Disordered => (unit.order == Order::Good).then_some("disordered"),
        State::Silenced => None,
        State::Broken => Some("broken"),
        State::Eliminated => Some(WIPED_OUT),
    };
    // Of those who are gone nobody goes anywhere.
    let moves = out.moves.words().filter(|_| out.state != State::Eliminated);
    state.into_iter().chain(moves).map(str::to_owned).collect()
}

const WIPED_OUT: &str = "wiped out";

impl Move {
    /// What it is in words.
    fn words(self) -> Option<&'static str> {
        match self {
            Self::Hold => None,
            Self::Carry => Some("may take the ground"),
            Self::Breakthrough => Some("breaks through"),
            Self::RetreatShort => Some("goes back a little"),
            Self::RetreatBeyondCloseRange => Some("goes back out of close range"),
            Self::FullRetreat => Some("retreats a full move"),
        }
    }
}

impl Battle {
    /// What a combat does to both sides: as it would be fought.
    pub(super) fn of_combat(
        &self,
        combat: &Combat,
        check: &charge::Assessment<'_>,
        dice: [u8; 2],
    ) -> String {
        let mut cited = Vec::new();
        let out = check.resolve(dice, &mut cited);
        let applied: Vec<Clause> = cited.iter().map(|r| self.measures().clauses.name(*r)).collect();
        let each = self.shares(combat, check, dice);
        let (att, def) = (&combat.attackers, &combat.defenders);
        let sides = [
            ("attacker", (att.as_slice(), def.as_slice()), out.attacker.stands_lost),
            ("defender", (def.as_slice(), att.as_slice()), out.defender.stands_lost),
        ];
        let said = sides.into_iter().filter_map(|(who, of, lost)| {
            let mut losses = self.losses_of(of, lost, &applied);
            let more = self.lost_by_the_disordered(of.0, &each, &applied);
            losses.extend(more.map(|(id, stands, _)| (id, stands)));
            let does = self.of_side(of.0, &each, &losses);
            (!does.is_empty()).then(|| format!("{who}: {does}"))
        });
        let said: Vec<String> = said.collect();
        if said.is_empty() { joined(vec![]) } else { said.join("; ") }
    }

    /// What a result does to a side: its losses, then what becomes of each, together where it is the
    /// same for all.
    fn of_side(&self, side: &[Id], each: &[Share], losses: &[(Id, u8)]) -> String {
        let lost_by = |id: Id| losses.iter().filter(|l| l.0 == id).map(|l| u32::from(l.1)).sum();
        let mut does = Vec::new();
        let total: u32 = side.iter().map(|id| lost_by(*id)).sum();
        if total > 0 {
            does.push(format!("{} lost", count(total, "stand")));
        }
        let hit = each.iter().find(|s| s.damaged > 0 && side.contains(&s.unit)).map(|s| s.unit);
        let own = each.iter().filter_map(|s| Some((s, self.unit(s.unit)?)));
        let own = own.filter(|(s, _)| side.contains(&s.unit)).map(|(share, unit)| {
            let hit = hit == Some(unit.id()) && unit.is_guns();
            let wrecked = hit && unit.guns.iter().all(|g| g.damaged);
            let lost: u32 = lost_by(unit.id());
            if lost + u32::from(wrecked) >= unit.stands.into() {
                return (unit.id(), vec![WIPED_OUT.to_owned()]);
            }
            let mut words = of_share(&share.outcome, unit);
            if hit {
                let what = if wrecked { "wrecked" } else { "damaged" };
                words.insert(0, format!("1 gun stand {what}"));
            }
            (unit.id(), words)
        });
        let own: Vec<(Id, Vec<String>)> = own.collect();
        match own.split_first() {
            Some((first, rest)) if rest.iter().all(|other| other.1 == first.1) => {
                does.extend(first.1.iter().cloned());
            }
            _ => does.extend(own.iter().map(|(id, words)| {
                let words = if words.is_empty() { "holds".to_owned() } else { words.join(", ") };
                format!("{id} {words}")
            })),
        }
        does.join(", ")
    }

    /// What a maneuver check lets a unit do, or makes it do.
    pub(super) fn of_check(&self, unit: &Unit, out: &maneuver::Outcome) -> String {
        let mut does = Vec::new();
        let lost = out.stands_lost.max(0).unsigned_abs();
        if lost >= unit.stands.into() {
            return WIPED_OUT.into();
        }
        if lost > 0 {
            does.push(format!("{} lost", count(lost, "stand")));
        }
        let left =
            self.rules.maneuver.order_after(unit.order, out.effect).map(|order| match order {
                Order::Good => "good order",
                Order::Disordered => "disordered",
                Order::Broken => "broken",
            });
        let back = || match self.must_leave(unit) {
            Some(_) => "back out of close range",
            None => "stays where it is",
        };
        match out.effect {
            Effect::DoubleQuick => does.extend(self.way_ahead(unit, Pace::DoubleQuick)),
            Effect::WellHandled => does.extend(self.way_ahead(unit, Pace::WellHandled)),
            Effect::Tardy => does.extend(self.way_ahead(unit, Pace::Tardy)),
            Effect::RallyWithElan | Effect::Rally => {
                does.push("good order".into());
                does.push(match self.rules.maneuver.list_after(out.effect) {
                    Some("well-handled") => "moves at once".into(),
                    Some(_) => "half a move".into(),
                    None => back().into(),
                });
            }
            Effect::FallBack | Effect::Panic if unit.is_guns() => {
                let fate = self.fate_of_guns(unit, out.effect);
                if fate.lost.is_some() {
                    return "lost to the enemy".into();
                }
                does.extend(fate.silenced.map(|_| "silenced".to_owned()));
                does.push(if fate.goes { "driven off" } else { "stays where it is" }.into());
            }
            Effect::FallBack => {
                does.push(back().into());
                let disordered = left.filter(|_| self.must_leave(unit).is_some());
                does.extend(disordered.map(str::to_owned));
            }
            Effect::Shaken => does.extend(["good order".into(), back().into()]),
            Effect::Wavering => does.extend([back().into(), still(unit).into()]),
            Effect::Panic | Effect::Rout => {
                does.push(left.map_or("flees".to_owned(), |left| format!("flees, {left}")));
            }
        }
        joined(does)
    }

    /// How far a result lets a unit go, from the ground it stands on.
    fn way_ahead(&self, unit: &Unit, pace: Pace) -> Vec<String> {
        let at = self.begins_on(unit) as usize;
        let quick = pace == Pace::DoubleQuick;
        let up_to = |mils| format!("up to {}″", inches(mils));
        if unit.is_guns() {
            let row = unit.card.row(Formation::Limbered, false);
            let far = up_to(if quick { row.double_quick[at] } else { row.full[at] });
            let light = unit.card.carriage == Carriage::Light;
            let tardy_rally = self.measures().clauses.has("gun-maneuvers.tardy.rally");
            let rallies = unit.silenced() && (pace != Pace::Tardy || tardy_rally);
            let rally = rallies.then(|| "rallies".to_owned());
            if unit.card.carriage == Carriage::Fixed && unit.silenced() {
                return vec![rally.unwrap_or_else(|| "stays silenced".into())];
            }
            let goes = match (unit.formation(), unit.card.carriage) {
                (_, Carriage::Fixed) => "stays and fires".into(),
                (Formation::Unlimbered, _) if light && pace == Pace::Tardy => {
                    format!("limbers and retreats {far}")
                }
                (Formation::Unlimbered, _) if light => format!("limbers and moves {far}"),
                (Formation::Unlimbered, _) => "turns or limbers".into(),
                _ => format!("moves {far}"),
            };
            return vec![rally.map_or(goes.clone(), |rally| format!("{rally} or {goes}"))];
        }
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let charges = if unit.formation().nature().charges { " or charges" } else { "" };
        let rate = match pace {
            Pace::DoubleQuick => row.double_quick[at],
            Pace::Tardy => half(row.full[at], self.measures().half),
            _ => row.full[at],
        };
        let mut does = vec![format!("moves {}{charges}", up_to(rate))];
        let disordered = "troop-maneuvers.tardy.full-move-disordered";
        if pace == Pace::Tardy && self.measures().clauses.has(disordered) {
            does.push(format!("{} if it is disordered by it", up_to(row.full[at])));
        }
        does
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
    use super::{count, of_fire, together};
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
    fn cases_that_differ_name_their_chances() {
        let case = |does: &str, percent| (does.to_owned(), percent);
        assert_eq!(together(&[case("nothing", 40)]), "nothing");
        let two = [case("2 stands lost", 10), case("1 stand lost", 30)];
        assert_eq!(together(&two), "10% 2 stands lost / 30% 1 stand lost");
    }
}
