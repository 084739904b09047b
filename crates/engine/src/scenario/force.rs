//! All units and leaders of a scenario file, and what they say of each other.

use std::collections::{BTreeMap, BTreeSet};

use regimental::Rules;
use regimental::battle::setup::Deployed;
use regimental::battle::terrain::Piece;
use regimental::battle::{Arrival, Id, Leader, Side, Unit};
use rulebook::{Fault, Reader};
use table::INCH;

use super::keys;
use super::read::{Size, on_table};
use super::units::Context;

/// A unit read, where it stands, and the table it was read from.
pub(super) type ReadIn<'f, 'i> = (Unit, Option<Deployed>, Reader<'f, 'i>);

/// The units and leaders that could be read.
#[derive(Default)]
pub(super) struct Force<'f, 'i> {
    pub(super) units: Vec<ReadIn<'f, 'i>>,
    pub(super) leaders: Vec<(Leader, Reader<'f, 'i>)>,
    pub(super) arrivals: Vec<Arrival>,
    /// Where in the file each says where it stands.
    pub(super) places: BTreeMap<Id, std::ops::Range<usize>>,
}

/// The names a file gives, also to what could not be read: who names them does not name nobody.
pub(super) struct Written {
    leaders: BTreeSet<Id>,
    units: BTreeSet<Id>,
    terrain: BTreeSet<Id>,
}

impl Written {
    pub(super) fn of(top: &Reader<'_, '_>) -> Self {
        // What is wrong with them is said where they are read.
        let mut said = Vec::new();
        let mut of = |key: &str, keys: &'static [&'static str]| {
            let tables = top.tables(key, keys, &mut said);
            let ids: Vec<_> = tables.iter().filter_map(|t| t.text("id", &mut said)).collect();
            ids.iter().filter_map(|id| Id::new(id)).collect()
        };
        Self {
            leaders: of("leader", keys::LEADER.names),
            units: of("unit", keys::UNIT.names),
            terrain: of("terrain", keys::TERRAIN.names),
        }
    }
}

impl<'f, 'i> Force<'f, 'i> {
    pub(super) fn read(
        top: &Reader<'f, 'i>,
        rules: &Rules,
        sides: &[String],
        size: Size,
        faults: &mut Vec<Fault>,
    ) -> Self {
        let context = Context { rules, sides };
        let mut force = Self::default();
        let mut names = BTreeSet::new();
        let mut once = |reader: &Reader<'_, '_>, faults: &mut Vec<Fault>| {
            // Said where it is read.
            let id = reader.text("id", &mut Vec::new());
            if let Some(id) = id.filter(|id| !names.insert(id.clone())) {
                let message = format!("two units or leaders are called {id}");
                faults.push(reader.fault("id", message, None));
            }
        };
        for reader in top.tables("unit", keys::UNIT.names, faults) {
            once(&reader, faults);
            if let Some(read) = context.unit(&reader, faults) {
                force.places.insert(read.unit.id(), reader.span_of("at"));
                force.arrivals.extend(read.arrival);
                force.units.push((read.unit, read.at, reader));
            }
        }
        for reader in top.tables("leader", keys::LEADER.names, faults) {
            once(&reader, faults);
            if let Some(leader) = context.leader(&reader, faults) {
                let alone = leader.present() && leader.attached.is_none();
                if alone && !on_table(leader.at, size) {
                    faults.push(reader.fault("at", "a leader stands on the table".into(), None));
                }
                force.leaders.push((leader, reader));
            }
        }
        force
    }

    /// Whoever names a leader, a parent, a building, a superior names one there is.
    pub(super) fn cross_references(
        &self,
        written: &Written,
        pieces: &[Piece],
        faults: &mut Vec<Fault>,
    ) {
        let unread = |id: Id, read: bool, all: &BTreeSet<Id>| !read && all.contains(&id);
        let unread_leader = |id: Id| {
            unread(id, self.leaders.iter().any(|(l, _)| l.card.id == id), &written.leaders)
        };
        let unread_unit =
            |id: Id| unread(id, self.units.iter().any(|(u, ..)| u.id() == id), &written.units);
        let leader = |id: Id, side: Side| {
            let fits = |l: &Leader| l.card.id == id && l.card.side == side;
            self.leaders.iter().any(|(l, _)| fits(l)) || unread_leader(id)
        };
        let unit_of = |id: Id, side: Side| {
            self.units.iter().any(|(u, ..)| u.id() == id && u.side() == side) || unread_unit(id)
        };
        for (unit, at, reader) in &self.units {
            if let Some(id) = unit.card.leader.filter(|l| !leader(*l, unit.side())) {
                faults.push(reader.fault("leader", format!("no leader {id} of this side"), None));
            }
            if let Some(id) = unit.card.parent.filter(|p| !unit_of(*p, unit.side())) {
                faults.push(reader.fault("parent", format!("no unit {id} of this side"), None));
            }
            let parent = self.units.iter().find(|(u, ..)| Some(u.id()) == unit.card.parent);
            if parent.is_some_and(|(p, ..)| p.card.strength <= unit.card.strength) {
                let message = "a detachment has fewer stands than the unit it comes from".into();
                faults.push(reader.fault("stands", message, None));
            }
            if let Some(id) = at.as_ref().and_then(|a| a.garrison) {
                let built = |p: &&Piece| p.id == id && (p.kind.is_built() || p.capacity > 0);
                let read = pieces.iter().any(|p| p.id == id);
                if pieces.iter().find(built).is_none() && !unread(id, read, &written.terrain) {
                    faults.push(reader.fault("garrison", format!("no building {id}"), None));
                }
            }
        }
        for (l, reader) in &self.leaders {
            if let Some(with) = l.attached.filter(|unit| !unit_of(*unit, l.card.side)) {
                faults.push(reader.fault("with", format!("no unit {with} of his side"), None));
            }
            let above =
                |id: Id| self.leaders.iter().find(|(o, _)| o.card.id == id)?.0.card.superior;
            let chain = std::iter::successors(l.card.superior, |id| above(*id));
            let circle = chain.take(self.leaders.len()).any(|id| id == l.card.id);
            if circle && l.card.superior != Some(l.card.id) {
                let message = format!("{} is his own superior, by way of others", l.card.id);
                faults.push(reader.fault("superior", message, None));
            }
            let superior = l.card.superior;
            if let Some(id) = superior.filter(|s| !leader(*s, l.card.side) || *s == l.card.id) {
                let message = format!("no other leader {id} of this side");
                faults.push(reader.fault("superior", message, None));
            }
        }
    }

    /// Whether those who arrive can.
    pub(super) fn arrivals_in(&self, size: Size, turns: u8, faults: &mut Vec<Fault>) {
        for (unit, _, reader) in &self.units {
            let arrival = self.arrivals.iter().find(|a| a.unit == unit.id());
            if let Some(wrong) = arrival.and_then(|a| arrives_wrong(a, size, turns)) {
                faults.push(reader.fault("arrives", wrong, None));
            }
        }
    }
}

/// What is wrong with an arrival: it is later than the battle, or not from an edge onto the table.
fn arrives_wrong(arrival: &Arrival, size: Size, turns: u8) -> Option<String> {
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
