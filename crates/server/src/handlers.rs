//! The routes: what may be asked, and of whom.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::http::{HeaderMap, header, request::Parts};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use engine::game::command;
use engine::view;
use engine::{SCENARIOS, Scenario, save};
use regimental::battle::{Id, Side};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use table::{Facing, Point, Pose};
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;
use utoipa::OpenApi;

use crate::api::{
    AskOdds, AskWay, BookText, Branch, ClauseText, Done, GiveOrder, Made, MakeGame, Mode, Odds,
    Offers, Opened, Rename, RulingText, Scenarios, Section, Seen, StepBack, Way,
};
use crate::error::{Problem, ProblemBody};
use crate::games::{Act, Games, Line, Live, Request as Change};
use crate::guard::{self, Rate};
use crate::metrics::Counts;
use crate::seats::Role;
use crate::storage::Storage;
use crate::{Limits, assets, commander, live};

/// Orders are small; a save is not.
const BODY: usize = 64 * 1024;
const SAVE: usize = 16 * 1024 * 1024;

/// The server, shared by its requests.
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    games: Games,
    counts: Counts,
    rate: Rate,
    live: Arc<AtomicUsize>,
    limits: Limits,
    stop: watch::Receiver<bool>,
    scenarios: Vec<Scenario>,
}

impl Server {
    /// A server over a storage.
    #[must_use]
    pub fn new(storage: Arc<dyn Storage>, limits: Limits, stop: watch::Receiver<bool>) -> Self {
        let games = Games::new(storage, limits.games);
        let read = |(id, _): &(&str, &str)| Scenario::built_in(games.library(), id)?.ok();
        let scenarios = SCENARIOS.iter().filter_map(read).collect();
        Self(Arc::new(Inner {
            games,
            counts: Counts::default(),
            rate: guard::rate(limits.rate),
            live: Arc::default(),
            limits,
            stop,
            scenarios,
        }))
    }

    pub(crate) fn games(&self) -> &Games {
        &self.0.games
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.0.counts
    }

    pub(crate) fn rate(&self) -> &Rate {
        &self.0.rate
    }

    pub(crate) fn stopping(&self) -> bool {
        *self.0.stop.borrow()
    }

    /// Generals that were asked when the server stopped go on.
    pub(crate) async fn wake_generals(&self) {
        let games = self.games().storage().with_generals(200).await.unwrap_or_default();
        for id in games {
            if let Ok(live) = self.games().get(&id).await {
                commander::wake(self, &live);
            }
        }
    }

    pub(crate) async fn close(&self) {
        if let Err(e) = self.games().storage().close().await {
            tracing::error!(error = %e, "closing");
        }
    }
}

/// A JSON body, with problems in our own words.
struct Body<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Problem::Unclear(
                "Send JSON, with the header content-type: application/json.".into(),
            )),
            Err(other) => {
                Err(Problem::Unclear(format!("The request cannot be read: {}", other.body_text())))
            }
        }
    }
}

/// The token of a seat.
struct Token(String);

impl<S: Send + Sync> FromRequestParts<S> for Token {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let value = parts.headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok());
        let token = value.and_then(|v| v.strip_prefix("Bearer ")).map(str::trim);
        token.filter(|t| !t.is_empty()).map(|t| Self(t.to_owned())).ok_or(Problem::NotSeated)
    }
}

type Answer<T> = Result<Json<T>, Problem>;

impl Server {
    async fn seated(&self, id: &str, token: &Token) -> Result<(Arc<Live>, Role), Problem> {
        let live = self.games().get(id).await?;
        let role = live.role(&token.0).await?;
        Ok((live, role))
    }
}

/// What the outside may ask, described.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Linstock",
        description = "Games of black-powder wargames over HTTP. A seat's token goes into the header `Authorization: Bearer …`. Orders are described in docs/commands.md."
    ),
    paths(
        scenarios,
        scenario_map,
        book,
        make,
        open,
        follow,
        order,
        undo,
        redo,
        preview,
        offers,
        plan,
        sight,
        at,
        branch,
        download,
        rename,
        health,
        metrics
    ),
    components(schemas(ProblemBody))
)]
struct Api;

/// The description of the API, as JSON.
#[must_use]
pub fn openapi() -> String {
    Api::openapi().to_pretty_json().unwrap_or_default()
}

