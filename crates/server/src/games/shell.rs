//! What is always in memory of a game that somebody looks at: little. The battle itself comes and
//! goes ([`super::memory`]).

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use regimental::battle::Side;
use tokio::sync::{Mutex as Gate, watch};

use super::State;

/// A game that somebody looks at.
pub(crate) struct Live {
    pub(crate) id: String,
    /// The game; none while it is not in memory. Whoever changes it holds this until the change is
    /// on disk.
    pub(super) state: Gate<Option<State>>,
    pub(super) changed: watch::Sender<u64>,
    /// About how many bytes it takes while it is in memory.
    pub(super) bytes: AtomicUsize,
    /// When it was last asked for, in milliseconds since the shell was made.
    used: AtomicU64,
    born: Instant,
    /// The level of the general of each side that has one; known when it has been read once.
    pub(super) generals: OnceLock<[Option<String>; 2]>,
    /// The generals' minds, with what they have made up.
    minds: Mutex<[Option<general::Mind>; 2]>,
    /// Whether a general is at work.
    pub(crate) thinking: AtomicBool,
}

impl Live {
    pub(super) fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            state: Gate::new(None),
            changed: watch::channel(0).0,
            bytes: AtomicUsize::new(0),
            used: AtomicU64::new(0),
            born: Instant::now(),
            generals: OnceLock::new(),
            minds: Mutex::default(),
            thinking: AtomicBool::new(false),
        }
    }

    /// How many look on.
    pub(crate) fn watch_count(&self) -> usize {
        self.changed.receiver_count()
    }

    /// Told whenever the game changes.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// What a general plays a side with, if one does.
    pub(crate) fn general_of(&self, side: Side) -> Option<&str> {
        self.generals.get()?[side.index()].as_deref()
    }

    /// How many sides have a general.
    pub(crate) fn generals(&self) -> usize {
        self.generals.get().map_or(0, |both| both.iter().flatten().count())
    }

    /// Takes a general's mind out, with what it has made up.
    pub(crate) fn take_mind(&self, side: Side) -> Option<general::Mind> {
        self.minds.lock().unwrap_or_else(PoisonError::into_inner)[side.index()].take()
    }

    pub(crate) fn put_mind(&self, side: Side, mind: general::Mind) {
        self.minds.lock().unwrap_or_else(PoisonError::into_inner)[side.index()] = Some(mind);
    }

    pub(super) fn forget_minds(&self) {
        *self.minds.lock().unwrap_or_else(PoisonError::into_inner) = [None, None];
    }

    pub(super) fn touch(&self) {
        let now = u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.used.store(now, Ordering::Relaxed);
    }

    /// When it was last asked for.
    pub(super) fn last_used(&self) -> Instant {
        self.born + std::time::Duration::from_millis(self.used.load(Ordering::Relaxed))
    }
}
