//! The one connection that writes.
//!
//! It takes what is waiting, writes it in one transaction and answers all of it when the
//! transaction is on disk, so that many games share the cost of one flush.
//!
//! **When a write fails the connection is not to be trusted any more.** SQLite takes a transaction
//! back by itself when the disk is full or fails, and whoever counts transactions beside it goes on
//! in one that is not there. So the connection is dropped, another is opened, the write-ahead file is
//! emptied into the database (what a failed flush left in it may not be on disk, whatever is
//! visible), and each write of the failed transaction is looked for: what is there was kept, what is
//! not there was not. Only then is anybody answered. And nothing is answered with "kept" before
//! another connection sees it.
//!
//! "Not kept" is said only of what will not be found after a crash either. A transaction that failed
//! while it was committed may lie whole in the write-ahead file, unseen: while that cannot be emptied,
//! nobody knows. Files that somebody deletes or puts aside under the server are noticed ([`files`]).
//!
//! [`files`]: super::files

use std::sync::Arc;
use std::sync::atomic::Ordering;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, Row};
use tokio::sync::{mpsc, oneshot};

use super::files::{Files, Gone};
use super::{Failed, GameRow, JournalRow, Shared, failed, now, readers};
use crate::storage::Known;

/// As many writes as share a transaction at most.
pub(super) const BATCH: usize = 256;

pub(super) enum Write {
    Game(Box<GameRow>),
    Line(String, JournalRow),
    Name {
        game: String,
        token_hash: String,
        name: String,
    },
    Delete(String),
    /// Only the count of transactions: whether it can be written at all.
    Probe,
}

pub(super) type Answer = oneshot::Sender<Result<(), Failed>>;

pub(super) struct Writer {
    options: SqliteConnectOptions,
    /// None after a failure, until another could be opened and what is in the file is safe.
    connection: Option<SqliteConnection>,
    /// Looks at what was written; opened again like the other.
    witness: Option<SqliteConnection>,
    files: Files,
    /// What those who ask from outside share: whether all is well here, and the readers.
    shared: Arc<Shared>,
}

/// A transaction that failed.
struct Stopped {
    error: Failed,
    /// Whether all of it may have been written.
    committing: bool,
}

impl Stopped {
    /// Before anything of it could be taken for whole.
    fn before(error: Failed) -> Self {
        Self { error, committing: false }
    }

    /// While it was committed. A disk that was full has not taken the last of it.
    fn committing(error: Failed) -> Self {
        let committing = error.known != Known::NoRoom;
        Self { error, committing }
    }

    /// What to answer when it is not there, and nobody could make sure that it will not be.
    fn unsettled(&self) -> Failed {
        let known = if self.committing { Known::Unsure } else { self.error.known };
        Failed { known, why: self.error.why.clone() }
    }
}

impl Writer {
    pub(super) fn new(
        options: SqliteConnectOptions,
        connection: SqliteConnection,
        files: Files,
        shared: Arc<Shared>,
    ) -> Self {
        shared.sound.store(true, Ordering::Release);
        Self { options, connection: Some(connection), witness: None, files, shared }
    }

    /// Writes what comes until nobody can send any more.
    pub(super) async fn run(mut self, mut jobs: mpsc::Receiver<(Write, Answer)>) {
        let mut waiting = Vec::with_capacity(BATCH);
        while jobs.recv_many(&mut waiting, BATCH).await > 0 {
            // Whoever is ready to speak does so first, and shares the flush.
            tokio::task::yield_now().await;
            while waiting.len() < BATCH
                && let Ok(job) = jobs.try_recv()
            {
                waiting.push(job);
            }
            let (writes, answers): (Vec<Write>, Vec<Answer>) = waiting.drain(..).unzip();
            for (answer, result) in answers.into_iter().zip(self.write(&writes).await) {
                let _ = answer.send(result);
            }
        }
        self.end().await;
    }

    /// Leaves one whole file behind: a copy of it alone is a copy of everything.
    async fn end(mut self) {
        if let Some(witness) = self.witness.take() {
            let _ = witness.close().await;
        }
        if let Some(mut connection) = self.connection.take() {
            if let Err(e) = empty_log(&mut connection).await {
                tracing::warn!(error = %e, "the write-ahead file stays beside the database");
            }
            let _ = connection.close().await;
        }
    }

