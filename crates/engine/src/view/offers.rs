//! What may be ordered now, and why not the rest.

use regimental::battle::card::Branch;
use regimental::battle::state::LeaderState;
use regimental::battle::{
    Battle, Command, Decision, Formation, Id, No, Pending, Phase, Side, Step, Unit,
};
use serde::Serialize;
use serde_json::Value;
use table::{Corner, Facing, INCH, inches};

use super::plain;
use crate::Scenario;
use crate::game::Game;

/// Why an order would be refused.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Refusal {
    /// The clause or ruling.
    pub rule: String,
    /// The fact that breaks it.
    pub fact: String,
    /// The nearest legal order, in words.
    pub instead: Option<String>,
}

impl Refusal {
    /// A refusal as a player reads it: units and leaders by their names.
    #[must_use]
    pub fn of(battle: &Battle, no: No) -> Self {
        Self {
            rule: no.rule.to_string(),
            fact: by_name(battle, &no.fact),
            instead: no.instead.map(|words| by_name(battle, &words)),
        }
    }
}

/// Words of every sentence: where a short name is one of them, it is left as it is.
const SMALL_WORDS: [&str; 16] =
    ["a", "an", "as", "at", "by", "he", "if", "in", "is", "it", "no", "of", "on", "or", "so", "to"];

/// A text with names instead of the short names that orders use.
fn by_name(battle: &Battle, text: &str) -> String {
    let named = |word: &str| {
        let bare = word.trim_end_matches([',', '.', ':', ';']);
        let rest = &word[bare.len()..];
        let id = Id::new(bare).filter(|_| !SMALL_WORDS.contains(&bare))?;
        let unit = battle.unit(id).map(|u| &u.card.name);
        let name = unit.or_else(|| battle.leader(id).map(|l| &l.card.name))?;
        Some(format!("{name}{rest}"))
    };
    let words = text.split(' ').map(|w| named(w).unwrap_or_else(|| w.to_owned()));
    words.collect::<Vec<_>>().join(" ")
}

/// An order that may be given, or why not.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Offer {
    /// Under which heading it belongs.
    pub group: String,
    /// What it is, in a few words.
    pub label: String,
    /// The order to send.
    #[cfg_attr(feature = "types", ts(type = "Record<string, unknown>"), schema(value_type = Object))]
    pub order: Value,
    /// Whether it leads to dice, so that one wants to see the odds first.
    pub rolls: bool,
    /// The unit it is aimed at.
    pub target: Option<String>,
    /// Why it may not be given.
    pub no: Option<Refusal>,
}

struct Menu<'g> {
    battle: &'g Battle,
    side: Side,
    offers: Vec<Offer>,
}

impl Menu<'_> {
    fn add(&mut self, group: &str, label: impl Into<String>, order: &Command) {
        let no = journal::Battle::check(self.battle, self.side, order).err();
        self.put(group, label, order, no);
    }

    /// Only if it is legal: what would be noise otherwise.
    fn add_legal(&mut self, group: &str, label: impl Into<String>, order: &Command) {
        if journal::Battle::check(self.battle, self.side, order).is_ok() {
            self.put(group, label, order, None);
        }
    }

    fn put(&mut self, group: &str, label: impl Into<String>, order: &Command, no: Option<No>) {
        let target = match order {
            Command::Fire { target, .. } | Command::Charge { target, .. } => Some(*target),
            _ => None,
        };
        let rolls = matches!(
            order,
            Command::Check { .. }
                | Command::Fire { .. }
                | Command::Fight { .. }
                | Command::Charge { .. }
        );
        self.offers.push(Offer {
            group: group.into(),
            label: label.into(),
            order: serde_json::to_value(order).unwrap_or_default(),
            rolls,
            target: target.map(|t| t.to_string()),
            no: no.map(|no| Refusal::of(self.battle, no)),
        });
    }
}

