//! Games in an embedded SQLite file. `writer.rs` is the one connection that writes; everything is
//! read over others.

mod files;
mod writer;

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use files::{Files, beside};
use rust_embed::RustEmbed;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteRow, SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, Connection, Row, SqlSafeStr};
use tokio::sync::{Mutex, RwLock, mpsc, oneshot};
use tokio::task::JoinHandle;
use writer::{Answer, BATCH, Write, Writer};

use super::{Failed, GameRow, Held, JournalRow, Known, Listed, SeatRow, Soon, Storage};

#[derive(RustEmbed)]
#[folder = "migrations/sqlite"]
struct Migrations;

/// The size of SQLite's pages, as it makes them.
const PAGE: u64 = 4096;

/// What those who read and the one who writes know of each other.
struct Shared {
    /// Connections that read.
    pool: RwLock<SqlitePool>,
    /// Whether the writer's connection can be trusted.
    sound: AtomicBool,
}

/// Connections that read, opened when they are needed.
fn readers(options: &SqliteConnectOptions) -> SqlitePool {
    SqlitePoolOptions::new().max_connections(4).connect_lazy_with(options.clone())
}

/// Storage in a file.
pub struct Sqlite {
    shared: Arc<Shared>,
    /// None when it is closed.
    jobs: Mutex<Option<mpsc::Sender<(Write, Answer)>>>,
    writing: Mutex<Option<JoinHandle<()>>>,
}

/// What SQLite says, and what follows for a write: nothing has been kept, since only a transaction
/// that was committed is, and whoever commits looks for himself.
fn failed(e: impl std::fmt::Display) -> Failed {
    let why = e.to_string();
    let full = why.contains("database or disk is full");
    Failed { known: if full { Known::NoRoom } else { Known::NotKept }, why }
}

fn migrator() -> Result<Migrator, Failed> {
    let mut all = Vec::new();
    for name in Migrations::iter() {
        let Some((number, words)) = name.trim_end_matches(".sql").split_once('_') else {
            return Err(Failed::not_kept(format!("{name} is no migration")));
        };
        let file =
            Migrations::get(&name).ok_or_else(|| Failed::not_kept(format!("{name} is missing")))?;
        let sql = String::from_utf8(file.data.into_owned()).map_err(failed)?;
        all.push(Migration::new(
            number.parse().map_err(failed)?,
            words.to_owned().into(),
            MigrationType::Simple,
            AssertSqlSafe(sql).into_sql_str(),
            false,
        ));
    }
    Ok(Migrator::with_migrations(all))
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// The seeds of games under way are in the file: nobody else on the machine may read them. SQLite
/// gives the files beside it the same rights.
fn private(file: &Path) -> Result<(), Failed> {
    for name in [file.to_owned(), beside(file, "-wal"), beside(file, "-shm")] {
        closed_to_others(&name)?;
    }
    own(OpenOptions::new().create(true).append(true), file).map(drop)
}

/// Takes the rights of others from a file, if there is one: an older version left them.
fn closed_to_others(file: &Path) -> Result<(), Failed> {
    #[cfg(unix)]
    if file.exists() {
        use std::os::unix::fs::PermissionsExt as _;
        let closed = fs::set_permissions(file, fs::Permissions::from_mode(0o600));
        closed.map_err(|e| Failed::not_kept(format!("{}: {e}", file.display())))?;
    }
    Ok(())
}

/// Opens a file that nobody else on the machine may read, if it is made.
fn own(options: &mut OpenOptions, file: &Path) -> Result<File, Failed> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(file).map_err(|e| Failed::not_kept(format!("{}: {e}", file.display())))
}

