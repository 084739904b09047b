//! The table as it stands.

use std::sync::Arc;

use regimental::battle::card::Branch;
use regimental::battle::state::{LeaderState, Pace, Unit};
use regimental::battle::{Battle, Command, For, Id, Pending, Phase, Side, Whereabouts, phase_name};
use regimental::effectiveness::State as Freshness;
use regimental::maneuver::Order;
use serde::Serialize;
use table::inches;

use super::memory::{Memory, Standing};
use super::offers::{Offer, charges_declared, decisions, may_charge};
use super::{plain, sentence_case, word};
use crate::Scenario;
use crate::game::Game;

/// The table as it stands.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct View {
    /// How many orders have been carried out.
    pub n: usize,
    /// The turn.
    pub turn: u8,
    /// The last turn.
    pub turns: u8,
    /// Whose turn it is.
    pub mover: String,
    /// The step of the turn.
    pub phase: String,
    /// The same in words.
    pub phase_words: String,
    /// Who is to act; nobody if the battle is over.
    pub awaiting: Option<String>,
    /// What is asked of him, in a sentence.
    pub prompt: String,
    /// A choice he owes before anything else.
    pub choice: Option<Choice>,
    /// The units.
    #[cfg_attr(feature = "types", schema(value_type = Vec<Piece>))]
    pub units: Vec<Arc<Piece>>,
    /// The leaders.
    pub leaders: Vec<LeaderView>,
    /// The key positions.
    pub keys: Vec<KeyView>,
    /// Victory points of the sides.
    pub points: [i32; 2],
    /// What each side has them for.
    pub scored: [Vec<Scored>; 2],
    /// Stands lost by the sides.
    pub lost: [u32; 2],
    /// How it ended, if it did.
    pub ending: Option<Ending>,
    /// How many orders can be taken back.
    pub undo: usize,
}

/// Points, and what they are for.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Scored {
    /// What for, in words.
    pub what: String,
    /// How many.
    pub points: i32,
}

/// A choice somebody owes.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Choice {
    /// The unit it is about.
    pub unit: String,
    /// What has happened to it.
    pub title: String,
    /// What it may do.
    pub offers: Vec<Offer>,
}

/// How a battle ended.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Ending {
    /// Who won; nobody in a draw.
    pub winner: Option<String>,
    /// Why it is over.
    pub reason: String,
}

/// The front of a stand: its middle, and the way it faces in degrees from north.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Stand {
    /// Inches from the left edge.
    pub x: f64,
    /// Inches from the near edge.
    pub y: f64,
    /// Degrees from north, clockwise.
    pub facing: f64,
}

impl From<&table::Pose> for Stand {
    fn from(p: &table::Pose) -> Self {
        Self { x: inches(p.at.x), y: inches(p.at.y), facing: p.facing.in_degrees() }
    }
}

/// A gun stand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct GunView {
    /// It cannot fire.
    pub silenced: bool,
    /// It fires at half points.
    pub damaged: bool,
    /// It fires at half points until it replenishes.
    pub low: bool,
}

/// A weapon: how far it reaches with how many points a stand.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct WeaponView {
    /// Its letters in the book.
    pub code: String,
    /// Reach in inches and points of a stand, from the nearest band.
    pub bands: Vec<(f64, f64)>,
}

/// A unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Piece {
    /// Its short name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its side.
    pub side: String,
    /// `infantry`, `cavalry` or `guns`.
    pub arm: String,
    /// Its experience.
    pub class: String,
    /// What else it is, in words.
    pub traits: Vec<String>,
    /// `table`, `reserve`, or what became of it.
    pub place: String,
    /// Stands left.
    pub stands: u8,
    /// Stands at the start.
    pub strength: u8,
    /// `good`, `disordered` or `broken`.
    pub order: String,
    /// `fresh`, `worn` or `spent`.
    pub freshness: String,
    /// Its formation, in words.
    pub formation: String,
    /// The middle of its front.
    pub front: Stand,
    /// Its stands.
    pub feet: Vec<Stand>,
    /// The width of a stand in inches.
    pub width: f64,
    /// The depth of a stand.
    pub depth: f64,
    /// Markers in words: low on ammunition, faced about …
    pub marks: Vec<String>,
    /// Its guns.
    pub guns: Vec<GunView>,
    /// Its weapon.
    pub weapon: Option<WeaponView>,
    /// Where its fire goes: `none`, `front` or `round`.
    pub arc: String,
    /// Who commands it now, in words.
    pub command: String,
    /// The short name of the leader who commands it now, whoever's brigade it belongs to.
    pub commander: Option<String>,
    /// What it may still do in this step, in words; empty if nothing.
    pub may: String,
    /// Whether it may be moved now.
    pub moves: bool,
    /// Whether it may declare a charge now.
    pub can_charge: bool,
    /// The enemy it charges.
    pub charging: Option<String>,
    /// Everything of this in a sentence, for a reader.
    pub says: String,
}

