//! What a request is answered with when the answer is no.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::view::Refusal;
use serde::Serialize;

use crate::storage::{Failed, Known};

/// Why a request was not carried out. Nothing has changed, but for [`Problem::Unsure`],
/// [`Problem::Unread`] and [`Problem::Slow`], of which nobody knows.
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
    /// It is asked in another way.
    Method,
    /// Somebody else was first: look again.
    Late {
        /// Where the game is now.
        rev: u64,
    },
    /// The rules say no.
    Rules(Refusal),
    /// More than this server takes on from one address, or at once.
    Full {
        /// What is too much.
        why: String,
        /// After how many seconds to try again.
        after: u64,
    },
    /// More than a request may hold.
    Large,
    /// A request whose body did not come in time.
    LateBody,
    /// The server has not done it in time; it may do it yet.
    Slow,
    /// The disk is full.
    NoRoom,
    /// The disk failed while it was written: it is there or it is not.
    Unsure,
    /// The game cannot be read just now. Of what was sent before nothing is known.
    Unread,
    /// The journal of the game is not as it was written.
    Damaged {
        /// The first line that is not.
        line: u64,
    },
    /// Something broke that the sender cannot help.
    Broken,
}

impl Problem {
    /// There is no game of an id.
    pub(crate) fn no_game() -> Self {
        Self::Missing("There is no such game here.".into())
    }

    /// Too much at once: a second later there may be room.
    pub(crate) fn busy(why: &str) -> Self {
        Self::Full { why: why.to_owned(), after: 1 }
    }

    /// What was sent is in the journal, and whether it is safe there only the disk knows.
    pub(crate) fn unsure(failed: Failed) -> Self {
        tracing::error!(error = %failed, "storage");
        Self::Unsure
    }

    /// The journal cannot be read: nobody knows what is in it.
    pub(crate) fn unread(failed: Failed) -> Self {
        tracing::error!(error = %failed, "a journal that cannot be read just now");
        Self::Unread
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unclear(_) => StatusCode::BAD_REQUEST,
            Self::NotSeated => StatusCode::UNAUTHORIZED,
            Self::NotYours(_) => StatusCode::FORBIDDEN,
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Late { .. } => StatusCode::CONFLICT,
            Self::Rules(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Full { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Large => StatusCode::PAYLOAD_TOO_LARGE,
            Self::LateBody => StatusCode::REQUEST_TIMEOUT,
            Self::NoRoom => StatusCode::INSUFFICIENT_STORAGE,
            Self::Unsure | Self::Unread | Self::Slow => StatusCode::SERVICE_UNAVAILABLE,
            Self::Damaged { .. } | Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub(crate) fn message(&self) -> String {
        match self {
            Self::Unclear(why) | Self::NotYours(why) | Self::Missing(why) => why.clone(),
            Self::Full { why, .. } => why.clone(),
            Self::Rules(no) => no.fact.clone(),
            Self::Method => "This is asked in another way: see /api/openapi.json.".into(),
            Self::NotSeated => "This needs the token of a seat: open the game by its link.".into(),
            Self::Late { .. } => "The game has moved on: look again, then decide.".into(),
            Self::Large => "A request holds at most 64 KB, a save to load 16 MB.".into(),
            Self::LateBody => "The request did not come in time: send it again.".into(),
            Self::Slow => "The server has not done this in time, and may do it yet: look again, or \
                           send it again under the same key."
                .into(),
            Self::NoRoom => "The server's disk is full. Nothing has changed; try again when its \
                             operator has made room."
                .into(),
            Self::Unsure => {
                "The server's disk failed, and only a look will tell whether this was kept. Look \
                 again, or send it again under the same key."
                    .into()
            }
            Self::Unread => "The server cannot read this game just now: look again in a moment. What was \
                             sent before may be in it; sent again under the same key it is not done \
                             twice."
                .into(),
            Self::Damaged { line } => format!(
                "The journal of this game is not as it was written, from line {line} on. The server \
                 does not go on with it; its operator can export what is before that."
            ),
            Self::Broken => {
                "The server could not do this just now. Nothing has changed; try again.".into()
            }
        }
    }
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Self {
        tracing::error!(error = %failed, known = ?failed.known, "storage");
        match failed.known {
            Known::NotKept => Self::Broken,
            Known::NoRoom => Self::NoRoom,
            Known::Unsure => Self::Unsure,
        }
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
        let (status, message) = (self.status(), self.message());
        let again = match &self {
            Self::Full { after, .. } => Some(*after),
            Self::Unsure | Self::Unread | Self::Slow | Self::NoRoom => Some(5),
            _ => None,
        };
        let (refusal, rev) = match self {
            Self::Rules(no) => (Some(no), None),
            Self::Late { rev } => (None, Some(rev)),
            _ => (None, None),
        };
        let mut answer = (status, Json(ProblemBody { message, refusal, rev })).into_response();
        if let Some(seconds) = again {
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            let how = HeaderValue::from_static("Bearer");
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, how);
        }
        answer
    }
}