/// The right to serve the games of a folder; one process has it at a time.
///
/// # Errors
/// Who has it, as far as that can be known.
pub fn claim(folder: &Path) -> Result<File, String> {
    let name = folder.join("linstock.lock");
    let file = closed_to_others(&name)
        .and_then(|()| own(OpenOptions::new().create(true).append(true), &name));
    let file = file.map_err(|e| format!("the games cannot be kept: {e}"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(format!(
            "another server keeps its games in {}: stop it, or choose another folder with --data",
            folder.display()
        )),
        // A file system without locks: nothing can be known.
        Err(fs::TryLockError::Error(_)) => Ok(file),
    }
}

impl Sqlite {
    /// Opens a file, and makes it and its tables if they are not there. It grows to so many bytes
    /// at most.
    ///
    /// # Errors
    /// What SQLite says.
    pub async fn open(file: &Path, most_bytes: u64) -> Result<Self, Failed> {
        private(file)?;
        let options = SqliteConnectOptions::from_str("sqlite:")
            .map_err(failed)?
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // An answered order must survive a power failure, not only a crash.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10))
            .pragma("max_page_count", (most_bytes / PAGE).clamp(64, 1 << 31).to_string())
            // Every checkpoint is a halt for all: some 40 MB of journal may wait for one.
            .pragma("wal_autocheckpoint", "10000");
        let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
        migrator()?.run(&mut connection).await.map_err(|e| match e {
            MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) => {
                Failed::not_kept("it was made by a newer version of Linstock")
            }
            other => failed(other),
        })?;
        // A file that is deleted from here on is not made anew: the games would not be in it.
        let options = options.create_if_missing(false);
        let (jobs, waiting) = mpsc::channel(4 * BATCH);
        let pool = readers(&options);
        // The first who reads need not wait until there is one to read with.
        drop(pool.acquire().await.map_err(failed)?);
        let pool = RwLock::new(pool);
        let shared = Arc::new(Shared { pool, sound: AtomicBool::new(true) });
        let writer = Writer::new(options, connection, Files::of(file), Arc::clone(&shared));
        let writing = tokio::spawn(writer.run(waiting));
        Ok(Self { shared, jobs: Mutex::new(Some(jobs)), writing: Mutex::new(Some(writing)) })
    }

    /// A connection to read with. One that met a fault is not used again: SQLite may have ended its
    /// transaction by itself, and it would go on looking at an old moment.
    async fn reading<T>(
        &self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let pool = self.shared.pool.read().await.clone();
        let mut connection = pool.acquire().await.map_err(failed)?;
        let done = work(&mut connection).await;
        if done.is_err() {
            let _ = connection.detach().close_hard().await;
        }
        done
    }

    async fn write(&self, what: Write) -> Result<(), Failed> {
        let (done, written) = oneshot::channel();
        let closed = || Failed::not_kept("the storage is closed");
        let jobs = self.jobs.lock().await.clone().ok_or_else(closed)?;
        jobs.send((what, done)).await.map_err(|_| closed())?;
        drop(jobs);
        let unanswered = |_| Failed { known: Known::Unsure, why: "the writer ended".into() };
        written.await.map_err(unanswered)?
    }
}

/// A game with its whole journal.
async fn read(from: &mut SqliteConnection, id: &str) -> Result<Option<GameRow>, Failed> {
    // One moment for all of it, whoever writes meanwhile.
    let mut tx = from.begin().await.map_err(failed)?;
    let found = sqlx::query(
        "SELECT scenario, title, scenario_text, seed, committed, maker FROM game WHERE id = ?",
    )
    .bind(id)
    .fetch_optional(&mut *tx)
    .await
    .map_err(failed)?;
    let Some(row) = found else { return Ok(None) };
    let seats =
        sqlx::query("SELECT token_hash, role, name, maker FROM seat WHERE game = ? ORDER BY rowid")
            .bind(id)
            .fetch_all(&mut *tx)
            .await
            .map_err(failed)?;
    let generals = sqlx::query("SELECT side, level FROM general WHERE game = ? ORDER BY side")
        .bind(id)
        .fetch_all(&mut *tx)
        .await
        .map_err(failed)?;
    let journal =
        sqlx::query("SELECT rev, key, entry, seal FROM journal WHERE game = ? ORDER BY rev")
            .bind(id)
            .fetch_all(&mut *tx)
            .await
            .map_err(failed)?;
    tx.commit().await.map_err(failed)?;
    Ok(Some(GameRow {
        id: id.to_owned(),
        scenario: text(&row, "scenario")?,
        title: text(&row, "title")?,
        scenario_text: text(&row, "scenario_text")?,
        seed: text(&row, "seed")?,
        committed: row.try_get("committed").map_err(failed)?,
        maker: text(&row, "maker")?,
        seats: seats.iter().map(seat).collect::<Result<_, _>>()?,
        generals: generals
            .iter()
            .map(|g| Ok((text(g, "side")?, text(g, "level")?)))
            .collect::<Result<_, Failed>>()?,
        journal: journal.iter().map(journal_row).collect::<Result<_, _>>()?,
    }))
}

