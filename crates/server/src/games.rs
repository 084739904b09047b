//! Games in play: each behind one lock, each order in the journal before it is answered.

mod stored;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use engine::game::{Game, Refused};
use engine::view::{self, Board, Entry, View};
use engine::{Library, Scenario, save};
use journal::Record;
use regimental::battle::{Command, Event, Side};
use tokio::sync::{Mutex as Gate, watch};

use crate::api::{Player, Update};
use crate::changes::Shown;
use crate::concert::Passed;
use crate::error::Problem;
use crate::seats::{Role, hashed, secret};
use crate::storage::{GameRow, JournalRow, SeatRow, Storage};

/// A record of a battle.
pub(crate) type Line = Record<Side, Command, Event>;

/// As many games as are kept in memory; those nobody looks at are let go first.
const IN_MEMORY: usize = 2000;

/// What is done to a game.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Order(Command),
    Undo,
    Redo,
}

impl Act {
    /// As it is compared.
    fn words(&self) -> String {
        match self {
            Self::Order(command) => serde_json::to_string(command).unwrap_or_default(),
            Self::Undo => "undo".into(),
            Self::Redo => "redo".into(),
        }
    }
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

/// A game in play.
pub(crate) struct Live {
    pub(crate) id: String,
    pub(crate) board: Board,
    pub(crate) commitment: Option<String>,
    seed: String,
    /// The level of the general of each side that has one.
    pub(crate) generals: [Option<String>; 2],
    /// How the scenario says the generals are disposed.
    pub(crate) tempers: [String; 2],
    state: Gate<State>,
    changed: watch::Sender<u64>,
    /// The generals' minds, with what they have made up.
    pub(crate) minds: Mutex<[Option<general::Mind>; 2]>,
    /// Whether a general is at work.
    pub(crate) thinking: std::sync::atomic::AtomicBool,
}

pub(crate) struct State {
    pub(crate) game: Game,
    pub(crate) rev: u64,
    /// How many records there were after each revision.
    lengths: Vec<usize>,
    /// What was sent under which name, and the revision it led to.
    keys: HashMap<String, (u64, String)>,
    pub(crate) seats: Vec<SeatRow>,
    /// Brigades that have finished the step before others of their side.
    passed: Passed,
    /// What the units looked like last.
    looks: view::Memory,
    shown: Shown,
    /// The last update that was written out, and for whom: whoever gave an order and all who look
    /// on get the same.
    written: Option<(Wish, Arc<str>)>,
}

impl Live {
    pub(crate) async fn lock(&self) -> tokio::sync::MutexGuard<'_, State> {
        self.state.lock().await
    }

    /// How many look on.
    pub(crate) fn watch_count(&self) -> usize {
        self.changed.receiver_count()
    }

    /// Told whenever the game changes.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// What a token opens in this game.
    pub(crate) async fn role(&self, token: &str) -> Result<Role, Problem> {
        let hash = hashed(token);
        let state = self.lock().await;
        let seat = state.seats.iter().find(|s| s.token_hash == hash);
        seat.map(|s| Role::of_word(&s.role)).ok_or(Problem::NotSeated)
    }

    /// The seed, when the battle is over.
    pub(crate) fn shown_seed(&self, state: &State) -> Option<String> {
        (state.game.now().ending().is_some() && self.commitment.is_some())
            .then(|| self.seed.clone())
    }

    /// The game as a save.
    pub(crate) fn save(&self, state: &State) -> String {
        let seed = self.commitment.is_some().then_some(self.seed.as_str());
        let over = state.game.now().ending().is_some();
        save::write(&state.game.scenario, &state.game.journal, seed, over)
    }

    /// What a general plays a side with, if one does.
    pub(crate) fn general_of(&self, side: Side) -> Option<&str> {
        self.generals[side.index()].as_deref()
    }
}

