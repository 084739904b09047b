//! A game in play: looking at it, giving orders, asking for odds and ways.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::game::command;
use engine::view;
use regimental::battle::Id;
use serde::Deserialize;
use table::{Facing, Point, Pose};

use crate::api::{
    AskOdds, AskWay, Done, GiveOrder, Odds, Offers, Opened, Rename, Seen, StepBack, Way,
};
use crate::error::{Problem, ProblemBody};
use crate::extract::{Answer, Body, Path, Query, Token};
use crate::games::{Act, Request as Change, Wish};
use crate::making::named;
use crate::metrics::Counts;
use crate::server::Server;
use crate::{commander, live};

/// A game, with its whole log.
#[utoipa::path(get, path = "/api/games/{id}", responses((status = 200, body = Opened), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn open(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
) -> Answer<Opened> {
    let (live, role) = server.seated(&id, &token).await?;
    commander::wake(&server, &live);
    let mut state = live.lock().await;
    let wish = Wish { since: state.rev, brief: false };
    let mut now = state.update(wish, &live);
    now.from = 0;
    now.entries = state.log();
    Ok(Json(Opened {
        game: live.id.clone(),
        board: live.board.clone(),
        you: state.role_name(&role.word()),
        commitment: live.commitment.clone(),
        now,
    }))
}

#[derive(Deserialize, utoipa::IntoParams)]
pub(crate) struct Following {
    /// Whether updates after the first may leave out the units and leaders that have not changed.
    #[serde(default)]
    brief: bool,
}

/// Live updates of a game, as server-sent events. The header `Last-Event-ID` says what was seen
/// last.
#[utoipa::path(get, path = "/api/games/{id}/live", params(Following), responses((status = 200, content_type = "text/event-stream", body = crate::api::Update), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn follow(
    State(server): State<Server>,
    Path(id): Path<String>,
    Query(wish): Query<Following>,
    token: Token,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (game, _) = server.seated(&id, &token).await?;
    let since =
        headers.get("last-event-id").and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
    let Some(seat) = live::Seat::take(&server.0.live, server.0.limits.live) else {
        return Err(Problem::Full("Too many are connected: try again later.".into()));
    };
    let stop = server.0.stop.clone();
    let updates = live::stream(Arc::clone(&game), since, wish.brief, stop, seat);
    // Two generals fight only while somebody looks on.
    commander::wake(&server, &game);
    Ok(updates.into_response())
}

async fn change(
    server: &Server,
    id: &str,
    token: &Token,
    request: Change,
) -> Result<Response, Problem> {
    if request.key.as_ref().is_some_and(|k| k.is_empty() || k.len() > 64) {
        return Err(Problem::Unclear("A key has 1 to 64 letters.".into()));
    }
    let (live, role) = server.seated(id, token).await?;
    let done = server.games().change(&live, role, request).await;
    match &done {
        Ok(_) => Counts::one(&server.counts().orders),
        Err(Problem::Rules(_)) => Counts::one(&server.counts().refused),
        Err(_) => {}
    }
    let (update, repeated) = done?;
    commander::wake(server, &live);
    // A `Done`, around an update that is written already.
    let text = format!("{{\"repeated\":{repeated},\"update\":{update}}}");
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

fn read_order(value: serde_json::Value) -> Result<regimental::battle::Command, Problem> {
    if value.get("by").is_some() {
        return Err(Problem::Unclear(
            "`by` is not for here: the seat says whose order it is.".into(),
        ));
    }
    command(value).map_err(|refused| Problem::Unclear(refused.to_string()))
}

/// Gives an order. What is answered with 200 is on disk.
#[utoipa::path(post, path = "/api/games/{id}/orders", request_body = GiveOrder, responses((status = 200, body = Done), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn order(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<GiveOrder>,
) -> Result<Response, Problem> {
    let act = Act::Order(read_order(asked.order)?);
    change(
        &server,
        &id,
        &token,
        Change { act, after: asked.after, key: asked.key, reason: None, brief: asked.brief },
    )
    .await
}

async fn step(
    server: &Server,
    id: &str,
    token: &Token,
    (act, asked): (Act, StepBack),
) -> Result<Response, Problem> {
    let StepBack { after, key, brief } = asked;
    change(server, id, token, Change { act, after, key, reason: None, brief }).await
}

/// Takes the last order back, if no die has fallen since.
#[utoipa::path(post, path = "/api/games/{id}/undo", request_body = StepBack, responses((status = 200, body = Done), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn undo(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<StepBack>,
) -> Result<Response, Problem> {
    step(&server, &id, &token, (Act::Undo, asked)).await
}

/// Carries out again what was taken back.
#[utoipa::path(post, path = "/api/games/{id}/redo", request_body = StepBack, responses((status = 200, body = Done), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn redo(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<StepBack>,
) -> Result<Response, Problem> {
    step(&server, &id, &token, (Act::Redo, asked)).await
}

/// The modifiers and the exact odds of the rolls an order would lead to.
#[utoipa::path(post, path = "/api/games/{id}/preview", request_body = AskOdds, responses((status = 200, body = Odds), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn preview(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<AskOdds>,
) -> Answer<Odds> {
    let (live, _) = server.seated(&id, &token).await?;
    let order = read_order(asked.order)?;
    let state = live.lock().await;
    let Some(by) = state.game.now().awaited() else {
        return Err(Problem::NotYours("The battle is over.".into()));
    };
    let refused = |no| Problem::Rules(view::Refusal::of(state.game.now(), no));
    let rolls = view::rolls(&state.game, by, &order).map_err(refused)?;
    Ok(Json(Odds { rolls }))
}

