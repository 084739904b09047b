//! Reading a scenario file from top to bottom, with every fault at its place.

use std::sync::Arc;

use regimental::battle::setup::Setup;
use regimental::battle::terrain::Field;
use regimental::battle::{Id, KeyPosition, Side, Terms};
use rulebook::{Fault, Faults, Reader, SourceFile, parse_toml};
use table::{Facing, INCH};

use super::doubts::Doubts;
use super::force::{Force, ReadIn, Written};
use super::keys::{self, MOST_UNITS};
use super::values::{SHORT_NAME, Values};
use super::{Scenario, SideWords, TEMPERS, hash, terrain, uniform};
use crate::{Loaded, Rules};

const COLORS: [&str; 2] = ["#a3322b", "#2b4f81"];

struct SideRead {
    words: SideWords,
    home: Option<Facing>,
    heavy: Option<u32>,
}

type Books<'b> = &'b dyn Fn(&str) -> Result<Arc<Loaded>, String>;

/// A scenario, and what is no fault of it but may not be meant.
pub(super) type Checked = (Scenario, Vec<Fault>);

pub(super) fn scenario(books: Books<'_>, file: &Arc<SourceFile>) -> Result<Checked, Faults> {
    let parsed = parse_toml(file)?;
    let mut faults = Vec::new();
    let top = Reader::new(file, parsed.get_ref(), parsed.span(), keys::TOP.names);
    top.unknown_keys(&mut faults);
    let v = Values::of(&top, &keys::TOP);
    v.coherent(&mut faults);
    let book = book(books, &v, &mut faults);
    let sides = sides(&top, &mut faults);
    let size = top.table("table", keys::TABLE.names, &mut faults).map(|t| {
        t.unknown_keys(&mut faults);
        let v = Values::of(&t, &keys::TABLE);
        v.coherent(&mut faults);
        (v.length("width", &mut faults), v.length("height", &mut faults))
    });
    let rules = book.as_ref().and_then(|loaded| match &loaded.rules {
        Rules::Regimental(rules) => Some(rules),
        _ => {
            let unplayable = "only the Regimental Fire and Fury books can be played yet";
            v.fault("book", unplayable, &mut faults);
            None
        }
    });
    let names: Vec<String> = sides.iter().map(|s| s.words.id.clone()).collect();
    let tables = top.tables("terrain", keys::TERRAIN.names, &mut faults);
    let stand = rules.map_or(INCH, |r| r.stand_width());
    let (pieces, looks) = terrain::read(&tables, stand, &mut faults);
    let keys = keys(&top, &names, size, &mut faults);
    // What the units may be depends on the book: without it they are not read.
    let force = rules.map(|rules| Force::read(&top, rules, &names, size, &mut faults));
    let force = force.unwrap_or_default();
    if force.units.len() > MOST_UNITS {
        let n = force.units.len();
        let many = format!("{n} units are more than a table holds: at most {MOST_UNITS}");
        faults.push(top.fault("unit", many, None));
        return Err(Faults(faults));
    }
    force.cross_references(&Written::of(&top), &pieces, &mut faults);
    let terms = terms(&top, &sides, &force.units, &mut faults);
    force.arrivals_in(size, terms.as_ref().map_or(u8::MAX, |t| t.turns), &mut faults);
    for (i, name) in names.iter().enumerate().take(2) {
        let any = force.units.iter().any(|(u, ..)| u.side().index() == i);
        if !any && faults.is_empty() {
            faults.push(top.fault("unit", format!("the side {name} has no units"), None));
        }
    }
    let coats = uniform::coats(&top, &force, &mut faults);
    let words = (v.text("id", &mut faults), v.text("title", &mut faults));
    if let Some(id) = words.0.as_ref().filter(|id| !is_scenario_id(id)) {
        let message =
            format!("`{id}` is no name of a scenario: at most 40 small letters, digits and dashes");
        v.scruple("id", message, &mut faults);
    }
    let (date, blurb) = (v.text("date", &mut faults), v.text("blurb", &mut faults));
    let (sources, notes) = (v.words("sources", &mut faults), v.words("notes", &mut faults));
    let (Some((Some(width), Some(height))), Some(rules), Some(loaded)) = (size, rules, &book)
    else {
        return Err(Faults(faults));
    };
    let mut doubts = Doubts::of(&force, &top);
    let places = force.places;
    let misplaced = |found: Vec<(Id, String)>| {
        found.into_iter().map(|(id, message)| {
            let at = places.get(&id).cloned().unwrap_or(0..0);
            super::fault(file, at, format!("{id} {message}"), None)
        })
    };
    let whole = faults.is_empty() && terms.is_some();
    let setup = Setup {
        rules: Arc::new((**rules).clone()),
        terms: Terms { arrivals: force.arrivals, ..terms.unwrap_or_else(|| unknown_terms(&sides)) },
        // A garrison of a building that could not be read stands nowhere yet.
        units: force
            .units
            .into_iter()
            .map(|(unit, at, _)| (unit, at))
            .filter(|(_, at)| {
                at.and_then(|a| a.garrison).is_none_or(|g| pieces.iter().any(|p| p.id == g))
            })
            .collect(),
        field: Field { width, height, pieces },
        leaders: force.leaders.into_iter().map(|(l, _)| l).collect(),
        keys,
    };
    if !whole {
        faults.extend(misplaced(setup.misplaced()));
        return Err(Faults(faults));
    }
    let battle = setup.begin().map_err(|found| Faults(misplaced(found).collect()))?;
    doubts.on_the_ground(file, &battle, &places);
    let mut sides = sides.into_iter().map(|s| s.words);
    let (Some(one), Some(two)) = (sides.next(), sides.next()) else { return Err(Faults(faults)) };
    let scenario = Scenario {
        id: words.0.unwrap_or_default(),
        title: words.1.unwrap_or_default(),
        date: date.unwrap_or_default(),
        blurb: blurb.unwrap_or_default(),
        sources,
        notes,
        book: Arc::clone(loaded),
        sides: [one, two],
        looks,
        coats,
        battle,
        hash: hash(&file.text),
        text: file.text.clone(),
    };
    Ok((scenario, doubts.0))
}