fn text(row: &SqliteRow, name: &str) -> Result<String, Failed> {
    row.try_get(name).map_err(failed)
}

/// A count, which SQLite keeps with a sign.
fn number(row: &SqliteRow, name: &str) -> Result<u64, Failed> {
    let n: i64 = row.try_get(name).map_err(failed)?;
    u64::try_from(n).map_err(failed)
}

fn seat(row: &SqliteRow) -> Result<SeatRow, Failed> {
    Ok(SeatRow {
        token_hash: text(row, "token_hash")?,
        role: text(row, "role")?,
        name: text(row, "name")?,
        maker: row.try_get("maker").map_err(failed)?,
    })
}

fn journal_row(row: &SqliteRow) -> Result<JournalRow, Failed> {
    Ok(JournalRow {
        rev: number(row, "rev")?,
        key: row.try_get("key").map_err(failed)?,
        entry: text(row, "entry")?,
        seal: row.try_get("seal").map_err(failed)?,
    })
}

fn listed(row: &SqliteRow) -> Result<Listed, Failed> {
    let players = text(row, "players")?;
    Ok(Listed {
        id: text(row, "id")?,
        title: text(row, "title")?,
        made: row.try_get("made").map_err(failed)?,
        last: row.try_get("last").map_err(failed)?,
        lines: number(row, "lines")?,
        bytes: number(row, "bytes")?,
        players: players.split('\n').filter(|n| !n.is_empty()).map(str::to_owned).collect(),
    })
}

