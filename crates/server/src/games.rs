//! Games in play: each behind one lock, each order in the journal before it is answered.

mod around;
mod entry;
mod memory;
mod seal;
mod shell;
mod state;
mod stored;

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Library, Scenario};
pub(crate) use entry::Entry;
use journal::Record;
use memory::Budget;
use regimental::battle::{Command, Event, Side};
pub(crate) use shell::Live;
pub(crate) use state::{MOST_BYTES, MOST_LINES, State};
use tokio::sync::{MappedMutexGuard, MutexGuard, Semaphore};

use crate::error::Problem;
use crate::seats::{Role, hashed, secret};
use crate::storage::{GameRow, JournalRow, SeatRow, Storage};
use crate::{Limits, quota};

/// A record of a battle.
pub(crate) type Line = Record<Side, Command, Event>;

/// What is done to a game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Act {
    Order(Command),
    Undo,
    Redo,
    Concede(Side),
    OfferDraw(Side),
    AnswerDraw { by: Side, agreed: bool },
}

/// A request to change a game.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) act: Act,
    /// Where the sender thinks the game is.
    pub(crate) after: Option<u64>,
    /// The sender's name for this request.
    pub(crate) key: Option<String>,
    /// Why, if a general orders it.
    pub(crate) reason: Option<String>,
    /// Whether the answer leaves out what has not changed.
    pub(crate) brief: bool,
}

/// What somebody wants to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wish {
    /// The revision he has seen.
    pub(crate) since: u64,
    /// Whether he keeps what has not changed since.
    pub(crate) brief: bool,
}

/// A game to begin.
pub(crate) struct Begin {
    pub(crate) scenario: Scenario,
    pub(crate) seats: Vec<(Role, String)>,
    pub(crate) generals: Vec<(Side, String)>,
    /// What has happened already.
    pub(crate) past: Vec<Line>,
    /// Whose it is: a hash of the address it is made from.
    pub(crate) maker: String,
}

/// A game that somebody holds: nobody else changes it or looks at it meanwhile.
pub(crate) type Entered<'a> = MappedMutexGuard<'a, State>;

/// All games.
pub struct Games {
    storage: Arc<dyn Storage>,
    library: Library,
    /// Those that somebody has asked for; of most of them little is in memory.
    live: Mutex<HashMap<String, Arc<Live>>>,
    budget: Budget,
    /// Reading a long journal is work: so many are read at once.
    reading: Semaphore,
    /// Bytes that the games of one maker may grow to on disk.
    most_of_one: u64,
}

