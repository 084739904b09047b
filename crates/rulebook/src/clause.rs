//! A clause: one printed rule.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::{Figure, SourceFile};

/// Other figures for a clause while a ruling's setting has a given value.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// The setting's name.
    pub setting: String,
    /// The value of the setting under which these figures hold.
    pub is: String,
    /// The figures that replace the clause's own.
    pub figures: BTreeMap<String, Figure>,
}

/// One printed rule: an id that tests, refusals and answers cite, our words
/// for it, its figures, and the place where it is printed.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The id, such as `fire.modifier.fortified`.
    pub id: String,
    /// The part of the book it stands in.
    pub section: String,
    /// The rule in our own words.
    pub says: String,
    /// The figures in force: the printed ones, then what the settings and the
    /// house rules make of them.
    pub figures: BTreeMap<String, Figure>,
    /// Where it is printed: sheet and line.
    pub source: String,
    /// What a reader should know about the print.
    pub note: Option<String>,
    /// Whether the clause follows from the print without standing there word
    /// for word.
    pub derived: bool,
    pub(crate) printed: BTreeMap<String, Figure>,
    pub(crate) when: Vec<Overlay>,
    pub(crate) changed: BTreeMap<String, Figure>,
    pub(crate) at: Place,
}

/// Where a clause, or the house rule that last changed it, stands in a file.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) file: Arc<SourceFile>,
    pub(crate) span: Range<usize>,
}

impl Clause {
    /// The figures as the sheet prints them, before settings and house rules.
    #[must_use]
    pub fn printed(&self) -> &BTreeMap<String, Figure> {
        &self.printed
    }

    /// The figures that other settings would give this clause.
    #[must_use]
    pub fn overlays(&self) -> &[Overlay] {
        &self.when
    }

    /// Works the figures in force out of print, settings and house rules. A
    /// house rule that names a figure wins over a setting that does.
    pub(crate) fn settle(&mut self, settings: &BTreeMap<String, String>) {
        self.figures = self.printed.clone();
        for overlay in &self.when {
            if settings.get(&overlay.setting).is_some_and(|v| *v == overlay.is) {
                self.figures.extend(overlay.figures.clone());
            }
        }
        self.figures.extend(self.changed.clone());
    }
}
