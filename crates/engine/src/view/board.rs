//! What never changes in a game: the table, the sides, the book.

use regimental::battle::Id;
use regimental::battle::terrain::{Kind, Piece};
use serde::Serialize;
use table::{Outline, inches};

use super::terms::{Term, terms};
use super::{plain, sentence_case, word};
use crate::Scenario;

/// A scenario in a list to choose from.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct ScenarioCard {
    /// Its short name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// When it was fought.
    pub date: String,
    /// What it is about.
    pub blurb: String,
    /// The short name of its book.
    pub book: String,
    /// The title of its book.
    pub book_title: String,
    /// How many turns it lasts.
    pub turns: u8,
    /// Units of each side.
    pub units: [usize; 2],
    /// The sides.
    pub sides: [SideCard; 2],
    /// The side that begins.
    pub first: String,
    /// About how long it takes, in minutes.
    pub minutes: u32,
    /// Whether it is for learning.
    pub training: bool,
    /// How it is won, in sentences.
    pub victory: Vec<String>,
    /// How it went between two computer colonels, where that was measured.
    pub balance: Option<Balance>,
}

/// Battles of a scenario between two computer colonels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Balance {
    /// How many were fought.
    pub battles: u32,
    /// How many each side won; the others were drawn.
    pub won: [u32; 2],
}

/// A side.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct SideCard {
    /// Its short name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub color: String,
}

/// The table and what is printed beside it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Board {
    /// The scenario.
    pub scenario: ScenarioCard,
    /// The width of the table in inches.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The ground, piece by piece.
    pub land: Vec<Land>,
    /// What units and leaders wear.
    pub coats: Vec<CoatView>,
    /// Remarks for the players.
    pub notes: Vec<String>,
    /// Where the facts come from.
    pub sources: Vec<String>,
    /// The command radius of a leader, at most.
    pub radius: f64,
    /// The units of each leader's brigade.
    pub brigades: Vec<Brigade>,
    /// The words of the game and what they mean.
    pub terms: Vec<Term>,
}

/// A piece of terrain, as much of it as one sees.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Land {
    /// Its short name; the crest of a hill has the hill's.
    pub id: String,
    /// What it is, in the words of scenario files: `woods`, `road` and so on.
    pub kind: String,
    /// Its name on the map.
    pub name: Option<String>,
    /// Its corners, or the points of its line, in inches from the left and near edges.
    pub points: Vec<[f64; 2]>,
    /// Whether it is a line rather than an area.
    pub line: bool,
    /// How wide a line is, in inches; 0 for a wall and the like, and for an area.
    pub width: f64,
    /// Its height above the plain, in levels.
    pub level: u8,
    /// Whether a road is a good one.
    pub good: bool,
    /// What grows in a wood: `broadleaf`, `pine`, `palm` or `orchard`.
    pub trees: String,
}

/// What a unit or a leader wears.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct CoatView {
    /// The short name of the unit or the leader.
    pub of: String,
    /// Whose uniform it is; nothing if it is only the colour of its side.
    pub name: Option<String>,
    /// The colour of the coat.
    pub color: String,
    /// The colour of its facings.
    pub facings: String,
}

/// The units a leader leads.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Brigade {
    /// The leader's short name.
    pub leader: String,
    /// The short names of his units.
    pub units: Vec<String>,
}

/// A scenario in a list.
#[must_use]
pub fn card(scenario: &Scenario) -> ScenarioCard {
    let units = scenario.strength();
    let turns = scenario.battle.terms().turns;
    let all = u32::try_from(units[0] + units[1]).unwrap_or(u32::MAX);
    ScenarioCard {
        id: scenario.id.clone(),
        title: scenario.title.clone(),
        date: scenario.date.clone(),
        blurb: scenario.blurb.clone(),
        book: scenario.book.book.id.clone(),
        book_title: scenario.book.book.title.clone(),
        turns,
        units,
        sides: scenario.sides.each_ref().map(|s| SideCard {
            id: s.id.clone(),
            name: s.name.clone(),
            color: s.color.clone(),
        }),
        first: scenario.side(scenario.battle.terms().first).id.clone(),
        // Some ten seconds an order, one order a unit and turn, rounded to five minutes.
        minutes: (all * u32::from(turns) / 30).max(1) * 5,
        training: scenario.id.starts_with("training"),
        victory: victory(scenario),
        balance: balance(&scenario.id),
    }
}

