//! Reading a scenario file from top to bottom, with every fault at its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use regimental::battle::setup::Setup;
use regimental::battle::terrain::Field;
use regimental::battle::{Arrival, Id, KeyPosition, Side, Terms};
use rulebook::{Fault, Faults, Reader, SourceFile, parse_toml};
use table::{Facing, INCH};

use super::units::{Context, LEADER_KEYS, UNIT_KEYS};
use super::values::Values;
use super::{Scenario, SideWords, TEMPERS, hash, terrain};
use crate::{Loaded, Rules};

const TOP: &[&str] = &[
    "id",
    "title",
    "date",
    "book",
    "blurb",
    "sources",
    "notes",
    "table",
    "game",
    "side",
    "terrain",
    "leader",
    "unit",
    "key-position",
];
const TABLE: &[&str] = &["width", "height"];
const GAME: &[&str] =
    &["turns", "first", "margin", "twilight", "fog", "sight", "militia-provisional"];
const SIDE: &[&str] = &["id", "name", "home", "heavy", "color", "temper"];
const KEY: &[&str] = &["id", "at", "value", "holder", "name"];
const COLORS: [&str; 2] = ["#a3322b", "#2b4f81"];

struct SideRead {
    words: SideWords,
    home: Facing,
    heavy: Option<u32>,
}

type Books<'b> = &'b dyn Fn(&str) -> Result<Arc<Loaded>, String>;

