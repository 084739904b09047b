//! What every request passes: how many from one address, where it comes from, and the headers
//! that go out with every answer.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::error::Problem;
use crate::metrics::Counts;
use crate::server::Server;

/// The names a server answers to. One that only this machine can reach answers to addresses,
/// `localhost` and the names it was told: another site's name that leads here would let that site's
/// pages speak to it.
#[derive(Debug, Clone)]
pub(crate) enum Names {
    Any,
    These(Vec<String>),
}

impl Names {
    pub(crate) fn new(host: IpAddr, told: &[String]) -> Self {
        if host.is_loopback() { Self::These(told.to_vec()) } else { Self::Any }
    }

    /// Whether a `Host` header names this server.
    fn include(&self, host: &str) -> bool {
        let Self::These(told) = self else { return true };
        let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((six, _)) => six,
            None => host.split(':').next().unwrap_or_default(),
        };
        let same = |told: &String| told.eq_ignore_ascii_case(name);
        name.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || told.iter().any(same)
    }
}

/// Requests of one address.
pub(crate) type Rate = DefaultKeyedRateLimiter<IpAddr>;

pub(crate) fn rate(a_second: u32) -> Rate {
    let a_second = NonZeroU32::new(a_second).unwrap_or(NonZeroU32::MIN);
    let burst = a_second.saturating_mul(NonZeroU32::MIN.saturating_add(9));
    RateLimiter::keyed(Quota::per_second(a_second).allow_burst(burst))
}

/// Lets a request through, or not.
pub(crate) async fn pass(State(server): State<Server>, request: Request, next: Next) -> Response {
    Counts::one(&server.counts().requests);
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|c| c.0.ip());
    let api = request.uri().path().starts_with("/api/");
    if let Some(from) = from.filter(|_| api)
        && server.rate().check_key(&from).is_err()
    {
        return Problem::Full("Too many requests at once: wait a second.".into()).into_response();
    }
    let host = request.headers().get(header::HOST).and_then(|v| v.to_str().ok());
    if !server.names().include(host.unwrap_or_default()) {
        let why = "This server does not answer to that name; it is told its names with --name.";
        return Problem::NotYours(why.into()).into_response();
    }
    if request.method() == Method::POST && !same_origin(&request) {
        return Problem::NotYours("This request comes from another site.".into()).into_response();
    }
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .entry(HeaderName::from_static(name))
            .or_insert(HeaderValue::from_static(value));
    }
    if api {
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(no_store);
    }
    response
}

const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// A browser says which site a request comes from. It must be this one; others say nothing.
fn same_origin(request: &Request) -> bool {
    let header = |name| request.headers().get(name).and_then(|v: &HeaderValue| v.to_str().ok());
    let Some(origin) = header(header::ORIGIN) else { return true };
    let host = header(header::HOST).unwrap_or_default();
    origin.split_once("://").is_some_and(|(_, from)| from == host)
}
