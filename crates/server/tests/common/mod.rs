//! A server on a free port with a real SQLite file, and the plainest client there is.
#![allow(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use server::{Config, Limits, Running};
use tokio::runtime::Runtime;

/// An answer: its status, its headers in small letters, its body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }
}

/// Sends bytes as they are and reads the whole answer.
pub(crate) fn raw(at: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(at).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let _ = stream.write_all(bytes);
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split_whitespace().nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let head = head.to_lowercase();
    let body = if head.contains("transfer-encoding: chunked") { joined(body) } else { body.into() };
    Answer { status, head, body }
}

/// A chunked body as one.
fn joined(body: &str) -> String {
    let (mut whole, mut rest) = (String::new(), body);
    while let Some((size, after)) = rest.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { break };
        if size == 0 || after.len() < size {
            break;
        }
        whole.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    whole
}

pub(crate) fn ask(at: SocketAddr, path: &str, token: Option<&str>, body: Option<&Value>) -> Answer {
    let method = if body.is_some() { "POST" } else { "GET" };
    let body = body.map(Value::to_string).unwrap_or_default();
    let token = token.map_or(String::new(), |t| format!("authorization: Bearer {t}\r\n"));
    let text = format!(
        "{method} {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n{token}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    raw(at, text.as_bytes())
}

/// A server in this process.
pub(crate) struct Table {
    pub(crate) at: SocketAddr,
    runtime: Runtime,
    running: Option<Running>,
    pub(crate) folder: tempfile::TempDir,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self::with(Limits::wide())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        Self::in_folder(tempfile::tempdir().unwrap(), limits)
    }

    /// A server over the games of another.
    pub(crate) fn over(folder: tempfile::TempDir) -> Self {
        Self::in_folder(folder, Limits::wide())
    }

    /// The same games after the server was stopped and begun again.
    pub(crate) fn again(mut self) -> Self {
        self.stop();
        Self::over(std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap()))
    }

    /// A server behind proxies it trusts.
    pub(crate) fn behind(proxies: &[&str], limits: Limits) -> Self {
        let proxies = proxies.iter().map(|p| p.parse().unwrap()).collect();
        Self::begin(tempfile::tempdir().unwrap(), limits, proxies)
    }

    fn in_folder(folder: tempfile::TempDir, limits: Limits) -> Self {
        Self::begin(folder, limits, vec![])
    }

    fn begin(folder: tempfile::TempDir, limits: Limits, proxies: Vec<server::IpNet>) -> Self {
        let runtime = Runtime::new().unwrap();
        let config = Config {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            names: vec![],
            proxies,
            data: folder.path().join("games"),
            limits,
            sheets: [("rff-awi-15mm".to_owned(), "<p>the sheet</p>".to_owned())].into(),
        };
        let running = runtime.block_on(server::start(config)).unwrap();
        Self { at: running.address, runtime, running: Some(running), folder }
    }

    /// Asks in another way than GET and POST.
    pub(crate) fn by(&self, method: &str, path: &str, more: &str) -> Answer {
        let at = self.at;
        let text =
            format!("{method} {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n{more}\r\n");
        raw(at, text.as_bytes())
    }

    pub(crate) fn ask(&self, path: &str, token: Option<&str>, body: Option<&Value>) -> Answer {
        ask(self.at, path, token, body)
    }

    pub(crate) fn make(&self, mode: &Value) -> Value {
        let body = json!({"scenario": "training-15mm", "mode": mode, "name": "Tester"});
        let made = self.ask("/api/games", None, Some(&body));
        assert_eq!(made.status, 200, "{}", made.body);
        made.json()
    }

    /// Follows a game, saying what was seen last.
    pub(crate) fn follow(&self, game: &str, token: &str, seen: Option<u64>) -> Live {
        self.follow_at(&format!("/api/games/{game}/live"), token, seen)
    }

    pub(crate) fn follow_at(&self, path: &str, token: &str, seen: Option<u64>) -> Live {
        let mut stream = TcpStream::connect(self.at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let seen = seen.map_or(String::new(), |n| format!("last-event-id: {n}\r\n"));
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n{seen}\r\n",
            self.at
        )
        .unwrap();
        Live(BufReader::new(stream))
    }

    pub(crate) fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            self.runtime.block_on(running.stop());
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A stream of updates.
pub(crate) struct Live(BufReader<TcpStream>);

impl Live {
    /// Whether the stream comes to its end.
    pub(crate) fn ended(&mut self) -> bool {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).is_ok()
    }

    pub(crate) fn next(&mut self) -> Value {
        let mut line = String::new();
        loop {
            line.clear();
            let read = self.0.read_line(&mut line).expect("an update in time");
            assert!(read > 0, "the stream ended");
            if let Some(data) = line.strip_prefix("data:") {
                return serde_json::from_str(data.trim()).unwrap();
            }
        }
    }
}

/// What a unit that has something to do might be told.
pub(crate) fn order(view: &Value) -> Value {
    if let Some(offers) = view["choice"]["offers"].as_array() {
        return offers.iter().find(|o| o["no"].is_null()).unwrap()["order"].clone();
    }
    let units = view["units"].as_array().unwrap();
    match units.iter().find(|u| u["may"] != "") {
        Some(u) if u["may"] == "to check" => json!({"do": "check", "units": [u["id"]]}),
        Some(u) if u["may"] == "to fight" => json!({"do": "fight", "unit": u["id"]}),
        Some(u) if u["moves"] == true => json!({"do": "maneuver", "unit": u["id"], "steps": []}),
        _ => json!({"do": "done"}),
    }
}
