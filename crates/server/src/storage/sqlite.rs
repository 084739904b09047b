//! Games in an embedded SQLite file.
//!
//! One task writes. It takes what is waiting, writes it in one transaction and answers all of it
//! when the transaction is on disk, so that many games share the cost of one flush.

use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rust_embed::RustEmbed;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, Connection, Row, SqlSafeStr};
use tokio::sync::{mpsc, oneshot};

use super::{Failed, GameRow, JournalRow, SeatRow, Soon, Storage};

#[derive(RustEmbed)]
#[folder = "migrations/sqlite"]
struct Migrations;

/// As many writes as share a transaction at most.
const BATCH: usize = 256;

enum Write {
    Game(Box<GameRow>),
    Line(String, JournalRow),
    Name { game: String, token_hash: String, name: String },
}

type Job = (Write, oneshot::Sender<Result<(), Failed>>);

/// Storage in a file.
pub struct Sqlite {
    pool: SqlitePool,
    writer: mpsc::Sender<Job>,
}

fn failed(e: impl std::fmt::Display) -> Failed {
    Failed(e.to_string())
}

fn migrator() -> Result<Migrator, Failed> {
    let mut all = Vec::new();
    for name in Migrations::iter() {
        let Some((number, words)) = name.trim_end_matches(".sql").split_once('_') else {
            return Err(Failed(format!("{name} is no migration")));
        };
        let file = Migrations::get(&name).ok_or_else(|| Failed(format!("{name} is missing")))?;
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

impl Sqlite {
    /// Opens a file, and makes it and its tables if they are not there.
    ///
    /// # Errors
    /// What SQLite says.
    pub async fn open(file: &Path) -> Result<Self, Failed> {
        let options = SqliteConnectOptions::from_str("sqlite:")
            .map_err(failed)?
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // An answered order must survive a power failure, not only a crash.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10))
            // Every checkpoint is a halt for all: some 40 MB of journal may wait for one.
            .pragma("wal_autocheckpoint", "10000");
        let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
        migrator()?.run(&mut connection).await.map_err(failed)?;
        let pool = SqlitePoolOptions::new()
            .max_connections(4)
            .connect_with(options)
            .await
            .map_err(failed)?;
        let (writer, jobs) = mpsc::channel(4 * BATCH);
        tokio::spawn(write_all(connection, jobs));
        Ok(Self { pool, writer })
    }

    async fn write(&self, what: Write) -> Result<(), Failed> {
        let (done, written) = oneshot::channel();
        let gone = || Failed("the storage is closed".into());
        self.writer.send((what, done)).await.map_err(|_| gone())?;
        written.await.map_err(|_| gone())?
    }
}

/// Writes what is waiting, together.
async fn write_all(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let mut waiting: Vec<Job> = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut waiting, BATCH).await > 0 {
        // Whoever is ready to speak does so first, and shares the flush.
        tokio::task::yield_now().await;
        while waiting.len() < BATCH
            && let Ok(job) = jobs.try_recv()
        {
            waiting.push(job);
        }
        let written = together(&mut connection, &waiting).await;
        if written.is_ok() || waiting.len() == 1 {
            let answer = || match &written {
                Ok(()) => Ok(()),
                Err(e) => Err(Failed(e.0.clone())),
            };
            waiting.drain(..).for_each(|(_, done)| drop(done.send(answer())));
            continue;
        }
        // One of them is at fault: each by itself, so that the others are not lost with it.
        for job in waiting.drain(..) {
            let one = [job];
            let written = together(&mut connection, &one).await;
            let [(_, done)] = one;
            let _ = done.send(written);
        }
    }
    let _ = connection.close().await;
}

async fn together(connection: &mut SqliteConnection, jobs: &[Job]) -> Result<(), Failed> {
    let mut tx = connection.begin().await.map_err(failed)?;
    for (what, _) in jobs {
        match what {
            Write::Line(game, row) => line(&mut tx, game, row).await?,
            Write::Name { game, token_hash, name } => {
                sqlx::query("UPDATE seat SET name = ? WHERE game = ? AND token_hash = ?")
                    .bind(name)
                    .bind(game)
                    .bind(token_hash)
                    .execute(&mut *tx)
                    .await
                    .map_err(failed)?;
            }
            Write::Game(game) => whole(&mut tx, game).await?,
        }
    }
    tx.commit().await.map_err(failed)
}

async fn line(tx: &mut SqliteConnection, game: &str, row: &JournalRow) -> Result<(), Failed> {
    sqlx::query("INSERT INTO journal (game, rev, key, entry, made) VALUES (?, ?, ?, ?, ?)")
        .bind(game)
        .bind(i64::try_from(row.rev).map_err(failed)?)
        .bind(&row.key)
        .bind(&row.entry)
        .bind(now())
        .execute(tx)
        .await
        .map_err(failed)?;
    Ok(())
}

async fn whole(tx: &mut SqliteConnection, game: &GameRow) -> Result<(), Failed> {
    sqlx::query(
        "INSERT INTO game (id, scenario, title, scenario_text, seed, committed, made) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&game.id)
    .bind(&game.scenario)
    .bind(&game.title)
    .bind(&game.scenario_text)
    .bind(&game.seed)
    .bind(game.committed)
    .bind(now())
    .execute(&mut *tx)
    .await
    .map_err(failed)?;
    for seat in &game.seats {
        sqlx::query("INSERT INTO seat (game, token_hash, role, name) VALUES (?, ?, ?, ?)")
            .bind(&game.id)
            .bind(&seat.token_hash)
            .bind(&seat.role)
            .bind(&seat.name)
            .execute(&mut *tx)
            .await
            .map_err(failed)?;
    }
    for (side, level) in &game.generals {
        sqlx::query("INSERT INTO general (game, side, level) VALUES (?, ?, ?)")
            .bind(&game.id)
            .bind(side)
            .bind(level)
            .execute(&mut *tx)
            .await
            .map_err(failed)?;
    }
    for row in &game.journal {
        line(tx, &game.id, row).await?;
    }
    Ok(())
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

    fn game<'a>(&'a self, id: &'a str) -> Soon<'a, Option<GameRow>> {
        Box::pin(async move {
            let found = sqlx::query(
                "SELECT scenario, title, scenario_text, seed, committed FROM game WHERE id = ?",
            )
            .bind(id)
            .fetch_optional(&self.pool)
            .await
            .map_err(failed)?;
            let Some(row) = found else { return Ok(None) };
            let seats = sqlx::query("SELECT token_hash, role, name FROM seat WHERE game = ?")
                .bind(id)
                .fetch_all(&self.pool)
                .await
                .map_err(failed)?;
            let generals =
                sqlx::query("SELECT side, level FROM general WHERE game = ? ORDER BY side")
                    .bind(id)
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed)?;
            let journal =
                sqlx::query("SELECT rev, key, entry FROM journal WHERE game = ? ORDER BY rev")
                    .bind(id)
                    .fetch_all(&self.pool)
                    .await
                    .map_err(failed)?;
            let text = |r: &sqlx::sqlite::SqliteRow, name: &str| -> Result<String, Failed> {
                r.try_get(name).map_err(failed)
            };
            let game = GameRow {
                id: id.to_owned(),
                scenario: text(&row, "scenario")?,
                title: text(&row, "title")?,
                scenario_text: text(&row, "scenario_text")?,
                seed: text(&row, "seed")?,
                committed: row.try_get("committed").map_err(failed)?,
                seats: seats
                    .iter()
                    .map(|s| {
                        Ok(SeatRow {
                            token_hash: text(s, "token_hash")?,
                            role: text(s, "role")?,
                            name: text(s, "name")?,
                        })
                    })
                    .collect::<Result<_, Failed>>()?,
                generals: generals
                    .iter()
                    .map(|g| Ok((text(g, "side")?, text(g, "level")?)))
                    .collect::<Result<_, Failed>>()?,
                journal: journal
                    .iter()
                    .map(|j| {
                        let rev: i64 = j.try_get("rev").map_err(failed)?;
                        Ok(JournalRow {
                            rev: u64::try_from(rev).map_err(failed)?,
                            key: j.try_get("key").map_err(failed)?,
                            entry: text(j, "entry")?,
                        })
                    })
                    .collect::<Result<_, Failed>>()?,
            };
            Ok(Some(game))
        })
    }

    fn count(&self) -> Soon<'_, u64> {
        Box::pin(async move {
            let row = sqlx::query("SELECT count(*) AS n FROM game")
                .fetch_one(&self.pool)
                .await
                .map_err(failed)?;
            let n: i64 = row.try_get("n").map_err(failed)?;
            u64::try_from(n).map_err(failed)
        })
    }

    fn with_generals(&self, most: u32) -> Soon<'_, Vec<String>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT id FROM game WHERE id IN (SELECT game FROM general) ORDER BY made DESC LIMIT ?",
            )
            .bind(i64::from(most))
            .fetch_all(&self.pool)
            .await
            .map_err(failed)?;
            rows.iter().map(|r| r.try_get("id").map_err(failed)).collect()
        })
    }

    fn close(&self) -> Soon<'_, ()> {
        Box::pin(async move {
            self.pool.close().await;
            Ok(())
        })
    }
}
