//! Was it the dice? The luck audit of a battle that is over.

use axum::Json;
use axum::extract::State;
use general::audit::{Audit, Throw, audit as audited};
use journal::Journal;
use regimental::battle::Battle;

use crate::api::{Luck, LuckyThrow};
use crate::error::{Problem, ProblemBody};
use crate::extract::{Answer, Path, Token};
use crate::server::Server;

/// How much of a battle that is over was dice and how much generalship, throw by throw.
#[utoipa::path(get, path = "/api/games/{id}/luck", responses((status = 200, body = Luck), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn luck(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
) -> Answer<Luck> {
    let (live, _) = server.seated(&id, &token).await?;
    let orders = {
        let state = live.lock().await;
        if state.game.now().ending().is_none() {
            return Err(Problem::NotYours("The dice are weighed when the battle is over.".into()));
        }
        state.game.journal.records().len()
    };
    let (scenario, records) = server.games().records(&live, orders).await?;
    // It takes as long as a thought of a general, and stands in line with them.
    let _turn = server.0.thinkers.acquire().await.map_err(|_| Problem::Broken)?;
    let weighed = tokio::task::spawn_blocking(move || {
        let sides = scenario.sides.each_ref().map(|s| s.id.clone());
        let journal = Journal::<Battle>::replay(scenario.battle.clone(), records);
        shown(audited(sides, &journal, &mut |_, _| {}))
    });
    weighed.await.map(Json).map_err(|e| {
        tracing::error!(error = %e, "the dice could not be weighed");
        Problem::Broken
    })
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