impl State {
    /// Everything that is new since a revision.
    pub(crate) fn update(&mut self, wish: Wish, live: &Live) -> Update {
        // Who claims to have seen what has not happened has nothing to be brief about.
        let brief = wish.brief && wish.since <= self.rev;
        let since = usize::try_from(wish.since).unwrap_or(usize::MAX).min(self.lengths.len() - 1);
        // Orders taken back since then shorten what the other end still has right.
        let from = self.lengths[since..].iter().copied().min().unwrap_or(0);
        let mut view = view::view(&self.game, &mut self.looks);
        self.shown.note(self.rev, &view);
        if brief {
            self.shown.keep_since(wish.since, &mut view);
        }
        Update {
            rev: self.rev,
            from,
            entries: view::log(&self.game, from),
            since: brief.then_some(wish.since),
            view,
            step: view::step_offers(&self.game),
            players: self.players(live),
            waiting: self.waiting(),
            seed: live.shown_seed(self),
        }
    }

    /// The same as JSON, made once for all who were at the same place.
    pub(crate) fn update_json(&mut self, wish: Wish, live: &Live) -> Arc<str> {
        if let Some((same, text)) = &self.written
            && *same == wish
        {
            return Arc::clone(text);
        }
        let text = serde_json::to_string(&self.update(wish, live)).unwrap_or_default();
        let text: Arc<str> = text.into();
        self.written = Some((wish, Arc::clone(&text)));
        text
    }

    pub(crate) fn log(&self) -> Vec<Entry> {
        view::log(&self.game, 0)
    }

    pub(crate) fn at(&self, n: usize) -> View {
        View::after(&self.game, n)
    }

    fn players(&self, live: &Live) -> Vec<Player> {
        let mut all: Vec<Player> = self
            .seats
            .iter()
            .map(|s| Player { role: self.role_name(&s.role), name: s.name.clone(), general: None })
            .collect();
        for side in Side::BOTH {
            if let Some(level) = live.general_of(side) {
                all.push(Player {
                    role: self.game.scenario.side(side).id.clone(),
                    name: format!("The computer ({level})"),
                    general: Some(level.to_owned()),
                });
            }
        }
        all
    }

    /// A side's short name instead of its number.
    pub(crate) fn role_name(&self, word: &str) -> String {
        match Role::of_word(word) {
            Role::Side(side) => self.game.scenario.side(side).id.clone(),
            Role::Brigade(side, leader) => {
                format!("{}/{leader}", self.game.scenario.side(side).id)
            }
            other => other.word(),
        }
    }

    /// Carries out an act in memory. Returns the journal's line.
    fn act(&mut self, role: Role, request: &Request) -> Result<String, Problem> {
        match &request.act {
            Act::Order(command) => {
                let Some(by) = self.game.now().awaited() else {
                    return Err(Problem::NotYours("The battle is over.".into()));
                };
                self.mine(role, by, "It is for")?;
                if !role.may_give(self.game.now(), command) {
                    return Err(Problem::NotYours(
                        "This seat leads one brigade, and the order is for others.".into(),
                    ));
                }
                if let Some(pass) = self.pass(role, by, command) {
                    return Ok(pass);
                }
                let done = self.game.order(by, command).map(drop);
                done.map_err(|refused| match refused {
                    Refused::Rules(no) => Problem::Rules(view::Refusal::of(self.game.now(), no)),
                    Refused::Words(why) => Problem::Unclear(why),
                    Refused::Dice(_) => Problem::Broken,
                })?;
                if let Some(reason) = &request.reason {
                    self.game.journal.explain(reason.clone());
                }
                let record = self.game.journal.records().last().ok_or(Problem::Broken)?;
                serde_json::to_string(record).map_err(|e| {
                    tracing::error!(error = %e, "a record that cannot be written");
                    Problem::Broken
                })
            }
            Act::Undo => {
                let Some(last) = self.game.journal.records().last() else {
                    return Err(Problem::Unclear("Nothing has happened yet.".into()));
                };
                self.mine(role, last.by, "The last order was given by")?;
                self.brigades_own(role, &last.command)?;
                if !self.game.journal.undo() {
                    return Err(Problem::Unclear(
                        "Nothing to take back: a die was thrown, or something was shown, since."
                            .into(),
                    ));
                }
                Ok("undo".into())
            }
            Act::Redo => {
                let by = self.game.now().awaited().unwrap_or(Side::One);
                self.mine(role, by, "It is for")?;
                let Some(next) = self.game.journal.undone() else {
                    return Err(Problem::Unclear("Nothing to do again.".into()));
                };
                self.brigades_own(role, &next.command)?;
                self.game.journal.redo();
                Ok("redo".into())
            }
        }
    }

