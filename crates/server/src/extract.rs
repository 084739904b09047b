//! What is read from a request before it is answered.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use rulebook::reading::in_words;
use serde::de::DeserializeOwned;

use crate::error::Problem;

/// An answer in JSON, or why there is none.
pub(crate) type Answer<T> = Result<Json<T>, Problem>;

/// A JSON body, with problems in our own words.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Problem::Unclear(
                "Send JSON, with the header content-type: application/json.".into(),
            )),
            Err(other) if other.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(Problem::Large),
            Err(JsonRejection::BytesRejection(_)) => Err(Problem::Large),
            Err(other) => Err(Problem::Unclear(format!(
                "The request cannot be read: {}",
                in_words(&other.body_text())
            ))),
        }
    }
}

/// Parts of the path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = extract::Path::<T>::from_request_parts(parts, state).await;
        read.map(|p| Self(p.0)).map_err(|_| Problem::Missing("There is nothing there.".into()))
    }
}

/// What follows the question mark.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = extract::Query::<T>::from_request_parts(parts, state).await;
        let why =
            "Something is missing after the question mark, or is no number: see /api/openapi.json.";
        read.map(|q| Self(q.0)).map_err(|_| Problem::Unclear(why.into()))
    }
}

/// The token of a seat.
pub(crate) struct Token(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Token {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let value = parts.headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok());
        let token =
            value.and_then(|v| v.split_once(' ')).filter(|v| v.0.eq_ignore_ascii_case("bearer"));
        let token = token.map(|v| v.1.trim());
        token.filter(|t| !t.is_empty()).map(|t| Self(t.to_owned())).ok_or(Problem::NotSeated)
    }
}
