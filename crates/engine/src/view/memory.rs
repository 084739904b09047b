//! What the units looked like last, so that only those that changed are looked at again.

use std::sync::Arc;

use regimental::battle::state::Unit;
use regimental::battle::{Battle, Commanded, Id};

use super::now::{Piece, charging, declares, may, piece};
use super::offers::may_move;
use crate::Scenario;

/// What the units of a game looked like last: most do not change from one order to the next.
#[derive(Debug, Default)]
pub struct Memory(Vec<(Unit, Standing, Arc<Piece>)>);

impl Memory {
    pub(super) fn pieces(&mut self, scenario: &Scenario, battle: &Battle) -> Vec<Arc<Piece>> {
        let units = battle.units();
        if self.0.len() != units.len() {
            self.0.clear();
        }
        for (i, unit) in units.iter().enumerate() {
            let standing = Standing::of(battle, unit);
            match self.0.get_mut(i) {
                Some((old, stood, _)) if unit.unchanged(old) && *stood == standing => {}
                Some(known) => {
                    let piece = Arc::new(piece(scenario, battle, unit, standing));
                    *known = (unit.clone(), standing, piece);
                }
                None => {
                    let piece = Arc::new(piece(scenario, battle, unit, standing));
                    self.0.push((unit.clone(), standing, piece));
                }
            }
        }
        self.0.iter().map(|(_, _, piece)| Arc::clone(piece)).collect()
    }
}

/// What a unit's look depends on beside itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    pub(super) commanded: Option<Commanded>,
    pub(super) may: &'static str,
    pub(super) moves: bool,
    pub(super) can_charge: bool,
    pub(super) arc: &'static str,
    pub(super) charging: Option<Id>,
}

impl Standing {
    fn of(battle: &Battle, unit: &Unit) -> Self {
        Self {
            commanded: battle.commanded(unit).filter(|_| unit.present()),
            may: may(battle, unit),
            moves: may_move(battle, unit),
            can_charge: declares(battle, unit),
            arc: battle.arc_of(unit),
            charging: charging(battle, unit),
        }
    }
}