/// All routes.
pub fn router(server: Server) -> Router {
    let games = Router::new()
        .route("/games/{id}", get(open))
        .route("/games/{id}/orders", post(order))
        .route("/games/{id}/undo", post(undo))
        .route("/games/{id}/redo", post(redo))
        .route("/games/{id}/preview", post(preview))
        .route("/games/{id}/offers", get(offers))
        .route("/games/{id}/plan", post(plan))
        .route("/games/{id}/sight", get(sight))
        .route("/games/{id}/at/{n}", get(at))
        .route("/games/{id}/branch", post(branch))
        .route("/games/{id}/save", get(download))
        .route("/games/{id}/name", post(rename))
        .layer(DefaultBodyLimit::max(BODY));
    let api = Router::new()
        .route("/scenarios", get(scenarios))
        .route("/scenarios/{id}/map.svg", get(scenario_map))
        .route("/books/{id}", get(book))
        .route("/games", post(make).layer(DefaultBodyLimit::max(SAVE)))
        .route(
            "/openapi.json",
            get(|| async { ([(header::CONTENT_TYPE, "application/json")], openapi()) }),
        )
        .merge(games)
        .fallback(|| async {
            Problem::Missing("There is no such thing in the API: see /api/openapi.json.".into())
        })
        .layer(CompressionLayer::new())
        .layer(TimeoutLayer::with_status_code(
            axum::http::StatusCode::REQUEST_TIMEOUT,
            Duration::from_secs(30),
        ))
        // Live updates have no end, and are not held back to be compressed.
        .route("/games/{id}/live", get(follow));
    Router::new()
        .nest("/api", api)
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .fallback_service(get(assets::file).layer(CompressionLayer::new()))
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            Problem::Broken.into_response()
        }))
        .layer(middleware::from_fn_with_state(server.clone(), guard::pass))
        .with_state(server)
}

/// Whether the server can read its games.
#[utoipa::path(get, path = "/health", responses((status = 200, body = String)))]
async fn health(State(server): State<Server>) -> Result<&'static str, Problem> {
    server.games().storage().count().await?;
    Ok("ok")
}

/// Counts for whoever watches the server.
#[utoipa::path(get, path = "/metrics", responses((status = 200, body = String)))]
async fn metrics(State(server): State<Server>) -> String {
    let live = server.0.live.load(std::sync::atomic::Ordering::Relaxed);
    server.counts().text(server.games().in_memory(), live)
}

/// The scenarios built in, and the levels of the computer general.
#[utoipa::path(get, path = "/api/scenarios", responses((status = 200, body = Scenarios)))]
async fn scenarios(State(server): State<Server>) -> Json<Scenarios> {
    Json(Scenarios {
        scenarios: server.0.scenarios.iter().map(view::card).collect(),
        levels: commander::levels(),
    })
}

