//! How many games one address may make, and keep.

use std::num::NonZeroU32;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::Limits;
use crate::clients::Client;
use crate::error::Problem;
use crate::storage::Storage;

/// Who has made how much.
pub(crate) struct Makers {
    limits: Limits,
    an_hour: DefaultKeyedRateLimiter<Client>,
    salt: String,
}

impl Makers {
    pub(crate) fn new(limits: Limits, salt: String) -> Self {
        let an_hour = NonZeroU32::new(limits.games_an_hour).unwrap_or(NonZeroU32::MIN);
        Self { limits, an_hour: RateLimiter::keyed(Quota::per_hour(an_hour)), salt }
    }

    /// What is kept of somebody who makes a game, if he may.
    pub(crate) async fn admit(
        &self,
        client: Client,
        storage: &dyn Storage,
    ) -> Result<String, Problem> {
        if let Err(until) = self.an_hour.check_key(&client) {
            let after = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            let most = self.limits.games_an_hour;
            let why = format!("One address makes at most {most} games an hour: wait a while.");
            return Err(Problem::Full { why, after });
        }
        let maker = client.hashed(&self.salt);
        let held = storage.held(&maker).await?;
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
        Ok(maker)
    }

    /// Forgets addresses that have made nothing for a while.
    pub(crate) fn tidy(&self) {
        self.an_hour.retain_recent();
        self.an_hour.shrink_to_fit();
    }
}

/// Only deleting helps, not waiting a second.
fn full(why: String) -> Problem {
    Problem::Full { why, after: 3600 }
}
