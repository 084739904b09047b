//! The disk fails while the server plays: full, broken, half written, once, twice, for a while. What
//! was answered with yes is there after a kill; what was answered with "nothing has changed" is not;
//! and when the disk works again, so does the server.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod faulty;
mod served;

use std::path::Path;
use std::process::Command;

use faulty::{Disk, EIO, ENOSPC, Player, healthy};
use served::{Server, command};

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
        ("late", EIO),
        ("dead", EIO),
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

/// However often, and though orders are on their way.
#[test]
fn a_clean_stop_leaves_one_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        let server = Server::start(folder.path());
        let mut player = Player::new(&server);
        for _ in 0..10 {
            player.order(&server);
        }
        let (at, game) = (server.at.clone(), player.seat());
        let busy = std::thread::spawn(move || served::press(&at, &game));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(server.stop());
        let kept = busy.join().unwrap();
        whole(folder.path());
        // A copy of it alone is a copy of everything.
        std::fs::copy(folder.path().join("linstock.db"), copy.path().join("linstock.db")).unwrap();
        let server = Server::start(copy.path());
        let (game, token) = player.seat();
        let (status, opened) = server.ask(&format!("/api/games/{game}"), &token, None).unwrap();
        assert_eq!(status, 200, "{opened}");
        assert!(opened["now"]["rev"].as_u64().unwrap() >= 10 + kept);
        assert!(server.stop());
    }
}
