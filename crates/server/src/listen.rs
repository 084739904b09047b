//! Listening: who does not say in time what he wants, or does not read what he asked for, is let go;
//! one address has so many connections and no more; and nobody is cut off at the end who is being
//! answered.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_io_timeout::TimeoutStream;
use tower::Service as _;

use crate::Config;
use crate::clients::{Client, Proxies};
use crate::crowd::{Crowd, Guest, TooMuch};
use crate::guard::HEADERS;

/// How long answers that are on their way may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(5);
/// A pause after a connection that could not be taken: too many files are open, perhaps.
const BREATH: Duration = Duration::from_millis(50);
/// What goes wrong again and again is said once in this time.
const SAID: Duration = Duration::from_secs(10);
/// Files the server itself needs: its database, its log, the page.
const OWN_FILES: u64 = 128;

/// How many connections there may be.
pub(crate) struct Door {
    head: Duration,
    unread: Duration,
    proxies: Proxies,
    inside: Crowd,
}

impl Door {
    /// As many files may be open as the system lets this process raise the number to.
    pub(crate) fn new(config: &Config) -> Self {
        let limits = &config.limits;
        let wanted = limits.live as u64 * 2 + OWN_FILES;
        let files = rlimit::increase_nofile_limit(wanted).unwrap_or(1024);
        let in_all = usize::try_from(files.saturating_sub(OWN_FILES)).unwrap_or(usize::MAX);
        if in_all < limits.live {
            tracing::warn!(
                connections = in_all,
                "this process may open {files} files: raise the limit (ulimit -n) for more players"
            );
        }
        Self {
            head: limits.head,
            unread: limits.unread,
            proxies: Proxies::new(&config.proxies),
            inside: Crowd::new(in_all.max(16), limits.connections_of_one),
        }
    }

    /// Lets somebody in, or says why not.
    fn admit(&self, address: IpAddr) -> Result<Guest, &'static str> {
        let of = Client::of(address);
        // Behind a proxy are many; their requests are counted one by one.
        let proxy = self.proxies.trust(address);
        let guest = if proxy { self.inside.enter_for_many(of) } else { self.inside.enter(of) };
        guest.map_err(|much| match much {
            TooMuch::InAll => "Too many are connected: try again later.",
            TooMuch::OfOne => "Too many connections from your address: close some.",
        })
    }
}

/// Says a thing once in a while, with how often it happened.
#[derive(Default)]
struct Seldom {
    last: Option<Instant>,
    since: u64,
}

impl Seldom {
    fn say(&mut self, what: &str) {
        self.since += 1;
        if self.last.is_none_or(|last| last.elapsed() >= SAID) {
            tracing::warn!(times = self.since, "{what}");
            self.last = Some(Instant::now());
            self.since = 0;
        }
    }
}

/// Serves until told to stop.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Router,
    door: Door,
    mut stop: watch::Receiver<bool>,
) {
    let open = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(door.head);
    let (mut untaken, mut refused) = (Seldom::default(), Seldom::default());
    loop {
        let taken = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            taken = listener.accept() => taken,
        };
        let (stream, peer) = match taken {
            Ok(taken) => taken,
            Err(e) => {
                untaken.say(&format!("a connection could not be taken: {e}"));
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        let guest = match door.admit(peer.ip()) {
            Ok(guest) => guest,
            Err(why) => {
                refused.say(&format!("a connection was refused: {why}"));
                send_away(&stream, why);
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(door.unread));
        let app = app.clone();
        let answer = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            let mut app = app.clone();
            async move { app.call(request).await }
        });
        let stream = TokioIo::new(Box::pin(stream));
        let connection = open.watch(http.serve_connection(stream, answer));
        tokio::spawn(async move {
            if let Err(e) = connection.await {
                tracing::debug!(error = %e, "a connection ended");
            }
            drop(guest);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, open.shutdown()).await;
}

/// The shortest answer there is, to somebody who is not let in.
fn send_away(stream: &TcpStream, why: &str) {
    let body = format!("{{\"message\":\"{why}\",\"refusal\":null,\"rev\":null}}");
    let headers: String =
        HEADERS.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let answer = format!(
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 10\r\n\
         cache-control: no-store\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.try_write(answer.as_bytes());
}