/// What the step of the turn itself allows: going on.
#[must_use]
pub fn step_offers(game: &Game) -> Vec<Offer> {
    let battle = game.now();
    let Some(side) = battle.awaited() else { return vec![] };
    let mut menu = Menu { battle, side, offers: vec![] };
    if journal::Battle::awaiting(battle).choice.is_some() {
        return vec![];
    }
    let label = match battle.phase() {
        Phase::Leaders => "On to the maneuver checks",
        Phase::Checks => "No more checks: the others stand",
        Phase::Charges => "No more charges",
        Phase::Maneuvers => "These have moved",
        Phase::LeaderMoves => "Leaders have moved",
        Phase::DefensiveFire | Phase::OffensiveFire => "Cease fire",
        Phase::Combat | Phase::Breakthrough | Phase::Over => "On to the next step",
    };
    menu.add("Step", label, &Command::Done);
    let enter = battle.units().iter().filter(|u| u.side() == side && !u.present());
    for unit in enter {
        let depth = unit.size().depth * i32::try_from(unit.bases()).unwrap_or(1);
        for way in [depth + 4 * INCH, depth] {
            let before = menu.offers.len();
            let order = Command::Enter { unit: unit.id(), inches: way };
            menu.add_legal("Reinforcements", format!("{} enters", unit.card.name), &order);
            if menu.offers.len() > before {
                break;
            }
        }
    }
    menu.offers
}

/// What a unit or a leader may do now.
#[must_use]
pub fn offers(game: &Game, id: Id) -> Vec<Offer> {
    let battle = game.now();
    let Some(side) = battle.awaited() else { return vec![] };
    let mut menu = Menu { battle, side, offers: vec![] };
    if journal::Battle::awaiting(battle).choice.is_some() {
        return vec![];
    }
    if let Some(unit) = battle.unit(id).filter(|u| u.side() == side) {
        of_unit(&mut menu, unit);
    } else if let Some(leader) = battle.leader(id).filter(|l| l.card.side == side) {
        of_leader(&mut menu, leader);
    }
    menu.offers
}

fn of_leader(menu: &mut Menu<'_>, leader: &regimental::battle::Leader) {
    let id = leader.card.id;
    let (battle, side) = (menu.battle, menu.side);
    if leader.attached.is_some() {
        menu.add("Leader", "Leave the unit", &Command::Detach { leader: id });
    }
    for unit in battle.units().iter().filter(|u| u.present() && u.side() == side) {
        let replace = matches!(leader.state, LeaderState::Fallen | LeaderState::Returning);
        let (label, order) = if replace {
            ("Take up the command with", Command::Replace { leader: id, unit: unit.id() })
        } else {
            ("Join", Command::Attach { leader: id, unit: unit.id() })
        };
        menu.add_legal("Leader", format!("{label} {}", unit.card.name), &order);
    }
}

fn of_unit(menu: &mut Menu<'_>, unit: &Unit) {
    match menu.battle.phase() {
        Phase::Leaders | Phase::Checks => checks(menu, unit),
        Phase::Charges => {
            charges(menu, unit);
            if !charges_declared(menu.battle) {
                maneuvers(menu, unit);
            }
        }
        Phase::Maneuvers => maneuvers(menu, unit),
        Phase::DefensiveFire | Phase::OffensiveFire => fire(menu, unit),
        Phase::Combat | Phase::Breakthrough => {
            menu.add("Combat", "Fight", &Command::Fight { unit: unit.id() });
        }
        Phase::LeaderMoves | Phase::Over => {}
    }
    let leaders: Vec<(Id, String)> = menu
        .battle
        .leaders()
        .iter()
        .filter(|l| l.card.side == menu.side && l.attached.is_none())
        .map(|l| (l.card.id, l.card.name.to_string()))
        .collect();
    for (leader, name) in leaders {
        let attach = Command::Attach { leader, unit: unit.id() };
        menu.add_legal("Leader", format!("{name} joins it"), &attach);
    }
    menu.add_legal("Detachment", "Rejoin the parent", &Command::Rejoin { unit: unit.id() });
}

/// Whether somebody has declared a charge that has not moved yet: nobody maneuvers before it.
pub(crate) fn charges_declared(battle: &Battle) -> bool {
    battle.phase() == Phase::Charges && battle.units().iter().any(|u| u.did.charge.is_some())
}