/// What was measured of the scenarios built in: `linstock simulate SCENARIO --battles 200` with a
/// colonel on both sides, a line each: its name, the battles, those each side won.
const BALANCE: &str = include_str!("../../../../scenarios/balance.txt");

fn balance(id: &str) -> Option<Balance> {
    let line = BALANCE.lines().find_map(|l| l.strip_prefix(id)?.strip_prefix(' '))?;
    let mut numbers = line.split_whitespace().map(|n| n.parse().ok());
    let [battles, one, two] = std::array::from_fn(|_| numbers.next().flatten());
    Some(Balance { battles: battles?, won: [one?, two?] })
}

/// How a battle is won (ruling.victory, ruling.game-end).
fn victory(scenario: &Scenario) -> Vec<String> {
    let battle = &scenario.battle;
    let terms = battle.terms();
    let reach = inches(battle.position_reach());
    let keys = battle.keys().iter().map(|k| {
        let holder = k.holder.map_or_else(
            || "held by nobody at first".to_owned(),
            |side| format!("held by {} at first", scenario.side(side).name),
        );
        format!("{}: {} points, {holder}.", sentence_case(&plain(&k.name.to_string())), k.value)
    });
    let mut said = vec![format!(
        "After turn {} the points are counted: who leads by {} or more has won, less is a draw. \
         A side without unbroken troops ends the battle at once.",
        terms.turns, terms.margin
    )];
    if !battle.keys().is_empty() {
        said.push(format!(
            "Key positions (stars) belong to whoever last had unbroken foot or horse within {reach} \
             inches without an enemy as near."
        ));
    }
    said.extend(keys);
    said.push(
        "Enemy units count 1 point when worn, 2 when spent, 4 when destroyed or off the table."
            .into(),
    );
    said.push("Each enemy gun stand and each enemy leader lost counts 1.".into());
    said
}

/// The board of a scenario.
#[must_use]
pub fn board(scenario: &Scenario) -> Board {
    let field = scenario.battle.field();
    Board {
        scenario: card(scenario),
        width: inches(field.width),
        height: inches(field.height),
        land: field.pieces.iter().map(|piece| land(scenario, piece)).collect(),
        coats: coats(scenario),
        notes: scenario.notes.clone(),
        sources: scenario.sources.clone(),
        radius: inches(scenario.battle.measures().radius),
        brigades: brigades(scenario),
        terms: terms(&scenario.book.book),
    }
}

fn land(scenario: &Scenario, piece: &Piece) -> Land {
    let look = scenario.looks.get(&piece.id).cloned().unwrap_or_default();
    let (line, half) = match piece.shape.outline() {
        Outline::Line(_, half) => (true, *half),
        Outline::Area(_) => (false, 0),
    };
    let pieces = &scenario.battle.field().pieces;
    let of_hill = piece.kind == Kind::Crest
        && pieces.iter().any(|p| p.id == piece.id && p.kind != Kind::Crest);
    Land {
        id: piece.id.to_string(),
        kind: word(&piece.kind),
        // A crest drawn with its hill does not say its name again.
        name: look.name.map(|(text, _)| text).filter(|_| !of_hill),
        points: piece.shape.points().iter().map(|p| [inches(p.x), inches(p.y)]).collect(),
        line,
        width: 2.0 * inches(half),
        level: piece.level,
        good: piece.good,
        trees: word(&look.trees),
    }
}

fn coats(scenario: &Scenario) -> Vec<CoatView> {
    let battle = &scenario.battle;
    let units = battle.units().iter().map(|u| (u.id(), u.side()));
    let leaders = battle.leaders().iter().map(|l| (l.card.id, l.card.side));
    let coat = |(id, side): (Id, _)| {
        let coat = scenario.coat(id);
        CoatView {
            of: id.to_string(),
            name: coat.name,
            color: coat.color.unwrap_or_else(|| scenario.side(side).color.clone()),
            facings: coat.facings,
        }
    };
    units.chain(leaders).map(coat).collect()
}

fn brigades(scenario: &Scenario) -> Vec<Brigade> {
    let units = scenario.battle.units();
    let led = |leader: Id| {
        units.iter().filter(move |u| u.card.leader == Some(leader)).map(|u| u.id().to_string())
    };
    let leaders = scenario.battle.leaders().iter().map(|l| l.card.id);
    leaders
        .map(|l| Brigade { leader: l.to_string(), units: led(l).collect() })
        .filter(|b| !b.units.is_empty())
        .collect()
}
