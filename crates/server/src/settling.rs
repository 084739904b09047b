//! A battle that is not fought to its end: given up, or agreed to be a draw.

use axum::extract::State;
use axum::response::Response;
use regimental::battle::Side;

use crate::api::{Concede, Done, Draw, DrawWord};
use crate::error::Problem;
use crate::extract::{Body, Path, Token};
use crate::games::{Act, Request};
use crate::playing::change;
use crate::refused::Unchanged;
use crate::seats::Role;
use crate::server::Server;

/// The side a seat speaks for: its own, or the one it names.
async fn speaks_for(
    server: &Server,
    id: &str,
    token: &Token,
    named: Option<&str>,
) -> Result<Side, Problem> {
    let (live, role) = server.seated(id, token).await?;
    let state = server.enter(&live).await?;
    let scenario = &state.game.scenario;
    match (named, role) {
        (Some(name), _) => scenario.side_named(name).ok_or_else(|| {
            let [one, two] = scenario.sides.each_ref().map(|s| &s.id);
            Problem::Unclear(format!("There is no side {name}: {one} or {two}."))
        }),
        (None, Role::Side(side) | Role::Brigade(side, _)) => Ok(side),
        (None, Role::Both) => {
            let [one, two] = scenario.sides.each_ref().map(|s| &s.id);
            Err(Problem::Unclear(format!("This seat has both sides: say which, {one} or {two}.")))
        }
        (None, Role::Watch) => {
            Err(Problem::NotYours("This seat looks on; it gives no orders.".into()))
        }
    }
}

/// Gives the battle up for a side. The other has won it.
#[utoipa::path(post, path = "/api/games/{id}/concede", request_body = Concede, responses((status = 200, body = Done), Unchanged), security(("seat" = [])))]
pub(crate) async fn concede(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<Concede>,
) -> Result<Response, Problem> {
    let side = speaks_for(&server, &id, &token, asked.side.as_deref()).await?;
    let act = Act::Concede(side);
    let request = Request { act, after: asked.after, key: asked.key, reason: None, brief: false };
    change(&server, &id, &token, request).await
}

/// Offers a draw, agrees to one, or does not. An offer lapses when the other side plays on.
#[utoipa::path(post, path = "/api/games/{id}/draw", request_body = Draw, responses((status = 200, body = Done), Unchanged), security(("seat" = [])))]
pub(crate) async fn draw(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<Draw>,
) -> Result<Response, Problem> {
    let by = speaks_for(&server, &id, &token, asked.side.as_deref()).await?;
    let act = match asked.say {
        DrawWord::Offer => Act::OfferDraw(by),
        DrawWord::Agree => Act::AnswerDraw { by, agreed: true },
        DrawWord::Decline => Act::AnswerDraw { by, agreed: false },
    };
    let request = Request { act, after: asked.after, key: asked.key, reason: None, brief: false };
    change(&server, &id, &token, request).await
}
