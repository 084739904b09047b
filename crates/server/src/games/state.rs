//! A game in memory: what may be done to it, and what is told of it.

use std::collections::HashMap;
use std::sync::Arc;

use engine::game::{Game, Refused};
use engine::save;
use engine::view::{self, Board, View};
use regimental::battle::{Command, Side};

use super::around::{Around, Settled};
use super::{Act, Entry, Request, Wish};
use crate::api::{self, Player, Update};
use crate::changes::Shown;
use crate::concert::Passed;
use crate::error::Problem;
use crate::seats::{Role, hashed};
use crate::storage::SeatRow;

/// Lines a journal may have, and bytes: some eight times what the largest battles come to, and few
/// enough that a game can always be read, told and sent.
pub(crate) const MOST_LINES: u64 = 10_000;
pub(crate) const MOST_BYTES: usize = 8 * 1024 * 1024;
/// Lines that no orders follow from, steps back and forth and the like, have half of them: nobody can
/// end a game by filling its journal with them.
const MOST_BESIDE: u64 = MOST_LINES / 2;
/// A longer update is not kept for the next who asks.
const KEPT: usize = 512 * 1024;

pub(crate) struct State {
    pub(crate) game: Game,
    pub(crate) board: Board,
    pub(crate) commitment: Option<String>,
    pub(super) seed: String,
    /// The level of the general of each side that has one.
    pub(crate) generals: [Option<String>; 2],
    /// How the scenario says the generals are disposed.
    pub(crate) tempers: [String; 2],
    pub(crate) rev: u64,
    /// How many records there were after each revision.
    pub(super) lengths: Vec<usize>,
    /// What was asked under which name, and the revision it led to.
    pub(super) keys: HashMap<String, (u64, Act)>,
    pub(crate) seats: Vec<SeatRow>,
    /// Brigades that have finished the step before others of their side.
    pub(super) passed: Passed,
    pub(crate) around: Around,
    /// What the last line is sealed with.
    pub(super) seal: String,
    /// How many lines there are that are no orders.
    pub(super) beside: u64,
    /// How many bytes of journal there are.
    pub(super) written_bytes: usize,
    /// Whose it is.
    pub(super) maker: String,
    /// Megabytes of journal for which there is room among what its maker has here.
    pub(super) room_for: usize,
    /// What is here may not be what is in the journal: it is read again before anybody sees it.
    pub(super) stale: bool,
    /// What the units looked like last.
    pub(super) looks: view::Memory,
    pub(super) shown: Shown,
    /// The last update that was written out, and for whom: whoever gave an order and all who look
    /// on get the same.
    pub(super) told: Option<(Wish, Arc<str>)>,
    /// The luck of the battle, once it has been weighed.
    pub(crate) luck: Option<Arc<str>>,
}

impl State {
    /// What a token opens in this game.
    pub(crate) fn role(&self, token: &str) -> Result<Role, Problem> {
        let hash = hashed(token);
        let seat = self.seats.iter().find(|s| s.token_hash == hash);
        seat.map(|s| Role::of_word(&s.role)).ok_or(Problem::NotSeated)
    }

    /// Whether a token is that of the seat that made the game.
    pub(crate) fn made_by(&self, token: &str) -> bool {
        let hash = hashed(token);
        self.seats.iter().any(|s| s.maker && s.token_hash == hash)
    }

    /// Whether the battle was fought to its end, given up or agreed to be a draw.
    pub(crate) fn over(&self) -> bool {
        self.around.settled.is_some() || self.game.now().ending().is_some()
    }

    /// The side that is asked for an order.
    pub(crate) fn awaited(&self) -> Option<Side> {
        self.game.now().awaited().filter(|_| !self.over())
    }

    /// The seed, when the battle is over.
    fn shown_seed(&self) -> Option<String> {
        (self.over() && self.commitment.is_some()).then(|| self.seed.clone())
    }

    /// The game as a save.
    pub(crate) fn save(&self) -> String {
        let seed = self.commitment.is_some().then_some(self.seed.as_str());
        save::write(&self.game.scenario, &self.game.journal, seed, self.over())
    }

