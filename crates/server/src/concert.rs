//! When a step is over for a side that several players lead: when each of them has said so, or
//! has nothing left to do. The seat that made the game may always say it for all.

use engine::view;
use regimental::battle::{Battle, Id, Side};

use crate::games::Entry;
use crate::seats::Role;

/// Who of a side has finished the step it is in.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    step: String,
    leaders: Vec<Id>,
}

/// Which step of which turn a battle is in.
fn step(battle: &Battle) -> String {
    let mover = battle.awaited().map_or(0, Side::index);
    format!("{} {mover} {:?}", battle.turn(), battle.phase())
}

impl Passed {
    /// Those whose lines of a journal count for the step a battle is in.
    pub(crate) fn of_journal(battle: &Battle, entries: &[Entry]) -> Self {
        let now = step(battle);
        let leaders = entries.iter().filter_map(|entry| match entry {
            Entry::Passed { leader, step } if *step == now => Some(*leader),
            _ => None,
        });
        Self { leaders: leaders.collect(), step: now }
    }

    /// Whether a brigade has finished the step a battle is in.
    pub(crate) fn has(&self, battle: &Battle, leader: Id) -> bool {
        self.step == step(battle) && self.leaders.contains(&leader)
    }

    /// A brigade has finished. Returns the step.
    pub(crate) fn note(&mut self, battle: &Battle, leader: Id) -> String {
        let now = step(battle);
        if self.step != now {
            *self = Self { step: now, leaders: vec![] };
        }
        if !self.leaders.contains(&leader) {
            self.leaders.push(leader);
        }
        self.step.clone()
    }

    /// The leaders of seats that still have something to do in this step, but for one.
    pub(crate) fn waited_for(
        &self,
        battle: &Battle,
        seats: impl Iterator<Item = Role>,
        but: Option<Id>,
    ) -> Vec<Id> {
        let busy = |side: Side, leader: Id| {
            let own = |id: Id| Role::Brigade(side, leader).leads(battle, id);
            battle.units().iter().any(|u| own(u.id()) && view::has_to_do(battle, u))
        };
        let leaders = seats.filter_map(|role| match role {
            Role::Brigade(side, leader) if battle.awaited() == Some(side) => Some((side, leader)),
            _ => None,
        });
        let open = |(side, leader): &(Side, Id)| {
            Some(*leader) != but && !self.has(battle, *leader) && busy(*side, *leader)
        };
        leaders.filter(open).map(|(_, leader)| leader).collect()
    }

    /// Whether anybody has finished this step before the others.
    pub(crate) fn any(&self, battle: &Battle) -> bool {
        self.step == step(battle) && !self.leaders.is_empty()
    }
}
