//! A server under load for as long as one likes: its memory is kept to its budget, and comes back.
//!
//! Clients make far more games than fit into memory, of all sizes, play them, load saves, look on and
//! stop reading. The command fails when the games in memory take more than their budget, when the
//! process takes more than its start, the budget and [`BESIDE`], or when the server is not well.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::steps::{root, run};

/// Megabytes beside the games: requests at work, answers on their way, what the allocator keeps.
const BESIDE: u64 = 160;
/// How often it is looked at.
const LOOK: Duration = Duration::from_secs(15);
const CLIENTS: u64 = 8;
const SCENARIOS: [&str; 4] = ["training-15mm", "guilford-courthouse", "tuyuti", "cowpens"];

/// A server of its own, ended with this.
struct Server {
    child: Child,
    at: String,
    folder: std::path::PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Server {
    fn start(memory: u64) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("linstock-soak-{}", std::process::id()));
        let wide = ["--rate", "--games-an-hour", "--games-of-one", "--space-of-one"];
        let mut child = Command::new(root().join("target/debug/linstock"))
            .args(["serve", "--no-open", "--port", "0"])
            .args(["--memory", &memory.to_string()])
            .args(wide.iter().flat_map(|option| [*option, "1000000"]))
            .arg("--data")
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("the server cannot be started: {e}"))?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line).map_err(|e| e.to_string())?;
        }
        let at = line.split_whitespace().find_map(|w| w.strip_prefix("http://"));
        let at = at.unwrap_or_default().to_owned();
        let server = Self { child, at, folder };
        if server.at.is_empty() { Err("the server did not begin".into()) } else { Ok(server) }
    }

    /// Megabytes the process takes.
    fn resident(&self) -> Result<u64, String> {
        let pid = self.child.id().to_string();
        let out = Command::new("ps").args(["-o", "rss=", "-p", &pid]).output();
        let out = out.map_err(|e| format!("ps: {e}"))?;
        let kilobytes = String::from_utf8_lossy(&out.stdout).trim().parse::<u64>();
        kilobytes.map(|k| k / 1024).map_err(|_| "the server has ended".into())
    }
}

/// The plainest client there is.
fn send(at: &str, head: &str, token: &str, body: &str) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(at).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let length = body.len();
    let head = format!(
        "{head} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body.as_bytes()).ok()?;
    Some(stream)
}

fn text(at: &str, head: &str, token: &str, body: &str) -> Option<String> {
    let mut text = String::new();
    send(at, head, token, body)?.read_to_string(&mut text).ok()?;
    text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned())
}

fn ask(at: &str, head: &str, token: &str, body: Option<&Value>) -> Option<Value> {
    let body = body.map(Value::to_string).unwrap_or_default();
    serde_json::from_str(&text(at, head, token, &body)?).ok()
}

/// What a beginner would order.
fn order(view: &Value) -> Value {
    if let Some(choice) = view["choice"].as_object() {
        return choice["offers"][0]["order"].clone();
    }
    let units = view["units"].as_array().map(Vec::as_slice).unwrap_or_default();
    match units.iter().find(|u| u["may"] != "") {
        Some(u) if u["may"] == "to check" => json!({"do": "check", "units": [u["id"]]}),
        Some(u) if u["may"] == "to fight" => json!({"do": "fight", "unit": u["id"]}),
        Some(u) if u["moves"] == true => json!({"do": "maneuver", "unit": u["id"], "steps": []}),
        _ => json!({"do": "done"}),
    }
}

/// What all clients have done.
#[derive(Default)]
struct Work {
    over: AtomicBool,
    games: AtomicU64,
    orders: AtomicU64,
}

