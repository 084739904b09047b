//! Live updates: a stream of server-sent events, numbered by the game's revision.
//!
//! The stream looks at the game whenever it has changed and sends all that is new since what it
//! sent last. Somebody who comes back says what he saw last, and gets the rest: nothing is
//! missed and nothing comes twice, however long he was away.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use tokio::sync::watch;

use crate::games::{Live, Wish};

/// Counts the connections, also when they end by themselves.
pub(crate) struct Seat(Arc<AtomicUsize>);

impl Seat {
    /// A place among so many; nothing if all are taken.
    pub(crate) fn take(count: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let before = count.fetch_add(1, Ordering::Relaxed);
        let seat = Self(Arc::clone(count));
        (before < most).then_some(seat)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Following {
    live: Arc<Live>,
    changed: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
    sent: Option<u64>,
    brief: bool,
    _seat: Seat,
}

/// The updates of a game from a revision on.
pub(crate) fn stream(
    live: Arc<Live>,
    since: Option<u64>,
    brief: bool,
    stop: watch::Receiver<bool>,
    seat: Seat,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut changed = live.watch();
    changed.mark_changed();
    let following = Following { live, changed, stop, sent: since, brief, _seat: seat };
    let updates = futures_util::stream::unfold(following, |mut f| async move {
        tokio::select! {
            changed = f.changed.changed() => changed.ok()?,
            _ = f.stop.wait_for(|stop| *stop) => return None,
        }
        let mut state = f.live.lock().await;
        let rev = state.rev;
        // Who has seen nothing yet is told all.
        let wish = Wish { since: f.sent.unwrap_or(0), brief: f.brief && f.sent.is_some() };
        let update = state.update_json(wish, &f.live);
        drop(state);
        f.sent = Some(rev);
        Some((Ok(Event::default().id(rev.to_string()).data(update)), f))
    });
    Sse::new(updates).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
}
