//! What is read from a request before it is answered.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
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
            Err(other) => {
                Err(Problem::Unclear(format!("The request cannot be read: {}", other.body_text())))
            }
        }
    }
}

/// The token of a seat.
pub(crate) struct Token(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Token {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let value = parts.headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok());
        let token = value.and_then(|v| v.strip_prefix("Bearer ")).map(str::trim);
        token.filter(|t| !t.is_empty()).map(|t| Self(t.to_owned())).ok_or(Problem::NotSeated)
    }
}