pub(super) fn scenario(books: Books<'_>, file: &Arc<SourceFile>) -> Result<Scenario, Faults> {
    let parsed = parse_toml(file)?;
    let mut faults = Vec::new();
    let top = Reader::new(file, parsed.get_ref(), parsed.span(), TOP);
    top.unknown_keys(&mut faults);
    let v = Values { reader: &top };
    for (key, what) in [
        ("id", "a short name"),
        ("title", "its title"),
        ("book", "the id of a rulebook"),
        ("table", "[table] with width and height"),
        ("game", "[game] with turns and first"),
        ("side", "two [[side]] tables"),
        ("unit", "[[unit]] tables"),
    ] {
        v.missing(key, what, &mut faults);
    }
    let book = book(books, &v, &mut faults);
    let sides = sides(&top, &mut faults);
    let size = top.table("table", TABLE, &mut faults).map(|t| {
        t.unknown_keys(&mut faults);
        let v = Values { reader: &t };
        v.missing("width", "inches", &mut faults);
        v.missing("height", "inches", &mut faults);
        (v.length("width", 12.0, 400.0, &mut faults), v.length("height", 12.0, 400.0, &mut faults))
    });
    let Some(loaded) = book else { return Err(Faults(faults)) };
    let Rules::Regimental(rules) = &loaded.rules else {
        v.fault("book", "only the Regimental Fire and Fury books can be played yet", &mut faults);
        return Err(Faults(faults));
    };
    let names: Vec<String> = sides.iter().map(|s| s.words.id.clone()).collect();
    let stand = rules.stand_width();
    let (pieces, labels) =
        terrain::read(&top.tables("terrain", terrain::KEYS, &mut faults), stand, &mut faults);
    let context = Context { rules, sides: &names };
    let mut places: BTreeMap<Id, std::ops::Range<usize>> = BTreeMap::new();
    let mut units = Vec::new();
    let mut arrivals = Vec::new();
    for reader in top.tables("unit", UNIT_KEYS, &mut faults) {
        if let Some(read) = context.unit(&reader, &mut faults) {
            let id = read.unit.id();
            if places.insert(id, reader.span_of("at")).is_some() {
                faults.push(reader.fault(
                    "id",
                    format!("two units or leaders are called {id}"),
                    None,
                ));
            }
            arrivals.extend(read.arrival);
            units.push((read.unit, read.at, reader));
        }
    }
    let mut leaders = Vec::new();
    for reader in top.tables("leader", LEADER_KEYS, &mut faults) {
        if let Some((leader, with)) = context.leader(&reader, &mut faults) {
            let id = leader.card.id;
            if places.insert(id, reader.span_of("at")).is_some() {
                faults.push(reader.fault(
                    "id",
                    format!("two units or leaders are called {id}"),
                    None,
                ));
            }
            if let Some(with) = with
                && !units.iter().any(|(u, ..)| u.id() == with && u.side() == leader.card.side)
            {
                faults.push(reader.fault("with", format!("no unit {with} of his side"), None));
            }
            if leader.present() && with.is_none() && !on_table(leader.at, size) {
                faults.push(reader.fault("at", "a leader stands on the table".into(), None));
            }
            leaders.push((leader, reader));
        }
    }
    if units.len() > MOST_UNITS {
        let many =
            format!("{} units are more than a table holds: at most {MOST_UNITS}", units.len());
        faults.push(top.fault("unit", many, None));
        return Err(Faults(faults));
    }
    cross_references(&units, &leaders, &pieces, &mut faults);
    let keys = keys(&top, &names, size, &mut faults);
    let terms = terms(&top, &sides, &units, &mut faults);
    for (unit, at, reader) in &units {
        let arrival = arrivals.iter().find(|a| a.unit == unit.id());
        let turns = terms.as_ref().map_or(u8::MAX, |t| t.turns);
        if let Some(wrong) = arrival.and_then(|a| arrives_wrong(a, at.is_some(), size, turns)) {
            faults.push(reader.fault("arrives", wrong, None));
        }
    }
    for (i, name) in names.iter().enumerate().take(2) {
        let any = units.iter().any(|(u, ..)| u.side().index() == i);
        if !any && faults.is_empty() {
            faults.push(top.fault("unit", format!("the side {name} has no units"), None));
        }
    }
    let words = (v.text("id", &mut faults), v.text("title", &mut faults));
    let (date, blurb) = (v.text("date", &mut faults), v.text("blurb", &mut faults));
    let (sources, notes) = (v.words("sources", &mut faults), v.words("notes", &mut faults));
    let (Some((Some(width), Some(height))), Some(mut terms), true) =
        (size, terms, faults.is_empty())
    else {
        return Err(Faults(faults));
    };
    terms.arrivals = arrivals;
    let setup = Setup {
        rules: Arc::new((**rules).clone()),
        field: Field { width, height, pieces },
        terms,
        units: units.into_iter().map(|(u, at, _)| (u, at)).collect(),
        leaders: leaders.into_iter().map(|(l, _)| l).collect(),
        keys,
    };
    let battle = setup.begin().map_err(|found| {
        Faults(
            found
                .into_iter()
                .map(|(id, message)| {
                    super::fault(
                        file,
                        places.get(&id).cloned().unwrap_or(0..0),
                        format!("{id} {message}"),
                        None,
                    )
                })
                .collect(),
        )
    })?;
    let mut sides = sides.into_iter().map(|s| s.words);
    let (Some(one), Some(two)) = (sides.next(), sides.next()) else { return Err(Faults(faults)) };
    Ok(Scenario {
        id: words.0.unwrap_or_default(),
        title: words.1.unwrap_or_default(),
        date: date.unwrap_or_default(),
        blurb: blurb.unwrap_or_default(),
        sources,
        notes,
        book: loaded,
        sides: [one, two],
        labels,
        battle,
        hash: hash(&file.text),
        text: file.text.clone(),
    })
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
    let tables = top.tables("side", SIDE, faults);
    if top.get("side").is_some() && tables.len() != 2 {
        faults.push(top.fault("side", format!("{} sides: a battle has two", tables.len()), None));
    }
    let mut sides: Vec<SideRead> = Vec::new();
    for reader in &tables {
        let v = Values { reader };
        for (key, what) in [
            ("id", "a short name"),
            ("name", "its name"),
            ("home", "north, east, south or west: the edge it retreats to"),
        ] {
            v.missing(key, what, faults);
        }
        let id = v.text("id", faults).unwrap_or_default();
        if sides.iter().any(|s| s.words.id == id) {
            v.fault("id", format!("both sides are called {id}"), faults);
        }
        let home = match v.text("home", faults).as_deref() {
            Some("north") | None => Facing::NORTH,
            Some("east") => Facing::EAST,
            Some("south") => Facing::SOUTH,
            Some("west") => Facing::WEST,
            Some(other) => {
                v.fault("home", format!("`{other}`: north, east, south or west"), faults);
                Facing::NORTH
            }
        };
        let color =
            v.text("color", faults).unwrap_or_else(|| COLORS[sides.len().min(1)].to_owned());
        if !(color.len() == 7
            && color.starts_with('#')
            && color[1..].bytes().all(|b| b.is_ascii_hexdigit()))
        {
            v.fault("color", "a colour such as #a3322b", faults);
        }
        let heavy = v.whole("heavy", 1, 1000, faults).and_then(|n| u32::try_from(n).ok());
        let temper = v.text("temper", faults).unwrap_or_else(|| TEMPERS[0].to_owned());
        if !TEMPERS.contains(&temper.as_str()) {
            v.fault("temper", format!("`{temper}`: {}", TEMPERS.join(", ")), faults);
        }
        let name = v.text("name", faults).unwrap_or_default();
        sides.push(SideRead { words: SideWords { id, name, color, temper }, home, heavy });
    }
    sides
}

