//! Live updates: a stream of server-sent events, numbered by the game's revision.
//!
//! The stream looks at the game whenever it has changed and sends all that is new since what it
//! sent last. Somebody who comes back says what he saw last, and gets the rest: nothing is
//! missed and nothing comes twice, however long he was away.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use serde::Deserialize;
use tokio::sync::watch;

use crate::clients::Client;
use crate::crowd::{Guest, TooMuch};
use crate::error::Problem;
use crate::extract::{Path, Query, Token};
use crate::games::{Live, Wish};
use crate::refused::Refused;
use crate::server::Server;
use crate::{answers, commander};

#[derive(Deserialize, utoipa::IntoParams)]
pub(crate) struct Following {
    /// Whether updates after the first may leave out the units and leaders that have not changed.
    #[serde(default)]
    brief: bool,
}

/// What somebody who follows wants: the query, and the header `Last-Event-ID`.
pub(crate) struct Wanted {
    brief: bool,
    since: Option<u64>,
}

impl<S: Send + Sync> FromRequestParts<S> for Wanted {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(Following { brief }) = Query::from_request_parts(parts, state).await?;
        let seen = parts.headers.get("last-event-id").and_then(|v| v.to_str().ok());
        Ok(Self { brief, since: seen.and_then(|v| v.parse().ok()) })
    }
}

/// Live updates of a game, as server-sent events: the first comes at once, with all that is new since
/// what was seen last. The id of an event is the revision it leads to.
#[utoipa::path(
    get, path = "/api/games/{id}/live",
    params(
        Following,
        ("last-event-id" = Option<u64>, Header, description = "The revision that was seen last: only what is new since is sent. Without it the whole log is."),
    ),
    responses(
        (status = 200, content_type = "text/event-stream", body = crate::api::Update, description = "events without end; a line that begins with a colon is there to keep the connection"),
        Refused
    ),
    security(("seat" = []))
)]
pub(crate) async fn follow(
    State(server): State<Server>,
    Path(id): Path<String>,
    wanted: Wanted,
    token: Token,
    client: Client,
) -> Result<Response, Problem> {
    let (game, _) = server.seated(&id, &token).await?;
    let guest = server.0.live.enter(client).map_err(|much| {
        Problem::busy(match much {
            TooMuch::InAll => "Too many are connected: try again later.",
            TooMuch::OfOne => "Too many connections from your address: close some.",
        })
    })?;
    let Wanted { brief, since } = wanted;
    let follower = Follower { client, brief, since, _guest: guest };
    let updates = stream(server.clone(), Arc::clone(&game), follower);
    // Two generals fight only while somebody looks on.
    commander::wake(&server, &game);
    Ok(updates.into_response())
}

/// Who follows a game.
struct Follower {
    client: Client,
    /// Whether what has not changed may be left out.
    brief: bool,
    /// What he has seen.
    since: Option<u64>,
    /// His place among those who follow.
    _guest: Guest,
}

struct Stream {
    server: Server,
    live: Arc<Live>,
    changed: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
    who: Follower,
    /// Room for the update that is on its way.
    room: Option<Guest>,
}

/// An update with more of the log than this takes its turn with all other work.
const MUCH: usize = 64;

/// How long to wait before a game that could not be read is read again.
const AGAIN: Duration = Duration::from_secs(1);

impl Stream {
    /// What is new, when there is something; nothing when there will be nothing any more.
    async fn next(&mut self) -> Option<Event> {
        tokio::select! {
            changed = self.changed.changed() => changed.ok()?,
            _ = self.stop.wait_for(|stop| *stop) => return None,
        }
        // Whatever was on its way has been taken.
        self.room = None;
        loop {
            match self.update().await {
                Ok(event) => return Some(event),
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

    /// All that is new.
    async fn update(&mut self) -> Result<Event, Problem> {
        let server = self.server.clone();
        // Who has seen nothing yet is told all.
        let seen = self.who.since.unwrap_or(0);
        let wish = Wish { since: seen, brief: self.who.brief && self.who.since.is_some() };
        let much = server.enter(&self.live).await?.behind(seen) > MUCH;
        let turn = if much { Some(server.desk().turn(self.who.client).await?) } else { None };
        let mut state = server.enter(&self.live).await?;
        let rev = state.rev;
        let update = tokio::task::block_in_place(|| state.update_json(wish));
        drop((state, turn));
        self.room = answers::room(&server.0.answers, self.who.client, update.len())?;
        self.who.since = Some(rev);
        Ok(Event::default().id(rev.to_string()).data(update))
    }
}

/// The updates of a game from a revision on.
fn stream(
    server: Server,
    live: Arc<Live>,
    who: Follower,
) -> Sse<impl futures_util::Stream<Item = Result<Event, Infallible>>> {
    let (stop, mut changed) = (server.0.stop.clone(), live.watch());
    changed.mark_changed();
    let following = Stream { server, live, changed, stop, who, room: None };
    let updates = futures_util::stream::unfold(following, |mut f| async move {
        let event = f.next().await?;
        Some((Ok(event), f))
    });
    Sse::new(updates).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
}