/// Scenarios are asked for by their ids, in commands and addresses.
fn is_scenario_id(id: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=40).contains(&id.len()) && id.bytes().all(fits)
}

/// Terms for a battle whose own could not be read: enough to see who stands where.
fn unknown_terms(sides: &[SideRead]) -> Terms {
    Terms {
        first: Side::One,
        turns: 1,
        heavy: [1; 2],
        home: homes(sides),
        margin: 1,
        twilight: vec![],
        fog: vec![],
        dim_sight: None,
        militia_provisional: false,
        arrivals: vec![],
    }
}

fn homes(sides: &[SideRead]) -> [Facing; 2] {
    Side::BOTH.map(|s| sides.get(s.index()).and_then(|side| side.home).unwrap_or(Facing::NORTH))
}

fn book(books: Books<'_>, v: &Values<'_, '_, '_>, faults: &mut Vec<Fault>) -> Option<Arc<Loaded>> {
    let name = v.text("book", faults)?;
    match books(&name) {
        Ok(loaded) => Some(loaded),
        Err(message) => {
            v.fault("book", message, faults);
            None
        }
    }
}

fn sides(top: &Reader<'_, '_>, faults: &mut Vec<Fault>) -> Vec<SideRead> {
    let tables = top.tables("side", keys::SIDE.names, faults);
    if top.get("side").is_some() && tables.len() != 2 {
        let n = tables.len();
        let sides = if n == 1 { "side" } else { "sides" };
        faults.push(top.fault("side", format!("{n} {sides}: a battle has two"), None));
    }
    let mut sides: Vec<SideRead> = Vec::new();
    for reader in &tables {
        let v = Values::of(reader, &keys::SIDE);
        v.coherent(faults);
        let id = v.text("id", faults).unwrap_or_default();
        if !id.is_empty() && Id::new(&id).is_none() {
            v.scruple("id", format!("`{id}` is no short name: {SHORT_NAME}"), faults);
        }
        // Orders call the sides one and two as well, whatever their names.
        if ["one", "two"].iter().position(|n| *n == id).is_some_and(|at| at != sides.len()) {
            v.scruple("id", format!("`{id}` is what orders call the other side"), faults);
        }
        // And seats that are nobody's side.
        if ["both", "watch"].contains(&id.as_str()) {
            v.scruple("id", format!("`{id}` is what a seat without a side is called"), faults);
        }
        if sides.iter().any(|s| s.words.id == id) {
            v.fault("id", format!("both sides are called {id}"), faults);
        }
        let home = home(&v, faults);
        if let (Some(home), true) = (home, sides.len() == 1)
            && sides[0].home == Some(home)
        {
            let message = "both sides retreat to this edge: each needs its own";
            v.scruple("home", message, faults);
        }
        let color =
            v.color("color", faults).unwrap_or_else(|| COLORS[sides.len().min(1)].to_owned());
        let heavy = v.whole("heavy", faults).and_then(|n| u32::try_from(n).ok());
        let temper = v.text("temper", faults).unwrap_or_else(|| TEMPERS[0].to_owned());
        if !TEMPERS.contains(&temper.as_str()) {
            v.fault("temper", format!("`{temper}`: {}", TEMPERS.join(", ")), faults);
        }
        let name = v.text("name", faults).unwrap_or_default();
        sides.push(SideRead { words: SideWords { id, name, color, temper }, home, heavy });
    }
    sides
}

