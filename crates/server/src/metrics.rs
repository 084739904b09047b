//! Counts for whoever watches the server, in the text form Prometheus reads.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is counted.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) requests: AtomicU64,
    pub(crate) orders: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) games: AtomicU64,
}

impl Counts {
    pub(crate) fn one(count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// As text.
    pub(crate) fn text(&self, (games, bytes): (usize, usize), live: usize) -> String {
        let mut text = String::new();
        let mut say = |kind: &str, name: &str, help: &str, value: u64| {
            let _ = writeln!(
                text,
                "# HELP linstock_{name} {help}\n# TYPE linstock_{name} {kind}\nlinstock_{name} {value}"
            );
        };
        let read = |c: &AtomicU64| c.load(Ordering::Relaxed);
        say("counter", "requests_total", "Requests answered.", read(&self.requests));
        say("counter", "orders_total", "Orders carried out.", read(&self.orders));
        say("counter", "refused_total", "Orders refused by the rules.", read(&self.refused));
        say("counter", "games_made_total", "Games made.", read(&self.games));
        say("gauge", "games_in_memory", "Games in memory.", games as u64);
        say("gauge", "games_bytes", "Bytes they take, about.", bytes as u64);
        say("gauge", "live_connections", "Live connections.", live as u64);
        text
    }
}
