//! The computer general at a seat: it decides when it is asked, through the same door as anybody.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use general::{Limit, Mind};
use regimental::battle::Side;

use crate::api::Level;
use crate::games::{Act, Live, Request};
use crate::seats::Role;
use crate::server::Server;

/// The levels there are.
pub(crate) fn levels() -> Vec<Level> {
    general::LEVELS.iter().map(|l| Level { id: l.id.to_owned(), says: l.says.to_owned() }).collect()
}

/// So that a player can follow what the general does.
const PAUSE: Duration = Duration::from_millis(60);

/// Between two generals there is nobody to wait for: their battle goes on at a walk.
const WALK: Duration = Duration::from_millis(400);

/// After a fault the general is asked again no sooner.
const AGAIN: Duration = Duration::from_secs(5);

/// Why the generals of a game rest.
enum Rest {
    /// A player is asked, or the battle is over, or the server stops.
    Asked,
    /// Two generals, and nobody looks on: the battle waits, and the game can be let go.
    Unseen,
    /// A fault of the program or of the disk.
    Failed,
}

/// A general at work; none any more when this is gone, however it went.
struct AtWork(Arc<Live>);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.thinking.store(false, Ordering::Release);
    }
}

/// Lets the generals of a game act until a player is asked.
pub(crate) fn wake(server: &Server, live: &Arc<Live>) {
    if live.generals.iter().all(Option::is_none) || live.thinking.swap(true, Ordering::AcqRel) {
        return;
    }
    let (server, live) = (server.clone(), Arc::clone(live));
    tokio::spawn(async move {
        let at_work = AtWork(Arc::clone(&live));
        let rest = command(&server, &live).await;
        if matches!(rest, Rest::Failed) {
            tokio::time::sleep(AGAIN).await;
        }
        drop(at_work);
        // Somebody may have acted, or come to look on, between the last look and the line above.
        let wanted = match rest {
            Rest::Unseen => live.watch_count() > 0,
            Rest::Asked | Rest::Failed => asked(&live).await.is_some(),
        };
        if wanted && !server.stopping() {
            wake(&server, &live);
        }
    });
}

/// The side a general is asked for, with its level.
async fn asked(live: &Live) -> Option<(Side, String)> {
    let state = live.lock().await;
    let side = state.game.now().awaited()?;
    live.general_of(side).map(|level| (side, level.to_owned()))
}

fn minds(live: &Live) -> std::sync::MutexGuard<'_, [Option<Mind>; 2]> {
    live.minds.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The mind of a side's general, with what it has made up; a new one after a restart.
fn take(server: &Server, live: &Live, side: Side, level: &str) -> Mind {
    minds(live)[side.index()].take().unwrap_or_else(|| {
        let temper = general::Temper::named(&live.tempers[side.index()]).unwrap_or_default();
        Mind::new(level, &format!("{} {side:?}", live.id))
            .with_temper(temper)
            .with_limit(Limit::Time(server.0.limits.think))
    })
}

async fn command(server: &Server, live: &Arc<Live>) -> Rest {
    let alone = live.generals.iter().all(Option::is_some);
    while let Some((side, level)) = asked(live).await {
        if server.stopping() {
            return Rest::Asked;
        }
        tokio::time::sleep(if alone { WALK } else { PAUSE }).await;
        if alone && live.watch_count() == 0 {
            return Rest::Unseen;
        }
        let (battle, rev) = {
            let state = live.lock().await;
            (state.game.now().clone(), state.rev)
        };
        let mind = take(server, live, side, &level);
        // As many think at once as there are cores; the others wait for theirs.
        let Ok(_turn) = server.0.thinkers.acquire().await else { return Rest::Asked };
        let thought = tokio::task::spawn_blocking(move || {
            let mut mind = mind;
            let order = mind.order(&battle);
            (mind, order)
        });
        let Ok((mind, Some(order))) = thought.await else {
            tracing::error!(game = %live.id, level, "the general has no order to give");
            return Rest::Failed;
        };
        minds(live)[side.index()] = Some(mind);
        let request = Request {
            act: Act::Order(order.command),
            after: Some(rev),
            key: None,
            reason: Some(order.reason),
            // As the page asks for it: written once for all who look on.
            brief: true,
        };
        let done = server.games().change(live, Role::Side(side), request).await;
        if let Err(problem) = done
            && !matches!(problem, crate::Problem::Late { .. })
        {
            tracing::error!(game = %live.id, ?problem, "an order of the general was refused");
            return Rest::Failed;
        }
    }
    Rest::Asked
}
