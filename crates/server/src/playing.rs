//! A game in play: looking at it, giving orders, asking for odds and ways.

use axum::Json;
use axum::extract;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::game::command;
use engine::view;
use regimental::battle::Id;
use serde::Deserialize;
use table::{Facing, Point, Pose};

use crate::api::{
    AskOdds, AskWay, Done, GiveOrder, Odds, Offers, Opened, Rename, Seen, StepBack, Way,
};
use crate::clients::Client;
use crate::commander;
use crate::error::Problem;
use crate::extract::{Answer, Body, Path, Query, Token};
use crate::games::{Act, Request as Change, State, Wish};
use crate::making::named;
use crate::metrics::Counts;
use crate::refused::{Refused, Unchanged};
use crate::server::Server;

/// A game, with its whole log.
#[utoipa::path(get, path = "/api/games/{id}", responses((status = 200, body = Opened), Refused), security(("seat" = [])))]
pub(crate) async fn open(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    token: Token,
    client: Client,
) -> Result<Response, Problem> {
    let (live, role) = server.seated(&id, &token).await?;
    commander::wake(&server, &live);
    let opened = |state: &mut State| {
        let wish = Wish { since: state.rev, brief: false };
        let mut now = state.update(wish);
        now.from = 0;
        now.entries = state.log();
        serde_json::to_string(&Opened {
            game: live.id.clone(),
            board: state.board.clone(),
            you: state.role_name(&role.word()),
            commitment: state.commitment.clone(),
            now,
        })
    };
    let text = server.consult(client, &live, opened).await?.map_err(|_| Problem::Broken)?;
    Ok(json(text))
}

/// JSON that is written already.
fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

