//! What if: a scenario with one thing changed, fought with the same dice.

use engine::{Library, Scenario};
use regimental::fire::CLASSES;
use serde::Serialize;

use crate::interval::{Figure, Mean};

/// In place of a short name: everybody, one at a time.
const ANY: &str = "*";

/// Whether a text says the same as a scenario.
fn same(text: &str, scenario: &toml::Table) -> bool {
    toml::from_str::<toml::Table>(text).is_ok_and(|t| t == *scenario)
}

/// One thing changed, as written: `unit.33rd.class=veteran`, `game.turns=+1`, `book=club.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// As written.
    pub written: String,
    path: Vec<String>,
    value: String,
}

impl Change {
    /// Reads a change.
    ///
    /// # Errors
    /// How it should be written.
    pub fn read(written: &str) -> Result<Self, String> {
        let how = "write unit.ID.FIELD=VALUE (or unit.*.class=better for each in turn), side.ID.FIELD=VALUE, game.FIELD=VALUE (or =+1), key-position.ID.value=VALUE or book=FILE";
        let (path, value) =
            written.split_once('=').ok_or_else(|| format!("`{written}` has no `=`: {how}"))?;
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        let fits = match path.first().map(String::as_str) {
            Some("book") => path.len() == 1,
            Some("game" | "table") => path.len() == 2,
            Some("unit" | "side" | "leader" | "key-position" | "terrain") => path.len() == 3,
            _ => false,
        };
        if !fits || value.is_empty() {
            return Err(format!("`{written}`: {how}"));
        }
        Ok(Self { written: written.to_owned(), path, value: value.to_owned() })
    }

    /// The changes a line stands for: `unit.*.class=better` is one for every unit it changes.
    ///
    /// # Errors
    /// How it should be written, or that it changes nothing.
    pub fn read_all(
        written: &str,
        library: &Library,
        scenario: &Scenario,
    ) -> Result<Vec<Self>, String> {
        let one = Self::read(written)?;
        if one.path.get(1).is_none_or(|id| id != ANY) {
            return Ok(vec![one]);
        }
        let top: toml::Table = toml::from_str(&scenario.text).map_err(|e| e.to_string())?;
        let listed = top.get(&one.path[0]).and_then(toml::Value::as_array);
        let ids = listed.into_iter().flatten().filter_map(|t| t.get("id")?.as_str());
        let mut whys = Vec::new();
        let each = ids.filter_map(|id| {
            let path = vec![one.path[0].clone(), id.to_owned(), one.path[2].clone()];
            let written = format!("{}={}", path.join("."), one.value);
            let change = Self { written, path, value: one.value.clone() };
            // Who is that already, or cannot be, is left out.
            match change.apply(library, scenario) {
                Ok(changed) => (!same(&changed.text, &top)).then_some(change),
                Err(why) => {
                    whys.push(why);
                    None
                }
            }
        });
        let each: Vec<Self> = each.collect();
        if each.is_empty() {
            let why = whys.into_iter().next();
            return Err(why.unwrap_or_else(|| format!("`{written}` changes nothing")));
        }
        Ok(each)
    }

    /// A name for its file.
    #[must_use]
    pub fn slug(&self) -> String {
        // More and less are different files.
        let plain = |c: char| match c {
            '+' => '~',
            c if c.is_ascii_alphanumeric() || c == '.' => c,
            _ => '-',
        };
        self.written.chars().map(plain).collect()
    }

    /// The scenario with the change.
    ///
    /// # Errors
    /// What cannot be changed, or what is wrong with the scenario afterward.
    pub fn apply(&self, library: &Library, scenario: &Scenario) -> Result<Scenario, String> {
        let text = self.text(&scenario.text)?;
        let name = format!("{} with {}", scenario.id, self.written);
        Scenario::read(library, &name, &text).map_err(|faults| {
            let all: Vec<String> = faults.0.iter().map(|f| f.message.clone()).collect();
            format!("with {} the scenario is not whole: {}", self.written, all.join("; "))
        })
    }