/// Whether a unit may be moved now.
#[must_use]
pub fn may_move(battle: &Battle, unit: &Unit) -> bool {
    unit.present()
        && battle.awaited() == Some(unit.side())
        && unit.did.owes.is_some()
        && unit.did.charge.is_none()
        && matches!(battle.phase(), Phase::Charges | Phase::Maneuvers)
        && !charges_declared(battle)
}

/// Whether a unit may declare a charge on anybody.
pub(crate) fn may_charge(battle: &Battle, unit: &Unit) -> bool {
    let order = |target: Id, disordered: bool| Command::Charge {
        unit: unit.id(),
        target,
        cold_steel: false,
        disordered,
        wheel: None,
    };
    let far = unit.card.row(unit.formation(), unit.place.on_foot).double_quick[0];
    let near = |e: &&Unit| e.present() && e.side() != unit.side() && e.near(unit, far);
    battle.units().iter().filter(near).any(|e| {
        [false, true]
            .iter()
            .any(|d| journal::Battle::check(battle, unit.side(), &order(e.id(), *d)).is_ok())
    })
}

fn checks(menu: &mut Menu<'_>, unit: &Unit) {
    let battle = menu.battle;
    let by = battle.commanded(unit).map(|c| c.leader);
    let open =
        |u: &&Unit| u.present() && u.side() == menu.side && u.did.checked.is_none() && !u.did.stood;
    let group: Vec<Id> = battle
        .units()
        .iter()
        .filter(open)
        .filter(|u| by.is_some() && battle.commanded(u).map(|c| c.leader) == by)
        .map(Unit::id)
        .collect();
    if group.len() > 1 && group.contains(&unit.id()) {
        let name = by.and_then(|l| battle.leader(l)).map(|l| l.card.name.to_string());
        let label =
            format!("Check all {} under {}, one die", group.len(), name.unwrap_or_default());
        menu.add("Maneuver check", label, &Command::Check { units: group });
    }
    menu.add("Maneuver check", "Check alone", &Command::Check { units: vec![unit.id()] });
}

fn charges(menu: &mut Menu<'_>, unit: &Unit) {
    let battle = menu.battle;
    let far = unit.card.row(unit.formation(), unit.place.on_foot).double_quick[0];
    let mut enemies: Vec<&Unit> = battle
        .units()
        .iter()
        .filter(|e| e.present() && e.side() != menu.side && e.near(unit, far))
        .collect();
    enemies.sort_by_key(|e| (e.distance(unit), e.id()));
    for enemy in enemies.into_iter().take(6) {
        let order = |cold_steel: bool, disordered: bool| Command::Charge {
            unit: unit.id(),
            target: enemy.id(),
            cold_steel,
            disordered,
            wheel: None,
        };
        let name = format!("Charge {} ({:.1}″)", enemy.card.name, inches(enemy.distance(unit)));
        menu.add("Charge", name.clone(), &order(false, false));
        menu.add_legal("Charge", format!("{name} with cold steel"), &order(true, false));
        menu.add_legal("Charge", format!("{name}, full move disordered"), &order(false, true));
        menu.add_legal(
            "Charge",
            format!("{name}, cold steel, full move disordered"),
            &order(true, true),
        );
    }
}

