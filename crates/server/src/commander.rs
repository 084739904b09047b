//! The computer general at a seat: it decides when it is asked, through the same door as anybody.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use general::{Limit, Mind};
use regimental::battle::{Battle, Side};

use crate::api::Level;
use crate::error::Problem;
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
    if live.generals() == 0 || live.thinking.swap(true, Ordering::AcqRel) {
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
            Rest::Asked => matches!(asked(&server, &live).await, Ok(Some(_))),
            Rest::Failed => true,
        };
        if wanted && !server.stopping() {
            wake(&server, &live);
        }
    });
}

/// The same for a game that was just made. If it cannot be read now, whoever opens it wakes them.
pub(crate) async fn wake_new(server: &Server, game: &str) {
    if let Ok(live) = server.games().get(game)
        && server.enter(&live).await.is_ok()
    {
        wake(server, &live);
    }
}

/// What a general is asked for.
struct Question {
    side: Side,
    level: String,
    temper: String,
    battle: Battle,
    rev: u64,
    /// Whether the other side offers a draw.
    draw: bool,
}

/// What a general is asked for now, if one is.
async fn asked(server: &Server, live: &Live) -> Result<Option<Question>, Problem> {
    let state = server.enter(live).await?;
    let offered = state.around.draw_offered.map(Side::other).filter(|_| !state.over());
    let draw = offered.filter(|side| live.general_of(*side).is_some());
    let Some(side) = draw.or(state.awaited()) else { return Ok(None) };
    let Some(level) = live.general_of(side).map(str::to_owned) else { return Ok(None) };
    Ok(Some(Question {
        side,
        level,
        temper: state.tempers[side.index()].clone(),
        battle: state.game.now().clone(),
        rev: state.rev,
        draw: draw.is_some(),
    }))
}

/// The mind of a side's general, with what it has made up; a new one after a restart.
fn take(server: &Server, live: &Live, asked: &Question) -> Mind {
    live.take_mind(asked.side).unwrap_or_else(|| {
        let temper = general::Temper::named(&asked.temper).unwrap_or_default();
        Mind::new(&asked.level, &format!("{} {:?}", live.id, asked.side))
            .with_temper(temper)
            .with_limit(Limit::Time(server.0.limits.think))
    })
}

/// A general agrees to a draw when it is not ahead.
fn answer(asked: &Question) -> Act {
    let agreed = general::lead(&asked.battle, asked.side) <= 0.0;
    Act::AnswerDraw { by: asked.side, agreed }
}

async fn command(server: &Server, live: &Arc<Live>) -> Rest {
    let alone = live.generals() == 2;
    loop {
        if server.stopping() {
            return Rest::Asked;
        }
        tokio::time::sleep(if alone { WALK } else { PAUSE }).await;
        if alone && live.watch_count() == 0 {
            return Rest::Unseen;
        }
        let asked = match asked(server, live).await {
            Ok(Some(asked)) => asked,
            // Nobody is asked, or the game is gone for good.
            Ok(None) | Err(Problem::Missing(_) | Problem::Damaged { .. }) => return Rest::Asked,
            Err(_) => return Rest::Failed,
        };
        let (side, rev) = (asked.side, asked.rev);
        let (act, reason) = if asked.draw {
            (answer(&asked), None)
        } else {
            let mind = take(server, live, &asked);
            // As many think at once as there are cores; the others wait for theirs.
            let Ok(_turn) = server.0.thinkers.acquire().await else { return Rest::Asked };
            let thought = tokio::task::spawn_blocking(move || {
                let mut mind = mind;
                let order = mind.order(&asked.battle);
                (mind, order)
            });
            let Ok((mind, Some(order))) = thought.await else {
                tracing::error!(game = %live.id, ?side, "the general has no order to give");
                return Rest::Failed;
            };
            live.put_mind(side, mind);
            (Act::Order(order.command), Some(order.reason))
        };
        // Brief, as the page asks for it: written once for all who look on.
        let request = Request { act, after: Some(rev), key: None, reason, brief: true };
        let done = server.games().change(live, Role::Side(side), request).await;
        if let Err(problem) = done
            && !matches!(problem, Problem::Late { .. })
        {
            tracing::error!(game = %live.id, ?problem, "an order of the general was refused");
            return Rest::Failed;
        }
    }
}
