//! The hit table: how many Fatigue Hits a natural roll scores.

use rulebook::{Book, Flaw, RuleId};

/// Hits for each natural roll, for one required roll.
#[derive(Debug, Clone, Copy)]
struct Row {
    hits: [u8; 10],
    rule: RuleId,
    /// Whether it is a shared row that a lower required roll cuts short.
    truncated: bool,
}

/// The hit table, for required rolls from 1 to 10.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    rows: [Row; 10],
    fails_above: RuleId,
    truncates: RuleId,
}

const COLUMNS: [(&str, u8); 3] = [("one", 1), ("two", 2), ("three", 3)];

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let roll = "hit-table.roll-equal-or-less";
        if book.int(roll, "die")? != 10 {
            return Err(Flaw::of(roll, "every die of these rules has ten sides"));
        }
        if book.text(roll, "success")? != "roll <= required" {
            return Err(Flaw::of(
                roll,
                "a roll succeeds when it is equal to or less than required",
            ));
        }
        let zero = "hit-table.zero-means-none";
        if !book.flag(zero, "zero_is_none")? {
            return Err(Flaw::of(zero, "a 0 in the table is no result, not a face of the die"));
        }
        book.rule("hit-table.lower-is-more")?;
        let mut rows: [Option<Row>; 10] = [None; 10];
        for (rule, clause) in book.clauses() {
            let id = &clause.id;
            let figures = &clause.figures;
            if !id.starts_with("hit-table.required-") {
                continue;
            }
            let (required, shared) = if figures.contains_key("required") {
                let n = book.int(id, "required")?;
                (n..=n, n)
            } else {
                let most = book.int(id, "required_max")?;
                (1..=most, most)
            };
            let printed = columns(book, id)?;
            for n in required {
                let slot = usize::try_from(n - 1).ok().and_then(|i| rows.get_mut(i));
                let slot = slot.ok_or_else(|| Flaw::of(id, format!("no required roll of {n}")))?;
                if slot.is_some() {
                    return Err(Flaw::of(id, format!("two rows for a required roll of {n}")));
                }
                // A roll above the required number is no success.
                let mut hits = printed;
                for (face, hit) in (1i32..).zip(hits.iter_mut()) {
                    if face > n {
                        *hit = 0;
                    }
                }
                *slot = Some(Row { hits, rule, truncated: n < shared });
            }
        }
        let mut whole = Vec::with_capacity(10);
        for (n, row) in (1..).zip(rows) {
            let row = row.ok_or_else(|| {
                Flaw::of(
                    format!("hit-table.required-{n}"),
                    format!("no row for a required roll of {n}"),
                )
            })?;
            for (face, hit) in (1i32..=n).zip(row.hits) {
                if hit == 0 {
                    let id = book.name(row.rule);
                    return Err(Flaw::of(id, format!("a roll of {face} stands in no column")));
                }
            }
            whole.push(row);
        }
        let truncates = "hit-table.low-required-truncates";
        for (n, key) in [(3i32, "required_3"), (2, "required_2"), (1, "required_1")] {
            if book.ints(truncates, key)? != (1..=n).collect::<Vec<_>>() {
                return Err(Flaw::of(truncates, format!("`{key}` is the rolls up to {n}")));
            }
        }
        let rows = <[Row; 10]>::try_from(whole)
            .map_err(|_| Flaw::of(roll, "the hit table has ten rows"))?;
        Ok(Self { rows, fails_above: book.rule(roll)?, truncates: book.rule(truncates)? })
    }

    /// Hits of a roll: a required roll above 10 counts as 10, and at 0 or
    /// below nothing can hit (ruling.rafa-required-roll-limits).
    pub(crate) fn hits(&self, required: i32, roll: u8) -> (u8, RuleId) {
        let Some(index) = usize::try_from(required.min(10) - 1).ok() else {
            return (0, self.fails_above);
        };
        let row = &self.rows[index];
        let hits = row.hits.get(usize::from(roll) - 1).copied().unwrap_or(0);
        let rule = match (hits, row.truncated) {
            (0, _) => self.fails_above,
            (_, true) => self.truncates,
            (_, false) => row.rule,
        };
        (hits, rule)
    }
}

/// The hits of each face as the row prints them.
fn columns(book: &Book, id: &str) -> Result<[u8; 10], Flaw> {
    let mut hits = [0u8; 10];
    for (key, scored) in COLUMNS {
        for face in book.ints(id, key)? {
            let slot = usize::try_from(face - 1).ok().and_then(|i| hits.get_mut(i));
            let slot = slot.ok_or_else(|| Flaw::of(id, format!("no die shows {face}")))?;
            if *slot != 0 {
                return Err(Flaw::of(id, format!("a roll of {face} stands in two columns")));
            }
            *slot = scored;
        }
    }
    Ok(hits)
}