/// The map of a scenario.
#[utoipa::path(get, path = "/api/scenarios/{id}/map.svg", responses((status = 200, body = String)))]
async fn scenario_map(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let scenario = server.0.scenarios.iter().find(|s| s.id == id);
    let scenario = scenario.ok_or_else(|| Problem::Missing("There is no such scenario.".into()))?;
    let svg = engine::map::svg(scenario, &scenario.battle);
    let head =
        [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=3600")];
    Ok((head, svg).into_response())
}

/// A rulebook with its rulings.
#[utoipa::path(get, path = "/api/books/{id}", responses((status = 200, body = BookText)))]
async fn book(State(server): State<Server>, Path(id): Path<String>) -> Answer<BookText> {
    let missing = |_| Problem::Missing("There is no such book.".into());
    let loaded = server.games().library().get(&id).map_err(missing)?;
    let book = &loaded.book;
    let sections = book.sections().iter().map(|(section, title)| Section {
        title: title.clone(),
        clauses: book
            .clauses()
            .filter(|(_, c)| c.section == *section)
            .map(|(_, c)| ClauseText {
                id: c.id.clone(),
                says: c.says.clone(),
                source: c.source.clone(),
                note: c.note.clone(),
            })
            .collect(),
    });
    let rulings = book.rulings().iter().map(|r| RulingText {
        id: r.id.clone(),
        question: r.question.clone(),
        text: r.text.clone(),
    });
    Ok(Json(BookText {
        id: book.id.clone(),
        title: book.title.clone(),
        sections: sections.collect(),
        rulings: rulings.collect(),
    }))
}

/// Makes a game: of a scenario, or of a save.
#[utoipa::path(post, path = "/api/games", request_body = MakeGame, responses((status = 200, body = Made), (status = "4XX", body = ProblemBody)))]
async fn make(State(server): State<Server>, Body(asked): Body<MakeGame>) -> Answer<Made> {
    let library = server.games().library();
    let (scenario, past) = match (&asked.scenario, &asked.scenario_text, &asked.save) {
        (Some(id), None, None) => {
            let found = server.0.scenarios.iter().find(|s| s.id == *id).cloned();
            let missing = || Problem::Missing(format!("There is no scenario {id}."));
            (found.ok_or_else(missing)?, vec![])
        }
        (None, Some(text), None) => {
            let read = Scenario::read(library, "scenario.toml", text);
            (read.map_err(|faults| Problem::Unclear(faults.to_string()))?, vec![])
        }
        (None, None, Some(text)) => {
            let saved = save::read(library, text)
                .map_err(|e| Problem::Unclear(format!("The save cannot be read: {e}")))?;
            (saved.scenario, saved.journal.records().to_vec())
        }
        _ => {
            return Err(Problem::Unclear(
                "Name a scenario, or send the text of one, or a save.".into(),
            ));
        }
    };
    begin(&server, scenario, asked.mode, asked.name, past).await
}

async fn begin(
    server: &Server,
    scenario: Scenario,
    mode: Mode,
    name: String,
    past: Vec<Line>,
) -> Answer<Made> {
    let name = named(&name)?;
    let side = |word: &str| {
        scenario.side_named(word).ok_or_else(|| {
            let ids = scenario.sides.each_ref().map(|s| s.id.clone());
            Problem::Unclear(format!("There is no side {word}: {} or {}.", ids[0], ids[1]))
        })
    };
    let level = |word: &str| {
        let known = general::LEVELS.iter().any(|l| l.id == word);
        let words = || general::LEVELS.iter().map(|l| l.id).collect::<Vec<_>>().join(", ");
        if known {
            Ok(word.to_owned())
        } else {
            Err(Problem::Unclear(format!("There is no general {word}: {}.", words())))
        }
    };
    let (mut seats, generals) = match &mode {
        Mode::HotSeat => (vec![(Role::Both, name)], vec![]),
        Mode::General { side: own, level: l } => {
            let own = side(own)?;
            (vec![(Role::Side(own), name)], vec![(own.other(), level(l)?)])
        }
        Mode::Remote { side: own } => {
            let own = side(own)?;
            (vec![(Role::Side(own), name), (Role::Side(own.other()), String::new())], vec![])
        }
        Mode::Watch { first, second } => (
            vec![(Role::Watch, name)],
            vec![(Side::One, level(first)?), (Side::Two, level(second)?)],
        ),
    };
    let remote = matches!(mode, Mode::Remote { .. });
    seats.push((Role::Watch, String::new()));
    let (game, tokens) = server.games().begin(scenario, seats, generals, past).await?;
    Counts::one(&server.counts().games);
    let live = server.games().get(&game).await?;
    commander::wake(server, &live);
    let token = |i: usize| tokens.get(i).cloned().unwrap_or_default();
    Ok(Json(Made {
        game,
        token: token(0),
        invite: remote.then(|| token(1)),
        watch: token(tokens.len() - 1),
    }))
}

fn named(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    if name.chars().count() > 40 || name.chars().any(char::is_control) {
        return Err(Problem::Unclear("A name has at most 40 letters.".into()));
    }
    Ok(name.to_owned())
}

/// A game, with its whole log.
#[utoipa::path(get, path = "/api/games/{id}", responses((status = 200, body = Opened), (status = "4XX", body = ProblemBody)))]
async fn open(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
) -> Answer<Opened> {
    let (live, role) = server.seated(&id, &token).await?;
    commander::wake(&server, &live);
    let state = live.lock().await;
    let mut now = state.update(state.rev, &live);
    now.from = 0;
    now.entries = state.log();
    Ok(Json(Opened {
        game: live.id.clone(),
        board: live.board.clone(),
        you: state.role_name(role.word()),
        commitment: live.commitment.clone(),
        now,
    }))
}

/// Live updates of a game, as server-sent events. The header `Last-Event-ID` says what was seen
/// last.
#[utoipa::path(get, path = "/api/games/{id}/live", responses((status = 200, content_type = "text/event-stream", body = crate::api::Update), (status = "4XX", body = ProblemBody)))]
async fn follow(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (game, _) = server.seated(&id, &token).await?;
    let since =
        headers.get("last-event-id").and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
    let Some(seat) = live::Seat::take(&server.0.live, server.0.limits.live) else {
        return Err(Problem::Full("Too many are connected: try again later.".into()));
    };
    Ok(live::stream(game, since, server.0.stop.clone(), seat).into_response())
}

async fn change(server: &Server, id: &str, token: &Token, request: Change) -> Answer<Done> {
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
    Ok(Json(Done { repeated, update }))
}

fn read_order(value: serde_json::Value) -> Result<regimental::battle::Command, Problem> {
    command(value).map_err(|refused| Problem::Unclear(refused.to_string()))
}

/// Gives an order. What is answered with 200 is on disk.
#[utoipa::path(post, path = "/api/games/{id}/orders", request_body = GiveOrder, responses((status = 200, body = Done), (status = "4XX", body = ProblemBody)))]
async fn order(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<GiveOrder>,
) -> Answer<Done> {
    let act = Act::Order(read_order(asked.order)?);
    change(&server, &id, &token, Change { act, after: asked.after, key: asked.key }).await
}

/// Takes the last order back, if no die has fallen since.
#[utoipa::path(post, path = "/api/games/{id}/undo", request_body = StepBack, responses((status = 200, body = Done), (status = "4XX", body = ProblemBody)))]
async fn undo(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<StepBack>,
) -> Answer<Done> {
    change(&server, &id, &token, Change { act: Act::Undo, after: asked.after, key: asked.key })
        .await
}

/// Carries out again what was taken back.
#[utoipa::path(post, path = "/api/games/{id}/redo", request_body = StepBack, responses((status = 200, body = Done), (status = "4XX", body = ProblemBody)))]
async fn redo(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<StepBack>,
) -> Answer<Done> {
    change(&server, &id, &token, Change { act: Act::Redo, after: asked.after, key: asked.key })
        .await
}

/// The modifiers and the exact odds of the rolls an order would lead to.
#[utoipa::path(post, path = "/api/games/{id}/preview", request_body = AskOdds, responses((status = 200, body = Odds), (status = "4XX", body = ProblemBody)))]
async fn preview(
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
    let rolls = view::rolls(&state.game, by, &order).map_err(Problem::Rules)?;
    Ok(Json(Odds { rolls }))
}

#[derive(Deserialize, utoipa::IntoParams)]
struct Whose {
    /// The short name of a unit or a leader.
    of: String,
}

fn short_name(name: &str) -> Result<Id, Problem> {
    Id::new(name).ok_or_else(|| Problem::Missing(format!("There is no {name}.")))
}

/// What a unit or a leader may do now, why not the rest, and where it could get to.
#[utoipa::path(get, path = "/api/games/{id}/offers", params(Whose), responses((status = 200, body = Offers), (status = "4XX", body = ProblemBody)))]
async fn offers(
    State(server): State<Server>,
    Path(id): Path<String>,
    Query(whose): Query<Whose>,
    token: Token,
) -> Answer<Offers> {
    let (live, _) = server.seated(&id, &token).await?;
    let of = short_name(&whose.of)?;
    let state = live.lock().await;
    let battle = state.game.now();
    let moves = |u: &&regimental::battle::Unit| {
        u.present() && u.did.owes.is_some() && battle.awaited() == Some(u.side())
    };
    let reach = battle.unit(of).filter(moves).map(|u| view::reach(&state.game, u, false));
    Ok(Json(Offers { offers: view::offers(&state.game, of), reach: reach.unwrap_or_default() }))
}

fn inches(value: f64) -> Result<table::Mils, Problem> {
    if !value.is_finite() || value.abs() > 1000.0 {
        return Err(Problem::Unclear(format!("{value} is not on any table.")));
    }
    Ok(table::mils(value))
}

/// Where a unit would stand if it were sent somewhere: the nearest legal place, and why not
/// farther.
#[utoipa::path(post, path = "/api/games/{id}/plan", request_body = AskWay, responses((status = 200, body = Way), (status = "4XX", body = ProblemBody)))]
async fn plan(
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
        Some(degrees) => return Err(Problem::Unclear(format!("{degrees} is no facing."))),
        None => unit.place.pose.facing,
    };
    let ghost = view::ghost(&state.game, unit, Pose::new(at, facing), asked.disordered);
    Ok(Json(Way { ghost }))
}

