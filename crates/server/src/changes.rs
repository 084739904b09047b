//! What has changed on the table since a revision, for those who ask only for that.

use std::sync::Arc;

use engine::view::{LeaderView, Piece, View};

/// How units and leaders looked when anybody was last told, and since when.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    units: Vec<(u64, Arc<Piece>)>,
    leaders: Vec<(u64, LeaderView)>,
}

impl Shown {
    /// Every view that is sent passes through here: what is compared later is what somebody has.
    pub(crate) fn note(&mut self, rev: u64, view: &View) {
        note(&mut self.units, rev, &view.units);
        note(&mut self.leaders, rev, &view.leaders);
    }

    /// Leaves what changed after a revision.
    pub(crate) fn keep_since(&self, since: u64, view: &mut View) {
        keep_since(&self.units, since, &mut view.units);
        keep_since(&self.leaders, since, &mut view.leaders);
    }
}

fn note<T: Clone + PartialEq>(shown: &mut Vec<(u64, T)>, rev: u64, now: &[T]) {
    if shown.len() != now.len() {
        *shown = now.iter().map(|t| (rev, t.clone())).collect();
        return;
    }
    for (old, new) in shown.iter_mut().zip(now) {
        if old.1 != *new {
            *old = (rev, new.clone());
        }
    }
}

fn keep_since<T>(shown: &[(u64, T)], since: u64, now: &mut Vec<T>) {
    let mut changed = shown.iter().map(|(rev, _)| *rev > since);
    now.retain(|_| changed.next().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::{keep_since, note};

    fn since(shown: &[(u64, char)], rev: u64, now: &str) -> String {
        let mut now: Vec<char> = now.chars().collect();
        keep_since(shown, rev, &mut now);
        now.into_iter().collect()
    }

    #[test]
    fn only_what_changed_after_a_revision_is_left() {
        let mut shown = vec![];
        let now = |s: &str| s.chars().collect::<Vec<_>>();
        note(&mut shown, 3, &now("abc"));
        assert_eq!(since(&shown, 2, "abc"), "abc", "nothing is known of what was before");
        assert_eq!(since(&shown, 3, "abc"), "");
        note(&mut shown, 4, &now("aBc"));
        note(&mut shown, 5, &now("aBC"));
        assert_eq!(since(&shown, 3, "aBC"), "BC");
        assert_eq!(since(&shown, 4, "aBC"), "C");
        note(&mut shown, 6, &now("aBc"));
        assert_eq!(since(&shown, 5, "aBc"), "c", "taken back is a change too");
        note(&mut shown, 7, &now("aBcd"));
        assert_eq!(since(&shown, 6, "aBcd"), "aBcd", "another number of them: all");
    }
}
