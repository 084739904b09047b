//! What a request is answered with when the answer is no.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use engine::view::Refusal;
use serde::Serialize;

use crate::storage::Failed;

/// Why a request was not carried out. Nothing has changed.
#[derive(Debug)]
pub enum Problem {
    /// The request makes no sense as it is.
    Unclear(String),
    /// No token, or one that opens nothing here.
    NotSeated,
    /// The token is good, but not for this.
    NotYours(String),
    /// There is nothing of that name.
    Missing(String),
    /// Somebody else was first: look again.
    Late {
        /// Where the game is now.
        rev: u64,
    },
    /// The rules say no.
    Rules(Refusal),
    /// More than this server takes on.
    Full(String),
    /// More than a request may hold.
    Large,
    /// Something broke that the sender cannot help.
    Broken,
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Self {
        tracing::error!(error = %failed, "storage");
        Self::Broken
    }
}

/// A problem as it is sent.
#[derive(Debug, Serialize, ts_rs::TS, utoipa::ToSchema)]
#[ts(rename = "Problem")]
pub struct ProblemBody {
    /// What is wrong, in a sentence.
    pub message: String,
    /// The rule that refuses it, if it is a rule.
    pub refusal: Option<Refusal>,
    /// Where the game is now, if somebody else was first.
    #[ts(type = "number | null")]
    pub rev: Option<u64>,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, message, refusal, rev) = match self {
            Self::Unclear(why) => (StatusCode::BAD_REQUEST, why, None, None),
            Self::NotSeated => (
                StatusCode::UNAUTHORIZED,
                "This needs the token of a seat: open the game by its link.".into(),
                None,
                None,
            ),
            Self::NotYours(why) => (StatusCode::FORBIDDEN, why, None, None),
            Self::Missing(why) => (StatusCode::NOT_FOUND, why, None, None),
            Self::Late { rev } => (
                StatusCode::CONFLICT,
                "The game has moved on: look again, then decide.".into(),
                None,
                Some(rev),
            ),
            Self::Rules(no) => (StatusCode::UNPROCESSABLE_ENTITY, no.fact.clone(), Some(no), None),
            Self::Full(why) => (StatusCode::TOO_MANY_REQUESTS, why, None, None),
            Self::Large => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "A request holds at most 64 KB, a save to load 16 MB.".into(),
                None,
                None,
            ),
            Self::Broken => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "The server could not do this just now. Nothing has changed; try again.".into(),
                None,
                None,
            ),
        };
        (status, Json(ProblemBody { message, refusal, rev })).into_response()
    }
}
