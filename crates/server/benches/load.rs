//! Many games at once on one server with a real SQLite file: how long an order takes until it is
//! on disk and answered, and what idle connections cost.
//!
//! `cargo bench -p server --bench load [-- GAMES [SECONDS [IDLE]]]`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs
)]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use server::{Config, Limits};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::Barrier;

/// As the `linstock` command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A connection that is kept.
struct Client {
    stream: BufReader<TcpStream>,
    at: SocketAddr,
}

impl Client {
    async fn new(at: SocketAddr) -> Self {
        let stream = TcpStream::connect(at).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream), at }
    }

    async fn send(&mut self, path: &str, token: &str, body: Option<&Value>) {
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.map(Value::to_string).unwrap_or_default();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.at,
            body.len()
        );
        self.stream.get_mut().write_all(text.as_bytes()).await.unwrap();
    }

    async fn ask<T: DeserializeOwned>(
        &mut self,
        path: &str,
        token: &str,
        body: Option<&Value>,
    ) -> (u16, T) {
        self.send(path, token, body).await;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line).await.unwrap();
            let text = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = text.strip_prefix("http/1.1 ") {
                status = rest[..3].parse().unwrap();
            } else if let Some(n) = text.strip_prefix("content-length: ") {
                length = n.parse().unwrap();
            } else if text.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await.unwrap();
        let text = || String::from_utf8_lossy(&body).into_owned();
        (status, serde_json::from_slice(&body).unwrap_or_else(|e| panic!("{e}: {}", text())))
    }
}

/// What a bot reads of an answer; both ends share two cores here.
#[derive(Deserialize)]
struct View {
    awaiting: Option<String>,
    choice: Option<Choice>,
    units: Vec<Unit>,
}

impl View {
    /// A brief answer: what has not changed is kept.
    fn take(&mut self, new: Self) {
        let mut units = std::mem::take(&mut self.units);
        for unit in new.units {
            if let Some(old) = units.iter_mut().find(|u| u.id == unit.id) {
                *old = unit;
            }
        }
        *self = Self { units, ..new };
    }
}

#[derive(Deserialize)]
struct Choice {
    offers: Vec<Offer>,
}

#[derive(Deserialize)]
struct Offer {
    order: Value,
}

#[derive(Deserialize)]
struct Unit {
    id: String,
    may: String,
    moves: bool,
}

#[derive(Deserialize)]
struct Update {
    view: View,
}

#[derive(Deserialize)]
struct Opened {
    now: Update,
}

#[derive(Deserialize)]
struct Done {
    update: Update,
}

/// An order the view offers: a check, a hold, or going on.
fn order(view: &View) -> Value {
    if let Some(choice) = &view.choice {
        return choice.offers[0].order.clone();
    }
    match view.units.iter().find(|u| !u.may.is_empty()) {
        Some(u) if u.may == "to check" => json!({"do": "check", "units": [u.id]}),
        Some(u) if u.may == "to fight" => json!({"do": "fight", "unit": u.id}),
        Some(u) if u.moves => json!({"do": "maneuver", "unit": u.id, "steps": []}),
        _ => json!({"do": "done"}),
    }
}

/// The memory of this process, in megabytes.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmRSS")).unwrap_or("0 0");
    line.split_whitespace().nth(1).and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let (games, seconds, idle) = (
        numbers.first().copied().unwrap_or(200),
        numbers.get(1).copied().unwrap_or(10) as u64,
        numbers.get(2).copied().unwrap_or(2000),
    );
    // The players have threads of their own, as they would have machines of their own.
    let players =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let running = server::start(Config {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            names: vec![],
            proxies: vec![],
            data: folder.path().to_owned(),
            limits: Limits { rate: 1_000_000, ..Limits::wide() },
            sheets: std::collections::BTreeMap::new(),
        })
        .await
        .unwrap();
        let at = running.address;
        players
            .spawn(async move {
                play(at, games, seconds).await;
                wait(at, idle).await;
            })
            .await
            .unwrap();
        players.shutdown_background();
        running.stop().await;
    });
}

