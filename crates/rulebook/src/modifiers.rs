//! Modifiers: the lines of a sheet that add to a die, and how they count.
//!
//! How lines combine is data, in the figures of each modifier clause:
//! - `group`: of the conditions that share a group one counts; the strongest,
//!   or for a group the book marks so the lowest step of its ladder;
//! - `set`: conditions of one set contradict each other (fresh and spent);
//! - `yields_to`: the condition does not count while one of these holds.

use std::collections::{BTreeMap, HashMap};

use crate::{Book, Clause, Code, Figure, Flaw, Refusal, RuleId, nearest};

/// One line of a tally: the clause and what it adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Modifier {
    /// The clause.
    pub rule: RuleId,
    /// What it adds.
    pub value: i32,
}

/// A set of conditions of one [`ModifierTable`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Conditions {
    set: u64,
    /// Those said before the others of their group: of two that count alike
    /// the tally names the one that was said first.
    first: u64,
}

impl Conditions {
    /// Whether nothing is in this set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.set == 0
    }

    /// Whether some condition of `other` is in this set.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.set & other.set != 0
    }

    /// Both sets together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self { set: self.set | other.set, first: self.first | other.first }
    }

    /// This set without the other.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self { set: self.set & !other.set, first: self.first & !other.set }
    }

    fn bit(bit: usize) -> Self {
        Self { set: 1 << bit, first: 0 }
    }

    fn bits(self) -> impl Iterator<Item = usize> {
        let mut left = self.set;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            Some(bit)
        })
    }
}

#[derive(Debug, Clone)]
struct Line {
    rule: RuleId,
    id: String,
    value: i32,
    group: Option<u8>,
    yields_to: Conditions,
    target: Option<String>,
}

#[derive(Debug, Clone)]
struct Group {
    members: Conditions,
    lowest: bool,
}

/// The modifier lines of one kind, such as `fire.modifier.*`.
#[derive(Debug, Clone)]
pub struct ModifierTable {
    prefix: String,
    lines: Vec<Line>,
    groups: Vec<Group>,
    sets: Vec<Conditions>,
    index: HashMap<String, u8>,
    /// Lines that house rules dropped: they hold, and count for nothing.
    silent: Conditions,
}

/// A table is a set of 64 bits.
const MOST_LINES: usize = 64;

impl ModifierTable {
    /// Reads every modifier whose id is `prefix` and one more part, taking its
    /// value from `figure`. A clause of that form without any figures is a
    /// remark on how the lines count and is passed over.
    ///
    /// # Errors
    /// A [`Flaw`] for a modifier without its figure.
    pub fn read(book: &Book, prefix: &str, figure: &str) -> Result<Self, Flaw> {
        Self::read_where(book, prefix, figure, |_| true)
    }

    /// The same, but for clauses that a family reads otherwise.
    ///
    /// # Errors
    /// A [`Flaw`] for a modifier without its figure.
    pub fn read_where(
        book: &Book,
        prefix: &str,
        figure: &str,
        is_modifier: impl Fn(&str) -> bool,
    ) -> Result<Self, Flaw> {
        let mut table = Self {
            prefix: prefix.to_owned(),
            lines: Vec::new(),
            groups: Vec::new(),
            sets: Vec::new(),
            index: HashMap::new(),
            silent: Conditions::default(),
        };
        let own = |c: &Clause| {
            c.id.strip_prefix(prefix).is_some_and(|tail| !tail.contains('.'))
                && !c.figures.is_empty()
                && is_modifier(&c.id)
        };
        let mut members: Vec<_> = book.clauses().filter(|(_, c)| own(c)).collect();
        let counting = members.len();
        let dropped = book.dropped.iter().filter(|c| own(c));
        // Nobody sees the rule of a line that never counts.
        members.extend(dropped.map(|c| (RuleId(u16::MAX), c)));
        if members.len() > MOST_LINES {
            let last = &members[MOST_LINES.min(counting.saturating_sub(1))].1.id;
            return Err(Flaw::of(last, format!("{prefix}* has more than {MOST_LINES} modifiers")));
        }
        for (bit, (_, clause)) in members.iter().enumerate().take(counting) {
            #[allow(clippy::cast_possible_truncation)] // at most 64 of them
            table.index.insert(clause.id.clone(), bit as u8);
        }
        let mut groups: BTreeMap<String, usize> = BTreeMap::new();
        let mut sets: BTreeMap<String, usize> = BTreeMap::new();
        for (bit, (rule, clause)) in members.into_iter().enumerate() {
            let own = Conditions::bit(bit);
            if bit >= counting {
                table.silent = table.silent.with(own);
            }
            let value = match clause.figures.get(figure) {
                // "mmg": the grade of the stand, which the check adds itself.
                Some(Figure::Text(_)) => 0,
                _ => book.int(&clause.id, figure)?,
            };
            let group = text(clause.figures.get("group")).map(|name| {
                let next = table.groups.len();
                let at = *groups.entry(name.to_owned()).or_insert(next);
                if at == next {
                    let lowest = book.group_takes_lowest(&clause.section, name);
                    table.groups.push(Group { members: Conditions::default(), lowest });
                }
                table.groups[at].members = table.groups[at].members.with(own);
                #[allow(clippy::cast_possible_truncation)] // no more groups than lines
                let at = at as u8;
                at
            });
            if let Some(name) = text(clause.figures.get("set")) {
                let next = table.sets.len();
                let at = *sets.entry(name.to_owned()).or_insert(next);
                if at == next {
                    table.sets.push(Conditions::default());
                }
                table.sets[at] = table.sets[at].with(own);
            }
            let yields_to = clause
                .figures
                .get("yields_to")
                .and_then(Figure::list)
                .unwrap_or_default()
                .iter()
                .filter_map(|id| table.find(id.text()?))
                .fold(Conditions::default(), Conditions::with);
            let target = text(clause.figures.get("target")).map(str::to_owned);
            table.lines.push(Line { rule, id: clause.id.clone(), value, group, yields_to, target });
        }
        Ok(table)
    }