fn maneuvers(menu: &mut Menu<'_>, unit: &Unit) {
    let id = unit.id();
    let order = |steps: Vec<Step>| Command::Maneuver { unit: id, steps, disordered: false };
    menu.add("Maneuver", "Hold", &order(vec![]));
    for formation in &unit.card.formations {
        if *formation == unit.formation() || !formation.nature().ordered {
            continue;
        }
        let label = format!("Form {}", plain(formation.name()));
        if unit.formation() == Formation::MarchColumn && formation.nature().line {
            for to in [Corner::Left, Corner::Right] {
                let way = if to == Corner::Left { "to the left" } else { "to the right" };
                let step = Step::Form { formation: *formation, toward: Some(to) };
                menu.add_legal("Formation", format!("{label} {way}"), &order(vec![step]));
            }
        } else {
            let step = Step::Form { formation: *formation, toward: None };
            menu.add("Formation", label, &order(vec![step]));
        }
    }
    if unit.formation() == Formation::MarchColumn && !unit.is_guns() {
        menu.add("Formation", "Deploy to the front", &order(vec![Step::DeployToTheFront]));
    }
    if unit.is_guns() {
        gun_maneuvers(menu, unit);
        return;
    }
    menu.add("Maneuver", "About face", &order(vec![Step::AboutFace]));
    if unit.low {
        menu.add("Maneuver", "Replenish ammunition", &order(vec![Step::Replenish]));
    }
    if unit.card.branch == Branch::Cavalry {
        let step = if unit.place.on_foot { Step::Mount } else { Step::Dismount };
        let label = if unit.place.on_foot { "Mount" } else { "Dismount" };
        menu.add_legal("Formation", label, &order(vec![step]));
    }
    for (corner, name) in [(Corner::Left, "left"), (Corner::Right, "right")] {
        let files = u8::try_from(unit.bases() / 4).unwrap_or(1).max(1);
        let refuse = Step::RefuseFlank { flank: corner, files, degrees: 45.0 };
        menu.add_legal("Formation", format!("Refuse the {name} flank"), &order(vec![refuse]));
    }
    let field = menu.battle.field();
    for piece in field.pieces.iter().filter(|p| p.kind.is_built()) {
        if piece.shape.distance_to(unit.middle) <= unit.radius + 6 * INCH {
            let step = Step::Garrison { building: piece.id };
            menu.add_legal(
                "Maneuver",
                format!("Garrison {}", plain(&piece.id.to_string())),
                &order(vec![step]),
            );
        }
    }
    for piece in field.pieces.iter().filter(|p| p.obstacle) {
        if piece.shape.distance_to(unit.middle) <= unit.radius + 6 * INCH {
            let step = Step::Scale { obstacle: piece.id };
            menu.add_legal(
                "Maneuver",
                format!("Scale {}", plain(&piece.id.to_string())),
                &order(vec![step]),
            );
        }
    }
}

fn gun_maneuvers(menu: &mut Menu<'_>, unit: &Unit) {
    let id = unit.id();
    let order = |steps: Vec<Step>| Command::Maneuver { unit: id, steps, disordered: false };
    let enemy = menu
        .battle
        .units()
        .iter()
        .filter(|e| e.present() && e.side() != unit.side())
        .min_by_key(|e| (e.middle.distance(unit.middle), e.id()));
    let aim: Facing =
        enemy.and_then(|e| unit.middle.toward(e.middle)).unwrap_or(unit.place.pose.facing);
    if unit.formation() == Formation::Limbered {
        menu.add(
            "Guns",
            "Unlimber toward the nearest enemy",
            &order(vec![Step::Unlimber { facing: aim }]),
        );
        let ahead = Step::Unlimber { facing: unit.place.pose.facing };
        menu.add("Guns", "Unlimber to the front", &order(vec![ahead]));
    } else {
        menu.add("Guns", "Limber", &order(vec![Step::Limber]));
        menu.add(
            "Guns",
            "Pivot toward the nearest enemy",
            &order(vec![Step::Pivot { facing: aim }]),
        );
        menu.add_legal(
            "Guns",
            "Haul forward by hand",
            &order(vec![Step::HandHaul { inches: INCH }]),
        );
        menu.add_legal("Guns", "Haul back by hand", &order(vec![Step::HandHaul { inches: -INCH }]));
    }
    if unit.guns.iter().any(|g| g.silenced) {
        menu.add("Guns", "Rally the crews", &order(vec![Step::Rally]));
    }
    if unit.guns.iter().any(|g| g.low) {
        menu.add("Guns", "Replenish ammunition", &order(vec![Step::Replenish]));
    }
}

