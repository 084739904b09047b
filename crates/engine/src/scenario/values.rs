//! Values of a scenario file, each read with its fault at its place.

use regimental::battle::Id;
use rulebook::{Fault, Figure, Reader, nearest, read_figure};
use serde::de::DeserializeOwned;
use table::{FARTHEST, Facing, Mils, Point, inches, mils};

use super::keys::{Key, MOST_POINTS, Shape, Table, WINDS};
use crate::hidden::is_hidden;

/// What a short name is.
pub(super) const SHORT_NAME: &str = "at most 16 small letters, digits and dashes";

/// A table of the file, collecting faults.
pub(super) struct Values<'r, 'f, 'i> {
    pub(super) reader: &'r Reader<'f, 'i>,
    table: &'static Table,
}

impl<'r, 'f, 'i> Values<'r, 'f, 'i> {
    pub(super) fn of(reader: &'r Reader<'f, 'i>, table: &'static Table) -> Self {
        Self { reader, table }
    }
}

impl Values<'_, '_, '_> {
    fn has(&self, key: &str) -> bool {
        self.reader.get(key).is_some()
    }

    /// What is wrong with the table as a whole: keys that are missing, contradict each other, or
    /// say nothing of what this is.
    pub(super) fn coherent(&self, faults: &mut Vec<Fault>) {
        for key in self.table.keys.iter().filter(|k| k.needed && !self.has(k.name)) {
            let message = format!("`{}` is missing: {}", key.name, key.says);
            faults.push(self.reader.fault(key.name, message, None));
        }
        let mut said: Vec<&str> = Vec::new();
        for (one, other, why) in self.table.apart {
            if self.has(one) && self.has(other) && !said.contains(why) {
                said.push(why);
                self.scruple(other, *why, faults);
            }
        }
        for key in self.table.keys.iter().filter(|k| self.has(k.name)) {
            self.belongs(key, faults);
        }
    }

    /// Whether a key says anything of what this is.
    fn belongs(&self, key: &Key, faults: &mut Vec<Fault>) {
        let name = key.name;
        // A word that is none is a fault where it is read.
        let is = key.only.and_then(|(other, _)| self.reader.text(other, &mut vec![]));
        if let (Some((_, words)), Some(is)) = (key.only, is)
            && !words.contains(&is.as_str())
        {
            let message = format!("`{name}` is for {}, not for {is}", words.join(", "));
            self.scruple(name, message, faults);
        }
        if !key.beside.is_empty() && !key.beside.iter().any(|other| self.has(other)) {
            let others: Vec<String> = key.beside.iter().map(|other| format!("`{other}`")).collect();
            let message = format!("`{name}` says nothing without {}", others.join(" or "));
            self.scruple(name, message, faults);
        }
    }

    fn shape(&self, key: &str) -> Option<Shape> {
        let known = self.table.key(key);
        debug_assert!(known.is_some(), "no key {key} in the table it is read from");
        known.map(|k| k.shape)
    }

    /// The words a key may have.
    pub(super) fn choices(&self, key: &str) -> &'static [&'static str] {
        match self.shape(key) {
            Some(Shape::Word(words) | Shape::Words(words)) => words,
            _ => &[],
        }
    }
    fn value(&self, key: &str, faults: &mut Vec<Fault>) -> Option<Figure> {
        let value = self.reader.get(key)?;
        read_figure(self.reader.file(), value, faults)
    }

    pub(super) fn fault(&self, key: &str, message: impl Into<String>, faults: &mut Vec<Fault>) {
        faults.push(self.reader.fault(key, message.into(), None));
    }

    pub(super) fn text(&self, key: &str, faults: &mut Vec<Fault>) -> Option<String> {
        let text = self.reader.text(key, faults)?;
        self.seen(key, &text, faults);
        Some(text)
    }

    /// A text is printed on terminals and maps as it is.
    fn seen(&self, key: &str, text: &str, faults: &mut Vec<Fault>) {
        if let Some(c) = text.chars().find(|c| is_hidden(*c) && *c != '\n') {
            let kind = if c.is_control() { "control" } else { "unseen" };
            let message = format!("`{key}` has the {kind} character {c:?}: write it in letters");
            self.scruple(key, message, faults);
        }
    }

    /// A fault of a new file, but not of the scenario of a game under way, which was accepted when
    /// it was none.
    pub(super) fn scruple(&self, key: &str, message: impl Into<String>, faults: &mut Vec<Fault>) {
        if !self.reader.file().accepted {
            self.fault(key, message, faults);
        }
    }

    pub(super) fn flag(&self, key: &str, otherwise: bool, faults: &mut Vec<Fault>) -> bool {
        if self.reader.get(key).is_none() { otherwise } else { self.reader.flag(key, faults) }
    }

    pub(super) fn whole(&self, key: &str, faults: &mut Vec<Fault>) -> Option<i64> {
        match self.shape(key) {
            Some(Shape::Whole(least, most)) => self.within(key, least, most, faults),
            _ => None,
        }
    }

    fn within(&self, key: &str, least: i64, most: i64, faults: &mut Vec<Fault>) -> Option<i64> {
        let value = self.value(key, faults)?;
        match value.int() {
            Some(n) if (least..=most).contains(&n) => Some(n),
            _ => {
                let value = written(&value);
                let message = format!("`{key}` is {value}: a whole number from {least} to {most}");
                self.fault(key, message, faults);
                None
            }
        }
    }

    pub(super) fn small(&self, key: &str, faults: &mut Vec<Fault>) -> Option<u8> {
        self.whole(key, faults).and_then(|n| u8::try_from(n).ok())
    }

    /// The same, where something else in the table says what is the most.
    pub(super) fn at_most(&self, key: &str, most: u8, faults: &mut Vec<Fault>) -> Option<u8> {
        self.within(key, 0, most.into(), faults).and_then(|n| u8::try_from(n).ok())
    }

    pub(super) fn length(&self, key: &str, faults: &mut Vec<Fault>) -> Option<Mils> {
        let Some(Shape::Inches(least, most)) = self.shape(key) else { return None };
        let value = self.value(key, faults)?;
        match value.number() {
            Some(n) if (least..=most).contains(&n) => Some(mils(n)),
            _ => {
                let value = written(&value);
                let message = format!("`{key}` is {value}: inches from {least} to {most}");
                self.fault(key, message, faults);
                None
            }
        }
    }

    pub(super) fn facing(&self, key: &str, faults: &mut Vec<Fault>) -> Option<Facing> {
        let value = self.value(key, faults)?;
        let wind = |word| WINDS.iter().find(|(name, _)| *name == word);
        if let Some((_, degrees)) = value.text().and_then(wind) {
            return Some(Facing::degrees(*degrees));
        }
        match value.number() {
            Some(n) if (-360.0..=360.0).contains(&n) => Some(Facing::degrees(n)),
            _ => {
                self.fault(key, format!("`{key}` is {value}: degrees clockwise from north, or north, north-east, east and so on"), faults);
                None
            }
        }
    }

    pub(super) fn point(&self, key: &str, faults: &mut Vec<Fault>) -> Option<Point> {
        let value = self.value(key, faults)?;
        let point = as_point(&value);
        if point.is_none() {
            self.fault(
                key,
                format!(
                    "`{key}` is a place such as [12, 8.5], in inches from the left and near edges"
                ),
                faults,
            );
        }
        point
    }

    pub(super) fn points(&self, key: &str, faults: &mut Vec<Fault>) -> Option<Vec<Point>> {
        let value = self.value(key, faults)?;
        let points: Option<Vec<Point>> =
            value.list().and_then(|l| l.iter().map(as_point).collect());
        if let Some(n) = points.as_ref().map(Vec::len).filter(|n| *n > MOST_POINTS) {
            let message = format!("`{key}` has {n} places: at most {MOST_POINTS}");
            self.fault(key, message, faults);
            return None;
        }
        if points.is_none() {
            self.fault(
                key,
                format!("`{key}` is a list of places such as [[0, 0], [12, 8.5]]"),
                faults,
            );
        }
        points
    }

    pub(super) fn words(&self, key: &str, faults: &mut Vec<Fault>) -> Vec<String> {
        let Some(value) = self.value(key, faults) else { return vec![] };
        let words: Option<Vec<String>> =
            value.list().and_then(|l| l.iter().map(|w| w.text().map(str::to_owned)).collect());
        for word in words.iter().flatten() {
            self.seen(key, word, faults);
        }
        words.unwrap_or_else(|| {
            self.fault(key, format!("`{key}` is a list of texts"), faults);
            vec![]
        })
    }

    pub(super) fn numbers(&self, key: &str, faults: &mut Vec<Fault>) -> Vec<u8> {
        let Some(value) = self.value(key, faults) else { return vec![] };
        let numbers: Option<Vec<u8>> = value
            .list()
            .and_then(|l| l.iter().map(|n| n.int().and_then(|n| u8::try_from(n).ok())).collect());
        numbers.unwrap_or_else(|| {
            self.fault(key, format!("`{key}` is a list of turns such as [1, 2]"), faults);
            vec![]
        })
    }

    /// A colour as `#` and six digits.
    pub(super) fn color(&self, key: &str, faults: &mut Vec<Fault>) -> Option<String> {
        let color = self.text(key, faults)?;
        let digits = color.strip_prefix('#').filter(|d| d.len() == 6);
        if digits.is_some_and(|d| d.bytes().all(|b| b.is_ascii_hexdigit())) {
            return Some(color);
        }
        self.fault(key, format!("`{color}` is no colour: write one such as #a3322b"), faults);
        None
    }

    pub(super) fn id(&self, key: &str, faults: &mut Vec<Fault>) -> Option<Id> {
        let text = self.text(key, faults)?;
        let id = Id::new(&text);
        if id.is_none() {
            self.fault(key, format!("`{text}` is no short name: {SHORT_NAME}"), faults);
        }
        id
    }

    /// A word that names one of several things, such as a class.
    pub(super) fn word<T: DeserializeOwned>(
        &self,
        key: &str,
        faults: &mut Vec<Fault>,
    ) -> Option<T> {
        let known = self.choices(key);
        let text = self.text(key, faults)?;
        let found = as_word(&text);
        if found.is_none() {
            let help =
                nearest(&text, known.iter().copied()).map(|n| format!("did you mean `{n}`?"));
            let message = format!("`{key}` is `{text}`: one of {}", known.join(", "));
            faults.push(self.reader.fault(key, message, help));
        }
        found
    }
}

/// A value as the file has it: a text in quotes, a number with a point as one.
fn written(value: &Figure) -> String {
    match value {
        Figure::Text(text) => format!("{text:?}"),
        Figure::Real(number) => format!("{number:?}"),
        other => other.to_string(),
    }
}

pub(super) fn as_word<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(text.to_owned())).ok()
}

pub(super) fn as_point(value: &Figure) -> Option<Point> {
    let [x, y] = value.list()? else { return None };
    let (x, y) = (x.number()?, y.number()?);
    let most = inches(FARTHEST);
    (x.abs() <= most && y.abs() <= most).then(|| Point::at(x, y))
}