async fn make(client: &mut Client) -> (String, String) {
    let body = json!({"scenario": "training-15mm", "mode": {"kind": "hot-seat"}});
    let (status, made): (u16, Value) = client.ask("/api/games", "-", Some(&body)).await;
    assert_eq!(status, 200, "{made}");
    (made["game"].as_str().unwrap().into(), made["token"].as_str().unwrap().into())
}

/// Games with two live clients each, orders as fast as they are answered.
async fn play(at: SocketAddr, games: usize, seconds: u64) {
    let updates = Arc::new(AtomicU64::new(0));
    // Nobody gives an order before everybody is there: what is measured is playing, not making.
    let ready = Arc::new(Barrier::new(games));
    let began = Arc::new(OnceLock::new());
    let mut players = Vec::new();
    for _ in 0..games {
        let updates = Arc::clone(&updates);
        let (ready, began) = (Arc::clone(&ready), Arc::clone(&began));
        players.push(tokio::spawn(async move {
            let mut client = Client::new(at).await;
            let (game, token) = make(&mut client).await;
            for _ in 0..2 {
                let mut live = Client::new(at).await;
                live.send(&format!("/api/games/{game}/live?brief=true"), &token, None).await;
                let updates = Arc::clone(&updates);
                tokio::spawn(async move {
                    let mut line = String::new();
                    while live.stream.read_line(&mut line).await.is_ok_and(|n| n > 0) {
                        updates.fetch_add(u64::from(line.starts_with("data:")), Ordering::Relaxed);
                        line.clear();
                    }
                });
            }
            let path = format!("/api/games/{game}");
            let mut view = client.ask::<Opened>(&path, &token, None).await.1.now.view;
            let mut times = Vec::new();
            ready.wait().await;
            let end = *began.get_or_init(Instant::now) + Duration::from_secs(seconds);
            while Instant::now() < end && view.awaiting.is_some() {
                let body = json!({"order": order(&view), "brief": true});
                let start = Instant::now();
                let orders = format!("{path}/orders");
                let (status, done): (u16, Done) = client.ask(&orders, &token, Some(&body)).await;
                times.push(start.elapsed());
                assert_eq!(status, 200);
                view.take(done.update.view);
            }
            times
        }));
    }
    let mut times = Vec::new();
    for player in players {
        times.extend(player.await.unwrap());
    }
    // Battles may be over before the time is.
    let took = began.get().map_or(1.0, |b| b.elapsed().as_secs_f64());
    times.sort_unstable();
    let part = |share: f64| {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let i = ((times.len() - 1) as f64 * share) as usize;
        times[i].as_secs_f64() * 1000.0
    };
    println!(
        "{games} games, two live clients each, {took:.1} s: {} orders ({:.0} a second), {} live updates; an order takes {:.1} ms (median), {:.1} (p99), {:.1} (most); {:.0} MB for both ends",
        times.len(),
        times.len() as f64 / took,
        updates.load(Ordering::Relaxed),
        part(0.5),
        part(0.99),
        part(1.0),
        memory()
    );
}

/// Connections that only wait.
async fn wait(at: SocketAddr, idle: usize) {
    let mut client = Client::new(at).await;
    let (game, token) = make(&mut client).await;
    let before = memory();
    let mut all = Vec::new();
    for _ in 0..idle {
        let mut live = Client::new(at).await;
        live.send(&format!("/api/games/{game}/live"), &token, None).await;
        let mut line = String::new();
        while !line.starts_with("data:") {
            line.clear();
            live.stream.read_line(&mut line).await.unwrap();
        }
        all.push(live);
    }
    println!(
        "{idle} idle live connections: {:.0} MB more for both ends, {:.0} MB in all",
        memory() - before,
        memory()
    );
}
