//! What there is to choose from and to read: scenarios and rulebooks.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use engine::view;

use crate::api::{BookText, ClauseText, Laid, RulingText, Scenarios, Section};
use crate::commander;
use crate::error::Problem;
use crate::extract::{Answer, Path};
use crate::refused::Refused;
use crate::server::Server;

/// The reference sheet of a book, to read and to print.
pub(crate) async fn sheet(
    State(server): State<Server>,
    Path(book): Path<String>,
) -> Result<Response, Problem> {
    let page = server.0.sheets.get(&book).cloned();
    let page = page.ok_or_else(|| Problem::Missing("There is no sheet of such a book.".into()))?;
    Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response())
}

/// The scenarios built in, and the levels of the computer general.
#[utoipa::path(get, path = "/api/scenarios", responses((status = 200, body = Scenarios)))]
pub(crate) async fn scenarios(State(server): State<Server>) -> Json<Scenarios> {
    Json(Scenarios {
        scenarios: server.0.scenarios.iter().map(view::card).collect(),
        levels: commander::levels(),
    })
}

/// The map of a scenario.
#[utoipa::path(get, path = "/api/scenarios/{id}/map.svg", responses((status = 200, body = String, content_type = "image/svg+xml"), Refused))]
pub(crate) async fn scenario_map(
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

/// The table of a scenario as it is laid out, to draw it before anybody plays it.
#[utoipa::path(get, path = "/api/scenarios/{id}/table", responses((status = 200, body = Laid), Refused))]
pub(crate) async fn scenario_table(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let scenario = server.0.scenarios.iter().find(|s| s.id == id);
    let scenario = scenario.ok_or_else(|| Problem::Missing("There is no such scenario.".into()))?;
    let laid = Laid { board: view::board(scenario), view: view::View::opening(scenario) };
    Ok(([(header::CACHE_CONTROL, "public, max-age=3600")], Json(laid)).into_response())
}

/// A rulebook with its rulings.
#[utoipa::path(get, path = "/api/books/{id}", responses((status = 200, body = BookText), Refused))]
pub(crate) async fn book(State(server): State<Server>, Path(id): Path<String>) -> Answer<BookText> {
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
