//! What was found on the table since anything last moved on it.
//!
//! Who bears on whom, and which way leads a charge home, is asked many times between two orders:
//! by the step, whether anybody can still do anything; by the screen; by the check of the order
//! itself. It changes only when somebody moves on the ground between, so it is measured once. A
//! copy of a battle begins with nothing remembered.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use table::{Bounds, Mils};

use super::charge_seek::Astray;
use super::charge_way::ChargeWay;
use super::command::{Decision, Step};
use super::command_of::Commanded;
use super::event::{Event, Pending};
use super::id::Id;
use super::moves::Move;
use super::sight::Bearing;
use super::state::Pace;

#[derive(Debug, Clone, Default)]
pub(crate) struct Memo {
    /// Everybody a unit bears on, and with which stands.
    pub(crate) aims: Remembered<Id, Arc<[Aim]>>,
    /// The stands of one unit that bear on another.
    pub(crate) bearings: Remembered<(Id, Id), Arc<[Bearing]>>,
    /// Whether one unit bore on another anywhere on its way.
    pub(crate) passed: Remembered<(Id, Id), bool>,
    /// Who commands a unit.
    pub(crate) commands: Remembered<Id, Option<Commanded>>,
    /// The least wheel and the way with which a unit charges another at a rate.
    pub(crate) charges: Remembered<(Id, Id, [Mils; 3]), Found>,
    /// The maneuver found legal last: whoever looks for one asks for it again to give the order,
    /// and the order asks once more.
    judged: Latest<Legal>,
    /// The choices of the step that waits: asked for by whoever wants to know whose turn it is.
    choices: Latest<(Pending, Vec<Decision>)>,
}

/// An enemy somebody bears on, with the stands that do, fired or not.
pub(crate) type Aim = (Id, Arc<[Bearing]>);

/// A legal maneuver: whose, at what pace and whether disordered, by which steps.
struct Legal {
    unit: Id,
    how: (Pace, bool),
    steps: Vec<Step>,
    found: Move,
}

/// The last answer to a question. It holds until anything happens.
struct Latest<V>(Mutex<Option<V>>);

impl<V> Default for Latest<V> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<V> std::fmt::Debug for Latest<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
    }
}

impl<V> Clone for Latest<V> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<V> Latest<V> {
    fn find<R>(&self, fits: impl FnOnce(&V) -> Option<R>) -> Option<R> {
        fits(self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?)
    }

    fn keep(&self, answer: V) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    }

    fn forget(&mut self) {
        *self.0.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// A wheel with the way that follows it, or why there is none.
type Found = Result<(i32, ChargeWay), Astray>;

/// An answer, and the ground it was found on: it holds until somebody it is about moves, or
/// somebody moves onto that ground or off it.
struct Answer<V> {
    value: V,
    ground: Bounds,
}

/// Answers to one kind of question. They are no part of the state: two battles are the same
/// whatever either has been asked.
pub(crate) struct Remembered<K, V>(Mutex<HashMap<K, Answer<V>, foldhash::fast::FixedState>>);

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

/// What a question is about.
pub(crate) trait About: Eq + Hash {
    fn is_about(&self, unit: Id) -> bool;
}

impl About for Id {
    fn is_about(&self, unit: Id) -> bool {
        *self == unit
    }
}

impl About for (Id, Id) {
    fn is_about(&self, unit: Id) -> bool {
        self.0 == unit || self.1 == unit
    }
}

impl About for (Id, Id, [Mils; 3]) {
    fn is_about(&self, unit: Id) -> bool {
        self.0 == unit || self.1 == unit
    }
}

impl<K: About, V: Clone> Remembered<K, V> {
    /// The answer, measured if it is not remembered. It depends on nothing off the ground given.
    pub(crate) fn or(
        &self,
        key: K,
        ground: impl FnOnce() -> Bounds,
        measure: impl FnOnce() -> V,
    ) -> V {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = all().get(&key) {
            return found.value.clone();
        }
        let value = measure();
        all().insert(key, Answer { value: value.clone(), ground: ground() });
        value
    }

    fn all(&mut self) -> &mut HashMap<K, Answer<V>, foldhash::fast::FixedState> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&mut self, moved: Id, ground: Bounds) {
        let all = self.all();
        if !all.is_empty() {
            all.retain(|key, answer| !key.is_about(moved) && !answer.ground.meets(&ground));
        }
    }
}

impl Memo {
    /// Something happened.
    pub(crate) fn stir(&mut self) {
        self.judged.forget();
        self.choices.forget();
    }

    /// What a maneuver came to, if it is the one found legal last.
    pub(crate) fn judged(&self, unit: Id, how: (Pace, bool), steps: &[Step]) -> Option<Move> {
        self.judged.find(|last| {
            let same = last.unit == unit && last.how == how && last.steps == steps;
            same.then(|| last.found.clone())
        })
    }

    /// A maneuver was found legal.
    pub(crate) fn judge(&self, unit: Id, how: (Pace, bool), steps: &[Step], found: &Move) {
        self.judged.keep(Legal { unit, how, steps: steps.to_vec(), found: found.clone() });
    }

    /// The choices a pending step leaves, found if they are not remembered.
    pub(crate) fn choices(
        &self,
        pending: &Pending,
        find: impl FnOnce() -> Vec<Decision>,
    ) -> Vec<Decision> {
        let known = self.choices.find(|(of, known)| (of == pending).then(|| known.clone()));
        known.unwrap_or_else(|| {
            let found = find();
            self.choices.keep((pending.clone(), found.clone()));
            found
        })
    }

    /// Forgets everything: how far one sees may have changed.
    pub(crate) fn forget_all(&mut self) {
        self.aims.all().clear();
        self.bearings.all().clear();
        self.passed.all().clear();
        self.charges.all().clear();
        self.commands.all().clear();
    }

    /// Forgets who commands whom: leaders came, went, or were hit.
    pub(crate) fn forget_commands(&mut self) {
        self.commands.all().clear();
    }

    /// Forgets what a unit may have changed that stood, or now stands, on some ground.
    pub(crate) fn forget(&mut self, moved: Id, ground: Bounds) {
        self.aims.forget(moved, ground);
        self.bearings.forget(moved, ground);
        self.passed.forget(moved, ground);
        self.charges.forget(moved, ground);
        self.commands.forget(moved, ground);
    }

    /// The unit whose place, stands or cover an event changes.
    pub(crate) fn moved(event: &Event) -> Option<Id> {
        match event {
            Event::Placed { unit, .. }
            | Event::Lost { unit, .. }
            | Event::Gun { unit, .. }
            | Event::Removed { unit, .. }
            | Event::SentOff { unit, .. }
            | Event::Rejoined { unit, .. }
            | Event::Marked { unit, .. }
            | Event::Sheltered { unit, .. } => Some(*unit),
            _ => None,
        }
    }
}
