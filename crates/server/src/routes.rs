//! The routes: what may be asked of the server.

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::error::{Problem, ProblemBody};
use crate::server::Server;
use crate::{answers, assets, guard, live, luck, making, playing, settling, shelf};

/// What the outside may ask, described.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Linstock",
        description = "Games of black-powder wargames over HTTP. A seat's token goes into the header `Authorization: Bearer …`. What is answered with 200 is on disk. docs/server.md says how to play by it, docs/commands.md what the orders do."
    ),
    paths(
        shelf::scenarios,
        shelf::scenario_map,
        shelf::scenario_table,
        shelf::book,
        making::make,
        playing::open,
        live::follow,
        playing::order,
        playing::undo,
        playing::redo,
        playing::preview,
        playing::offers,
        playing::plan,
        playing::sight,
        playing::at,
        luck::luck,
        making::branch,
        making::rematch,
        making::delete,
        settling::concede,
        settling::draw,
        playing::download,
        playing::rename,
        health,
        metrics
    ),
    components(schemas(ProblemBody)),
    modifiers(&SeatToken)
)]
struct Api;

/// How a request says which seat it comes from.
struct SeatToken;

impl Modify for SeatToken {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "The token of a seat, from the answer that made the game or from a link.",
            ))
            .build();
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("seat", SecurityScheme::Http(scheme));
    }
}

/// The description of the API, as JSON.
#[must_use]
pub fn openapi() -> String {
    Api::openapi().to_pretty_json().unwrap_or_default()
}

/// All routes.
pub fn router(server: Server) -> Router {
    let games = Router::new()
        .route("/games/{id}", get(playing::open).delete(making::delete))
        .route("/games/{id}/orders", post(playing::order))
        .route("/games/{id}/undo", post(playing::undo))
        .route("/games/{id}/redo", post(playing::redo))
        .route("/games/{id}/concede", post(settling::concede))
        .route("/games/{id}/draw", post(settling::draw))
        .route("/games/{id}/rematch", post(making::rematch))
        .route("/games/{id}/preview", post(playing::preview))
        .route("/games/{id}/offers", get(playing::offers))
        .route("/games/{id}/plan", post(playing::plan))
        .route("/games/{id}/sight", get(playing::sight))
        .route("/games/{id}/at/{n}", get(playing::at))
        .route("/games/{id}/luck", get(luck::luck))
        .route("/games/{id}/branch", post(making::branch))
        .route("/games/{id}/save", get(playing::download))
        .route("/games/{id}/name", post(playing::rename))
        .layer(DefaultBodyLimit::max(guard::BODY));
    let api = Router::new()
        .route("/scenarios", get(shelf::scenarios))
        .route("/scenarios/{id}/map.svg", get(shelf::scenario_map))
        .route("/scenarios/{id}/table", get(shelf::scenario_table))
        .route("/books/{id}", get(shelf::book))
        .route("/games", post(making::make).layer(DefaultBodyLimit::max(guard::SAVE)))
        .route(
            "/openapi.json",
            get(|| async { ([(header::CONTENT_TYPE, "application/json")], openapi()) }),
        )
        .merge(games)
        .method_not_allowed_fallback(|| async { Problem::Method })
        .fallback(|| async {
            Problem::Missing("There is no such thing in the API: see /api/openapi.json.".into())
        })
        .layer(middleware::from_fn_with_state(server.clone(), answers::counted))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn(guard::in_time))
        // Live updates have no end, and are not held back to be compressed.
        .route("/games/{id}/live", get(live::follow));
    Router::new()
        .nest("/api", api)
        .route("/sheets/{book}", get(shelf::sheet))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .method_not_allowed_fallback(only_read)
        .fallback_service(get(assets::file).fallback(only_read).layer(CompressionLayer::new()))
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            Problem::Broken.into_response()
        }))
        .layer(middleware::from_fn_with_state(server.clone(), guard::pass))
        .with_state(server)
}

/// The page is only read.
async fn only_read() -> (StatusCode, &'static str) {
    (StatusCode::METHOD_NOT_ALLOWED, "This is only read: ask for it with GET.\n")
}

/// Whether the server can write its games and read them again.
#[utoipa::path(get, path = "/health", responses((status = 200, body = String), (status = 503, body = String, description = "games cannot be written")))]
async fn health(State(server): State<Server>) -> (StatusCode, &'static str) {
    if server.healthy().await {
        (StatusCode::OK, "ok")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "Games cannot be written: see the server's log.\n")
    }
}

/// Counts for whoever watches the server, on its own machine.
#[utoipa::path(get, path = "/metrics", responses((status = 200, body = String), (status = 403, body = ProblemBody)))]
async fn metrics(State(server): State<Server>) -> String {
    server.counts().text(server.games().in_memory(), server.0.live.count())
}