/// A leader.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct LeaderView {
    /// His short name.
    pub id: String,
    /// His name.
    pub name: String,
    /// His side.
    pub side: String,
    /// How good he is.
    pub rating: String,
    /// Where he is, in inches.
    pub at: [f64; 2],
    /// The unit he is with.
    pub with: Option<String>,
    /// Whether he is on the table.
    pub present: bool,
    /// What has become of him, in words.
    pub state: String,
    /// Whether he may ride now.
    pub may_ride: bool,
}

/// A key position.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct KeyView {
    /// Its short name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it is, in inches.
    pub at: [f64; 2],
    /// Points for whoever holds it.
    pub value: i32,
    /// Who holds it.
    pub holder: Option<String>,
}

fn scored(battle: &Battle, side: Side) -> Vec<Scored> {
    let what = |of: For| match of {
        For::Key(key) => sentence_case(&plain(&key.to_string())),
        For::Unit(id) => {
            let Some(unit) = battle.unit(id) else { return id.to_string() };
            let state = match unit.freshness {
                _ if !unit.present() => "gone",
                _ if unit.is_guns() => "guns lost",
                Freshness::Worn => "worn",
                _ => "spent",
            };
            format!("{}: {state}", unit.card.name)
        }
        For::Leader(Some(id)) => {
            battle.leader(id).map_or_else(|| id.to_string(), |l| format!("{}: lost", l.card.name))
        }
        For::Leader(None) => "Leaders lost and replaced".into(),
    };
    battle.scored(side).map(|(of, points)| Scored { what: what(of), points }).collect()
}

/// The table as it stands in a game.
#[must_use]
pub fn view(game: &Game, memory: &mut Memory) -> View {
    let mut view = at(&game.scenario, game.now(), game.journal.records().len(), memory);
    view.undo = game.journal.undoable();
    view
}

impl View {
    /// The table after so many orders of a game.
    #[must_use]
    pub fn after(game: &Game, n: usize) -> Self {
        let n = n.min(game.journal.records().len());
        at(&game.scenario, &game.journal.at(n), n, &mut Memory::default())
    }
}

pub(super) fn at(scenario: &Scenario, battle: &Battle, n: usize, memory: &mut Memory) -> View {
    let side = |s: Side| scenario.side(s).id.clone();
    let choice = journal::Battle::awaiting(battle).choice;
    View {
        n,
        turn: battle.turn(),
        turns: battle.terms().turns,
        mover: side(battle.mover()),
        phase: word(&battle.phase()),
        phase_words: phase_name(battle.phase()).to_owned(),
        awaiting: battle.awaited().map(side),
        prompt: prompt(scenario, battle),
        choice: choice.as_ref().map(|c| owed(scenario, battle, c)),
        units: memory.pieces(scenario, battle),
        leaders: battle.leaders().iter().map(|l| leader(scenario, battle, l)).collect(),
        keys: battle
            .keys()
            .iter()
            .map(|k| KeyView {
                id: k.name.to_string(),
                name: sentence_case(&plain(&k.name.to_string())),
                at: [inches(k.at.x), inches(k.at.y)],
                value: k.value,
                holder: k.holder.map(side),
            })
            .collect(),
        points: battle.points(),
        scored: Side::BOTH.map(|side| scored(battle, side)),
        lost: battle.stands_lost(),
        ending: battle.ending().map(|e| Ending {
            winner: e.winner.map(side),
            reason: match e.reason {
                regimental::battle::Reason::LastTurn => "the last turn is over".into(),
                regimental::battle::Reason::NoTroops => {
                    "one side has no unbroken troops left".into()
                }
            },
        }),
        undo: 0,
    }
}