    /// Everything that is new since a revision.
    pub(crate) fn update(&mut self, wish: Wish) -> Update {
        // Who claims to have seen what has not happened has nothing to be brief about.
        let brief = wish.brief && wish.since <= self.rev;
        let last = self.lengths.len().saturating_sub(1);
        let since = usize::try_from(wish.since).unwrap_or(usize::MAX).min(last);
        // Orders taken back since then shorten what the other end still has right.
        let from = self.lengths[since..].iter().copied().min().unwrap_or(0);
        let mut view = view::view(&self.game, &mut self.looks);
        self.shown.note(self.rev, &view);
        if brief {
            self.shown.keep_since(wish.since, &mut view);
        }
        let id = |side: Side| self.game.scenario.side(side).id.clone();
        Update {
            rev: self.rev,
            from,
            entries: view::log(&self.game, from),
            since: brief.then_some(wish.since),
            view,
            step: view::step_offers(&self.game),
            players: self.players(),
            waiting: self.waiting(),
            settled: self.around.settled.map(|settled| match settled {
                Settled::Conceded(by) => api::Settled::Conceded { by: id(by) },
                Settled::Drawn => api::Settled::Drawn,
            }),
            draw_offered: self.around.draw_offered.map(id),
            rematch: self.around.rematch.clone(),
            seed: self.shown_seed(),
        }
    }

    /// The same as JSON, made once for all who were at the same place.
    pub(crate) fn update_json(&mut self, wish: Wish) -> Arc<str> {
        if let Some((same, text)) = &self.told
            && *same == wish
        {
            return Arc::clone(text);
        }
        let text = serde_json::to_string(&self.update(wish)).unwrap_or_default();
        let text: Arc<str> = text.into();
        if text.len() <= KEPT {
            self.told = Some((wish, Arc::clone(&text)));
        }
        text
    }

    /// How many entries of the log are new since a revision.
    pub(crate) fn behind(&self, since: u64) -> usize {
        let since = usize::try_from(since).unwrap_or(usize::MAX).min(self.lengths.len() - 1);
        let seen = self.lengths[since..].iter().copied().min().unwrap_or(0);
        self.game.journal.records().len().saturating_sub(seen)
    }

    pub(crate) fn log(&self) -> Vec<view::Entry> {
        view::log(&self.game, 0)
    }

    pub(crate) fn at(&self, n: usize) -> View {
        View::after(&self.game, n)
    }

