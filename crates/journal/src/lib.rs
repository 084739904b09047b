//! What a game needs from a battle, and nothing more.
//!
//! A command is checked (without a trace), executed (dice are thrown, events
//! come out) and applied (events change the state, and nothing else does).
//! Dice and positions are inside the events: a record replays without
//! throwing or measuring anything anew.

use std::ops::Deref;

use dice::stream::Source;
use serde::{Deserialize, Serialize};

/// A battle that can be played by commands.
pub trait Battle: Clone {
    /// Who gives a command.
    type Seat: Copy + PartialEq;
    /// What can be ordered.
    type Command: Clone;
    /// What happens.
    type Event: Clone;
    /// Why not.
    type Refusal;
    /// Who owes which decision.
    type Awaiting;

    /// Whether a command may be given now. Leaves no trace.
    ///
    /// # Errors
    /// The rule, the fact and what would be legal.
    fn check(&self, by: Self::Seat, command: &Self::Command) -> Result<(), Self::Refusal>;

    /// Carries out a command that was checked: throws dice, emits events.
    fn execute(turn: &mut Recorder<'_, Self>, command: &Self::Command);

    /// Lets an event happen. Total: no dice, no failure.
    fn apply(&mut self, event: &Self::Event);

    /// Who owes which decision now.
    fn awaiting(&self) -> Self::Awaiting;

    /// Whether an event shows a player something he may not un-see.
    fn reveals(event: &Self::Event) -> bool;
}

/// Writes down what happens while a command is carried out.
pub struct Recorder<'a, B: Battle> {
    battle: &'a mut B,
    dice: &'a mut Source,
    events: Vec<B::Event>,
    thrown: Vec<u8>,
    /// The sides of the first die that was wanted and not there.
    missing: Option<u8>,
}

impl<B: Battle> Deref for Recorder<'_, B> {
    type Target = B;
    fn deref(&self) -> &B {
        self.battle
    }
}

impl<B: Battle> Recorder<'_, B> {
    /// Throws a die. If the dice have run out it shows 1, and the whole command is taken back.
    pub fn throw(&mut self, sides: u8) -> u8 {
        let die = self.dice.throw(sides);
        if die.is_none() && self.missing.is_none() {
            self.missing = Some(sides);
        }
        let die = die.unwrap_or(1);
        self.thrown.push(die);
        die
    }

    /// What has happened since the command was given.
    pub fn events(&self) -> &[B::Event] {
        &self.events
    }

    /// Lets an event happen and writes it down.
    pub fn emit(&mut self, event: B::Event) {
        self.battle.apply(&event);
        self.events.push(event);
    }
}

/// A command with what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record<S, C, E> {
    /// Who gave it.
    pub by: S,
    /// The command.
    pub command: C,
    /// The dice thrown for it, in order.
    pub dice: Vec<u8>,
    /// What happened.
    pub events: Vec<E>,
    /// Why it was given, if whoever gave it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A record of a battle's own types.
pub type RecordOf<B> = Record<<B as Battle>::Seat, <B as Battle>::Command, <B as Battle>::Event>;

/// Why a command was not carried out. Nothing has changed.
#[derive(Debug)]
pub enum No<R> {
    /// The rules refuse it.
    Refused(R),
    /// It needs more dice than there are, or one showed a face it has not.
    Dice {
        /// How many were thrown, the missing one included.
        needed: usize,
    },
}

/// Carries out a command on a battle, without asking whether it may be given. Returns the dice
/// and events, or nothing if the dice ran out; then the battle is left half way.
pub fn carry_out<B: Battle>(
    battle: &mut B,
    dice: &mut Source,
    command: &B::Command,
) -> Result<(Vec<u8>, Vec<B::Event>), usize> {
    let mut turn = Recorder { battle, dice, events: Vec::new(), thrown: Vec::new(), missing: None };
    B::execute(&mut turn, command);
    if turn.missing.is_some() { Err(turn.thrown.len()) } else { Ok((turn.thrown, turn.events)) }
}

/// A battle with everything that has happened in it.
#[derive(Clone)]
pub struct Journal<B: Battle> {
    start: B,
    now: B,
    records: Vec<RecordOf<B>>,
    /// How many records are firm: a die was thrown in the last of them, or something shown.
    firm: usize,
    /// The battle after the firm records, while there are others. One for all of them, however many:
    /// what is taken back is found by letting the rest happen again from here.
    standing: Option<B>,
    undone: Vec<RecordOf<B>>,
}

impl<B: Battle> Journal<B> {
    /// A battle about to begin.
    pub fn new(start: B) -> Self {
        let now = start.clone();
        Self { start, now, records: Vec::new(), firm: 0, standing: None, undone: Vec::new() }
    }

    /// A battle as its records left it. Nothing is thrown or measured anew.
    pub fn replay(start: B, records: Vec<RecordOf<B>>) -> Self {
        let mut journal = Self::new(start);
        for record in records {
            journal.write(record);
        }
        journal
    }

    /// The same, with what was taken back and may be done again, the next last.
    #[must_use]
    pub fn with_undone(mut self, undone: Vec<RecordOf<B>>) -> Self {
        self.undone = undone;
        self
    }

    /// As it stands.
    pub fn now(&self) -> &B {
        &self.now
    }

