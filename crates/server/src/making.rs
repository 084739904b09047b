//! New games: of a scenario, of a save, or from a moment of another game.

use axum::Json;
use axum::extract::State;
use engine::{Scenario, save};
use regimental::battle::{Id, Side};

use crate::api::{Branch, BrigadeSeat, Made, MakeGame, Mode};
use crate::commander;
use crate::error::{Problem, ProblemBody};
use crate::extract::{Answer, Body, Path, Token};
use crate::games::Line;
use crate::metrics::Counts;
use crate::seats::Role;
use crate::server::Server;

/// More than any scenario needs, and less than would keep the server busy.
const SCENARIO: usize = 256 * 1024;

/// Makes a game: of a scenario, or of a save.
#[utoipa::path(post, path = "/api/games", request_body = MakeGame, responses((status = 200, body = Made), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn make(
    State(server): State<Server>,
    Body(asked): Body<MakeGame>,
) -> Answer<Made> {
    let library = server.games().library();
    let mut remarks = Vec::new();
    let (scenario, past) = match (&asked.scenario, &asked.scenario_text, &asked.save) {
        (Some(id), None, None) => {
            let found = server.0.scenarios.iter().find(|s| s.id == *id).cloned();
            let missing = || Problem::Missing(format!("There is no scenario {id}."));
            (found.ok_or_else(missing)?, vec![])
        }
        (None, Some(text), None) => {
            if text.len() > SCENARIO {
                return Err(Problem::Unclear(format!(
                    "A scenario has at most {} KB of text.",
                    SCENARIO / 1024
                )));
            }
            let read = Scenario::read(library, "scenario.toml", text);
            (read.map_err(|faults| Problem::Unclear(faults.to_string()))?, vec![])
        }
        (None, None, Some(text)) => {
            let saved = save::read(library, text)
                .map_err(|e| Problem::Unclear(format!("The save cannot be read: {e}")))?;
            if !saved.scenario.book.house.is_empty() {
                return Err(Problem::Unclear(
                    "This battle has house rules, which the server does not keep: go on with it by \
                     linstock play."
                        .into(),
                ));
            }
            remarks = saved.remarks;
            (saved.scenario, saved.journal.records().to_vec())
        }
        _ => {
            return Err(Problem::Unclear(
                "Name a scenario, or send the text of one, or a save.".into(),
            ));
        }
    };
    let Json(mut made) = begin(&server, scenario, asked.mode, asked.name, past).await?;
    made.remarks = remarks;
    Ok(Json(made))
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
        Mode::Brigades => {
            let led = brigades(&scenario)
                .map(|(side, leader, _)| (Role::Brigade(side, leader), String::new()));
            let mut seats = vec![(Role::Both, name)];
            seats.extend(led);
            (seats, vec![])
        }
        Mode::Watch { first, second } => (
            vec![(Role::Watch, name)],
            vec![(Side::One, level(first)?), (Side::Two, level(second)?)],
        ),
    };
    let remote = matches!(mode, Mode::Remote { .. });
    let led: Vec<(String, String)> = match mode {
        Mode::Brigades => brigades(&scenario)
            .map(|(side, _, name)| (scenario.side(side).id.clone(), name))
            .collect(),
        _ => vec![],
    };
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
    if name.chars().count() > 40 || name.chars().any(char::is_control) {
        return Err(Problem::Unclear("A name has at most 40 letters.".into()));
    }
    Ok(name.to_owned())
}

/// Begins a new game from a moment of another.
#[utoipa::path(post, path = "/api/games/{id}/branch", request_body = Branch, responses((status = 200, body = Made), (status = "4XX", body = ProblemBody)))]
pub(crate) async fn branch(
    State(server): State<Server>,
    Path(id): Path<String>,
    token: Token,
    Body(asked): Body<Branch>,
) -> Answer<Made> {
    let (live, _) = server.seated(&id, &token).await?;
    let (scenario, past) = server.games().records(&live, asked.n).await?;
    begin(&server, scenario, asked.mode, asked.name, past).await
}
