//! Listening: who does not say in time what he wants is let go, and nobody is cut off at the end
//! who is being answered.

use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower::Service as _;

/// How long answers that are on their way may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(5);
/// A pause after a connection that could not be taken: too many files are open, perhaps.
const BREATH: Duration = Duration::from_millis(50);

/// Serves until told to stop. The head of a request may take so long, and so long a connection
/// be idle between two.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Router,
    head: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let open = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head);
    loop {
        let taken = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            taken = listener.accept() => taken,
        };
        let (stream, peer) = match taken {
            Ok(taken) => taken,
            Err(e) => {
                tracing::warn!(error = %e, "a connection could not be taken");
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let app = app.clone();
        let answer = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            let mut app = app.clone();
            async move { app.call(request).await }
        });
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), answer));
        tokio::spawn(async move {
            if let Err(e) = connection.await {
                tracing::debug!(error = %e, "a connection ended");
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, open.shutdown()).await;
}