#[derive(Deserialize, utoipa::IntoParams)]
struct Place {
    /// Inches from the left edge.
    x: f64,
    /// Inches from the near edge.
    y: f64,
}

/// What is seen from a place.
#[utoipa::path(get, path = "/api/games/{id}/sight", params(Place), responses((status = 200, body = Seen), (status = "4XX", body = ProblemBody)))]
async fn sight(
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
async fn at(
    State(server): State<Server>,
    Path((id, n)): Path<(String, usize)>,
    token: Token,
) -> Answer<view::View> {
    let (live, _) = server.seated(&id, &token).await?;
    let state = live.lock().await;
    Ok(Json(state.at(n)))
}

/// Begins a new game from a moment of another.
#[utoipa::path(post, path = "/api/games/{id}/branch", request_body = Branch, responses((status = 200, body = Made), (status = "4XX", body = ProblemBody)))]
async fn branch(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<Branch>,
) -> Answer<Made> {
    let (live, _) = server.seated(&id, &token).await?;
    let (scenario, past) = server.games().records(&live, asked.n).await;
    begin(&server, scenario, asked.mode, asked.name, past).await
}

/// The game as a save.
#[utoipa::path(get, path = "/api/games/{id}/save", responses((status = 200, body = String), (status = "4XX", body = ProblemBody)))]
async fn download(
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
async fn rename(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<Rename>,
) -> Result<axum::http::StatusCode, Problem> {
    let (live, _) = server.seated(&id, &token).await?;
    server.games().rename(&live, &token.0, &named(&asked.name)?).await?;
    Ok(axum::http::StatusCode::NO_CONTENT)
}
