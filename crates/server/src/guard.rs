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
use futures_util::StreamExt as _;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::clients::{self, Client};
use crate::crowd::Guest;
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

/// What a request may hold: an order is small, a save is not.
pub(crate) const BODY: usize = 64 * 1024;
pub(crate) const SAVE: usize = 16 * 1024 * 1024;
/// What is refused is read to its end up to this: a connection can then be used for the next request.
const WASTE: usize = 1024 * 1024;
/// How long a request may be worked on.
const WORK: Duration = Duration::from_secs(30);

/// Lets a request through, or not.
pub(crate) async fn pass(State(server): State<Server>, request: Request, next: Next) -> Response {
    Counts::one(&server.counts().requests);
    let asset = !is_asked(request.uri().path());
    let mut response = match admitted(&server, request).await {
        // Whoever is inside is counted until he is answered.
        Ok((request, _inside)) => next.run(request).await,
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

/// Work that takes too long is left; an order that was begun is carried through all the same.
pub(crate) async fn in_time(request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(WORK, next.run(request)).await;
    answer.unwrap_or_else(|_| Problem::Slow.into_response())
}

/// Whether a path is asked of the server, and not a file of the page.
fn is_asked(path: &str) -> bool {
    path.starts_with("/api/") || path == "/health" || path == "/metrics"
}

/// Those a request is counted with while it is answered.
type Inside = (Guest, Option<Guest>);

/// The request with all that is found out about it and its body read; or the answer that refuses it.
async fn admitted(server: &Server, mut request: Request) -> Result<(Request, Inside), Response> {
    let said = said_length(&request);
    let most = if request.uri().path() == "/api/games" { SAVE } else { BODY };
    let inside = match refusal(server, &mut request) {
        Ok(client) => inside(server, client, said, most),
        Err(problem) => Err(problem),
    };
    let (parts, body) = request.into_parts();
    let inside = match inside {
        Ok(inside) => inside,
        Err(problem) => {
            let patience = server.0.limits.body;
            return Err(turned_away(problem, (said, body), patience).await);
        }
    };
    let patience = server.0.limits.body * if inside.1.is_some() { 3 } else { 1 };
    match tokio::time::timeout(patience, axum::body::to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok((Request::from_parts(parts, Body::from(bytes)), inside)),
        Ok(Err(_)) if said.is_none() => Err(closing(Problem::Large)),
        Ok(Err(_)) => Err(closing(Problem::Unclear("The request ends too early.".into()))),
        Err(_) => Err(closing(Problem::LateBody)),
    }
}

/// How long a request says its body is; nothing if it will be seen at its end.
fn said_length(request: &Request) -> Option<usize> {
    let header = |name| request.headers().get(name);
    if header(header::TRANSFER_ENCODING).is_some() {
        return None;
    }
    let Some(length) = header(header::CONTENT_LENGTH) else { return Some(0) };
    Some(length.to_str().ok().and_then(|v| v.parse().ok()).unwrap_or(usize::MAX))
}

/// Counts a request among those of its client, and its body among the long ones if it is one.
fn inside(
    server: &Server,
    client: Client,
    said: Option<usize>,
    most: usize,
) -> Result<Inside, Problem> {
    let bytes = said.unwrap_or(most);
    if bytes > most {
        return Err(Problem::Large);
    }
    let busy = |_| Problem::busy("Too many requests of yours are being answered: wait a second.");
    let asked = server.0.asked.enter(client).map_err(busy)?;
    let sending = |_| Problem::busy("Too much is being sent here already: wait a second.");
    let long = (bytes > BODY).then(|| server.0.sent.enter_with(client, bytes));
    Ok((asked, long.transpose().map_err(sending)?))
}

/// The answer to a request whose body nobody wants. It is read away if it is not too long; otherwise
/// the connection ends, since what follows on it would be taken for the next request.
async fn turned_away(
    problem: Problem,
    (said, body): (Option<usize>, Body),
    patience: Duration,
) -> Response {
    let Some(bytes) = said.filter(|n| *n <= WASTE) else { return closing(problem) };
    if bytes > 0 {
        let mut pieces = body.into_data_stream();
        let read = async { while let Some(Ok(_)) = pieces.next().await {} };
        if tokio::time::timeout(patience, read).await.is_err() {
            return closing(problem);
        }
    }
    problem.into_response()
}

/// An answer after which the connection ends: what it was sent is not read.
fn closing(problem: Problem) -> Response {
    let mut response = problem.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Who asks; or why he is refused.
fn refusal(server: &Server, request: &mut Request) -> Result<Client, Problem> {
    let peer = clients::peer(request.extensions()).ok_or(Problem::Broken)?;
    let behind = server.proxies().behind(peer, request.headers());
    let client = Client::of(behind);
    request.extensions_mut().insert(client);
    let path = request.uri().path();
    if server.rate().check_key(&client).is_err() {
        return Err(Problem::busy("Too many requests at once: wait a second."));
    }
    let host = request.headers().get(header::HOST).and_then(|v| v.to_str().ok());
    if !server.names().include(host.unwrap_or_default()) {
        let why = "This server does not answer to that name; it is told its names with --name.";
        return Err(Problem::NotYours(why.into()));
    }
    if !request.method().is_safe() && !same_origin(request) {
        return Err(Problem::NotYours("This request comes from another site.".into()));
    }
    // Counts are for whoever runs the server, on its own machine.
    let outside = !behind.is_loopback() || clients::was_forwarded(request.headers());
    if path == "/metrics" && outside {
        let why = "The counts are shown to the machine the server runs on alone.";
        return Err(Problem::NotYours(why.into()));
    }
    Ok(client)
}

/// What goes out with every answer.
pub(crate) const HEADERS: [(&str, &str); 5] = [
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