    /// What became of each write.
    async fn write(&mut self, writes: &[Write]) -> Vec<Result<(), Failed>> {
        if let Err(e) = self.ready().await {
            return writes.iter().map(|_| Err(e.clone())).collect();
        }
        let Err(stopped) = self.together(writes).await else {
            return writes.iter().map(|_| Ok(())).collect();
        };
        tracing::error!(error = %stopped.error, "a write failed: the connection is opened anew");
        // Of files that are gone whoever has them open has the only copy.
        if self.files.there().is_ok() {
            self.distrust().await;
        }
        let safe = self.ready().await;
        let mut results = Vec::with_capacity(writes.len());
        for write in writes {
            let kept = self.kept(write).await;
            results.push(match (kept, &safe) {
                (Ok(true), Ok(())) => Ok(()),
                (Ok(true), Err(e)) => Err(Failed { known: Known::Unsure, why: e.why.clone() }),
                (Ok(false), Err(_)) => Err(stopped.unsettled()),
                // One of several is at fault: each by itself, so that the others are not lost with it.
                (Ok(false), Ok(())) if writes.len() > 1 => self.alone(write).await,
                (Ok(false), Ok(())) => Err(stopped.error.clone()),
                (Err(_), _) => Err(stopped.unsettled()),
            });
        }
        results
    }

    async fn alone(&mut self, write: &Write) -> Result<(), Failed> {
        Box::pin(self.write(std::slice::from_ref(write))).await.pop().unwrap_or_else(|| {
            Err(Failed { known: Known::Unsure, why: "a write without an answer".into() })
        })
    }

    /// Drops the connections: what they believe of the file may be wrong.
    async fn distrust(&mut self) {
        self.shared.sound.store(false, Ordering::Release);
        for connection in [self.connection.take(), self.witness.take()].into_iter().flatten() {
            let _ = connection.close_hard().await;
        }
    }

    /// A connection that can be trusted, or why there is none.
    async fn ready(&mut self) -> Result<(), Failed> {
        match self.files.there() {
            Ok(()) => {}
            // Those who read keep what they have: games can be looked at and downloaded.
            Err(Gone::Database) => {
                self.shared.sound.store(false, Ordering::Release);
                return Err(Failed::not_kept(
                    "the file of the database is not where it was, or another has its name: put it \
                     back, or stop the server",
                ));
            }
            Err(Gone::Log) => self.reopen().await?,
        }
        if self.connection.is_none() {
            let mut fresh = SqliteConnection::connect_with(&self.options).await.map_err(failed)?;
            if let Err(e) = empty_log(&mut fresh).await {
                let _ = fresh.close_hard().await;
                return Err(e);
            }
            self.connection = Some(fresh);
            self.files.opened_again();
            tracing::info!("the database is written to again");
        }
        self.shared.sound.store(true, Ordering::Release);
        Ok(())
    }

    /// The write-ahead file was deleted. Who has it open still sees what is in it, and nobody else
    /// ever will: it is emptied into the database, and everybody opens the new one.
    async fn reopen(&mut self) -> Result<(), Failed> {
        tracing::error!("the files beside the database were deleted: they are opened anew");
        if let Some(connection) = &mut self.connection {
            // It may be in the middle of what failed.
            let _ = run(connection, "ROLLBACK").await;
            empty_log(connection).await?;
        }
        let shared = Arc::clone(&self.shared);
        let mut pool = shared.pool.write().await;
        pool.close().await;
        self.distrust().await;
        *pool = readers(&self.options);
        Ok(())
    }

    /// All in one transaction, which another connection sees, in files that others will find.
    async fn together(&mut self, writes: &[Write]) -> Result<(), Stopped> {
        let Some(connection) = &mut self.connection else {
            return Err(Stopped::before(Failed::not_kept("no connection")));
        };
        let written = begun(connection, writes).await.map_err(Stopped::before)?;
        run(connection, "COMMIT").await.map_err(Stopped::committing)?;
        let seen = self.witnessed().await.map_err(Stopped::committing)?;
        if seen < written {
            let why = format!("{written} written, {seen} seen");
            return Err(Stopped::committing(Failed::not_kept(why)));
        }
        match self.files.there() {
            Ok(()) => Ok(()),
            Err(Gone::Log) => self.reopen().await.map_err(Stopped::committing),
            Err(Gone::Database) => {
                let why = "the file of the database was deleted or put aside".into();
                Err(Stopped { error: Failed { known: Known::Unsure, why }, committing: true })
            }
        }
    }

    /// The count of transactions as another connection sees it.
    async fn witnessed(&mut self) -> Result<i64, Failed> {
        if self.witness.is_none() {
            let other = SqliteConnection::connect_with(&self.options).await.map_err(failed)?;
            self.witness = Some(other);
        }
        let Some(witness) = &mut self.witness else {
            return Err(Failed::not_kept("no witness"));
        };
        let row = sqlx::query("SELECT writes FROM tally").fetch_one(witness).await;
        row.map_err(failed)?.try_get("writes").map_err(failed)
    }

    /// Whether a write is in the file, as a connection sees it that has not written it.
    async fn kept(&self, write: &Write) -> Result<bool, Failed> {
        let mut look = SqliteConnection::connect_with(&self.options).await.map_err(failed)?;
        let kept = is_there(&mut look, write).await;
        let _ = look.close_hard().await;
        kept
    }
}