type ReadUnits<'f, 'i> =
    [(regimental::battle::Unit, Option<regimental::battle::setup::Deployed>, Reader<'f, 'i>)];
type ReadLeaders<'f, 'i> = [(regimental::battle::Leader, Reader<'f, 'i>)];

fn cross_references(
    units: &ReadUnits<'_, '_>,
    leaders: &ReadLeaders<'_, '_>,
    pieces: &[regimental::battle::terrain::Piece],
    faults: &mut Vec<Fault>,
) {
    let leader =
        |id: Id, side: Side| leaders.iter().any(|(l, _)| l.card.id == id && l.card.side == side);
    for (unit, at, reader) in units {
        if let Some(id) = unit.card.leader.filter(|l| !leader(*l, unit.side())) {
            faults.push(reader.fault("leader", format!("no leader {id} of this side"), None));
        }
        if let Some(id) = unit
            .card
            .parent
            .filter(|p| !units.iter().any(|(u, ..)| u.id() == *p && u.side() == unit.side()))
        {
            faults.push(reader.fault("parent", format!("no unit {id} of this side"), None));
        }
        let parent = units.iter().find(|(u, ..)| Some(u.id()) == unit.card.parent);
        if parent.is_some_and(|(p, ..)| p.card.strength <= unit.card.strength) {
            let message = "a detachment has fewer stands than the unit it comes from".into();
            faults.push(reader.fault("stands", message, None));
        }
        if let Some(id) = at.as_ref().and_then(|a| a.garrison) {
            let piece = pieces.iter().find(|p| p.id == id && (p.kind.is_built() || p.capacity > 0));
            if piece.is_none() {
                faults.push(reader.fault("garrison", format!("no building {id}"), None));
            }
        }
    }
    for (l, reader) in leaders {
        let above = |id: Id| leaders.iter().find(|(o, _)| o.card.id == id)?.0.card.superior;
        let chain = std::iter::successors(l.card.superior, |id| above(*id));
        let circle = chain.take(leaders.len()).any(|id| id == l.card.id);
        if circle && l.card.superior != Some(l.card.id) {
            let message = format!("{} is his own superior, by way of others", l.card.id);
            faults.push(reader.fault("superior", message, None));
        }
        if let Some(id) = l.card.superior.filter(|s| !leader(*s, l.card.side) || *s == l.card.id) {
            faults.push(reader.fault(
                "superior",
                format!("no other leader {id} of this side"),
                None,
            ));
        }
    }
}

