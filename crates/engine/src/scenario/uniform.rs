//! What troops wear: the colours they are drawn in on the map.

use std::collections::BTreeMap;

use regimental::battle::Id;
use rulebook::{Fault, Reader};

use super::force::Force;
use super::keys;
use super::values::Values;

/// The facings of troops that nobody has said anything of.
const USUAL_FACINGS: &str = "#f3ead2";

/// A coat some troops of a battle wear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coat {
    /// Whose coat it is, such as Brazil or the Continental line; nothing if it is only their side's.
    pub name: Option<String>,
    /// Its colour; their side's if nothing is said.
    pub color: Option<String>,
    /// The colour of its collar and cuffs.
    pub facings: String,
}

/// The coats of all units and leaders of which something is said.
pub(super) fn coats(
    top: &Reader<'_, '_>,
    force: &Force<'_, '_>,
    faults: &mut Vec<Fault>,
) -> BTreeMap<Id, Coat> {
    let uniforms = uniforms(top, faults);
    let units = force.units.iter().map(|(unit, _, reader)| (unit.id(), reader, &keys::UNIT));
    let leaders = force.leaders.iter().map(|(l, reader)| (l.card.id, reader, &keys::LEADER));
    let mut coats = BTreeMap::new();
    for (id, reader, table) in units.chain(leaders) {
        if let Some(coat) = coat(&Values::of(reader, table), &uniforms, faults) {
            coats.insert(id, coat);
        }
    }
    coats
}

fn uniforms(top: &Reader<'_, '_>, faults: &mut Vec<Fault>) -> BTreeMap<Id, Coat> {
    let mut uniforms = BTreeMap::new();
    for reader in &top.tables("uniform", keys::UNIFORM.names, faults) {
        let v = Values::of(reader, &keys::UNIFORM);
        v.coherent(faults);
        let id = v.id("id", faults);
        if let Some(twice) = id.filter(|id| uniforms.contains_key(id)) {
            v.fault("id", format!("two uniforms are called {twice}"), faults);
        }
        let (name, color) = (v.text("name", faults), v.color("color", faults));
        let facings = v.color("facings", faults).unwrap_or_else(|| USUAL_FACINGS.into());
        if let Some(id) = id {
            uniforms.insert(id, Coat { name, color, facings });
        }
    }
    uniforms
}

fn coat(
    v: &Values<'_, '_, '_>,
    uniforms: &BTreeMap<Id, Coat>,
    faults: &mut Vec<Fault>,
) -> Option<Coat> {
    let worn = v.id("uniform", faults);
    let found = worn.and_then(|id| uniforms.get(&id));
    if let Some(id) = worn.filter(|_| found.is_none()) {
        let known: Vec<String> = uniforms.keys().map(ToString::to_string).collect();
        let known = match known.as_slice() {
            [] => "the file has none: write [[uniform]]".to_owned(),
            ids => ids.join(", "),
        };
        v.fault("uniform", format!("no uniform `{id}`: {known}"), faults);
    }
    let facings = v.color("facings", faults);
    if found.is_none() && facings.is_none() {
        return None;
    }
    let (name, color) = found.map_or((None, None), |c| (c.name.clone(), c.color.clone()));
    let facings = facings.or_else(|| found.map(|c| c.facings.clone())).unwrap_or_default();
    Some(Coat { name, color, facings })
}

impl Coat {
    /// The coat of troops of whom nothing is said but their side.
    pub(super) fn of_the_side() -> Self {
        Self { name: None, color: None, facings: USUAL_FACINGS.into() }
    }
}
