//! New games: of a scenario, of a save, or from a moment of another game.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use engine::{Library, Scenario, is_hidden, save};
use regimental::battle::{Id, Side};

use crate::api::{Branch, BrigadeSeat, Made, MakeGame, Mode, Rematch};
use crate::clients::Client;
use crate::commander;
use crate::error::Problem;
use crate::extract::{Answer, Body, Path, Token};
use crate::games::{Begin, Line, MOST_BYTES, MOST_LINES};
use crate::metrics::Counts;
use crate::quota::Maker;
use crate::refused::Unchanged;
use crate::seats::Role;
use crate::server::Server;

/// More than any scenario needs, and less than would keep the server busy.
const SCENARIO: usize = 256 * 1024;

/// Makes a game: of a scenario, or of a save.
#[utoipa::path(post, path = "/api/games", request_body = MakeGame, responses((status = 200, body = Made), Unchanged))]
pub(crate) async fn make(
    State(server): State<Server>,
    client: Client,
    Body(asked): Body<MakeGame>,
) -> Answer<Made> {
    let maker = server.makers().admit(client, server.games().storage().as_ref()).await?;
    let MakeGame { scenario, scenario_text, save, mode, name } = asked;
    let (scenario, past, remarks) = {
        let _turn = server.desk().turn(client).await?;
        tokio::task::block_in_place(|| read(&server, scenario, scenario_text, save))?
    };
    let wish = Wish { mode, name, maker };
    let Json(mut made) = begin(&server, (scenario, past), wish).await?;
    made.remarks = remarks;
    Ok(Json(made))
}

/// What a game is made of, and what should be known of it.
type Read = (Scenario, Vec<Line>, Vec<String>);

fn read(
    server: &Server,
    scenario: Option<String>,
    scenario_text: Option<String>,
    save: Option<String>,
) -> Result<Read, Problem> {
    let library = server.games().library();
    match (scenario, scenario_text, save) {
        (Some(id), None, None) => {
            let found = server.0.scenarios.iter().find(|s| s.id == id).cloned();
            let missing = || Problem::Missing(format!("There is no scenario {id}."));
            Ok((found.ok_or_else(missing)?, vec![], vec![]))
        }
        (None, Some(text), None) => {
            bounded(&text)?;
            let read = Scenario::read(library, "scenario.toml", &text);
            Ok((read.map_err(|faults| Problem::Unclear(faults.to_string()))?, vec![], vec![]))
        }
        (None, None, Some(text)) => read_save(library, &text),
        _ => Err(Problem::Unclear("Name a scenario, or send the text of one, or a save.".into())),
    }
}

/// A scenario's text, wherever it comes from: more is no scenario, and would keep the server busy.
fn bounded(scenario_text: &str) -> Result<(), Problem> {
    if scenario_text.len() <= SCENARIO {
        return Ok(());
    }
    Err(Problem::Unclear(format!("A scenario has at most {} KB of text.", SCENARIO >> 10)))
}

/// A save, held to the limits of a game, and its scenario to those of a scenario: anybody can write
/// one and seal it.
fn read_save(library: &Library, text: &str) -> Result<Read, Problem> {
    let no = |e: &dyn std::fmt::Display| Problem::Unclear(format!("The save cannot be read: {e}"));
    // The header, the scenario and perhaps the seed are no orders.
    let lines = text.lines().count() as u64;
    if lines > MOST_LINES + 3 {
        return Err(no(&format!("a game has at most {MOST_LINES} orders, and this one {lines}.")));
    }
    let scenario = save::scenario_text(text).map_err(|e| no(&e))?;
    bounded(&scenario)?;
    if text.len() > MOST_BYTES + (2 << 20) {
        return Err(no(&format!("a game has at most {} MB of orders.", MOST_BYTES >> 20)));
    }
    let saved = save::read(library, text).map_err(|e| no(&e))?;
    if !saved.scenario.book.house.is_empty() {
        return Err(Problem::Unclear(
            "This battle has house rules, which the server does not keep: go on with it by linstock \
             play."
                .into(),
        ));
    }
    // What passes in a game under way, because it was begun long ago, does not pass at the door.
    Scenario::read(library, "the scenario of the save", &saved.scenario.text)
        .map_err(|faults| Problem::Unclear(faults.to_string()))?;
    Ok((saved.scenario, saved.journal.records().to_vec(), saved.remarks))
}

/// Who wants to play a new game, and how.
struct Wish {
    mode: Mode,
    name: String,
    maker: Maker,
}

/// Who sits where in a new game, the maker first, and which sides have generals.
type Seating = (Vec<(Role, String)>, Vec<(Side, String)>);