    /// The condition of an id, if the table has it.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<Conditions> {
        self.index.get(id).map(|bit| Conditions::bit(usize::from(*bit)))
    }

    /// The condition whose id ends so, or nothing if the book has no such line.
    #[must_use]
    pub fn named(&self, tail: &str) -> Conditions {
        // Every id of the table begins with the prefix; asked for at every check, so it is compared
        // and not put together.
        let start = self.prefix.len();
        let line = self.lines.iter().position(|l| l.id.get(start..) == Some(tail));
        line.map(Conditions::bit).unwrap_or_default()
    }

    /// The conditions in the group of that name that `tail` belongs to.
    #[must_use]
    pub fn group_of(&self, condition: Conditions) -> Conditions {
        condition
            .bits()
            .filter_map(|bit| self.lines.get(bit)?.group)
            .fold(Conditions::default(), |all, g| all.with(self.groups[usize::from(g)].members))
    }

    /// The ids of every condition the table knows.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|l| l.id.as_str()).filter(|id| self.index.contains_key(*id))
    }

    /// The ids of the conditions that can hold for a kind of target, as the
    /// book's `target` figure says; without one a condition suits every kind.
    #[must_use]
    pub fn ids_for(&self, target: &str) -> Vec<&str> {
        let suits = |l: &&Line| l.target.as_deref().is_none_or(|t| t == target);
        let known = |id: &&str| self.index.contains_key(*id);
        self.lines.iter().filter(suits).map(|l| l.id.as_str()).filter(known).collect()
    }

    /// Whether an id is one of this kind, known or not.
    #[must_use]
    pub fn claims(&self, id: &str) -> bool {
        id.starts_with(&self.prefix)
    }

    /// What holds already and the condition of an id, if the table has it.
    #[must_use]
    pub fn also(&self, hold: Conditions, id: &str) -> Option<Conditions> {
        let one = self.find(id)?;
        let mut both = hold.with(one);
        if !hold.meets(self.group_of(one)) {
            both.first |= one.set;
        }
        Some(both)
    }

    /// Reads a list of condition ids; one given twice counts once.
    ///
    /// # Errors
    /// A refusal that names an unknown id and the nearest known one.
    pub fn conditions<S: AsRef<str>>(&self, ids: &[S]) -> Result<Conditions, Refusal> {
        let mut all = Conditions::default();
        for id in ids {
            let id = id.as_ref();
            all = self.also(all, id).ok_or_else(|| self.unknown(id))?;
        }
        Ok(all)
    }

    /// The refusal of an id that this table does not know.
    #[must_use]
    pub fn unknown(&self, id: &str) -> Refusal {
        unknown_condition(id, self.ids())
    }

    /// Which of the conditions that hold count, and their sum.
    ///
    /// # Errors
    /// A refusal if two conditions contradict each other.
    pub fn count(&self, hold: Conditions) -> Result<(Conditions, i32), Refusal> {
        let hold = hold.without(self.silent);
        for set in &self.sets {
            let both = hold.without(hold.without(*set));
            if both.set.count_ones() > 1 {
                let names: Vec<&str> = both.bits().map(|b| self.lines[b].id.as_str()).collect();
                let message = format!("{} cannot hold together: give one", names.join(" and "));
                return Err(Refusal::new(Code::Contradiction, message));
            }
        }
        let mut counted = Conditions::default();
        for bit in hold.bits() {
            if !hold.meets(self.lines[bit].yields_to) {
                counted = counted.with(Conditions::bit(bit));
            }
        }
        for group in &self.groups {
            let sharing = counted.without(counted.without(group.members));
            if sharing.set.count_ones() > 1 {
                let one = self.pick(sharing, hold.first, group.lowest);
                counted = counted.without(sharing).with(Conditions::bit(one));
            }
        }
        Ok((counted, counted.bits().map(|b| self.lines[b].value).sum()))
    }

    fn pick(&self, sharing: Conditions, first: u64, lowest: bool) -> usize {
        let key = |bit: &usize| {
            let value = self.lines[*bit].value;
            let later = first & (1 << *bit) == 0;
            (if lowest { value } else { -value.abs() }, later)
        };
        sharing.bits().min_by_key(key).unwrap_or(0)
    }

    /// The lines of a set of conditions, in the book's order.
    pub fn lines(&self, counted: Conditions) -> impl Iterator<Item = Modifier> {
        counted.bits().map(|b| Modifier { rule: self.lines[b].rule, value: self.lines[b].value })
    }
}

/// The refusal of a condition that a check does not know.
pub(crate) fn unknown_condition<'a>(id: &str, known: impl Iterator<Item = &'a str>) -> Refusal {
    let known: Vec<&str> = known.collect();
    let hint = match nearest(id, known.iter().copied()) {
        Some(name) => format!("; did you mean {name}?"),
        None => format!("; known: {}", known.join(", ")),
    };
    Refusal::new(Code::UnknownCondition, format!("no condition {id} in this check{hint}"))
}

fn text(figure: Option<&Figure>) -> Option<&str> {
    figure.and_then(Figure::text)
}