fn fire(menu: &mut Menu<'_>, unit: &Unit) {
    let battle = menu.battle;
    for (target, range) in battle.targets(unit) {
        let Some(enemy) = battle.unit(target) else { continue };
        let name = format!("{} ({:.1}″)", enemy.card.name, inches(range));
        let order = |units: Vec<Id>| Command::Fire { units, target, passing: false, mark: None };
        let beside: Vec<Id> = battle
            .units()
            .iter()
            .filter(|u| u.present() && u.side() == menu.side && u.id() != unit.id())
            .filter(|u| battle.targets(u).iter().any(|t| t.0 == target))
            .map(Unit::id)
            .collect();
        if !beside.is_empty() {
            let mut all = vec![unit.id()];
            all.extend(&beside);
            let label = format!("All {} that bear fire at {name}", all.len());
            menu.add_legal("Fire", label, &order(all));
        }
        menu.add("Fire", format!("Fire at {name}"), &order(vec![unit.id()]));
    }
    let passed: Vec<Id> = battle
        .units()
        .iter()
        .filter(|e| e.present() && e.side() != menu.side && e.did.track.len() > 1)
        .map(Unit::id)
        .collect();
    for target in passed {
        let order = Command::Fire { units: vec![unit.id()], target, passing: true, mark: None };
        let name = battle.unit(target).map_or(String::new(), |u| u.card.name.to_string());
        menu.add_legal("Fire", format!("Fire at {name} as it passed"), &order);
    }
    if menu.offers.is_empty() {
        // Why it does not fire at the nearest.
        let nearest = battle
            .units()
            .iter()
            .filter(|e| e.present() && e.side() != menu.side)
            .min_by_key(|e| (e.distance(unit), e.id()));
        if let Some(enemy) = nearest {
            let order = Command::Fire {
                units: vec![unit.id()],
                target: enemy.id(),
                passing: false,
                mark: None,
            };
            menu.add("Fire", format!("Fire at {}", enemy.card.name), &order);
        }
    }
}

const CARRY: &str = "Carry the position: go on to where the beaten stood";

/// The answers to the choice that is owed now, if one is.
#[must_use]
pub fn choice_offers(game: &Game) -> Vec<Offer> {
    let battle = game.now();
    let owed = journal::Battle::awaiting(battle).choice;
    owed.map_or_else(Vec::new, |p| decisions(&game.scenario, battle, &p, p.unit()))
}

/// The answers to a choice that is owed.
pub(crate) fn decisions(
    scenario: &Scenario,
    battle: &Battle,
    pending: &Pending,
    unit: Id,
) -> Vec<Offer> {
    let Some(side) = battle.awaited() else { return vec![] };
    let mut menu = Menu { battle, side, offers: vec![] };
    let stand = match pending {
        Pending::Answer { .. } => "Stand and take the charge where it is",
        Pending::GoBack { .. } => "Go back as the result says",
        Pending::Widen { .. } => "Stay as close as it is",
        Pending::GoOn { stay: true, .. } => "Stay where it is",
        _ => CARRY,
    };
    menu.add("Choice", stand, &Command::Decide { unit, decision: Decision::Stand });
    for decision in battle.choices(pending) {
        let label = match decision {
            Decision::Countercharge => {
                "Countercharge: meet them in the middle of the gap, without fire or cover"
                    .to_owned()
            }
            Decision::HastySquare => "Form a square in haste, against their horse".to_owned(),
            Decision::Shelter { square } => {
                let name = scenario.battle.unit(square).map(|u| u.card.name.to_string());
                format!("The crew runs into the square of {}", name.unwrap_or_default())
            }
            Decision::Recall { inches: far, .. } => {
                format!("Recall: up to {:.0} inches away from the enemy instead", inches(far))
            }
            Decision::Carry => CARRY.to_owned(),
            Decision::Advance { inches: far } => format!("Go on {:.1} inches", inches(far)),
            Decision::Widen { gap } => format!("Widen the gaps to {}″", inches(gap)),
            Decision::Stand => continue,
        };
        menu.add("Choice", label, &Command::Decide { unit, decision });
        // A shorter way, too.
        let half = match decision {
            Decision::Recall { inches, facing } => {
                Some(Decision::Recall { inches: inches / 2, facing })
            }
            Decision::Advance { inches } => Some(Decision::Advance { inches: inches / 2 }),
            _ => None,
        };
        if let Some(decision) = half {
            menu.add_legal("Choice", half_words(&decision), &Command::Decide { unit, decision });
        }
    }
    menu.offers
}

fn half_words(decision: &Decision) -> String {
    match decision {
        Decision::Recall { inches: far, .. } => format!("Recall {:.0} inches only", inches(*far)),
        Decision::Advance { inches: far } => format!("Go on {:.1} inches only", inches(*far)),
        _ => "Half as far".to_owned(),
    }
}