/// What is asked of the side that is to act, in a sentence.
#[must_use]
pub fn prompt(scenario: &Scenario, battle: &Battle) -> String {
    let Some(side) = battle.awaited() else { return "The battle is over.".into() };
    let name = &scenario.side(side).name;
    if journal::Battle::awaiting(battle).choice.is_some() {
        return format!("{name}: a choice is yours.");
    }
    let what = match battle.phase() {
        Phase::Leaders => "attach or replace leaders, bring in reinforcements, then check",
        Phase::Checks => "choose a unit, or a group under one leader, for its maneuver check",
        Phase::Charges if charges_declared(battle) => "declare more charges, or end the step",
        Phase::Charges => "declare charges with the units just checked, or maneuver them",
        Phase::Maneuvers => "move the units just checked",
        Phase::LeaderMoves => "move your leaders",
        Phase::DefensiveFire => "defensive fire: choose who fires at whom",
        Phase::OffensiveFire => "offensive fire: choose who fires at whom",
        Phase::Combat => "fight the charge combats",
        Phase::Breakthrough => "fight the combats of the breakthroughs",
        Phase::Over => "the battle is over",
    };
    format!("{name}: {what}.")
}

fn owed(scenario: &Scenario, battle: &Battle, pending: &Pending) -> Choice {
    let unit = pending.unit();
    let name = |id| battle.unit(id).map_or(String::new(), |u| u.card.name.to_string());
    let title = match pending {
        Pending::Answer { charger, .. } => {
            format!("{} is charged by {}.", name(unit), name(*charger))
        }
        Pending::GoBack { .. } => format!("{} must go back.", name(unit)),
        Pending::Widen { .. } => format!("{} has gone back in open order.", name(unit)),
        Pending::Breakthrough { .. } => {
            format!("{} breaks through, and nobody is in reach.", name(unit))
        }
        _ => format!("{} has won its combat.", name(unit)),
    };
    Choice { unit: unit.to_string(), title, offers: decisions(scenario, battle, pending, unit) }
}

/// Whether a unit may still do something in this step.
#[must_use]
pub fn has_to_do(battle: &Battle, unit: &Unit) -> bool {
    !may(battle, unit).is_empty()
}

pub(super) fn may(battle: &Battle, unit: &Unit) -> &'static str {
    let mine = unit.present() && battle.awaited() == Some(unit.side());
    if !mine || journal::Battle::awaiting(battle).choice.is_some() {
        return "";
    }
    let pace = |p: Pace| match p {
        Pace::Hold => "hold",
        Pace::Tardy => "tardy",
        Pace::WellHandled => "well handled",
        Pace::DoubleQuick => "well handled, double quick",
    };
    match battle.phase() {
        Phase::Checks | Phase::Leaders if unit.did.checked.is_none() && !unit.did.stood => {
            "to check"
        }
        Phase::Charges if charges_declared(battle) && declares(battle, unit) => "may charge too",
        Phase::Charges if charges_declared(battle) => "",
        Phase::Charges | Phase::Maneuvers if unit.did.charge.is_none() => {
            unit.did.owes.map_or("", pace)
        }
        Phase::DefensiveFire | Phase::OffensiveFire if battle.could_fire(unit) => "to fire",
        Phase::Combat | Phase::Breakthrough
            if unit.did.charge.is_some() && {
                let fight = Command::Fight { unit: unit.id() };
                journal::Battle::check(battle, unit.side(), &fight).is_ok()
            } =>
        {
            "to fight"
        }
        _ => "",
    }
}

/// Whether a unit may declare a charge now.
pub(super) fn declares(battle: &Battle, unit: &Unit) -> bool {
    battle.phase() == Phase::Charges
        && unit.present()
        && battle.awaited() == Some(unit.side())
        && unit.did.charge.is_none()
        && unit.did.owes.is_some()
        && may_charge(battle, unit)
}

fn marks(unit: &Unit) -> Vec<String> {
    let mut marks = Vec::new();
    for (on, name) in [
        (unit.low, "low on ammunition"),
        (unit.silenced(), "silenced"),
        (unit.guns.iter().any(|g| g.damaged), "damaged guns"),
        (unit.about_faced, "faced about"),
        (unit.passage, "in a passage of lines"),
        (unit.flank_marched, "marched by the flank"),
        (unit.place.on_foot && unit.card.branch == Branch::Cavalry, "on foot"),
        (unit.amusette, "with an amusette"),
        (unit.place.refused.is_some(), "a flank refused"),
        (unit.sheltering.is_some(), "crew in a square"),
        (unit.did.fell_back, "driven back"),
    ] {
        if on {
            marks.push(name.to_owned());
        }
    }
    marks
}

