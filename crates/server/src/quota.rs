//! How many games one address may make, and keep.

use std::num::NonZeroU32;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::Limits;
use crate::clients::Client;
use crate::desk::{Desk, Turn};
use crate::error::Problem;
use crate::storage::Storage;

/// As many games are being made at once; of one client one, so that what he has is known.
const MAKING: usize = 16;

/// Who has made how much.
pub(crate) struct Makers {
    limits: Limits,
    making: Desk,
    an_hour: DefaultKeyedRateLimiter<Client>,
    salt: String,
}

/// Somebody who may make a game now.
pub(crate) struct Maker {
    /// What is kept of him.
    pub(crate) hash: String,
    _turn: Turn,
}

impl Makers {
    pub(crate) fn new(limits: Limits, salt: String) -> Self {
        let an_hour = NonZeroU32::new(limits.games_an_hour).unwrap_or(NonZeroU32::MIN);
        let an_hour = RateLimiter::keyed(Quota::per_hour(an_hour));
        Self { limits, making: Desk::new(MAKING), an_hour, salt }
    }

    /// Lets somebody make a game, if he may.
    pub(crate) async fn admit(
        &self,
        client: Client,
        storage: &dyn Storage,
    ) -> Result<Maker, Problem> {
        let turn = self.making.turn(client).await?;
        if let Err(until) = self.an_hour.check_key(&client) {
            let after = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            let most = self.limits.games_an_hour;
            let why = format!("One address makes at most {most} games an hour: wait a while.");
            return Err(Problem::Full { why, after });
        }
        let hash = client.hashed(&self.salt);
        let held = storage.held(&hash).await?;
        let most = self.limits.games_of_one;
        if held.games >= most {
            return Err(full(format!("One address keeps at most {most} games here: delete some.")));
        }
        if held.bytes >= self.limits.bytes_of_one {
            let most = self.limits.bytes_of_one >> 20;
            return Err(full(format!(
                "The games of one address take at most {most} MB here: delete some."
            )));
        }
        if storage.count().await? >= self.limits.games {
            return Err(full("This server holds as many games as it may.".into()));
        }
        Ok(Maker { hash, _turn: turn })
    }

    /// Forgets addresses that have made nothing for a while.
    pub(crate) fn tidy(&self) {
        self.an_hour.retain_recent();
        self.an_hour.shrink_to_fit();
    }
}

/// The games of one maker have grown beyond all measure.
pub(crate) fn overgrown() -> Problem {
    full(
        "The games of whoever made this one take all the room they may: he can delete some.".into(),
    )
}

/// Only deleting helps, not waiting a second.
fn full(why: String) -> Problem {
    Problem::Full { why, after: 3600 }
}
