//! A disk that fails when it is told to, and a player who remembers what he was told.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::served::{Server, command, orders};
use dice::stream::Seeded;
use serde_json::{Value, json};

pub(crate) const EIO: i32 = 5;
pub(crate) const ENOSPC: i32 = 28;

/// Compiles what makes calls fail.
fn shim(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty/shim.c");
    let library = folder.join("shim.so");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source)
        .args(["-ldl", "-lpthread"])
        .status()
        .expect("a C compiler, which SQLite needs as well");
    assert!(built.success());
    library
}

/// The disk under a server.
pub(crate) struct Disk {
    faults: PathBuf,
    shim: PathBuf,
    generation: u32,
}

impl Disk {
    pub(crate) fn new(folder: &Path) -> Self {
        let disk = Self { faults: folder.join("faults"), shim: shim(folder), generation: 0 };
        std::fs::write(&disk.faults, "0 none 0 0\n").unwrap();
        disk
    }

    /// The next so many calls fail; all of them if the number is negative.
    pub(crate) fn fail(&mut self, kind: &str, errno: i32, count: i32) {
        self.generation += 1;
        let line = format!("{} {kind} {errno} {count}\n", self.generation);
        // At once: the server reads it at any moment.
        let new = self.faults.with_extension("new");
        std::fs::write(&new, line).unwrap();
        std::fs::rename(&new, &self.faults).unwrap();
    }

    pub(crate) fn mend(&mut self) {
        self.fail("none", 0, 0);
    }

    /// Puts a command on this disk.
    pub(crate) fn under(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.shim).env("LINSTOCK_FAULTS", &self.faults);
    }

    pub(crate) fn serve(&self, data: &Path) -> Server {
        let mut command = command(data);
        self.under(&mut command);
        Server::run(&mut command)
    }
}

/// One player of one game, who remembers what he was told.
pub(crate) struct Player {
    game: String,
    token: String,
    dice: Seeded,
    /// The log as he knows it: what was answered with yes.
    known: Vec<Value>,
    view: Value,
    keys: u32,
    pub(crate) told: Told,
}

/// A game that is followed.
pub(crate) struct Followed(BufReader<TcpStream>);

impl Followed {
    /// The revision of the next update.
    pub(crate) fn next(&mut self) -> u64 {
        loop {
            let mut line = String::new();
            assert!(
                self.0.read_line(&mut line).expect("an update in time") > 0,
                "the stream ended"
            );
            if let Some(id) = line.strip_prefix("id:") {
                return id.trim().parse().unwrap();
            }
        }
    }
}

/// How often he was told what.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) yes: u32,
    pub(crate) nothing_changed: u32,
    pub(crate) unsure: u32,
}

impl Player {
    pub(crate) fn new(server: &Server) -> Self {
        let (game, token) = server.make();
        let mut player = Self {
            game,
            token,
            dice: Seeded::new("faults"),
            known: vec![],
            view: Value::Null,
            keys: 0,
            told: Told::default(),
        };
        player.look(server);
        player
    }

    /// Looks at the game; it must be the one he knows.
    pub(crate) fn look(&mut self, server: &Server) {
        let path = format!("/api/games/{}", self.game);
        let (status, opened) = server.ask(&path, &self.token, None).unwrap();
        assert_eq!(status, 200, "{opened}");
        let entries = opened["now"]["entries"].as_array().unwrap();
        assert_eq!(*entries, self.known, "what was answered, and nothing else");
        self.view = opened["now"]["view"].clone();
    }

    /// Where the game is now.
    pub(crate) fn revision(&self, server: &Server) -> u64 {
        let path = format!("/api/games/{}", self.game);
        server.ask(&path, &self.token, None).unwrap().1["now"]["rev"].as_u64().unwrap()
    }

    /// The game and the token.
    pub(crate) fn seat(&self) -> (String, String) {
        (self.game.clone(), self.token.clone())
    }

    /// Follows the game from another connection.
    pub(crate) fn follow(&self, server: &Server) -> Followed {
        let mut stream = TcpStream::connect(&server.at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        write!(
            stream,
            "GET /api/games/{}/live HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\r\n",
            self.game, server.at, self.token
        )
        .unwrap();
        Followed(BufReader::new(stream))
    }

    /// Gives an order once, and asks no further.
    pub(crate) fn attempt(&mut self, server: &Server) -> u16 {
        self.keys += 1;
        let key = format!("k{}", self.keys);
        let body = json!({"order": orders(&self.view, &mut self.dice), "key": key});
        self.send(server, &body)
    }

    /// What is found, when the last attempts were answered so: with "nothing has changed" they are not
    /// there, with "nobody knows" they may be.
    pub(crate) fn find(&mut self, server: &Server, answered: &[u16]) {
        let path = format!("/api/games/{}", self.game);
        let (status, opened) = server.ask(&path, &self.token, None).unwrap();
        assert_eq!(status, 200, "{opened}");
        let entries = opened["now"]["entries"].as_array().unwrap();
        let most = self.known.len() + answered.iter().filter(|a| **a == 503).count();
        assert_eq!(entries[..self.known.len().min(entries.len())], self.known, "acknowledged");
        assert!(entries.len() <= most, "answered with {answered:?}, and found after all");
        self.known.clone_from(entries);
        self.view = opened["now"]["view"].clone();
    }

    /// Gives an order until it is known what came of it.
    pub(crate) fn order(&mut self, server: &Server) {
        if !self.view["ending"].is_null() {
            let told = std::mem::take(&mut self.told);
            *self = Self { told, ..Self::new(server) };
        }
        self.keys += 1;
        let key = format!("k{}", self.keys);
        let body = json!({"order": orders(&self.view, &mut self.dice), "key": key});
        let status = self.send(server, &body);
        if status == 503 {
            // Nobody knows: sent again under its name it is answered, when the disk works.
            self.told.unsure += 1;
            self.pending(server, &body);
        }
    }

    fn send(&mut self, server: &Server, body: &Value) -> u16 {
        let path = format!("/api/games/{}/orders", self.game);
        let (status, done) = server.ask(&path, &self.token, Some(body)).unwrap();
        match status {
            200 => {
                let from = usize::try_from(done["update"]["from"].as_u64().unwrap()).unwrap();
                self.known.truncate(from);
                self.known.extend(done["update"]["entries"].as_array().unwrap().iter().cloned());
                self.view = done["update"]["view"].clone();
                self.told.yes += 1;
            }
            500 | 507 => {
                let says = done["message"].as_str().unwrap();
                assert!(says.contains("Nothing has changed"), "{says}");
                self.told.nothing_changed += 1;
            }
            503 => {}
            other => panic!("{other}: {done}"),
        }
        status
    }

    /// Sends an order of which nothing is known until it is answered.
    fn pending(&mut self, server: &Server, body: &Value) {
        let until = Instant::now() + Duration::from_secs(20);
        while Instant::now() < until {
            if self.send(server, body) != 503 {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // The disk does not work yet: whether it was written will be seen.
        let path = format!("/api/games/{}", self.game);
        if let Some((200, opened)) = server.ask(&path, &self.token, None) {
            self.known.clone_from(opened["now"]["entries"].as_array().unwrap());
        }
    }
}

/// Until the server says that it can write.
pub(crate) fn healthy(server: &Server) {
    let until = Instant::now() + Duration::from_secs(20);
    while server.ask("/health", "-", None).unwrap().0 != 200 {
        assert!(Instant::now() < until, "the disk works, and the server does not");
        std::thread::sleep(Duration::from_millis(50));
    }
}