pub(super) fn piece(
    scenario: &Scenario,
    battle: &Battle,
    unit: &Unit,
    standing: Standing,
) -> Piece {
    let Standing { commanded, may, moves, can_charge, arc, charging } = standing;
    let command = match commanded {
        Some(by) => {
            let name = battle.leader(by.leader).map_or(String::new(), |l| l.card.name.to_string());
            format!(
                "{name} ({}{})",
                word(&by.rating),
                if by.provisional { ", provisional" } else { "" }
            )
        }
        None => "out of command".into(),
    };
    let size = unit.size();
    let order = word(&unit.order);
    let marks = marks(unit);
    let formation = plain(unit.formation().name());
    let place = match unit.whereabouts {
        Whereabouts::Table => "table".into(),
        Whereabouts::Reserve => "reserve".into(),
        Whereabouts::Gone(gone) => plain(&word(&gone)),
    };
    let says = format!(
        "{}, {}: {} of {} stands, {}{}, {}{}{}{}",
        unit.card.name,
        scenario.side(unit.side()).name,
        unit.stands,
        unit.card.strength,
        match unit.order {
            Order::Good => "good order",
            Order::Disordered => "disordered",
            Order::Broken => "broken",
        },
        if unit.freshness == Freshness::Fresh {
            String::new()
        } else {
            format!(", {}", word(&unit.freshness))
        },
        if unit.present() { formation.clone() } else { place.clone() },
        if unit.present() {
            format!(
                " at {:.0}, {:.0} facing {}",
                inches(unit.place.pose.at.x),
                inches(unit.place.pose.at.y),
                compass(unit.place.pose.facing.in_degrees())
            )
        } else {
            String::new()
        },
        if marks.is_empty() { String::new() } else { format!(", {}", marks.join(", ")) },
        if may.is_empty() { String::new() } else { format!("; {may}") },
    );
    Piece {
        id: unit.id().to_string(),
        name: unit.card.name.to_string(),
        side: scenario.side(unit.side()).id.clone(),
        arm: word(&unit.card.branch),
        class: word(&unit.card.class),
        traits: unit.card.traits.iter().map(|t| plain(&word(t))).collect(),
        place,
        stands: unit.stands,
        strength: unit.card.strength,
        order,
        freshness: word(&unit.freshness),
        formation,
        front: Stand::from(&unit.place.pose),
        feet: if unit.present() {
            unit.place.stands.iter().map(Stand::from).collect()
        } else {
            vec![]
        },
        width: inches(size.width),
        depth: inches(size.depth),
        marks,
        guns: unit
            .guns
            .iter()
            .map(|g| GunView { silenced: g.silenced, damaged: g.damaged, low: g.low })
            .collect(),
        weapon: unit.card.weapon.as_ref().map(|w| WeaponView {
            code: w.code.to_string(),
            bands: w.bands.iter().map(|(to, points)| (inches(*to), *points)).collect(),
        }),
        arc: arc.to_owned(),
        command,
        commander: commanded.map(|by| by.leader.to_string()),
        moves,
        can_charge,
        may: may.to_owned(),
        charging: charging.map(|id| id.to_string()),
        says,
    }
}

/// The enemy a unit charges, until they have met or the charge is stopped.
pub(super) fn charging(battle: &Battle, unit: &Unit) -> Option<Id> {
    let charge = unit.did.charge.as_ref().filter(|_| !unit.did.fought)?;
    let fired =
        matches!(battle.phase(), Phase::OffensiveFire | Phase::Combat | Phase::Breakthrough);
    (!fired || charge.home).then_some(charge.target)
}

/// The eight winds.
fn compass(degrees: f64) -> &'static str {
    const WINDS: [&str; 8] =
        ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 360
    let wind = ((degrees.rem_euclid(360.0) + 22.5) / 45.0) as usize;
    WINDS[wind % 8]
}

fn leader(scenario: &Scenario, battle: &Battle, l: &regimental::battle::Leader) -> LeaderView {
    let at = battle.leader_at(l);
    let free = l.present() && l.attached.is_none() && !l.moved;
    LeaderView {
        id: l.card.id.to_string(),
        name: l.card.name.to_string(),
        side: scenario.side(l.card.side).id.clone(),
        rating: word(&l.rating),
        at: [inches(at.x), inches(at.y)],
        with: l.attached.map(|u| u.to_string()),
        present: l.present(),
        state: match l.state {
            LeaderState::Mounted => "mounted",
            LeaderState::Dismounted => "on foot",
            LeaderState::Absent => "wounded, off the table",
            LeaderState::Returning => "may return",
            LeaderState::Fallen => "fallen",
            LeaderState::Reserve => "not yet on the table",
            LeaderState::Gone => "gone",
        }
        .into(),
        may_ride: free
            && battle.awaited() == Some(l.card.side)
            && battle.phase() == Phase::LeaderMoves,
    }
}