#[derive(Deserialize, utoipa::IntoParams)]
pub(crate) struct Whose {
    /// The short name of a unit or a leader.
    of: String,
}

fn short_name(name: &str) -> Result<Id, Problem> {
    Id::new(name).ok_or_else(|| Problem::Missing("There is nothing of that name.".into()))
}

/// What a unit or a leader may do now, why not the rest, and where it could get to.
#[utoipa::path(get, path = "/api/games/{id}/offers", params(Whose), responses((status = 200, body = Offers), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn offers(
    State(server): State<Server>,
    Path(id): Path<String>,
    Query(whose): Query<Whose>,
    token: Token,
) -> Answer<Offers> {
    let (live, role) = server.seated(&id, &token).await?;
    let of = short_name(&whose.of)?;
    let state = live.lock().await;
    let battle = state.game.now();
    if battle.unit(of).is_none() && battle.leader(of).is_none() {
        return Err(Problem::Missing("There is no unit or leader of that name.".into()));
    }
    if !role.leads(battle, of) {
        // Another brigade's: this seat has nothing to order there.
        return Ok(Json(Offers { offers: vec![], reach: vec![] }));
    }
    let moves = |u: &&regimental::battle::Unit| view::may_move(battle, u);
    let reach = battle.unit(of).filter(moves).map(|u| view::reach(&state.game, u, false));
    Ok(Json(Offers { offers: view::offers(&state.game, of), reach: reach.unwrap_or_default() }))
}

fn inches(value: f64) -> Result<table::Mils, Problem> {
    if !value.is_finite() || value.abs() > 1000.0 {
        return Err(Problem::Unclear(
            "A place is given in inches, and this is on no table.".into(),
        ));
    }
    Ok(table::mils(value))
}

/// Where a unit would stand if it were sent somewhere: the nearest legal place, and why not
/// farther.
#[utoipa::path(post, path = "/api/games/{id}/plan", request_body = AskWay, responses((status = 200, body = Way), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn plan(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<AskWay>,
) -> Answer<Way> {
    let (live, _) = server.seated(&id, &token).await?;
    let at = Point { x: inches(asked.to.x)?, y: inches(asked.to.y)? };
    let id = short_name(&asked.unit)?;
    let state = live.lock().await;
    let unit = state.game.now().unit(id).filter(|u| u.present());
    let unit =
        unit.ok_or_else(|| Problem::Missing(format!("There is no unit {id} on the table.")))?;
    let facing = match asked.to.facing {
        Some(degrees) if degrees.is_finite() && degrees.abs() <= 3600.0 => Facing::degrees(degrees),
        Some(_) => return Err(Problem::Unclear("A facing is 0 to 360 degrees.".into())),
        None => unit.place.pose.facing,
    };
    let ghost = view::ghost(&state.game, unit, Pose::new(at, facing), asked.disordered);
    Ok(Json(Way { ghost }))
}

#[derive(Deserialize, utoipa::IntoParams)]
pub(crate) struct Place {
    /// Inches from the left edge.
    x: f64,
    /// Inches from the near edge.
    y: f64,
}

/// What is seen from a place.
#[utoipa::path(get, path = "/api/games/{id}/sight", params(Place), responses((status = 200, body = Seen), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn sight(
    State(server): State<Server>,
    Path(id): Path<String>,
    Query(place): Query<Place>,
    token: Token,
) -> Answer<Seen> {
    let (live, _) = server.seated(&id, &token).await?;
    let from = Point { x: inches(place.x)?, y: inches(place.y)? };
    let state = live.lock().await;
    let seen = state.game.now().seen_from(from);
    Ok(Json(Seen {
        outline: seen.outline.iter().map(|p| [table::inches(p.x), table::inches(p.y)]).collect(),
        units: seen.units.iter().map(ToString::to_string).collect(),
    }))
}

/// The table after so many orders.
#[utoipa::path(get, path = "/api/games/{id}/at/{n}", responses((status = 200, body = engine::view::View), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn at(
    State(server): State<Server>,
    Path((id, n)): Path<(String, usize)>,
    token: Token,
) -> Answer<view::View> {
    let (live, _) = server.seated(&id, &token).await?;
    let state = live.lock().await;
    let most = state.game.journal.records().len();
    if n > most {
        return Err(Problem::Missing(format!("There have been {most} orders so far.")));
    }
    Ok(Json(state.at(n)))
}

/// The game as a save.
#[utoipa::path(get, path = "/api/games/{id}/save", responses((status = 200, body = String), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn download(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
) -> Result<Response, Problem> {
    let (live, _) = server.seated(&id, &token).await?;
    let state = live.lock().await;
    let text = live.save(&state);
    let name = format!("attachment; filename=\"{}.save\"", state.game.scenario.id);
    Ok((
        [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, name),
        ],
        text,
    )
        .into_response())
}

/// Gives the player at this seat a name.
#[utoipa::path(post, path = "/api/games/{id}/name", request_body = Rename, responses((status = 204), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn rename(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<Rename>,
) -> Result<StatusCode, Problem> {
    let (live, _) = server.seated(&id, &token).await?;
    server.games().rename(&live, &token.0, &named(&asked.name)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
