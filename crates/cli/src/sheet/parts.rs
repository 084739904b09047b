//! Pieces that the sheets of all families are made of.

use engine::Book;
use rulebook::{Clause, Figure};

use super::Part;
use crate::style::words;

/// A number with its sign, the minus as printers set it.
pub(super) fn signed(n: i64) -> String {
    match n {
        n if n > 0 => format!("+{n}"),
        n if n < 0 => format!("−{}", -n),
        _ => "0".into(),
    }
}

/// Halves as fractions.
pub(super) fn fraction(x: f64) -> String {
    let whole = x.trunc();
    let half = (x.fract().abs() - 0.5).abs() < 1e-9;
    match (whole == 0.0, half) {
        (true, true) => "½".into(),
        (false, true) => format!("{whole}½"),
        _ => format!("{x}"),
    }
}

pub(super) fn number(clause: &Clause, key: &str) -> Option<f64> {
    clause.figures.get(key).and_then(Figure::number)
}

pub(super) fn int(clause: &Clause, key: &str) -> Option<i64> {
    clause.figures.get(key).and_then(Figure::int)
}

/// The clauses whose ids begin so.
pub(super) fn under<'b>(book: &'b Book, prefix: &'b str) -> impl Iterator<Item = &'b Clause> {
    book.clauses().map(|(_, c)| c).filter(move |c| c.id.starts_with(prefix))
}

/// Modifiers of a kind, those that share a line and a value together.
pub(super) fn modifiers(book: &Book, prefix: &str, figure: &str) -> Part {
    let mut lines: Vec<(String, String, Option<&str>)> = Vec::new();
    for clause in under(book, prefix) {
        let tail = &clause.id[prefix.len()..];
        if tail.starts_with("no-") && clause.figures.get(figure).and_then(Figure::int) == Some(0) {
            continue; // says that there is no such modifier
        }
        let Some(value) = clause.figures.get(figure).filter(|_| !tail.contains('.')) else {
            continue;
        };
        let value = value.int().map_or_else(|| "+ grade".to_owned(), signed);
        let group = clause.figures.get("group").and_then(Figure::text);
        let shared =
            lines.iter_mut().find(|(v, _, g)| group.is_some() && *g == group && *v == value);
        match shared {
            Some((_, names, _)) => {
                names.push_str(", ");
                names.push_str(&words(tail));
            }
            None => lines.push((value, words(tail), group)),
        }
    }
    Part::Modifiers(lines.into_iter().map(|(value, names, _)| (value, names)).collect())
}

/// The words of clauses, with figures that house rules changed behind them.
pub(super) fn says(clause: &Clause) -> String {
    let changed: Vec<String> = clause
        .figures
        .iter()
        .filter(|(key, value)| clause.printed().get(*key) != Some(value))
        .map(|(key, value)| format!("{key} {value}"))
        .collect();
    if changed.is_empty() {
        clause.says.clone()
    } else {
        format!("{} [changed: {}]", clause.says, changed.join(", "))
    }
}

/// The sentences of clauses as one part.
pub(super) fn lines<'b>(clauses: impl Iterator<Item = &'b Clause>) -> Part {
    Part::Lines(clauses.map(says).collect())
}

/// Bounds as a range: "8+", "3 to 7", "0 or less".
pub(super) fn range(min: Option<i64>, max: Option<i64>) -> String {
    let sign = |n: i64| {
        if n < 0 { format!("−{}", -n) } else { n.to_string() }
    };
    match (min, max) {
        (Some(a), Some(b)) if a == b => sign(a),
        (Some(a), Some(b)) => format!("{} to {}", sign(a), sign(b)),
        (Some(a), None) => format!("{}+", sign(a)),
        (None, Some(b)) => format!("{} or less", sign(b)),
        (None, None) => "any".into(),
    }
}

/// The same, from figures.
pub(super) fn range_of(figures: Option<&std::collections::BTreeMap<String, Figure>>) -> String {
    let Some(figures) = figures else {
        return "–".into();
    };
    if figures.contains_key("none") {
        return "–".into();
    }
    range(figures.get("min").and_then(Figure::int), figures.get("max").and_then(Figure::int))
}

/// A sentence without the result's name that our words begin with.
pub(super) fn without_name(sentence: &str) -> String {
    capital(match sentence.split_once(": ") {
        Some((head, rest)) if head.split(' ').count() <= 3 => rest,
        _ => sentence,
    })
}

/// With a large first letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A name with its first letter large.
pub(super) fn title(words: &str) -> String {
    capital(&words.replace('-', " "))
}
