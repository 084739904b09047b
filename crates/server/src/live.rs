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

use crate::error::Problem;
use crate::games::{Live, Wish};
use crate::server::Server;

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
    server: Server,
    live: Arc<Live>,
    changed: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
    sent: Option<u64>,
    brief: bool,
    _seat: Seat,
}

/// How long to wait before a game that could not be read is read again.
const AGAIN: Duration = Duration::from_secs(1);

impl Following {
    /// What is new, when there is something; nothing when there will be nothing any more.
    async fn next(&mut self) -> Option<Event> {
        let server = self.server.clone();
        tokio::select! {
            changed = self.changed.changed() => changed.ok()?,
            _ = self.stop.wait_for(|stop| *stop) => return None,
        }
        loop {
            match server.enter(&self.live).await {
                Ok(mut state) => {
                    let rev = state.rev;
                    // Who has seen nothing yet is told all.
                    let since = self.sent.unwrap_or(0);
                    let wish = Wish { since, brief: self.brief && self.sent.is_some() };
                    let update = tokio::task::block_in_place(|| state.update_json(wish));
                    drop(state);
                    self.sent = Some(rev);
                    return Some(Event::default().id(rev.to_string()).data(update));
                }
                // The game is gone, or will never be read.
                Err(Problem::Missing(_) | Problem::Damaged { .. }) => return None,
                // A fault that passes: who follows is told all as soon as it has.
                Err(_) => tokio::select! {
                    () = tokio::time::sleep(AGAIN) => {}
                    _ = self.stop.wait_for(|stop| *stop) => return None,
                },
            }
        }
    }
}

/// The updates of a game from a revision on.
pub(crate) fn stream(
    server: Server,
    live: Arc<Live>,
    since: Option<u64>,
    brief: bool,
    seat: Seat,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let (stop, mut changed) = (server.0.stop.clone(), live.watch());
    changed.mark_changed();
    let following = Following { server, live, changed, stop, sent: since, brief, _seat: seat };
    let updates = futures_util::stream::unfold(following, |mut f| async move {
        let event = f.next().await?;
        Some((Ok(event), f))
    });
    Sse::new(updates).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
}