    /// As it began.
    pub fn start(&self) -> &B {
        &self.start
    }

    /// What has happened.
    pub fn records(&self) -> &[RecordOf<B>] {
        &self.records
    }

    /// The battle after so many records.
    pub fn at(&self, records: usize) -> B {
        let mut battle = self.start.clone();
        for event in self.records.iter().take(records).flat_map(|r| &r.events) {
            battle.apply(event);
        }
        battle
    }

    /// Checks a command and carries it out.
    ///
    /// # Errors
    /// A refusal; nothing has changed then, the dice included.
    pub fn submit(
        &mut self,
        by: B::Seat,
        command: &B::Command,
        dice: &mut Source,
    ) -> Result<&RecordOf<B>, No<B::Refusal>> {
        self.now.check(by, command).map_err(No::Refused)?;
        let mut next = self.now.clone();
        let mut thrown_from = dice.clone();
        let (thrown, events) = carry_out(&mut next, &mut thrown_from, command)
            .map_err(|needed| No::Dice { needed })?;
        *dice = thrown_from;
        let before = std::mem::replace(&mut self.now, next);
        let record = Record { by, command: command.clone(), dice: thrown, events, reason: None };
        self.undone.clear();
        Ok(self.keep(Some(before), record))
    }

    fn write(&mut self, record: RecordOf<B>) {
        // Of the battle as it was a copy is made only if it is the one to go back to.
        let before = (revocable::<B>(&record) && self.standing.is_none()).then(|| self.now.clone());
        for event in &record.events {
            self.now.apply(event);
        }
        self.keep(before, record);
    }

    fn keep(&mut self, before: Option<B>, record: RecordOf<B>) -> &RecordOf<B> {
        let firm = !revocable::<B>(&record);
        self.records.push(record);
        if firm {
            self.firm = self.records.len();
            self.standing = None;
        } else if self.standing.is_none() {
            self.standing = before;
        }
        &self.records[self.records.len() - 1]
    }

    /// Keeps why the last command was given.
    pub fn explain(&mut self, reason: String) {
        if let Some(last) = self.records.last_mut() {
            last.reason = Some(reason);
        }
    }

    /// How many commands can be taken back: those since the last die or revealed fact.
    pub fn undoable(&self) -> usize {
        self.records.len() - self.firm
    }

    /// Takes the last command back; `false` if it threw a die or revealed something.
    pub fn undo(&mut self) -> bool {
        let Some(standing) = self.standing.as_ref().filter(|_| self.undoable() > 0) else {
            return false;
        };
        let mut now = standing.clone();
        self.undone.extend(self.records.pop());
        for event in self.records[self.firm..].iter().flat_map(|r| &r.events) {
            now.apply(event);
        }
        self.now = now;
        if self.undoable() == 0 {
            self.standing = None;
        }
        true
    }

    /// What was taken back last, and would be carried out again.
    #[must_use]
    pub fn undone(&self) -> Option<&RecordOf<B>> {
        self.undone.last()
    }

    /// Carries out again what was taken back.
    pub fn redo(&mut self) -> bool {
        self.undone.pop().map(|record| self.write(record)).is_some()
    }
}

/// Whether a record may be taken back: no die was thrown for it and nothing was shown.
fn revocable<B: Battle>(record: &RecordOf<B>) -> bool {
    record.dice.is_empty() && !record.events.iter().any(B::reveals)
}

/// Lets a battle begin by itself, before any command.
///
/// # Errors
/// How many dice it would have needed, if it needed any.
pub fn begin<B: Battle>(
    battle: &mut B,
    dice: &mut Source,
    opening: impl FnOnce(&mut Recorder<'_, B>),
) -> Result<Vec<B::Event>, usize> {
    let mut turn = Recorder { battle, dice, events: Vec::new(), thrown: Vec::new(), missing: None };
    opening(&mut turn);
    if turn.missing.is_some() { Err(turn.thrown.len()) } else { Ok(turn.events) }
}

/// One way a procedure can go.
#[derive(Debug, Clone)]
pub struct Branch<B> {
    /// The battle after it.
    pub battle: B,
    /// How likely it is: one in so many.
    pub one_in: u64,
}

/// Every way a procedure can go from a battle as it stands: it is carried out once for each face of
/// each die it throws. None if it throws more dice than are allowed on one of the ways.
pub fn branches<B: Battle>(
    start: &B,
    most_dice: usize,
    act: impl Fn(&mut Recorder<'_, B>),
) -> Option<Vec<Branch<B>>> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<u8>, u64)> = vec![(vec![], 1)];
    while let Some((faces, one_in)) = open.pop() {
        let mut battle = start.clone();
        let mut dice = Source::scripted(faces.iter().copied());
        let (events, thrown) = (Vec::new(), Vec::new());
        let mut turn =
            Recorder { battle: &mut battle, dice: &mut dice, events, thrown, missing: None };
        act(&mut turn);
        let Some(sides) = turn.missing else {
            found.push(Branch { battle, one_in });
            continue;
        };
        if faces.len() == most_dice {
            return None;
        }
        let next = |face: u8| faces.iter().copied().chain([face]).collect();
        open.extend((1..=sides).map(|face| (next(face), one_in * u64::from(sides))));
    }
    Some(found)
}
