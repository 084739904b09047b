//! The disk fails while the server plays: full, broken, half written, once, twice, for a while. What
//! was answered with yes is there after a kill; what was answered with "nothing has changed" is not;
//! and when the disk works again, so does the server.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod served;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use dice::stream::Seeded;
use serde_json::{Value, json};
use served::{Server, command, orders};

const EIO: i32 = 5;
const ENOSPC: i32 = 28;

/// Compiles what makes calls fail.
fn shim(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
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
struct Disk {
    faults: PathBuf,
    shim: PathBuf,
    generation: u32,
}

impl Disk {
    fn new(folder: &Path) -> Self {
        let disk = Self { faults: folder.join("faults"), shim: shim(folder), generation: 0 };
        std::fs::write(&disk.faults, "0 none 0 0\n").unwrap();
        disk
    }

    /// The next so many calls fail; all of them if the number is negative.
    fn fail(&mut self, kind: &str, errno: i32, count: i32) {
        self.generation += 1;
        let line = format!("{} {kind} {errno} {count}\n", self.generation);
        // At once: the server reads it at any moment.
        let new = self.faults.with_extension("new");
        std::fs::write(&new, line).unwrap();
        std::fs::rename(&new, &self.faults).unwrap();
    }

    fn mend(&mut self) {
        self.fail("none", 0, 0);
    }

    fn serve(&self, data: &Path) -> Server {
        let mut command = command(data);
        Server::run(command.env("LD_PRELOAD", &self.shim).env("LINSTOCK_FAULTS", &self.faults))
    }
}

/// One player of one game, who remembers what he was told.
struct Player {
    game: String,
    token: String,
    dice: Seeded,
    /// The log as he knows it: what was answered with yes.
    known: Vec<Value>,
    view: Value,
    keys: u32,
    told: Told,
}

/// How often he was told what.
#[derive(Debug, Default)]
struct Told {
    yes: u32,
    nothing_changed: u32,
    unsure: u32,
}

impl Player {
    fn new(server: &Server) -> Self {
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
    fn look(&mut self, server: &Server) {
        let path = format!("/api/games/{}", self.game);
        let (status, opened) = server.ask(&path, &self.token, None).unwrap();
        assert_eq!(status, 200, "{opened}");
        let entries = opened["now"]["entries"].as_array().unwrap();
        assert_eq!(*entries, self.known, "what was answered, and nothing else");
        self.view = opened["now"]["view"].clone();
    }

    /// Gives an order once.
    fn order(&mut self, server: &Server) {
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
fn healthy(server: &Server) {
    let until = Instant::now() + Duration::from_secs(20);
    while server.ask("/health", "-", None).unwrap().0 != 200 {
        assert!(Instant::now() < until, "the disk works, and the server does not");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_was_answered_survives_every_fault_of_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let mut disk = Disk::new(folder.path());
    let mut server = disk.serve(&data);
    let mut player = Player::new(&server);
    let faults = [
        ("write", ENOSPC),
        ("write", EIO),
        ("torn", ENOSPC),
        ("fsync", EIO),
        ("fsync", ENOSPC),
        ("truncate", EIO),
        ("read", EIO),
        ("open", EIO),
    ];
    for (kind, errno) in faults {
        for count in [1, 2, 3, 7, 40] {
            for _ in 0..3 {
                player.order(&server);
            }
            disk.fail(kind, errno, count);
            for _ in 0..4 {
                player.order(&server);
            }
            disk.mend();
            healthy(&server);
            for _ in 0..3 {
                player.order(&server);
            }
            player.look(&server);
            // Every other time nobody says goodbye.
            if count % 2 == 1 {
                server.kill();
            } else {
                assert!(server.stop());
            }
            server = disk.serve(&data);
            player.look(&server);
        }
    }
    assert!(player.told.nothing_changed > 20, "the faults were noticed: {:?}", player.told);
    assert!(player.told.yes > 200, "{:?}", player.told);
    assert!(server.stop());
    whole(&data);
}

/// A file without a write-ahead file beside it, that SQLite finds whole.
fn whole(data: &Path) {
    let beside = data.join("linstock.db-wal");
    assert!(!beside.exists() || beside.metadata().unwrap().len() == 0, "a clean stop empties it");
}

#[test]
fn a_disk_that_is_full_for_long_refuses_and_then_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let mut disk = Disk::new(folder.path());
    let server = disk.serve(&data);
    let mut player = Player::new(&server);
    for _ in 0..20 {
        player.order(&server);
    }
    disk.fail("write", ENOSPC, -1);
    for _ in 0..10 {
        player.order(&server);
    }
    assert_eq!((player.told.yes, player.told.nothing_changed), (20, 10), "{:?}", player.told);
    assert_eq!(server.ask("/health", "-", None).unwrap().0, 503);
    player.look(&server);
    disk.mend();
    healthy(&server);
    for _ in 0..99 {
        player.order(&server);
    }
    assert_eq!(player.told.yes, 119, "{:?}", player.told);
    server.kill();
    let server = disk.serve(&data);
    player.look(&server);
    assert!(server.stop());
}

#[test]
fn a_database_that_may_not_grow_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let server = Server::run(command(&data).args(["--disk", "1"]));
    let mut player = Player::new(&server);
    while player.told.nothing_changed < 3 {
        player.order(&server);
        assert!(player.told.yes < 20_000, "a megabyte holds no end of orders");
    }
    player.look(&server);
    server.kill();
    // With more room it goes on.
    let server = Server::run(command(&data).args(["--disk", "2"]));
    player.look(&server);
    let before = player.told.yes;
    player.order(&server);
    assert_eq!(player.told.yes, before + 1);
    assert!(server.stop());
}

#[test]
fn a_limit_on_the_size_of_files_does_not_end_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let plain = command(&data);
    let words: Vec<_> = plain.get_args().map(|a| a.to_string_lossy().into_owned()).collect();
    // 300 blocks of 512 or of 1024 bytes: room for the tables, and for a few orders.
    let script = format!("ulimit -f 600; exec {} \"$@\"", env!("CARGO_BIN_EXE_linstock"));
    let server = Server::run(Command::new("sh").args(["-c", &script, "sh"]).args(&words));
    let mut player = Player::new(&server);
    while player.told.nothing_changed + player.told.unsure < 3 {
        player.order(&server);
        assert!(player.told.yes < 5_000, "the limit was never met");
    }
    server.kill();
    let server = Server::start(&data);
    player.look(&server);
    assert!(server.stop());
}

#[test]
fn one_folder_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let second = command(folder.path()).output().unwrap();
    assert!(!second.status.success());
    let says = String::from_utf8_lossy(&second.stderr);
    assert!(says.contains("another server"), "{says}");
    // A server that was killed holds nothing.
    server.kill();
    assert!(Server::start(folder.path()).stop());
}

#[test]
fn a_clean_stop_leaves_one_whole_file_and_nobody_else_reads_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..5 {
        let server = Server::start(folder.path());
        let mut player = Player::new(&server);
        for _ in 0..30 {
            player.order(&server);
        }
        assert!(server.stop());
        whole(folder.path());
    }
    let mode = folder.path().join("linstock.db").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
