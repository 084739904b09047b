//! Files that go from under the server, disks that come to a halt, and faults that do not pass before
//! the server is killed.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod faulty;
mod served;

use std::process::Stdio;
use std::time::{Duration, Instant};

use faulty::{Disk, EIO, ENOSPC, Player, healthy};
use served::{Server, command};

/// What was answered with "nothing has changed" is not there after a crash, even if the disk never
/// worked again before it.
#[test]
fn a_crash_in_the_middle_of_a_fault_brings_nothing_back() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let mut disk = Disk::new(folder.path());
    let mut server = disk.serve(&data);
    let mut player = Player::new(&server);
    for (kind, errno) in
        [("fsync", EIO), ("dead", EIO), ("late", EIO), ("write", ENOSPC), ("torn", EIO)]
    {
        for _ in 0..3 {
            player.order(&server);
        }
        disk.fail(kind, errno, -1);
        let answered = player.attempt(&server);
        assert_ne!(answered, 200, "{kind}: nothing can be written");
        server.kill();
        disk.mend();
        server = disk.serve(&data);
        player.find(&server, &[answered]);
    }
    assert!(server.stop());
}

/// Nothing that is acknowledged is in a file without a name.
#[test]
fn a_database_that_was_deleted_or_put_aside_takes_no_orders() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let server = Server::start(&data);
    let mut player = Player::new(&server);
    for _ in 0..5 {
        player.order(&server);
    }
    let (file, aside) = (data.join("linstock.db"), data.join("aside"));
    std::fs::rename(&file, &aside).unwrap();
    for _ in 0..3 {
        let answered = player.attempt(&server);
        assert!([500, 503].contains(&answered), "{answered}");
    }
    assert_eq!(server.ask("/health", "-", None).unwrap().0, 503);
    player.look(&server);
    // Put back it is the same as before.
    std::fs::rename(&aside, &file).unwrap();
    healthy(&server);
    player.order(&server);
    assert_eq!(player.told.yes, 6, "{:?}", player.told);
    // Another file of that name has other games.
    std::fs::copy(&file, &aside).unwrap();
    std::fs::rename(&aside, &file).unwrap();
    assert_ne!(player.attempt(&server), 200);
    server.kill();
}

#[test]
fn files_deleted_beside_the_database_take_nothing_with_them() {
    for gone in
        [&["linstock.db-wal"][..], &["linstock.db-shm"], &["linstock.db-wal", "linstock.db-shm"]]
    {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("games");
        let server = Server::start(&data);
        let mut player = Player::new(&server);
        for _ in 0..5 {
            player.order(&server);
        }
        for name in gone {
            std::fs::remove_file(data.join(name)).unwrap();
        }
        for _ in 0..5 {
            player.order(&server);
        }
        healthy(&server);
        assert_eq!(player.told.yes, 10, "{gone:?}: {:?}", player.told);
        server.kill();
        let server = Server::start(&data);
        player.look(&server);
        assert!(server.stop());
    }
}

/// Who reads goes on after a fault with what there is now, not with what there was then.
#[test]
fn readers_do_not_stay_behind_after_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let mut disk = Disk::new(folder.path());
    let server = disk.serve(&data);
    let mut player = Player::new(&server);
    let missing = "/api/games/00112233";
    for round in 0..12 {
        player.order(&server);
        disk.fail("read", EIO, 1 + round % 4);
        for _ in 0..3 {
            server.ask(missing, "-", None).unwrap();
        }
        disk.mend();
        for _ in 0..3 {
            assert_eq!(server.ask(missing, "-", None).unwrap().0, 404);
        }
        player.order(&server);
        healthy(&server);
        player.look(&server);
    }
    // Nobody keeps the write-ahead file from being emptied.
    assert!(server.stop());
    let beside = data.join("linstock.db-wal");
    assert!(!beside.exists() || beside.metadata().unwrap().len() == 0);
}

/// Who follows a game hears of it again when the disk works, whatever failed in between: the write,
/// and the look at the journal after it.
#[test]
fn who_follows_hears_on_after_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let mut disk = Disk::new(folder.path());
    let server = disk.serve(&data);
    let mut player = Player::new(&server);
    let mut followed = player.follow(&server);
    assert_eq!(followed.next(), 0);
    for kinds in [["write", "open"], ["fsync", "read"], ["write", "read"]] {
        disk.fail(kinds[0], EIO, -1);
        let first = player.attempt(&server);
        disk.fail(kinds[1], EIO, -1);
        let answered = [first, player.attempt(&server)];
        assert!(!answered.contains(&200), "{answered:?}");
        std::thread::sleep(Duration::from_millis(300));
        disk.mend();
        healthy(&server);
        player.find(&server, &answered);
        let before = player.told.yes;
        player.order(&server);
        assert_eq!(player.told.yes, before + 1);
        while followed.next() < player.revision(&server) {}
    }
    assert!(server.stop());
}

#[test]
fn a_disk_that_comes_to_a_halt_is_told_by_health() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let mut disk = Disk::new(folder.path());
    let server = disk.serve(&data);
    let mut player = Player::new(&server);
    player.order(&server);
    disk.fail("slow", 16, 1);
    let start = Instant::now();
    assert_eq!(server.ask("/health", "-", None).unwrap().0, 503);
    assert!(start.elapsed() < Duration::from_secs(14), "{:?}", start.elapsed());
    healthy(&server);
    player.order(&server);
    assert_eq!(player.told.yes, 2, "{:?}", player.told);
    assert!(server.stop());
}

#[test]
fn a_stop_while_the_disk_fails_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let mut disk = Disk::new(folder.path());
    for (kind, errno) in [("write", ENOSPC), ("fsync", EIO), ("truncate", EIO), ("read", EIO)] {
        let server = disk.serve(&data);
        let mut player = Player::new(&server);
        for _ in 0..4 {
            player.order(&server);
        }
        disk.fail(kind, errno, -1);
        server.stop();
        disk.mend();
        let server = disk.serve(&data);
        player.look(&server);
        assert!(server.stop());
    }
}

#[test]
fn a_disk_that_is_full_or_may_not_be_written_when_the_server_begins_is_told_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let mut disk = Disk::new(folder.path());
    for (kind, errno) in [("write", ENOSPC), ("open", 30)] {
        disk.fail(kind, errno, -1);
        let mut begun = command(&data);
        disk.under(&mut begun);
        let out = begun.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
        assert!(!out.status.success(), "{kind}");
        let says = String::from_utf8_lossy(&out.stderr);
        assert!(
            says.contains("linstock.db") && says.contains("room on the disk"),
            "{kind}: {says}"
        );
        assert!(!says.contains("panicked"), "{says}");
    }
    disk.mend();
    let server = disk.serve(&data);
    let mut player = Player::new(&server);
    player.order(&server);
    assert!(server.stop());
}