    /// A brigade that has finished a step others of its side have not: the line that keeps it.
    fn pass(&mut self, role: Role, by: Side, command: &Command) -> Option<String> {
        let Role::Brigade(_, leader) = role else { return None };
        let battle = self.game.now();
        if *command != Command::Done || journal::Battle::check(battle, by, command).is_err() {
            return None;
        }
        let others = self.passed.waited_for(battle, roles(&self.seats), Some(leader));
        (!others.is_empty()).then(|| self.passed.note(self.game.now(), leader))
    }

    /// One brigade takes back, and does again, only what is its own.
    fn brigades_own(&self, role: Role, command: &Command) -> Result<(), Problem> {
        let brigade = matches!(role, Role::Brigade(..));
        let shared = *command == Command::Done;
        if brigade && (shared || !role.may_give(self.game.now(), command)) {
            return Err(Problem::NotYours(
                "This seat leads one brigade, and that order was not its own.".into(),
            ));
        }
        Ok(())
    }

    /// The names of those the others of their side wait for.
    fn waiting(&self) -> Vec<String> {
        let battle = self.game.now();
        if !self.passed.any(battle) {
            return vec![];
        }
        let open = self.passed.waited_for(battle, roles(&self.seats), None);
        let named = |id| battle.leader(id).map(|l| l.card.name.to_string());
        open.into_iter().filter_map(named).collect()
    }

    fn mine(&self, role: Role, side: Side, words: &str) -> Result<(), Problem> {
        if role.commands(side) {
            return Ok(());
        }
        if role == Role::Watch {
            return Err(Problem::NotYours("This seat looks on; it gives no orders.".into()));
        }
        let name = &self.game.scenario.side(side).name;
        Err(Problem::NotYours(format!("{words} the {name}, and this seat is not theirs.")))
    }
}

/// All games.
pub struct Games {
    storage: Arc<dyn Storage>,
    library: Library,
    live: Mutex<HashMap<String, Arc<Live>>>,
    /// Games are read from the storage one at a time, so that no game is in memory twice.
    opening: Gate<()>,
    most: u64,
}