fn seating(scenario: &Scenario, mode: &Mode, name: String) -> Result<Seating, Problem> {
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
    Ok(match mode {
        Mode::HotSeat => (vec![(Role::Both, name)], vec![]),
        Mode::General { side: own, level: l } => {
            let own = side(own)?;
            (vec![(Role::Side(own), name)], vec![(own.other(), level(l)?)])
        }
        Mode::Remote { side: own } => {
            let own = side(own)?;
            (vec![(Role::Side(own), name), (Role::Side(own.other()), String::new())], vec![])
        }
        Mode::Brigades => {
            let led = brigades(scenario)
                .map(|(side, leader, _)| (Role::Brigade(side, leader), String::new()));
            let mut seats = vec![(Role::Both, name)];
            seats.extend(led);
            (seats, vec![])
        }
        Mode::Watch { first, second } => (
            vec![(Role::Watch, name)],
            vec![(Side::One, level(first)?), (Side::Two, level(second)?)],
        ),
    })
}

/// Begins a game of a scenario in which something may have happened already.
async fn begin(
    server: &Server,
    (scenario, past): (Scenario, Vec<Line>),
    Wish { mode, name, maker }: Wish,
) -> Answer<Made> {
    let (mut seats, generals) = seating(&scenario, &mode, named(&name)?)?;
    let remote = matches!(mode, Mode::Remote { .. });
    let led: Vec<(String, String)> = match mode {
        Mode::Brigades => brigades(&scenario)
            .map(|(side, _, name)| (scenario.side(side).id.clone(), name))
            .collect(),
        _ => vec![],
    };
    seats.push((Role::Watch, String::new()));
    let begin = Begin { scenario, seats, generals, past, maker: maker.hash.clone() };
    let (game, tokens) = server.games().begin(begin).await?;
    Counts::one(&server.counts().games);
    commander::wake_new(server, &game).await;
    let token = |i: usize| tokens.get(i).cloned().unwrap_or_default();
    Ok(Json(Made {
        game,
        token: token(0),
        invite: remote.then(|| token(1)),
        watch: token(tokens.len() - 1),
        remarks: vec![],
        brigades: led
            .into_iter()
            .enumerate()
            .map(|(i, (side, leader))| BrigadeSeat { side, leader, token: token(i + 1) })
            .collect(),
    }))
}

/// The leaders who have units of their own.
fn brigades(scenario: &Scenario) -> impl Iterator<Item = (Side, Id, String)> {
    let battle = &scenario.battle;
    battle
        .leaders()
        .iter()
        .filter(|l| battle.units().iter().any(|u| u.card.leader == Some(l.card.id)))
        .map(|l| (l.card.side, l.card.id, l.card.name.to_string()))
}

pub(crate) fn named(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    if name.chars().count() > 40 {
        return Err(Problem::Unclear("A name has at most 40 letters.".into()));
    }
    if let Some(c) = name.chars().find(|c| is_hidden(*c)) {
        return Err(Problem::Unclear(format!(
            "A name is what everybody sees: it has no unseen character such as {c:?}."
        )));
    }
    Ok(name.to_owned())
}

/// Begins a new game from a moment of another.
#[utoipa::path(post, path = "/api/games/{id}/branch", request_body = Branch, responses((status = 200, body = Made), Unchanged), security(("seat" = [])))]
pub(crate) async fn branch(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    client: Client,
    Body(asked): Body<Branch>,
) -> Answer<Made> {
    let (live, _) = server.seated(&id, &token).await?;
    let maker = server.makers().admit(client, server.games().storage().as_ref()).await?;
    let begun = server.enter(&live).await?.records(asked.n)?;
    begin(&server, begun, Wish { mode: asked.mode, name: asked.name, maker }).await
}

/// The same battle again with the sides changed, when this one is over. Every seat's token opens the
/// new game too.
#[utoipa::path(post, path = "/api/games/{id}/rematch", responses((status = 200, body = Rematch), Unchanged), security(("seat" = [])))]
pub(crate) async fn rematch(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    client: Client,
) -> Answer<Rematch> {
    let (live, role) = server.seated(&id, &token).await?;
    let known = server.enter(&live).await?.around.rematch.clone();
    if let Some(game) = known {
        return Ok(Json(Rematch { game }));
    }
    // Two generals fight for whoever looks on: he has the first seat.
    let maker = server.enter(&live).await?.made_by(&token.0);
    if role == Role::Watch && !maker {
        return Err(Problem::NotYours("This seat looks on: the players decide on that.".into()));
    }
    let maker = server.makers().admit(client, server.games().storage().as_ref()).await?;
    let game = server.games().rematch(&live, maker.hash.clone()).await?;
    Counts::one(&server.counts().games);
    commander::wake_new(&server, &game).await;
    Ok(Json(Rematch { game }))
}

/// Deletes a game, for whoever made it.
#[utoipa::path(delete, path = "/api/games/{id}", responses((status = 204), Unchanged), security(("seat" = [])))]
pub(crate) async fn delete(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
) -> Result<StatusCode, Problem> {
    let (live, _) = server.seated(&id, &token).await?;
    if !server.enter(&live).await?.made_by(&token.0) {
        return Err(Problem::NotYours("Only the seat that made the game deletes it.".into()));
    }
    server.games().delete(&live).await?;
    Ok(StatusCode::NO_CONTENT)
}
