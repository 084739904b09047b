//! A result table: every total falls on exactly one row.

use crate::{Figure, Flaw, RuleId};
use std::collections::BTreeMap;

/// The totals a row covers, both ends included; an absent end is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The lowest total, or none if the row goes down for ever.
    pub min: Option<i64>,
    /// The highest total, or none if the row goes up for ever.
    pub max: Option<i64>,
}

impl Bounds {
    /// Reads `min` and `max` from the figures of a clause.
    ///
    /// # Errors
    /// A [`Flaw`] if one is there and no whole number.
    pub fn read(clause: &str, figures: &BTreeMap<String, Figure>) -> Result<Self, Flaw> {
        let bound = |key: &str| match figures.get(key) {
            None => Ok(None),
            Some(Figure::Int(n)) => Ok(Some(*n)),
            Some(other) => {
                Err(Flaw::of(clause, format!("`{key}` is {other}: a whole number is needed")))
            }
        };
        Ok(Self { min: bound("min")?, max: bound("max")? })
    }

    /// Whether a total falls on the row.
    #[must_use]
    pub fn holds(&self, total: i64) -> bool {
        self.min.is_none_or(|min| total >= min) && self.max.is_none_or(|max| total <= max)
    }
}

#[derive(Debug, Clone)]
struct Row<T> {
    bounds: Bounds,
    rule: RuleId,
    result: T,
}

/// A result table without holes or overlaps.
#[derive(Debug, Clone)]
pub struct Ladder<T> {
    rows: Vec<Row<T>>, // from the lowest total to the highest; never empty
}

impl<T: Copy> Ladder<T> {
    /// Builds the table, or says which clauses leave a hole or overlap.
    /// `rows` are clause id, bounds, rule and result; `what` names the table
    /// in the flaw.
    ///
    /// # Errors
    /// A [`Flaw`] naming the clauses on both sides of a hole or an overlap.
    pub fn build(
        what: &str,
        rows: impl IntoIterator<Item = (String, Bounds, RuleId, T)>,
    ) -> Result<Self, Flaw> {
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(_, b, _, _)| (b.min.is_some(), b.min, b.max));
        let Some((first, last)) = rows.first().zip(rows.last()) else {
            return Err(Flaw { clauses: vec![], message: format!("{what} has no rows at all") });
        };
        if let Some(min) = first.1.min {
            return Err(Flaw::of(&first.0, format!("{what} has no row below {min}")));
        }
        if let Some(max) = last.1.max {
            return Err(Flaw::of(&last.0, format!("{what} has no row above {max}")));
        }
        for pair in rows.windows(2) {
            let [(below, b, ..), (above, a, ..)] = pair else {
                continue;
            };
            let clauses = vec![above.clone(), below.clone()];
            let (Some(top), Some(bottom)) = (b.max, a.min) else {
                let message = format!("{what}: two rows overlap, both are open at one end");
                return Err(Flaw { clauses, message });
            };
            if bottom > top + 1 {
                let message = format!("{what} has a hole: no row for {}", gap(top + 1, bottom - 1));
                return Err(Flaw { clauses, message });
            }
            if bottom <= top {
                let message = format!("{what} overlaps: two rows for {}", gap(bottom, top));
                return Err(Flaw { clauses, message });
            }
        }
        let rows = rows
            .into_iter()
            .map(|(_, bounds, rule, result)| Row { bounds, rule, result })
            .collect();
        Ok(Self { rows })
    }

    /// The row a total falls on: the clause and the result.
    #[must_use]
    pub fn read(&self, total: i64) -> (RuleId, T) {
        // The rows are in order and cover everything, so the last one whose
        // lower end is not above the total is the row.
        let row = self.rows.iter().rev().find(|r| r.bounds.min.is_none_or(|min| total >= min));
        let row = row.unwrap_or(&self.rows[0]);
        (row.rule, row.result)
    }

    /// Every row from the highest to the lowest.
    pub fn rows(&self) -> impl Iterator<Item = (Bounds, RuleId, T)> {
        self.rows.iter().rev().map(|r| (r.bounds, r.rule, r.result))
    }
}

fn gap(from: i64, to: i64) -> String {
    if from == to { from.to_string() } else { format!("{from} to {to}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder(rows: &[(Option<i64>, Option<i64>)]) -> Result<Ladder<usize>, Flaw> {
        Ladder::build(
            "the table",
            rows.iter().enumerate().map(|(i, (min, max))| {
                (format!("row.{i}"), Bounds { min: *min, max: *max }, RuleId(0), i)
            }),
        )
    }

    #[test]
    fn every_total_falls_on_one_row() -> Result<(), Flaw> {
        let table = ladder(&[(Some(8), None), (Some(3), Some(7)), (None, Some(2))])?;
        for (total, row) in [(99, 0), (8, 0), (7, 1), (3, 1), (2, 2), (-99, 2)] {
            assert_eq!(table.read(total).1, row, "total {total}");
        }
        Ok(())
    }

    #[test]
    fn holes_and_overlaps_are_named() {
        let hole = ladder(&[(Some(8), None), (None, Some(6))]).err();
        assert_eq!(
            hole.map(|f| f.to_string()).as_deref(),
            Some("row.0, row.1: the table has a hole: no row for 7")
        );
        let overlap = ladder(&[(Some(5), None), (None, Some(6))]).err();
        assert_eq!(
            overlap.map(|f| f.message).as_deref(),
            Some("the table overlaps: two rows for 5 to 6")
        );
        let open = ladder(&[(Some(5), None)]).err();
        assert_eq!(open.map(|f| f.message).as_deref(), Some("the table has no row below 5"));
    }
}
