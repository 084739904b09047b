//! The server, shared by its requests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use engine::{SCENARIOS, Scenario};
use tokio::sync::{Mutex, Semaphore, watch};

use crate::clients::{Client, Proxies};
use crate::crowd::Crowd;
use crate::desk::Desk;
use crate::error::Problem;
use crate::extract::Token;
use crate::games::{Entered, Games, Live, State};
use crate::guard::{self, Names, Rate};
use crate::metrics::Counts;
use crate::quota::Makers;
use crate::seats::Role;
use crate::storage::{Failed, Storage};
use crate::{Config, Limits, answers, commander};

/// How long an answer about the server's health counts.
const HEALTHY: Duration = Duration::from_secs(1);
/// A storage that has not answered for so long is not well.
const PROBED: Duration = Duration::from_secs(5);
/// Bytes of long bodies that may be on their way here at once.
const SENT: usize = 64 << 20;
/// As many games are deleted in one round, so that nobody waits behind it.
const SWEPT: u32 = 200;

/// The server, shared by its requests.
#[derive(Clone)]
pub struct Server(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    games: Arc<Games>,
    counts: Counts,
    rate: Rate,
    names: Names,
    proxies: Proxies,
    makers: Makers,
    desk: Desk,
    /// When the storage was last tried, and whether it could be written.
    health: Mutex<Option<(Instant, bool)>>,
    /// Those who follow games.
    pub(crate) live: Crowd,
    /// Requests that are being answered.
    pub(crate) asked: Crowd,
    /// Bytes of long bodies that are being sent here, and of long answers on their way out.
    pub(crate) sent: Crowd,
    pub(crate) answers: Crowd,
    pub(crate) limits: Limits,
    pub(crate) stop: watch::Receiver<bool>,
    pub(crate) scenarios: Vec<Scenario>,
    pub(crate) sheets: BTreeMap<String, String>,
    /// As many generals think at once as there are cores.
    pub(crate) thinkers: Semaphore,
    /// The dice of one battle are weighed at a time: players and generals come first.
    pub(crate) weigher: Desk,
}

impl Server {
    /// A server over a storage.
    ///
    /// # Errors
    /// The storage cannot be read.
    pub async fn new(
        storage: Arc<dyn Storage>,
        config: &Config,
        stop: watch::Receiver<bool>,
    ) -> Result<Self, Failed> {
        let limits = config.limits;
        let makers = Makers::new(limits, storage.salt().await?);
        let games = Arc::new(Games::new(storage, &limits));
        let read = |(id, _): &(&str, &str)| Scenario::built_in(games.library(), id)?.ok();
        let scenarios = SCENARIOS.iter().filter_map(read).collect();
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        Ok(Self(Arc::new(Inner {
            games,
            counts: Counts::default(),
            rate: guard::rate(limits.rate),
            names: Names::new(config.host, &config.names),
            proxies: Proxies::new(&config.proxies),
            makers,
            desk: Desk::new(cores),
            health: Mutex::default(),
            live: Crowd::new(limits.live, limits.connections_of_one),
            asked: Crowd::new(usize::MAX, limits.connections_of_one),
            sent: Crowd::new(SENT, SENT / 2),
            answers: answers::crowd(limits.memory),
            limits,
            stop,
            scenarios,
            sheets: config.sheets.clone(),
            thinkers: Semaphore::new(cores),
            weigher: Desk::new(1),
        })))
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

    pub(crate) fn proxies(&self) -> &Proxies {
        &self.0.proxies
    }

    pub(crate) fn makers(&self) -> &Makers {
        &self.0.makers
    }

    pub(crate) fn desk(&self) -> &Desk {
        &self.0.desk
    }

    pub(crate) fn stopping(&self) -> bool {
        *self.0.stop.borrow()
    }

    /// Whether games can be written and read; found out at most once a second.
    pub(crate) async fn healthy(&self) -> bool {
        let mut known = self.0.health.lock().await;
        if let Some((when, healthy)) = *known
            && when.elapsed() < HEALTHY
        {
            return healthy;
        }
        let storage = Arc::clone(self.games().storage());
        let healthy = match tokio::time::timeout(PROBED, storage.probe()).await {
            Ok(Ok(())) => true,
            Ok(Err(e)) => {
                tracing::error!(error = %e, "the storage cannot be written");
                false
            }
            Err(_) => {
                tracing::error!("the storage has not answered for {PROBED:?}");
                false
            }
        };
        *known = Some((Instant::now(), healthy));
        healthy
    }

    /// Generals that were asked when the server stopped go on.
    pub(crate) async fn wake_generals(&self) {
        let games = self.games().storage().with_generals(200).await.unwrap_or_default();
        for id in games {
            commander::wake_new(self, &id).await;
        }
    }

    /// Lets games go that nobody looks at, and deletes those nobody ever played, now and then.
    pub(crate) fn keep_house(&self) {
        let server = self.clone();
        let mut stop = self.0.stop.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(server.0.limits.round) => {}
                    _ = stop.wait_for(|stop| *stop) => return,
                }
                server.round().await;
            }
        });
    }

    async fn round(&self) {
        self.games().tidy();
        self.makers().tidy();
        self.rate().retain_recent();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let before = now.saturating_sub(self.0.limits.unplayed).as_secs();
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        let unplayed = self.games().storage().never_played(before, SWEPT).await;
        for id in unplayed.unwrap_or_default() {
            let Ok(live) = self.games().get(&id) else { continue };
            // Somebody looks at it just now.
            if live.watch_count() == 0 && self.games().delete(&live).await.is_ok() {
                tracing::info!(game = %id, "a game that nobody ever played is deleted");
            }
        }
    }

    pub(crate) async fn close(&self) {
        if let Err(e) = self.games().storage().close().await {
            tracing::error!(error = %e, "closing");
        }
    }

    /// A game, and what a token opens in it.
    pub(crate) async fn seated(
        &self,
        id: &str,
        token: &Token,
    ) -> Result<(Arc<Live>, Role), Problem> {
        let live = self.games().get(id)?;
        let role = self.games().enter(&live).await?.role(&token.0)?;
        Ok((live, role))
    }

    /// Works something out of a game, when it is the asker's turn. The game is held meanwhile, and
    /// only meanwhile: whoever orders in it waits for those at the desk, not for the line before it.
    pub(crate) async fn consult<T>(
        &self,
        client: Client,
        live: &Live,
        work: impl FnOnce(&mut State) -> T + Send,
    ) -> Result<T, Problem> {
        let _turn = self.desk().turn(client).await?;
        let mut state = self.enter(live).await?;
        Ok(tokio::task::block_in_place(|| work(&mut state)))
    }

    /// Holds a game for somebody who is seated at it.
    pub(crate) async fn enter<'a>(&self, live: &'a Live) -> Result<Entered<'a>, Problem> {
        self.games().enter(live).await
    }
}