/// A transaction up to its last step: the count of transactions that it leads to.
async fn begun(connection: &mut SqliteConnection, writes: &[Write]) -> Result<i64, Failed> {
    run(connection, "BEGIN IMMEDIATE").await?;
    for write in writes {
        one(connection, write).await?;
    }
    let row = sqlx::query("UPDATE tally SET writes = writes + 1 RETURNING writes")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    row.try_get("writes").map_err(failed)
}

async fn is_there(look: &mut SqliteConnection, write: &Write) -> Result<bool, Failed> {
    let query = match write {
        Write::Line(game, row) => sqlx::query(
            "SELECT 1 FROM journal WHERE game = ? AND rev = ? AND entry = ? AND key IS ?",
        )
        .bind(game)
        .bind(i64::try_from(row.rev).map_err(failed)?)
        .bind(&row.entry)
        .bind(&row.key),
        Write::Game(game) => sqlx::query("SELECT 1 FROM game WHERE id = ?").bind(&game.id),
        Write::Name { game, token_hash, name } => {
            sqlx::query("SELECT 1 FROM seat WHERE game = ? AND token_hash = ? AND name = ?")
                .bind(game)
                .bind(token_hash)
                .bind(name)
        }
        Write::Delete(game) => {
            sqlx::query("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM game WHERE id = ?)").bind(game)
        }
        Write::Probe => return Ok(false),
    };
    Ok(query.fetch_optional(look).await.map_err(failed)?.is_some())
}

/// Empties the write-ahead file into the database, and flushes that.
async fn empty_log(connection: &mut SqliteConnection) -> Result<(), Failed> {
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(connection).await;
    let busy: i64 = row.map_err(failed)?.try_get(0).map_err(failed)?;
    if busy == 0 { Ok(()) } else { Err(Failed::not_kept("somebody reads the write-ahead file")) }
}

async fn run(connection: &mut SqliteConnection, what: &'static str) -> Result<(), Failed> {
    sqlx::query(what).execute(connection).await.map_err(failed)?;
    Ok(())
}

async fn one(tx: &mut SqliteConnection, write: &Write) -> Result<(), Failed> {
    match write {
        Write::Line(game, row) => {
            line(tx, game, row).await?;
            sqlx::query("UPDATE room SET bytes = bytes + ? WHERE game = ?")
                .bind(i64::try_from(row.bytes()).map_err(failed)?)
                .bind(game)
                .execute(tx)
                .await
                .map_err(failed)?;
            Ok(())
        }
        Write::Game(game) => whole(tx, game).await,
        Write::Probe => Ok(()),
        Write::Name { game, token_hash, name } => {
            sqlx::query("UPDATE seat SET name = ? WHERE game = ? AND token_hash = ?")
                .bind(name)
                .bind(game)
                .bind(token_hash)
                .execute(tx)
                .await
                .map_err(failed)?;
            Ok(())
        }
        Write::Delete(game) => {
            for delete in [
                "DELETE FROM journal WHERE game = ?",
                "DELETE FROM seat WHERE game = ?",
                "DELETE FROM general WHERE game = ?",
                "DELETE FROM room WHERE game = ?",
                "DELETE FROM game WHERE id = ?",
            ] {
                sqlx::query(delete).bind(game).execute(&mut *tx).await.map_err(failed)?;
            }
            Ok(())
        }
    }
}

async fn line(tx: &mut SqliteConnection, game: &str, row: &JournalRow) -> Result<(), Failed> {
    sqlx::query(
        "INSERT INTO journal (game, rev, key, entry, seal, made) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .bind(game)
    .bind(i64::try_from(row.rev).map_err(failed)?)
    .bind(&row.key)
    .bind(&row.entry)
    .bind(&row.seal)
    .bind(now())
    .execute(tx)
    .await
    .map_err(failed)?;
    Ok(())
}

async fn whole(tx: &mut SqliteConnection, game: &GameRow) -> Result<(), Failed> {
    sqlx::query(
        "INSERT INTO game (id, scenario, title, scenario_text, seed, committed, maker, began, made) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&game.id)
    .bind(&game.scenario)
    .bind(&game.title)
    .bind(&game.scenario_text)
    .bind(&game.seed)
    .bind(game.committed)
    .bind(&game.maker)
    .bind(i64::try_from(game.journal.len()).map_err(failed)?)
    .bind(now())
    .execute(&mut *tx)
    .await
    .map_err(failed)?;
    sqlx::query("INSERT INTO room (game, bytes) VALUES (?, ?)")
        .bind(&game.id)
        .bind(i64::try_from(game.bytes()).map_err(failed)?)
        .execute(&mut *tx)
        .await
        .map_err(failed)?;
    for seat in &game.seats {
        sqlx::query(
            "INSERT INTO seat (game, token_hash, role, name, maker) VALUES (?, ?, ?, ?, ?)",
        )
        .bind(&game.id)
        .bind(&seat.token_hash)
        .bind(&seat.role)
        .bind(&seat.name)
        .bind(seat.maker)
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
