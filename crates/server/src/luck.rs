//! Was it the dice? The luck audit of a battle that is over.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use engine::Scenario;
use general::audit::{Audit, Throw, audit as audited};
use journal::Journal;
use regimental::battle::Battle;

use crate::api::{Luck, LuckyThrow};
use crate::clients::Client;
use crate::error::Problem;
use crate::extract::{Path, Token};
use crate::games::Line;
use crate::refused::Refused;
use crate::server::Server;

/// Raised when whoever asked has gone away.
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How much of a battle that is over was dice and how much generalship, throw by throw.
#[utoipa::path(get, path = "/api/games/{id}/luck", responses((status = 200, body = Luck), Refused), security(("seat" = [])))]
pub(crate) async fn luck(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    client: Client,
) -> Result<Response, Problem> {
    let (live, _) = server.seated(&id, &token).await?;
    let known = |text: Arc<str>| {
        ([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()
    };
    if let Some(text) = server.enter(&live).await?.luck.clone() {
        return Ok(known(text));
    }
    // One at a time; whoever waited may find it weighed.
    let _turn = server.0.weigher.turn(client).await?;
    let (scenario, records) = {
        let state = server.enter(&live).await?;
        if !state.over() {
            return Err(Problem::NotYours("The dice are weighed when the battle is over.".into()));
        }
        if let Some(text) = state.luck.clone() {
            return Ok(known(text));
        }
        state.records(state.game.journal.records().len())?
    };
    let gone = Gone(Arc::default());
    let stop = Arc::clone(&gone.0);
    let weighed = tokio::task::spawn_blocking(move || weigh(&scenario, records, &stop));
    let text = weighed.await.ok().flatten().ok_or(Problem::Broken)?;
    server.enter(&live).await?.luck = Some(Arc::clone(&text));
    Ok(known(text))
}

/// The audit as it is sent; nothing if it was broken off.
fn weigh(scenario: &Scenario, records: Vec<Line>, stop: &AtomicBool) -> Option<Arc<str>> {
    let sides = scenario.sides.each_ref().map(|s| s.id.clone());
    let journal = Journal::<Battle>::replay(scenario.battle.clone(), records);
    let mut going_on = |_, _| {
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let audit = audited(sides, &journal, &mut going_on)?;
    serde_json::to_string(&shown(audit)).ok().map(Into::into)
}

fn shown(audit: Audit) -> Luck {
    let verdict = audit.verdict().to_owned();
    let Audit { sides, start, end, luck, generalship, throws } = audit;
    let throw = |t: Throw| LuckyThrow {
        order: t.order,
        turn: t.turn,
        by: sides[usize::from(t.by.min(1))].clone(),
        what: t.what,
        dice: t.dice,
        expected: t.expected,
        actual: t.actual,
    };
    let throws = throws.into_iter().map(throw).collect();
    Luck { start, end, dice: luck, generalship, verdict, throws }
}
