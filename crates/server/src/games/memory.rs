//! Games are let go again: when they take more memory than the server may have for them, and when
//! nobody has asked for one for a while. Nothing is lost with them: their journals have it all.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{Live, State};

/// A game nobody has asked for is let go after this.
pub(crate) const IDLE: Duration = Duration::from_secs(600);

// Upper ends of what was measured: hundreds of games made and played, small and large, with the process
// looked at before and after. `cargo xtask soak` holds them to it.
/// A game with nothing on its table.
const BASE: usize = 48 * 1024;
/// A unit or a leader: its card and condition in each of the battles that are kept, and how it was
/// last shown.
const PIECE: usize = 8 * 1024;
/// A byte of scenario text: itself, the ground that was read from it in each of the battles, the
/// board as it is shown.
const TEXT: usize = 24;
/// A byte of the journal: a record with its events, its key, its length.
const JOURNAL: usize = 6;

/// About how many bytes a game takes.
pub(super) fn bytes_of(state: &State) -> usize {
    let battle = state.game.now();
    let pieces = battle.units().len() + battle.leaders().len();
    BASE + pieces * PIECE + state.game.scenario.text.len() * TEXT + state.written_bytes * JOURNAL
}

/// How much the games in memory take together, and how much they may.
#[derive(Debug)]
pub(crate) struct Budget {
    most: usize,
    taken: AtomicUsize,
}

impl Budget {
    pub(super) fn new(most: usize) -> Self {
        Self { most, taken: AtomicUsize::new(0) }
    }

    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    fn over(&self) -> bool {
        self.taken() > self.most
    }

    /// A game takes so much now.
    pub(super) fn note(&self, live: &Live, bytes: usize) {
        let before = live.bytes.swap(bytes, Ordering::Relaxed);
        if bytes >= before {
            self.taken.fetch_add(bytes - before, Ordering::Relaxed);
        } else {
            self.taken.fetch_sub(before - bytes, Ordering::Relaxed);
        }
    }

    /// Lets games go until the rest fits: those nobody follows first, of these the ones that were
    /// not asked for longest. Only those in use at this moment stay. Then those idle for long.
    pub(super) fn settle(&self, all: &[Arc<Live>], but: Option<&Live>) {
        let mut kept: Vec<(bool, Instant, &Arc<Live>)> = all
            .iter()
            .filter(|l| l.bytes.load(Ordering::Relaxed) > 0)
            .filter(|l| but.is_none_or(|but| !std::ptr::eq(but, l.as_ref())))
            .map(|l| (l.watch_count() > 0, l.last_used(), l))
            .collect();
        kept.sort_by_key(|(watched, used, _)| (*watched, *used));
        let now = Instant::now();
        for (_, used, live) in kept {
            let idle = now.saturating_duration_since(used) > IDLE;
            if self.over() || idle {
                self.let_go(live);
            }
        }
    }

    pub(super) fn let_go(&self, live: &Live) {
        // Somebody holds it: it is in use.
        let Ok(mut state) = live.state.try_lock() else { return };
        *state = None;
        live.forget_minds();
        self.note(live, 0);
    }

    pub(super) fn crowded(&self) -> bool {
        self.over()
    }
}
