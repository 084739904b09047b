//! What was found on the table since anything last moved on it.
//!
//! Who bears on whom, and which way leads a charge home, is asked many times between two orders:
//! by the step, whether anybody can still do anything; by the screen; by the check of the order
//! itself. It changes only when somebody moves, so it is measured once. A copy of a battle
//! begins with nothing remembered.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use table::Mils;

use super::charging::ChargeWay;
use super::event::Event;
use super::id::Id;
use super::refusal::No;
use super::sight::Bearing;

#[derive(Debug, Clone, Default)]
pub(crate) struct Memo {
    /// The stands of one unit that bear on another.
    pub(crate) bearings: Remembered<(Id, Id), Arc<[Bearing]>>,
    /// The least wheel and the way with which a unit charges another at a rate.
    pub(crate) charges: Remembered<(Id, Id, [Mils; 3]), Found>,
}

/// A wheel with the way that follows it, or why there is none.
type Found = Result<(i32, ChargeWay), No>;

/// Answers to one kind of question. They are no part of the state: two battles are the same
/// whatever either has been asked.
pub(crate) struct Remembered<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K, V> std::fmt::Debug for Remembered<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
    }
}

impl<K, V> Clone for Remembered<K, V> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<K: Eq + Hash, V: Clone> Remembered<K, V> {
    /// The answer, measured if it is not remembered.
    pub(crate) fn or(&self, key: K, measure: impl FnOnce() -> V) -> V {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = all().get(&key) {
            return found.clone();
        }
        let found = measure();
        all().insert(key, found.clone());
        found
    }

    fn forget(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Memo {
    /// Forgets what an event may have changed: places, stands, and how far one sees.
    pub(crate) fn after(&mut self, event: &Event) {
        let moves = matches!(
            event,
            Event::TurnBegan { .. }
                | Event::Placed { .. }
                | Event::Lost { .. }
                | Event::Gun { .. }
                | Event::Removed { .. }
                | Event::SentOff { .. }
                | Event::Rejoined { .. }
                | Event::Marked { .. }
                | Event::Sheltered { .. }
        );
        if moves {
            self.bearings.forget();
            self.charges.forget();
        }
    }
}