/// What is wrong with an arrival: it is later than the battle, or not from an edge onto the table.
fn arrives_wrong(arrival: &Arrival, deployed: bool, size: Size, turns: u8) -> Option<String> {
    if deployed {
        return Some("a unit is `at` a place now, or `arrives` later, not both".into());
    }
    if arrival.turn > turns {
        return Some(format!("turn {} never comes: the battle has {turns}", arrival.turn));
    }
    let (Some(width), Some(height)) = size? else { return None };
    let (at, touch) = (arrival.at, table::TOUCH);
    let on_edge = [at.x, at.y, width - at.x, height - at.y].into_iter().any(|d| d.abs() <= touch);
    if !on_edge || !on_table(at, size) {
        return Some("it enters at a point of the table's edge".into());
    }
    let inside = at + arrival.facing.offset(0, INCH);
    (!on_table(inside, size)).then(|| "it faces off the table".into())
}

/// The width and height of the table, as far as they can be read.
type Size = Option<(Option<table::Mils>, Option<table::Mils>)>;

/// More than any battle has; what is checked of units in pairs stays quick.
const MOST_UNITS: usize = 250;

fn on_table(at: table::Point, size: Size) -> bool {
    let Some((Some(width), Some(height))) = size else { return true };
    (0..=width).contains(&at.x) && (0..=height).contains(&at.y)
}

fn keys(
    top: &Reader<'_, '_>,
    sides: &[String],
    size: Size,
    faults: &mut Vec<Fault>,
) -> Vec<KeyPosition> {
    let mut keys = Vec::new();
    for reader in &top.tables("key-position", KEY, faults) {
        let v = Values { reader };
        for (key, what) in [("id", "a short name"), ("at", "a place"), ("value", "points")] {
            v.missing(key, what, faults);
        }
        let (id, at) = (v.id("id", faults), v.point("at", faults));
        if at.is_some_and(|at| !on_table(at, size)) {
            v.fault("at", "a key position is on the table", faults);
        }
        let value = v.whole("value", 0, 100, faults);
        let holder = v.text("holder", faults).and_then(|name| {
            let at = sides.iter().position(|s| *s == name);
            if at.is_none() {
                v.fault("holder", format!("no side `{name}`: {}", sides.join(", ")), faults);
            }
            at.map(|i| Side::BOTH[i.min(1)])
        });
        if let ((Some(name), Some(at)), Some(value)) = ((id, at), value) {
            keys.push(KeyPosition {
                name,
                at,
                value: i32::try_from(value).unwrap_or(0),
                first: holder,
                holder,
            });
        }
    }
    keys
}

fn terms(
    top: &Reader<'_, '_>,
    sides: &[SideRead],
    units: &ReadUnits<'_, '_>,
    faults: &mut Vec<Fault>,
) -> Option<Terms> {
    let reader = top.table("game", GAME, faults)?;
    reader.unknown_keys(faults);
    let v = Values { reader: &reader };
    v.missing("turns", "the last turn", faults);
    v.missing("first", "the side that moves first", faults);
    let turns = v.small("turns", 1, 99, faults);
    let first = v.text("first", faults).and_then(|name| {
        let at = sides.iter().position(|s| s.words.id == name);
        if at.is_none() {
            v.fault("first", format!("no side `{name}`"), faults);
        }
        at.map(|i| Side::BOTH[i.min(1)])
    });
    let margin = v.whole("margin", 1, 1000, faults).unwrap_or(1);
    let (twilight, fog) = (v.numbers("twilight", faults), v.numbers("fog", faults));
    let dim_sight = v.length("sight", 1.0, 100.0, faults).unwrap_or(12 * INCH);
    let militia_provisional = v.flag("militia-provisional", false, faults);
    let heavy = Side::BOTH.map(|s| {
        let stands: u32 = units
            .iter()
            .filter(|(u, ..)| u.side() == s && u.card.parent.is_none())
            .map(|(u, ..)| u32::from(u.card.strength))
            .sum();
        sides.get(s.index()).and_then(|side| side.heavy).unwrap_or(stands.div_ceil(4))
    });
    let home = Side::BOTH.map(|s| sides.get(s.index()).map_or(Facing::NORTH, |side| side.home));
    Some(Terms {
        first: first?,
        turns: turns?,
        heavy,
        home,
        margin: i32::try_from(margin).unwrap_or(1),
        twilight,
        fog,
        dim_sight,
        militia_provisional,
        arrivals: vec![],
    })
}
