//! What every request passes: how many from one address, where it comes from, and the headers
//! that go out with every answer.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::clients::{self, Client};
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
pub(crate) type Rate = DefaultKeyedRateLimiter<Client>;

pub(crate) fn rate(a_second: u32) -> Rate {
    let a_second = NonZeroU32::new(a_second).unwrap_or(NonZeroU32::MIN);
    let burst = a_second.saturating_mul(NonZeroU32::MIN.saturating_add(9));
    RateLimiter::keyed(Quota::per_second(a_second).allow_burst(burst))
}

/// Bodies up to this are read before anything is answered: a connection whose request was refused
/// can then be used for the next.
const SMALL: usize = 64 * 1024;
/// How long a small body may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Lets a request through, or not.
pub(crate) async fn pass(State(server): State<Server>, request: Request, next: Next) -> Response {
    Counts::one(&server.counts().requests);
    let asset = !is_asked(request.uri().path());
    let mut response = match admitted(&server, request).await {
        Ok(request) => next.run(request).await,
        Err(refused) => refused,
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .entry(HeaderName::from_static(name))
            .or_insert(HeaderValue::from_static(value));
    }
    if !asset {
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(no_store);
    }
    response
}

/// Whether a path is asked of the server, and not a file of the page.
fn is_asked(path: &str) -> bool {
    path.starts_with("/api/") || path == "/health" || path == "/metrics"
}

/// The request with all that is found out about it; or the answer that refuses it.
async fn admitted(server: &Server, mut request: Request) -> Result<Request, Response> {
    let refusal = refusal(server, &mut request);
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|v| v.to_str().ok()).and_then(|v| v.parse::<usize>().ok());
    let bare = length.is_none() && !request.headers().contains_key(header::TRANSFER_ENCODING);
    let small = length.is_some_and(|n| n <= SMALL);
    if small {
        let (parts, body) = request.into_parts();
        let read = tokio::time::timeout(PATIENCE, axum::body::to_bytes(body, SMALL)).await;
        let Ok(Ok(bytes)) = read else {
            return Err(closing(Problem::Unclear("The request ends too early.".into())));
        };
        request = Request::from_parts(parts, Body::from(bytes));
    }
    match refusal {
        None => Ok(request),
        Some(problem) if bare || small => Err(problem.into_response()),
        Some(problem) => Err(closing(problem)),
    }
}

/// An answer after which the connection ends: what it was sent is not read.
fn closing(problem: Problem) -> Response {
    let mut response = problem.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

fn refusal(server: &Server, request: &mut Request) -> Option<Problem> {
    let peer = clients::peer(request.extensions())?;
    let behind = server.proxies().behind(peer, request.headers());
    let client = Client::of(behind);
    request.extensions_mut().insert(client);
    let path = request.uri().path();
    if is_asked(path) && server.rate().check_key(&client).is_err() {
        return Some(Problem::busy("Too many requests at once: wait a second."));
    }
    let host = request.headers().get(header::HOST).and_then(|v| v.to_str().ok());
    if !server.names().include(host.unwrap_or_default()) {
        let why = "This server does not answer to that name; it is told its names with --name.";
        return Some(Problem::NotYours(why.into()));
    }
    if !request.method().is_safe() && !same_origin(request) {
        return Some(Problem::NotYours("This request comes from another site.".into()));
    }
    // Counts are for whoever runs the server, on its own machine.
    let outside = !behind.is_loopback() || clients::was_forwarded(request.headers());
    if path == "/metrics" && outside {
        let why = "The counts are shown to the machine the server runs on alone.";
        return Some(Problem::NotYours(why.into()));
    }
    None
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
