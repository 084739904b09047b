//! The server, shared by its requests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use engine::{SCENARIOS, Scenario};
use tokio::sync::{Semaphore, watch};

use crate::error::Problem;
use crate::extract::Token;
use crate::games::{Games, Live};
use crate::guard::{self, Names, Rate};
use crate::metrics::Counts;
use crate::seats::Role;
use crate::storage::Storage;
use crate::{Config, Limits, commander};

/// The server, shared by its requests.
#[derive(Clone)]
pub struct Server(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    games: Arc<Games>,
    counts: Counts,
    rate: Rate,
    names: Names,
    pub(crate) live: Arc<AtomicUsize>,
    pub(crate) limits: Limits,
    pub(crate) stop: watch::Receiver<bool>,
    pub(crate) scenarios: Vec<Scenario>,
    pub(crate) sheets: BTreeMap<String, String>,
    /// As many generals think at once as there are cores.
    pub(crate) thinkers: Semaphore,
}

impl Server {
    /// A server over a storage.
    #[must_use]
    pub fn new(storage: Arc<dyn Storage>, config: &Config, stop: watch::Receiver<bool>) -> Self {
        let limits = config.limits;
        let games = Arc::new(Games::new(storage, limits.games));
        let read = |(id, _): &(&str, &str)| Scenario::built_in(games.library(), id)?.ok();
        let scenarios = SCENARIOS.iter().filter_map(read).collect();
        Self(Arc::new(Inner {
            games,
            counts: Counts::default(),
            rate: guard::rate(limits.rate),
            names: Names::new(config.host, &config.names),
            live: Arc::default(),
            limits,
            stop,
            scenarios,
            sheets: config.sheets.clone(),
            thinkers: Semaphore::new(std::thread::available_parallelism().map_or(1, Into::into)),
        }))
    }

    pub(crate) fn games(&self) -> &Arc<Games> {
        &self.0.games
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.0.counts
    }

    pub(crate) fn rate(&self) -> &Rate {
        &self.0.rate
    }

    pub(crate) fn names(&self) -> &Names {
        &self.0.names
    }

    pub(crate) fn stopping(&self) -> bool {
        *self.0.stop.borrow()
    }

    /// Generals that were asked when the server stopped go on.
    pub(crate) async fn wake_generals(&self) {
        let games = self.games().storage().with_generals(200).await.unwrap_or_default();
        for id in games {
            if let Ok(live) = self.games().get(&id).await {
                commander::wake(self, &live);
            }
        }
    }

    pub(crate) async fn close(&self) {
        if let Err(e) = self.games().storage().close().await {
            tracing::error!(error = %e, "closing");
        }
    }
}

impl Server {
    /// A game, and what a token opens in it.
    pub(crate) async fn seated(
        &self,
        id: &str,
        token: &Token,
    ) -> Result<(Arc<Live>, Role), Problem> {
        let live = self.games().get(id).await?;
        let role = live.role(&token.0).await?;
        Ok((live, role))
    }
}