    fn players(&self) -> Vec<Player> {
        let mut all: Vec<Player> = self
            .seats
            .iter()
            .map(|s| Player { role: self.role_name(&s.role), name: s.name.clone(), general: None })
            .collect();
        for side in Side::BOTH {
            if let Some(level) = &self.generals[side.index()] {
                all.push(Player {
                    role: self.game.scenario.side(side).id.clone(),
                    name: format!("The computer ({level})"),
                    general: Some(level.clone()),
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
    pub(super) fn act(&mut self, role: Role, request: &Request) -> Result<Entry, Problem> {
        if self.over() {
            return Err(Problem::NotYours("The battle is over.".into()));
        }
        // To give it up, or to agree to a draw, there is always room: that ends it.
        let ends = matches!(request.act, Act::Concede(_) | Act::AnswerDraw { .. });
        let full = self.rev >= MOST_LINES || self.written_bytes >= MOST_BYTES;
        if full && !ends {
            return Err(Problem::NotYours(
                "This game is as long as a game may be: download it, and go on from the save."
                    .into(),
            ));
        }
        let goes_on = ends || matches!(request.act, Act::Order(_));
        if !goes_on && self.beside >= MOST_BESIDE {
            return Err(Problem::NotYours(
                "Too much has been taken back in this game: it goes on with orders alone.".into(),
            ));
        }
        match &request.act {
            Act::Order(command) => self.order(role, command, request.reason.as_deref()),
            Act::Undo => self.undo(role),
            Act::Redo => self.redo(role),
            Act::Concede(by) => {
                self.whole_side(role, *by)?;
                Ok(Entry::Conceded(*by))
            }
            Act::OfferDraw(by) => self.offer_draw(role, *by),
            Act::AnswerDraw { by, agreed } => {
                self.whole_side(role, *by)?;
                if self.around.draw_offered != Some(by.other()) {
                    return Err(Problem::Unclear("No draw is offered to this side.".into()));
                }
                Ok(Entry::DrawAnswered { by: *by, agreed: *agreed })
            }
        }
    }

    fn order(
        &mut self,
        role: Role,
        command: &Command,
        reason: Option<&str>,
    ) -> Result<Entry, Problem> {
        let Some(by) = self.awaited() else {
            return Err(Problem::NotYours("The battle is over.".into()));
        };
        self.mine(role, by, "It is for")?;
        if !role.may_give(self.game.now(), command) {
            return Err(Problem::NotYours(
                "This seat leads one brigade, and the order is for others.".into(),
            ));
        }
        if let Some(pass) = self.pass(role, by, command)? {
            return Ok(pass);
        }
        let done = self.game.order(by, command).map(drop);
        done.map_err(|refused| match refused {
            Refused::Rules(no) => Problem::Rules(view::Refusal::of(self.game.now(), no)),
            Refused::Words(why) => Problem::Unclear(why),
            Refused::Dice(_) => Problem::Broken,
        })?;
        if let Some(reason) = reason {
            self.game.journal.explain(reason.to_owned());
        }
        let record = self.game.journal.records().last().ok_or(Problem::Broken)?;
        Ok(Entry::Record(Box::new(record.clone())))
    }

    fn undo(&mut self, role: Role) -> Result<Entry, Problem> {
        let Some(last) = self.game.journal.records().last() else {
            return Err(Problem::Unclear("Nothing has happened yet.".into()));
        };
        self.mine(role, last.by, "The last order was given by")?;
        self.brigades_own(role, &last.command)?;
        if !self.game.journal.undo() {
            return Err(Problem::Unclear(
                "Nothing to take back: a die was thrown, or something was shown, since.".into(),
            ));
        }
        Ok(Entry::Undo)
    }

    fn redo(&mut self, role: Role) -> Result<Entry, Problem> {
        let by = self.game.now().awaited().unwrap_or(Side::One);
        self.mine(role, by, "It is for")?;
        let Some(next) = self.game.journal.undone() else {
            return Err(Problem::Unclear("Nothing to do again.".into()));
        };
        self.brigades_own(role, &next.command)?;
        self.game.journal.redo();
        Ok(Entry::Redo)
    }

    fn offer_draw(&self, role: Role, by: Side) -> Result<Entry, Problem> {
        self.whole_side(role, by)?;
        // Who plays both sides has nobody to ask.
        if role == Role::Both || self.around.draw_offered == Some(by.other()) {
            return Ok(Entry::DrawAnswered { by, agreed: true });
        }
        if self.around.draw_offered == Some(by) {
            return Err(Problem::Unclear("A draw is offered already: wait for the answer.".into()));
        }
        Ok(Entry::DrawOffered(by))
    }

    /// A brigade that has finished a step others of its side have not: the line that keeps it.
    fn pass(&mut self, role: Role, by: Side, command: &Command) -> Result<Option<Entry>, Problem> {
        let Role::Brigade(_, leader) = role else { return Ok(None) };
        let battle = self.game.now();
        if *command != Command::Done || journal::Battle::check(battle, by, command).is_err() {
            return Ok(None);
        }
        let others = self.passed.waited_for(battle, roles(&self.seats), Some(leader));
        if others.is_empty() {
            return Ok(None);
        }
        if self.passed.has(battle, leader) {
            let why = "This brigade has finished the step already, and waits for others.";
            return Err(Problem::Unclear(why.into()));
        }
        let step = self.passed.note(self.game.now(), leader);
        Ok(Some(Entry::Passed { leader, step }))
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

    /// Only who leads a whole side ends the battle for it.
    fn whole_side(&self, role: Role, side: Side) -> Result<(), Problem> {
        self.mine(role, side, "That is for")?;
        if matches!(role, Role::Brigade(..)) {
            return Err(Problem::NotYours(
                "This seat leads one brigade: who made the game ends it for the side.".into(),
            ));
        }
        Ok(())
    }
}

/// What the seats of a game open.
fn roles(seats: &[SeatRow]) -> impl Iterator<Item = Role> + '_ {
    seats.iter().map(|s| Role::of_word(&s.role))
}