pub(crate) async fn change(
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
    Ok(json(text))
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
#[utoipa::path(post, path = "/api/games/{id}/orders", request_body = GiveOrder, responses((status = 200, body = Done), Unchanged), security(("seat" = [])))]
pub(crate) async fn order(
    extract::State(server): extract::State<Server>,
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
#[utoipa::path(post, path = "/api/games/{id}/undo", request_body = StepBack, responses((status = 200, body = Done), Unchanged), security(("seat" = [])))]
pub(crate) async fn undo(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<StepBack>,
) -> Result<Response, Problem> {
    step(&server, &id, &token, (Act::Undo, asked)).await
}

/// Carries out again what was taken back.
#[utoipa::path(post, path = "/api/games/{id}/redo", request_body = StepBack, responses((status = 200, body = Done), Unchanged), security(("seat" = [])))]
pub(crate) async fn redo(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<StepBack>,
) -> Result<Response, Problem> {
    step(&server, &id, &token, (Act::Redo, asked)).await
}

/// The modifiers and the exact odds of the rolls an order would lead to.
#[utoipa::path(post, path = "/api/games/{id}/preview", request_body = AskOdds, responses((status = 200, body = Odds), Refused), security(("seat" = [])))]
pub(crate) async fn preview(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    token: Token,
    client: Client,
    Body(asked): Body<AskOdds>,
) -> Answer<Odds> {
    let (live, _) = server.seated(&id, &token).await?;
    let order = read_order(asked.order)?;
    let weighed = move |state: &mut State| {
        let Some(by) = state.awaited() else {
            return Err(Problem::NotYours("The battle is over.".into()));
        };
        let refused = |no| Problem::Rules(view::Refusal::of(state.game.now(), no));
        let rolls = view::rolls(&state.game, by, &order).map_err(refused)?;
        Ok(Odds { rolls, charge: view::charge_view(state.game.now(), by, &order) })
    };
    Ok(Json(server.consult(client, &live, weighed).await??))
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
#[utoipa::path(get, path = "/api/games/{id}/offers", params(Whose), responses((status = 200, body = Offers), Refused), security(("seat" = [])))]
pub(crate) async fn offers(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    Query(whose): Query<Whose>,
    token: Token,
    client: Client,
) -> Answer<Offers> {
    let (live, role) = server.seated(&id, &token).await?;
    let of = short_name(&whose.of)?;
    let found = move |state: &mut State| {
        let battle = state.game.now();
        if battle.unit(of).is_none() && battle.leader(of).is_none() {
            return Err(Problem::Missing("There is no unit or leader of that name.".into()));
        }
        // Of another brigade's this seat has nothing to order.
        if !role.leads(battle, of) || state.over() {
            return Ok(Offers { offers: vec![], reach: vec![] });
        }
        let moves = |u: &&regimental::battle::Unit| view::may_move(battle, u);
        let reach = battle.unit(of).filter(moves).map(|u| view::reach(&state.game, u, false));
        let offers = view::offers(&state.game, of);
        Ok(Offers { offers, reach: reach.unwrap_or_default() })
    };
    server.consult(client, &live, found).await?.map(Json)
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
#[utoipa::path(post, path = "/api/games/{id}/plan", request_body = AskWay, responses((status = 200, body = Way), Refused), security(("seat" = [])))]
pub(crate) async fn plan(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    token: Token,
    client: Client,
    Body(asked): Body<AskWay>,
) -> Answer<Way> {
    let (live, _) = server.seated(&id, &token).await?;
    let at = Point { x: inches(asked.to.x)?, y: inches(asked.to.y)? };
    let id = short_name(&asked.unit)?;
    let facing = match asked.to.facing {
        Some(degrees) if degrees.is_finite() && degrees.abs() <= 3600.0 => {
            Some(Facing::degrees(degrees))
        }
        Some(_) => return Err(Problem::Unclear("A facing is 0 to 360 degrees.".into())),
        None => None,
    };
    let ghost = move |state: &mut State| {
        let unit = state.game.now().unit(id).filter(|u| u.present());
        let missing = || Problem::Missing(format!("There is no unit {id} on the table."));
        let unit = unit.ok_or_else(missing)?;
        let there = Pose::new(at, facing.unwrap_or(unit.place.pose.facing));
        Ok::<_, Problem>(view::ghost(&state.game, unit, there, asked.disordered))
    };
    let ghost = server.consult(client, &live, ghost).await??;
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
#[utoipa::path(get, path = "/api/games/{id}/sight", params(Place), responses((status = 200, body = Seen), Refused), security(("seat" = [])))]
pub(crate) async fn sight(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    Query(place): Query<Place>,
    token: Token,
    client: Client,
) -> Answer<Seen> {
    let (live, _) = server.seated(&id, &token).await?;
    let from = Point { x: inches(place.x)?, y: inches(place.y)? };
    let seen = move |state: &mut State| state.game.now().seen_from(from);
    let seen = server.consult(client, &live, seen).await?;
    Ok(Json(Seen {
        outline: seen.outline.iter().map(|p| [table::inches(p.x), table::inches(p.y)]).collect(),
        units: seen.units.iter().map(ToString::to_string).collect(),
    }))
}

/// The table after so many orders.
#[utoipa::path(get, path = "/api/games/{id}/at/{n}", responses((status = 200, body = engine::view::View), Refused), security(("seat" = [])))]
pub(crate) async fn at(
    extract::State(server): extract::State<Server>,
    Path((id, n)): Path<(String, usize)>,
    token: Token,
    client: Client,
) -> Answer<view::View> {
    let (live, _) = server.seated(&id, &token).await?;
    let then = move |state: &mut State| {
        let most = state.game.journal.records().len();
        if n > most {
            return Err(Problem::Missing(format!("There have been {most} orders so far.")));
        }
        Ok(state.at(n))
    };
    server.consult(client, &live, then).await?.map(Json)
}

/// The game as a save.
#[utoipa::path(get, path = "/api/games/{id}/save", responses((status = 200, body = String), Refused), security(("seat" = [])))]
pub(crate) async fn download(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    token: Token,
    client: Client,
) -> Result<Response, Problem> {
    let (live, _) = server.seated(&id, &token).await?;
    let saved = |state: &mut State| (state.save(), plain(&state.game.scenario.id));
    let (text, name) = server.consult(client, &live, saved).await?;
    let name = format!("attachment; filename=\"{name}.save\"");
    Ok((
        [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, name),
        ],
        text,
    )
        .into_response())
}

/// A name for a file: what is no plain letter has no place in it. Scenarios are held to plain letters
/// when they are read; games from before that may not have been.
fn plain(name: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.chars().map(|c| if safe(c) { c } else { '-' }).take(64).collect()
}

/// Gives the player at this seat a name.
#[utoipa::path(post, path = "/api/games/{id}/name", request_body = Rename, responses((status = 204), Unchanged), security(("seat" = [])))]
pub(crate) async fn rename(
    extract::State(server): extract::State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<Rename>,
) -> Result<StatusCode, Problem> {
    let (live, _) = server.seated(&id, &token).await?;
    server.games().rename(&live, &token.0, &named(&asked.name)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