impl Games {
    /// The games of a storage.
    pub(crate) fn new(storage: Arc<dyn Storage>, limits: &Limits) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        Self {
            storage,
            library: Library::default(),
            live: Mutex::default(),
            budget: Budget::new(limits.memory),
            reading: Semaphore::new(cores),
            // Who may make no more goes on with what he has.
            most_of_one: limits.bytes_of_one.saturating_mul(2),
        }
    }

    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    pub(crate) fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    /// How many games are in memory, and about how many bytes they take.
    pub(crate) fn in_memory(&self) -> (usize, usize) {
        let all = self.all();
        let games = all.iter().filter(|l| l.bytes.load(Ordering::Relaxed) > 0).count();
        (games, self.budget.taken())
    }

    fn all(&self) -> Vec<Arc<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// A game by its id, whether it is in memory or not, or is at all: who enters it learns that.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Live>, Problem> {
        if id.len() > 64 || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(Problem::no_game());
        }
        let mut all = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let live = all.entry(id.to_owned()).or_insert_with(|| Arc::new(Live::new(id)));
        Ok(Arc::clone(live))
    }

    /// Holds a game, and reads it from its journal first if it is not in memory.
    pub(crate) async fn enter<'a>(&self, live: &'a Live) -> Result<Entered<'a>, Problem> {
        live.touch();
        let mut slot = live.state.lock().await;
        if slot.as_ref().is_none_or(|state| state.stale) {
            *slot = None;
            self.budget.note(live, 0);
            match self.stored(&live.id).await {
                Ok(state) => {
                    self.budget.note(live, memory::bytes_of(&state));
                    let _ = live.generals.set(state.generals.clone());
                    *slot = Some(state);
                }
                Err(problem) => {
                    if matches!(problem, Problem::Missing(_)) {
                        self.forget(&live.id);
                    }
                    return Err(problem);
                }
            }
            if self.budget.crowded() {
                self.budget.settle(&self.all(), Some(live));
            }
        }
        MutexGuard::try_map(slot, Option::as_mut).map_err(|_| Problem::Broken)
    }

    /// A game as its journal has it.
    async fn stored(&self, id: &str) -> Result<State, Problem> {
        let game = self.storage.game(id).await.map_err(Problem::unread)?;
        let game = game.ok_or_else(Problem::no_game)?;
        let _turn = self.reading.acquire().await.map_err(|_| Problem::Broken)?;
        tokio::task::block_in_place(|| State::restored(&self.library, game))
    }

    fn forget(&self, id: &str) {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Lets go what nobody has asked for in a while, and what does not fit.
    pub(crate) fn tidy(&self) {
        self.budget.settle(&self.all(), None);
        let mut all = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody looks at it, nobody holds it, and there is nothing in it.
        all.retain(|_, l| {
            let empty = l.state.try_lock().is_ok_and(|s| s.is_none());
            !empty || l.watch_count() > 0 || Arc::strong_count(l) > 1
        });
        all.shrink_to_fit();
    }

    /// Begins a game.
    pub(crate) async fn begin(&self, begin: Begin) -> Result<(String, Vec<String>), Problem> {
        let Begin { scenario, seats, generals, past, maker } = begin;
        let tokens: Vec<String> = seats.iter().map(|_| secret(32)).collect::<Result<_, _>>()?;
        let rows =
            seats.iter().zip(&tokens).enumerate().map(|(i, ((role, name), token))| SeatRow {
                token_hash: hashed(token),
                role: role.word(),
                name: name.clone(),
                maker: i == 0,
            });
        let mut game = GameRow {
            id: secret(9)?,
            scenario: scenario.id.clone(),
            title: scenario.title.clone(),
            scenario_text: scenario.text.clone(),
            seed: secret(16)?,
            // Dice of an earlier game came from another seed.
            committed: past.iter().all(|r| r.dice.is_empty()),
            maker,
            seats: rows.collect(),
            generals: generals
                .into_iter()
                .map(|(side, level)| (Role::Side(side).word(), level))
                .collect(),
            journal: vec![],
        };
        let mut seal = seal::beginning(&game);
        for (rev, record) in (1..).zip(past) {
            let entry = written(&Entry::Record(Box::new(record)))?;
            seal = seal::of(&seal, rev, None, &entry);
            game.journal.push(JournalRow { rev, key: None, entry, seal: Some(seal.clone()) });
        }
        let id = game.id.clone();
        self.storage.add(game).await?;
        Ok((id, tokens))
    }

    /// Changes a game. What comes back without a problem is on disk. `true` if it had been done
    /// before. Who asked may go away in the middle of it: it is carried through all the same, or
    /// the game in memory would not be the one in the journal.
    pub(crate) async fn change(
        self: &Arc<Self>,
        live: &Arc<Live>,
        role: Role,
        request: Request,
    ) -> Result<(Arc<str>, bool), Problem> {
        let (games, live) = (Arc::clone(self), Arc::clone(live));
        let whole = tokio::spawn(async move { games.carry_through(&live, role, request).await });
        whole.await.map_err(|_| Problem::Broken)?
    }

    async fn carry_through(
        &self,
        live: &Live,
        role: Role,
        request: Request,
    ) -> Result<(Arc<str>, bool), Problem> {
        // A name counts for the seat that gave it.
        let key = request.key.as_ref().map(|k| format!("{}:{k}", role.word()));
        let mut state = self.enter(live).await?;
        if let Some((done, before)) = key.as_ref().and_then(|k| state.keys.get(k)) {
            if *before != request.act {
                return Err(Problem::Unclear(
                    "This key was used for another order: take a new one for each.".into(),
                ));
            }
            let wish = Wish { since: done.saturating_sub(1), brief: request.brief };
            // It is in the journal; after a fault of the disk it must be safe there as well.
            self.storage.settle().await.map_err(Problem::unsure)?;
            return Ok((state.update_json(wish), true));
        }
        if request.after.is_some_and(|after| after != state.rev) {
            return Err(Problem::Late { rev: state.rev });
        }
        self.has_room(&mut state).await?;
        let before = state.rev;
        // Should the rules break in the middle of it, the journal is right.
        state.stale = true;
        let acted = tokio::task::block_in_place(|| state.act(role, &request));
        state.stale = acted.is_ok();
        let entry = acted?;
        self.append(live, &mut state, key.clone(), &entry).await?;
        if let Some(key) = key {
            state.keys.insert(key, (before + 1, request.act));
        }
        let wish = Wish { since: before, brief: request.brief };
        let update = tokio::task::block_in_place(|| state.update_json(wish));
        self.budget.note(live, memory::bytes_of(&state));
        drop(state);
        live.changed.send_replace(before + 1);
        Ok((update, false))
    }

    /// Games grow as they are played: whenever one has grown by a megabyte, all its maker has here is
    /// looked at.
    async fn has_room(&self, state: &mut State) -> Result<(), Problem> {
        let grown = state.written_bytes >> 20;
        if grown > state.room_for {
            if self.storage.held(&state.maker).await?.bytes >= self.most_of_one {
                return Err(quota::overgrown());
            }
            state.room_for = grown;
        }
        Ok(())
    }

    /// Writes a line that has happened in memory. If it cannot be written, what is in memory is
    /// ahead of the journal: the journal is right, and is read again before anybody sees the game.
    async fn append(
        &self,
        live: &Live,
        state: &mut State,
        key: Option<String>,
        entry: &Entry,
    ) -> Result<(), Problem> {
        state.stale = true;
        let text = written(entry)?;
        let (rev, bytes) = (state.rev + 1, text.len());
        let seal = seal::of(&state.seal, rev, key.as_deref(), &text);
        let row = JournalRow { rev, key, entry: text, seal: Some(seal.clone()) };
        if let Err(failed) = self.storage.append(&live.id, row).await {
            // Those who look on are shown what there is.
            live.changed.send_modify(|_| {});
            return Err(failed.into());
        }
        state.stale = false;
        state.rev = rev;
        state.seal = seal;
        state.written_bytes += bytes;
        let length = state.game.journal.records().len();
        state.lengths.push(length);
        state.around.note(entry);
        state.beside += u64::from(!entry.is_order());
        state.told = None;
        Ok(())
    }

    /// The same battle again with the sides changed, for the same seats: each token opens the other
    /// side of the new game. Whoever asks later is told of the one there is.
    pub(crate) async fn rematch(
        self: &Arc<Self>,
        live: &Arc<Live>,
        maker: String,
    ) -> Result<String, Problem> {
        let (games, live) = (Arc::clone(self), Arc::clone(live));
        let whole = tokio::spawn(async move {
            let mut state = games.enter(&live).await?;
            if let Some(game) = &state.around.rematch {
                return Ok(game.clone());
            }
            if !state.over() {
                return Err(Problem::NotYours("The battle is not over yet.".into()));
            }
            let scenario = &state.game.scenario;
            let other = |role: &str| match Role::of_word(role) {
                Role::Side(side) => Role::Side(side.other()).word(),
                same => same.word(),
            };
            let seats = state.seats.iter().map(|s| SeatRow { role: other(&s.role), ..s.clone() });
            let generals = Side::BOTH.into_iter().filter_map(|side| {
                let level = state.generals[side.index()].clone()?;
                Some((Role::Side(side.other()).word(), level))
            });
            let game = GameRow {
                id: secret(9)?,
                scenario: scenario.id.clone(),
                title: scenario.title.clone(),
                scenario_text: scenario.text.clone(),
                seed: secret(16)?,
                committed: true,
                maker,
                seats: seats.collect(),
                generals: generals.collect(),
                journal: vec![],
            };
            let id = game.id.clone();
            games.storage.add(game).await?;
            games.append(&live, &mut state, None, &Entry::Rematch(id.clone())).await?;
            let rev = state.rev;
            drop(state);
            live.changed.send_replace(rev);
            Ok(id)
        });
        whole.await.map_err(|_| Problem::Broken)?
    }

    /// Gives a player a name; carried through like a change.
    pub(crate) async fn rename(
        self: &Arc<Self>,
        live: &Arc<Live>,
        token: &str,
        name: &str,
    ) -> Result<(), Problem> {
        let (games, live) = (Arc::clone(self), Arc::clone(live));
        let (hash, name) = (hashed(token), name.to_owned());
        let whole = tokio::spawn(async move {
            let mut state = games.enter(&live).await?;
            if let Err(failed) = games.storage.rename(&live.id, &hash, &name).await {
                state.stale = true;
                return Err(failed.into());
            }
            for seat in state.seats.iter_mut().filter(|s| s.token_hash == hash) {
                seat.name.clone_from(&name);
            }
            let rev = state.rev;
            state.told = None;
            drop(state);
            live.changed.send_replace(rev);
            Ok(())
        });
        whole.await.map_err(|_| Problem::Broken)?
    }

    /// Deletes a game; those who follow it are told that it is gone.
    pub(crate) async fn delete(self: &Arc<Self>, live: &Arc<Live>) -> Result<(), Problem> {
        let (games, live) = (Arc::clone(self), Arc::clone(live));
        let whole = tokio::spawn(async move {
            let mut state = games.enter(&live).await?;
            // Whatever comes of it, only the storage knows.
            state.stale = true;
            let deleted = games.storage.delete(&live.id).await;
            drop(state);
            live.changed.send_modify(|_| {});
            Ok(deleted?)
        });
        whole.await.map_err(|_| Problem::Broken)?
    }
}

impl State {
    /// What a game began with: its scenario and so many records.
    pub(crate) fn records(&self, n: usize) -> Result<(Scenario, Vec<Line>), Problem> {
        let records = self.game.journal.records();
        let Some(past) = records.get(..n) else {
            let most = records.len();
            return Err(Problem::Unclear(format!("There have been {most} orders so far.")));
        };
        Ok((self.game.scenario.clone(), past.to_vec()))
    }
}

/// A game as a save, with what should be known of it; up to the damage, if its journal has one.
pub(crate) fn exported(
    library: &Library,
    mut game: GameRow,
) -> Result<(String, Vec<String>), Problem> {
    let mut remarks = vec![];
    if let Err(line) = seal::checked(&game) {
        game.journal.retain(|row| row.rev < line);
        remarks.push(format!(
            "The journal is not as it was written from line {line} on: the save has what is before."
        ));
    }
    let state = State::restored(library, game)?;
    Ok((state.save(), remarks))
}

fn written(entry: &Entry) -> Result<String, Problem> {
    entry.written().map_err(|e| {
        tracing::error!(error = %e, "a record that cannot be written");
        Problem::Broken
    })
}