/// The edge a side retreats to.
fn home(v: &Values<'_, '_, '_>, faults: &mut Vec<Fault>) -> Option<Facing> {
    match v.text("home", faults)?.as_str() {
        "north" => Some(Facing::NORTH),
        "east" => Some(Facing::EAST),
        "south" => Some(Facing::SOUTH),
        "west" => Some(Facing::WEST),
        other => {
            v.fault("home", format!("`{other}`: {}", v.choices("home").join(", ")), faults);
            None
        }
    }
}

/// The width and height of the table, as far as they can be read.
pub(super) type Size = Option<(Option<table::Mils>, Option<table::Mils>)>;

pub(super) fn on_table(at: table::Point, size: Size) -> bool {
    let Some((Some(width), Some(height))) = size else { return true };
    (0..=width).contains(&at.x) && (0..=height).contains(&at.y)
}

fn keys(
    top: &Reader<'_, '_>,
    sides: &[String],
    size: Size,
    faults: &mut Vec<Fault>,
) -> Vec<KeyPosition> {
    let mut found = Vec::new();
    for reader in &top.tables("key-position", keys::KEY_POSITION.names, faults) {
        let v = Values::of(reader, &keys::KEY_POSITION);
        v.coherent(faults);
        let (id, at) = (v.id("id", faults), v.point("at", faults));
        if let Some(twice) = id.filter(|id| found.iter().any(|k: &KeyPosition| k.name == *id)) {
            v.scruple("id", format!("two key positions are called {twice}"), faults);
        }
        if at.is_some_and(|at| !on_table(at, size)) {
            v.fault("at", "a key position is on the table", faults);
        }
        let value = v.whole("value", faults);
        let holder = v.text("holder", faults).and_then(|name| {
            let at = sides.iter().position(|s| *s == name);
            if at.is_none() {
                v.fault("holder", format!("no side `{name}`: {}", sides.join(", ")), faults);
            }
            at.map(|i| Side::BOTH[i.min(1)])
        });
        if let ((Some(name), Some(at)), Some(value)) = ((id, at), value) {
            found.push(KeyPosition {
                name,
                at,
                value: i32::try_from(value).unwrap_or(0),
                first: holder,
                holder,
            });
        }
    }
    found
}

fn terms(
    top: &Reader<'_, '_>,
    sides: &[SideRead],
    units: &[ReadIn<'_, '_>],
    faults: &mut Vec<Fault>,
) -> Option<Terms> {
    let reader = top.table("game", keys::GAME.names, faults)?;
    reader.unknown_keys(faults);
    let v = Values::of(&reader, &keys::GAME);
    v.coherent(faults);
    let turns = v.small("turns", faults);
    let first = v.text("first", faults).and_then(|name| {
        let at = sides.iter().position(|s| s.words.id == name);
        if at.is_none() {
            v.fault("first", format!("no side `{name}`"), faults);
        }
        at.map(|i| Side::BOTH[i.min(1)])
    });
    let margin = v.whole("margin", faults).unwrap_or(1);
    let (twilight, fog) = (v.numbers("twilight", faults), v.numbers("fog", faults));
    for (key, dim) in [("twilight", &twilight), ("fog", &fog)] {
        let never = turns.and_then(|last| dim.iter().find(|t| !(1..=last).contains(*t)));
        if let Some((never, last)) = never.zip(turns) {
            v.fault(key, format!("turn {never} never comes: the battle has {last}"), faults);
        }
    }
    let dim_sight = v.length("sight", faults);
    let militia_provisional = v.flag("militia-provisional", false, faults);
    let heavy = Side::BOTH.map(|s| {
        let stands: u32 = units
            .iter()
            .filter(|(u, ..)| u.side() == s && u.card.parent.is_none())
            .map(|(u, ..)| u32::from(u.card.strength))
            .sum();
        sides.get(s.index()).and_then(|side| side.heavy).unwrap_or(stands.div_ceil(4))
    });
    Some(Terms {
        first: first?,
        turns: turns?,
        heavy,
        home: homes(sides),
        margin: i32::try_from(margin).unwrap_or(1),
        twilight,
        fog,
        dim_sight,
        militia_provisional,
        arrivals: vec![],
    })
}