impl Games {
    pub(crate) fn new(storage: Arc<dyn Storage>, most: u64) -> Self {
        Self {
            storage,
            library: Library::default(),
            live: Mutex::default(),
            opening: Gate::new(()),
            most,
        }
    }

    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    pub(crate) fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    pub(crate) fn in_memory(&self) -> usize {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// A game by its id.
    pub(crate) async fn get(&self, id: &str) -> Result<Arc<Live>, Problem> {
        let known =
            |id: &str| self.live.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        if let Some(live) = known(id) {
            return Ok(live);
        }
        let _one_at_a_time = self.opening.lock().await;
        if let Some(live) = known(id) {
            return Ok(live);
        }
        let live = Arc::new(self.stored(id).await?);
        self.keep(&live);
        Ok(live)
    }

    /// A game as its journal has it.
    async fn stored(&self, id: &str) -> Result<Live, Problem> {
        let missing = || Problem::Missing("There is no such game here.".into());
        Live::restored(&self.library, self.storage.game(id).await?.ok_or_else(missing)?)
    }

    fn forget(&self, id: &str) {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    fn keep(&self, live: &Arc<Live>) {
        let mut all = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= IN_MEMORY {
            // Nobody looks at it and nobody is about to change it: its journal has it all.
            all.retain(|_, l| l.changed.receiver_count() > 0 || Arc::strong_count(l) > 1);
        }
        all.insert(live.id.clone(), Arc::clone(live));
    }

    /// Begins a game.
    pub(crate) async fn begin(
        &self,
        scenario: Scenario,
        seats: Vec<(Role, String)>,
        generals: Vec<(Side, String)>,
        past: Vec<Line>,
    ) -> Result<(String, Vec<String>), Problem> {
        if self.storage.count().await? >= self.most {
            return Err(Problem::Full("This server holds as many games as it may.".into()));
        }
        let id = secret(9)?;
        let tokens: Vec<String> = seats.iter().map(|_| secret(32)).collect::<Result<_, _>>()?;
        let rows = seats.iter().zip(&tokens).map(|((role, name), token)| SeatRow {
            token_hash: hashed(token),
            role: role.word(),
            name: name.clone(),
        });
        let lines = (1..).zip(&past).map(|(rev, record)| {
            let entry = serde_json::to_string(record).map_err(|_| Problem::Broken)?;
            Ok(JournalRow { rev, key: None, entry })
        });
        let game = GameRow {
            id: id.clone(),
            scenario: scenario.id.clone(),
            title: scenario.title.clone(),
            scenario_text: scenario.text.clone(),
            seed: secret(16)?,
            // Dice of an earlier game came from another seed.
            committed: past.iter().all(|r| r.dice.is_empty()),
            seats: rows.collect(),
            generals: generals
                .into_iter()
                .map(|(side, level)| (Role::Side(side).word(), level))
                .collect(),
            journal: lines.collect::<Result<_, Problem>>()?,
        };
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
        live: &Arc<Live>,
        role: Role,
        request: Request,
    ) -> Result<(Arc<str>, bool), Problem> {
        let mut state = live.lock().await;
        // A name counts for the seat that gave it.
        let key = request.key.as_ref().map(|k| format!("{}:{k}", role.word()));
        let what = request.act.words();
        if let Some((done, before)) = key.as_ref().and_then(|k| state.keys.get(k)) {
            if *before != what {
                return Err(Problem::Unclear(
                    "This key was used for another order: take a new one for each.".into(),
                ));
            }
            let wish = Wish { since: done.saturating_sub(1), brief: request.brief };
            return Ok((state.update_json(wish, live), true));
        }
        if request.after.is_some_and(|after| after != state.rev) {
            return Err(Problem::Late { rev: state.rev });
        }
        let entry = state.act(role, &request)?;
        let rev = state.rev + 1;
        let row = JournalRow { rev, key: key.clone(), entry };
        if let Err(failed) = self.storage.append(&live.id, row).await {
            // What is in memory is ahead of the journal: the journal is right. If it cannot be read
            // now either, whoever asks next reads it again.
            match self.stored(&live.id).await {
                Ok(again) => *state = again.state.into_inner(),
                Err(_) => self.forget(&live.id),
            }
            return Err(failed.into());
        }
        let wish = Wish { since: state.rev, brief: request.brief };
        state.rev = rev;
        let length = state.game.journal.records().len();
        state.lengths.push(length);
        if let Some(key) = key {
            state.keys.insert(key, (rev, what));
        }
        state.written = None;
        let update = state.update_json(wish, live);
        drop(state);
        live.changed.send_replace(rev);
        Ok((update, false))
    }

    /// Gives a player a name; carried through like a change.
    pub(crate) async fn rename(
        &self,
        live: &Arc<Live>,
        token: &str,
        name: &str,
    ) -> Result<(), Problem> {
        let (storage, live) = (Arc::clone(&self.storage), Arc::clone(live));
        let (hash, name) = (hashed(token), name.to_owned());
        let whole = tokio::spawn(async move {
            let mut state = live.lock().await;
            storage.rename(&live.id, &hash, &name).await?;
            for seat in state.seats.iter_mut().filter(|s| s.token_hash == hash) {
                seat.name.clone_from(&name);
            }
            let rev = state.rev;
            state.written = None;
            drop(state);
            live.changed.send_replace(rev);
            Ok(())
        });
        whole.await.map_err(|_| Problem::Broken)?
    }

    /// What a game began with: its scenario and so many records.
    pub(crate) async fn records(
        &self,
        live: &Live,
        n: usize,
    ) -> Result<(Scenario, Vec<Line>), Problem> {
        let state = live.lock().await;
        let records = state.game.journal.records();
        let Some(past) = records.get(..n) else {
            let most = records.len();
            return Err(Problem::Unclear(format!("There have been {most} orders so far.")));
        };
        Ok((state.game.scenario.clone(), past.to_vec()))
    }
}

/// What the seats of a game open.
fn roles(seats: &[SeatRow]) -> impl Iterator<Item = Role> + '_ {
    seats.iter().map(|s| Role::of_word(&s.role))
}
