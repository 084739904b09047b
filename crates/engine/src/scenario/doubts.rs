//! What is no fault of a scenario, but may not be meant: said by `scenario check`, and the file is
//! played all the same.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use regimental::battle::card::Branch;
use regimental::battle::state::Unit;
use regimental::battle::terrain::{Field, Ground, Kind, Piece};
use regimental::battle::{Battle, Id};
use rulebook::{Fault, Reader, SourceFile};
use table::Footprint;

use super::force::Force;

/// Doubts, each at its place.
pub(super) struct Doubts(pub(super) Vec<Fault>);

impl Doubts {
    /// What is doubtful in the file itself.
    pub(super) fn of(force: &Force<'_, '_>, top: &Reader<'_, '_>) -> Self {
        let mut doubts = Vec::new();
        for (unit, _, reader) in &force.units {
            let id = unit.id();
            if unit.card.leader.is_none() {
                let message = format!("{id} has no leader: it is out of command all the battle");
                let help = "name the leader who commands it: leader = \"…\"";
                doubts.push(reader.fault("leader", message, Some(help.into())));
            }
            if unit.card.branch == Branch::Infantry && unit.card.weapon.is_none() {
                let message = format!("{id} is infantry without a weapon: it never fires");
                let help = "give the letters of its weapon: weapon = \"…\"";
                doubts.push(reader.fault("weapon", message, Some(help.into())));
            }
        }
        for (leader, reader) in &force.leaders {
            let id = leader.card.id;
            let commands = force.units.iter().any(|(u, ..)| u.card.leader == Some(id))
                || force.leaders.iter().any(|(l, _)| l.card.superior == Some(id));
            if !commands {
                let message = format!("{id} commands no unit and no leader");
                let help = format!("a unit names who commands it: leader = \"{id}\"");
                doubts.push(reader.fault("id", message, Some(help)));
            }
        }
        // The usual colours differ; two that are given may not.
        let sides = top.tables("side", super::keys::SIDE.names, &mut vec![]);
        let color = |i: usize| sides.get(i).and_then(|s| s.text("color", &mut vec![]));
        if let (Some(one), Some(two)) = (color(0), color(1))
            && one.eq_ignore_ascii_case(&two)
        {
            let message = "both sides have this colour: they look alike on the map".to_owned();
            doubts.push(sides[1].fault("color", message, None));
        }
        Self(doubts)
    }

    /// What is doubtful in where everybody stands.
    pub(super) fn on_the_ground(
        &mut self,
        file: &Arc<SourceFile>,
        battle: &Battle,
        places: &BTreeMap<Id, Range<usize>>,
    ) {
        let field = battle.field();
        for unit in battle.units().iter().filter(|u| u.present() && u.place.garrison.is_none()) {
            let Some(piece) = field.pieces.iter().find(|p| bogged(field, p, unit)) else {
                continue;
            };
            let at = places.get(&unit.id()).cloned().unwrap_or(0..0);
            let message = format!("{} stands in {}, {}", unit.id(), piece.id, what(piece));
            let help = "move it out of it, unless it is meant to begin there".to_owned();
            self.0.push(super::fault(file, at, message, Some(help)));
        }
        for arrival in &battle.terms().arrivals {
            let closed = |p: &&Piece| p.impassable && p.shape.holds(arrival.at);
            if let Some(piece) = field.pieces.iter().find(closed) {
                let message =
                    format!("{} enters in {}, which nobody may enter", arrival.unit, piece.id);
                let at = places.get(&arrival.unit).cloned().unwrap_or(0..0);
                self.0.push(super::fault(file, at, message, None));
            }
        }
    }
}

/// Whether a unit stands in ground that nobody chooses to stand in: a swamp, water, or what is closed to all.
fn bogged(field: &Field, piece: &Piece, unit: &Unit) -> bool {
    let wet = matches!(piece.kind, Kind::Swamp | Kind::Water);
    let dry = |at| {
        let over = |p: &&Piece| matches!(p.kind, Kind::Ford | Kind::Bridge) && p.shape.holds(at);
        field.pieces.iter().any(|p| over(&p))
    };
    let middles = unit.feet.iter().map(Footprint::centre);
    (wet || piece.impassable) && middles.into_iter().any(|at| piece.shape.holds(at) && !dry(at))
}

fn what(piece: &Piece) -> &'static str {
    match (piece.kind, piece.ground) {
        _ if piece.impassable => "which nobody may enter",
        (Kind::Swamp, Ground::Rough) => "a swamp: rough ground",
        (Kind::Swamp, _) => "a swamp",
        _ => "water",
    }
}