    fn text(&self, text: &str) -> Result<String, String> {
        let mut top: toml::Table = toml::from_str(text).map_err(|e| e.to_string())?;
        let no = |what: &str| format!("{}: the scenario has no {what}", self.written);
        let (table, field) = match self.path.as_slice() {
            [field] => (&mut top, field),
            [part, field] => {
                let table = top.get_mut(part).and_then(toml::Value::as_table_mut);
                (table.ok_or_else(|| no(part))?, field)
            }
            [part, id, field] => {
                let all = top.get_mut(part).and_then(toml::Value::as_array_mut);
                let named = |t: &&mut toml::Table| {
                    t.get("id").and_then(toml::Value::as_str) == Some(id.as_str())
                };
                let mut tables = all.into_iter().flatten().filter_map(toml::Value::as_table_mut);
                (tables.find(named).ok_or_else(|| no(&format!("{part} {id}")))?, field)
            }
            _ => return Err(no("such thing")),
        };
        let changed = self.value(table.get(field))?;
        table.insert(field.clone(), changed);
        toml::to_string(&top).map_err(|e| e.to_string())
    }

    /// The new value: a number if the old one is, more or less of it with a sign; a class a step
    /// better or worse; else text.
    fn value(&self, old: Option<&toml::Value>) -> Result<toml::Value, String> {
        let value = &self.value;
        if self.path.last().is_some_and(|field| field == "class")
            && ["better", "worse"].contains(&value.as_str())
        {
            let at = old.and_then(|v| CLASSES.iter().position(|c| v.as_str() == Some(c.0)));
            let at = at.ok_or_else(|| format!("{}: it has no class", self.written))?;
            let to = if value == "better" { at.saturating_sub(1) } else { at + 1 };
            let (class, _) = CLASSES[to.min(CLASSES.len() - 1)];
            return Ok(toml::Value::String(class.to_owned()));
        }
        if let Some(toml::Value::Integer(old)) = old
            && let Some(step) = value.strip_prefix('+').or(value.starts_with('-').then_some(value))
        {
            let step: i64 =
                step.parse().map_err(|_| format!("{}: `{value}` is no number", self.written))?;
            let sum = old.checked_add(step);
            let sum = sum.ok_or_else(|| format!("{}: `{value}` is too much", self.written))?;
            return Ok(toml::Value::Integer(sum));
        }
        if let Ok(whole) = value.parse::<i64>() {
            return Ok(toml::Value::Integer(whole));
        }
        if let Ok(number) = value.parse::<f64>() {
            return Ok(toml::Value::Float(number));
        }
        Ok(match value.as_str() {
            "true" => toml::Value::Boolean(true),
            "false" => toml::Value::Boolean(false),
            text => toml::Value::String(text.to_owned()),
        })
    }
}

/// What a change comes to, battle by battle against the same battle without it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// The change.
    pub change: String,
    /// Pairs of battles.
    pub battles: u64,
    /// The share the first side wins with it.
    pub wins: Figure,
    /// By how much that is more than without it.
    pub wins_more: Figure,
    /// The mean lead of the first side with it.
    pub margin: Figure,
    /// By how much that is more than without it.
    pub margin_more: Figure,
}

/// Pairs of battles, as they come.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    n: u64,
    won: u64,
    wins: Mean,
    margin: Mean,
    margins: Mean,
}

impl Pairs {
    /// One more pair: who won and the lead of side 0, without and with the change.
    pub fn add(&mut self, without: (Option<u8>, i32), with: (Option<u8>, i32)) {
        let won = |w: Option<u8>| f64::from(u8::from(w == Some(0)));
        self.n += 1;
        self.won += u64::from(with.0 == Some(0));
        self.wins.add(won(with.0) - won(without.0));
        self.margin.add(f64::from(with.1));
        self.margins.add(f64::from(with.1 - without.1));
    }

    /// What they come to.
    #[must_use]
    pub fn effect(&self, change: &str) -> Effect {
        Effect {
            change: change.to_owned(),
            battles: self.n,
            wins: crate::interval::share(self.won, self.n),
            wins_more: self.wins.figure(),
            margin: self.margin.figure(),
            margin_more: self.margins.figure(),
        }
    }
}
