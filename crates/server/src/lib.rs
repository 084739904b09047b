//! Games over HTTP: seats by link, orders, live updates, and the page.
//!
//! A game is a journal ([`storage`]). [`games`] keeps those in play in memory and lets one order
//! at a time through; an order is in the journal before it is answered. `live` tells everybody who
//! looks on. [`api`] is what the outside sees.

mod answers;
pub mod api;
mod assets;
mod changes;
mod clients;
mod commander;
mod concert;
mod crowd;
mod desk;
mod error;
mod extract;
pub mod games;
mod guard;
mod listen;
mod live;
mod luck;
mod making;
mod metrics;
pub mod operate;
pub mod orders;
mod playing;
mod quota;
mod refused;
mod routes;
mod seats;
mod server;
mod settling;
mod shelf;
pub mod storage;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use ipnet::IpNet;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use error::{Problem, ProblemBody};
pub use routes::{openapi, router};
pub use server::Server;

/// How the server is run.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Names it answers to beside its address, if a proxy stands before it.
    pub names: Vec<String>,
    /// Proxies that are believed when they say who asks.
    pub proxies: Vec<IpNet>,
    /// The folder the games are kept in.
    pub data: PathBuf,
    /// What may be asked of it.
    pub limits: Limits,
    /// The reference sheets it shows, pages by their book.
    pub sheets: BTreeMap<String, String>,
}

/// What one server takes on.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Games kept on disk.
    pub games: u64,
    /// Games made from one address that are kept.
    pub games_of_one: u64,
    /// Bytes that games made from one address take on disk before it can make no more.
    pub bytes_of_one: u64,
    /// Games one address makes in an hour.
    pub games_an_hour: u32,
    /// Bytes the database may take on disk.
    pub disk: u64,
    /// Bytes of memory for games.
    pub memory: usize,
    /// After this a game that nobody ever played is deleted.
    pub unplayed: Duration,
    /// How often that is looked for, and games that nobody asks for are let go.
    pub round: Duration,
    /// Live connections at once.
    pub live: usize,
    /// Connections of one address.
    pub connections_of_one: usize,
    /// Requests a second from one address, with a burst of ten times as many.
    pub rate: u32,
    /// How long a general that searches may think about a decision.
    pub think: Duration,
    /// How long the head of a request may take, and a connection be idle between two.
    pub head: Duration,
    /// How long a body may take, and a long one three times as long.
    pub body: Duration,
    /// How long an answer may wait for somebody to read on.
    pub unread: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            games: 100_000,
            games_of_one: 1000,
            bytes_of_one: 200 << 20,
            games_an_hour: 200,
            disk: 20 << 30,
            memory: 1 << 30,
            unplayed: Duration::from_secs(7 * 24 * 3600),
            round: Duration::from_secs(60),
            live: 10_000,
            connections_of_one: 256,
            rate: 200,
            think: Duration::from_secs(2),
            head: Duration::from_secs(20),
            body: Duration::from_secs(20),
            unread: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// Limits that no test comes near; each test that means one sets it.
    #[must_use]
    pub fn wide() -> Self {
        Self {
            rate: 100_000,
            games_an_hour: 1_000_000,
            games_of_one: 1_000_000,
            bytes_of_one: 1 << 40,
            connections_of_one: 20_000,
            ..Self::default()
        }
    }
}

/// A server that is listening.
pub struct Running {
    /// Where.
    pub address: SocketAddr,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Running {
    /// Stops: no new requests, those begun are answered, live connections end.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        let _ = self.task.await;
    }
}

/// Opens the storage, listens, and serves until told to stop.
///
/// # Errors
/// The folder cannot be used, or the address cannot be listened on.
pub async fn start(config: Config) -> Result<Running, String> {
    std::fs::create_dir_all(&config.data)
        .map_err(|e| format!("the folder {} cannot be made: {e}", config.data.display()))?;
    let claim = storage::sqlite::claim(&config.data)?;
    let file = config.data.join("linstock.db");
    let storage = storage::sqlite::Sqlite::open(&file, config.limits.disk).await.map_err(|e| {
        let file = file.display();
        format!(
            "{file} cannot be opened: {e}\nIs there room on the disk, and may this user write \
                 there? Another folder is chosen with --data."
        )
    })?;
    let at = SocketAddr::new(config.host, config.port);
    let listener = TcpListener::bind(at)
        .await
        .map_err(|e| format!("{at} cannot be listened on: {e}; choose another with --port"))?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    let (stop, stopped) = watch::channel(false);
    let door = listen::Door::new(&config);
    let server = Server::new(Arc::new(storage), &config, stopped.clone())
        .await
        .map_err(|e| format!("{} cannot be read: {e}", file.display()))?;
    server.wake_generals().await;
    server.keep_house();
    let app = router(server.clone());
    let task = tokio::spawn(async move {
        listen::serve(listener, app, door, stopped).await;
        server.close().await;
        drop(claim);
    });
    Ok(Running { address, stop, task })
}