impl Storage for Sqlite {
    fn add(&self, game: GameRow) -> Soon<'_, ()> {
        Box::pin(self.write(Write::Game(Box::new(game))))
    }

    fn append<'a>(&'a self, game: &'a str, row: JournalRow) -> Soon<'a, ()> {
        Box::pin(self.write(Write::Line(game.to_owned(), row)))
    }

    fn rename<'a>(&'a self, game: &'a str, token_hash: &'a str, name: &'a str) -> Soon<'a, ()> {
        let (game, token_hash, name) = (game.to_owned(), token_hash.to_owned(), name.to_owned());
        Box::pin(self.write(Write::Name { game, token_hash, name }))
    }

    fn delete<'a>(&'a self, game: &'a str) -> Soon<'a, ()> {
        Box::pin(self.write(Write::Delete(game.to_owned())))
    }

    fn game<'a>(&'a self, id: &'a str) -> Soon<'a, Option<GameRow>> {
        Box::pin(self.reading(async move |from| read(from, id).await))
    }

    fn count(&self) -> Soon<'_, u64> {
        Box::pin(async move {
            self.reading(async |from| {
                let row = sqlx::query("SELECT count(*) AS n FROM game").fetch_one(from).await;
                number(&row.map_err(failed)?, "n")
            })
            .await
        })
    }

    fn held<'a>(&'a self, maker: &'a str) -> Soon<'a, Held> {
        Box::pin(async move {
            self.reading(async |from| {
                let row = sqlx::query(
                    "SELECT count(*) AS games, coalesce(sum(bytes), 0) AS bytes \
                     FROM game JOIN room ON room.game = game.id WHERE maker = ?",
                )
                .bind(maker)
                .fetch_one(from)
                .await
                .map_err(failed)?;
                Ok(Held { games: number(&row, "games")?, bytes: number(&row, "bytes")? })
            })
            .await
        })
    }

    fn list<'a>(&'a self, after: &'a str, most: u32) -> Soon<'a, Vec<Listed>> {
        Box::pin(async move {
            self.reading(async |from| {
                let rows = sqlx::query(
                    "SELECT id, title, made, \
                     coalesce((SELECT max(j.made) FROM journal j WHERE j.game = g.id), made) AS last, \
                     (SELECT count(*) FROM journal j WHERE j.game = g.id) AS lines, \
                     coalesce((SELECT bytes FROM room WHERE room.game = g.id), 0) AS bytes, \
                     coalesce((SELECT group_concat(name, char(10)) FROM seat s WHERE s.game = g.id AND name <> ''), '') AS players \
                     FROM game g WHERE id > ? ORDER BY id LIMIT ?",
                )
                .bind(after)
                .bind(i64::from(most))
                .fetch_all(from)
                .await
                .map_err(failed)?;
                rows.iter().map(listed).collect()
            })
            .await
        })
    }

    fn never_played(&self, before: i64, most: u32) -> Soon<'_, Vec<String>> {
        Box::pin(async move {
            self.reading(async |from| {
                let rows = sqlx::query(
                    "SELECT id FROM game g WHERE made < ? \
                     AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.game = g.id AND j.rev > g.began) \
                     ORDER BY made LIMIT ?",
                )
                .bind(before)
                .bind(i64::from(most))
                .fetch_all(from)
                .await
                .map_err(failed)?;
                rows.iter().map(|r| text(r, "id")).collect()
            })
            .await
        })
    }

    fn with_generals(&self, most: u32) -> Soon<'_, Vec<String>> {
        Box::pin(async move {
            self.reading(async |from| {
                let rows = sqlx::query(
                    "SELECT id FROM game WHERE id IN (SELECT game FROM general) ORDER BY made DESC LIMIT ?",
                )
                .bind(i64::from(most))
                .fetch_all(from)
                .await
                .map_err(failed)?;
                rows.iter().map(|r| text(r, "id")).collect()
            })
            .await
        })
    }

    fn salt(&self) -> Soon<'_, String> {
        Box::pin(async move {
            self.reading(async |from| {
                let row = sqlx::query("SELECT salt FROM tally").fetch_one(from).await;
                text(&row.map_err(failed)?, "salt")
            })
            .await
        })
    }

    fn probe(&self) -> Soon<'_, ()> {
        Box::pin(self.write(Write::Probe))
    }

    fn settle(&self) -> Soon<'_, ()> {
        Box::pin(async move {
            if self.shared.sound.load(Ordering::Acquire) {
                Ok(())
            } else {
                self.write(Write::Probe).await
            }
        })
    }

    fn backup<'a>(&'a self, file: &'a Path) -> Soon<'a, ()> {
        Box::pin(async move {
            let Some(name) = file.to_str() else {
                return Err(Failed::not_kept("the name of the file is no text"));
            };
            // SQLite writes into an empty file that is there, and leaves its rights as they are.
            drop(own(OpenOptions::new().create_new(true).append(true), file)?);
            let copied = self
                .reading(async |from| {
                    let copied = sqlx::query("VACUUM INTO ?").bind(name).execute(from).await;
                    copied.map(drop).map_err(failed)
                })
                .await;
            if copied.is_err() {
                let _ = fs::remove_file(file);
            }
            copied
        })
    }

    fn close(&self) -> Soon<'_, ()> {
        Box::pin(async move {
            self.shared.pool.read().await.close().await;
            // Without senders the writer ends, and empties the write-ahead file as it goes.
            drop(self.jobs.lock().await.take());
            if let Some(writing) = self.writing.lock().await.take() {
                writing.await.map_err(failed)?;
            }
            Ok(())
        })
    }
}