/// One client: game after game, each played for a while, then looked at in all the ways there are.
fn client(at: &str, work: &Work, number: u64) {
    let mut idle: Vec<TcpStream> = vec![];
    let mut n = number;
    while !work.over.load(Ordering::Relaxed) {
        n += 1;
        let scenario = SCENARIOS[usize::try_from(n * 7 + number).unwrap_or(0) % SCENARIOS.len()];
        let new = json!({"scenario": scenario, "mode": {"kind": "hot-seat"}});
        let Some(made) = ask(at, "POST /api/games", "-", Some(&new)) else { continue };
        let (Some(game), Some(token)) = (made["game"].as_str(), made["token"].as_str()) else {
            continue;
        };
        work.games.fetch_add(1, Ordering::Relaxed);
        let path = format!("/api/games/{game}");
        let Some(opened) = ask(at, &format!("GET {path}"), token, None) else { continue };
        let mut view = opened["now"]["view"].clone();
        for _ in 0..(n * 13) % 60 {
            let body = json!({"order": order(&view)});
            let Some(done) = ask(at, &format!("POST {path}/orders"), token, Some(&body)) else {
                break;
            };
            view = done["update"]["view"].clone();
            work.orders.fetch_add(1, Ordering::Relaxed);
        }
        ask(at, &format!("GET {path}/sight?x=20&y=20"), token, None);
        if n.is_multiple_of(5)
            && let Some(save) = text(at, &format!("GET {path}/save"), token, "")
        {
            let load = json!({"save": save, "mode": {"kind": "hot-seat"}});
            ask(at, "POST /api/games", "-", Some(&load));
        }
        // Somebody who asks for everything, and reads nothing; a few of them at a time.
        idle.extend(send(at, &format!("GET {path}/live"), token, ""));
        if idle.len() > 12 {
            idle.drain(..6);
        }
        if n.is_multiple_of(11) {
            text(at, &format!("DELETE {path}"), token, "");
        }
    }
}

/// A figure of the server's own counts.
fn counted(at: &str, name: &str) -> Result<u64, String> {
    let all = text(at, "GET /metrics", "-", "").ok_or("the server does not answer")?;
    let line = all.lines().find_map(|l| l.strip_prefix(name));
    let figure = line.and_then(|l| l.trim().parse().ok());
    figure.ok_or_else(|| format!("no {name} among the counts"))
}

/// Looks at the server until the time is over.
fn watch(server: &Server, work: &Work, minutes: u64, memory: u64) -> Result<(), String> {
    let start = server.resident()?;
    let most = start + memory + BESIDE;
    println!("   start {start} MB; budget {memory} MB; at most {most} MB");
    println!(
        "   {:>7} {:>8} {:>8} {:>9} {:>9} {:>9}",
        "seconds", "games", "orders", "in memory", "take MB", "process"
    );
    let begun = Instant::now();
    let mut highest = 0;
    while begun.elapsed() < Duration::from_secs(minutes * 60) {
        std::thread::sleep(LOOK);
        let inside = counted(&server.at, "linstock_games_in_memory ")?;
        let taken = counted(&server.at, "linstock_games_bytes ")? >> 20;
        let resident = server.resident()?;
        highest = highest.max(resident);
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        println!(
            "   {:>7} {:>8} {:>8} {inside:>9} {taken:>9} {resident:>9}",
            begun.elapsed().as_secs(),
            of(&work.games),
            of(&work.orders),
        );
        // One game more may be at hand than fits.
        if taken > memory + 16 || resident > most {
            return Err(format!("{taken} MB of games, {resident} MB in all: more than the budget"));
        }
        if text(&server.at, "GET /health", "-", "").as_deref() != Some("ok") {
            return Err("the server is not well".into());
        }
    }
    println!("   highest {highest} MB of {most} MB");
    Ok(())
}

/// Runs a server under load.
pub(crate) fn soak(args: &[&str]) -> Result<(), String> {
    let number = |name: &str, otherwise: u64| match args.iter().position(|a| *a == name) {
        None => Ok(otherwise),
        Some(at) => {
            let value = args.get(at + 1).and_then(|v| v.parse().ok()).filter(|n| *n > 0);
            value.ok_or_else(|| format!("{name} takes a number, such as {name} {otherwise}"))
        }
    };
    let (minutes, memory) = (number("--minutes", 60)?, number("--memory", 128)?);
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    run(&cargo, &["build", "--locked"], &[])?;
    let server = Server::start(memory)?;
    println!("\n── {minutes} minutes at {}", server.at);
    let work = Work::default();
    std::thread::scope(|scope| {
        for n in 0..CLIENTS {
            let (at, work) = (server.at.as_str(), &work);
            scope.spawn(move || client(at, work, n * 1000));
        }
        let done = watch(&server, &work, minutes, memory);
        work.over.store(true, Ordering::Relaxed);
        done
    })
}
