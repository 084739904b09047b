//! Work that takes time is done at a desk: as many at once as there are cores, the others wait in
//! line. A line that is too long is refused, in all and for one address, so that nobody fills it for
//! the rest. Who goes away leaves the line.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use crate::clients::Client;
use crate::error::Problem;

/// As many wait at once.
const WAITING: usize = 1024;
/// As many of one address wait or are served.
const OF_ONE: usize = 64;

/// A desk.
#[derive(Debug, Clone)]
pub(crate) struct Desk(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    places: Semaphore,
    line: Mutex<Line>,
}

#[derive(Debug, Default)]
struct Line {
    all: usize,
    of: HashMap<Client, usize>,
}

/// A place in the line, given up when this is gone.
struct Place {
    desk: Arc<Inner>,
    of: Client,
}

impl Inner {
    fn line(&self) -> std::sync::MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut line = self.desk.line();
        line.all -= 1;
        if let Some(n) = line.of.get_mut(&self.of) {
            *n -= 1;
            if *n == 0 {
                line.of.remove(&self.of);
            }
        }
    }
}

impl Desk {
    /// A desk for so many at once.
    pub(crate) fn new(places: usize) -> Self {
        Self(Arc::new(Inner { places: Semaphore::new(places), line: Mutex::default() }))
    }

    fn stand(&self, of: Client) -> Result<Place, Problem> {
        let mut line = self.0.line();
        let own = line.of.get(&of).copied().unwrap_or_default();
        if own >= OF_ONE {
            return Err(Problem::busy("Too many requests of yours wait already: wait a second."));
        }
        if line.all >= WAITING {
            return Err(Problem::busy("The server has too much to do: wait a second."));
        }
        line.all += 1;
        line.of.insert(of, own + 1);
        Ok(Place { desk: Arc::clone(&self.0), of })
    }

    /// Does some work when it is its turn.
    pub(crate) async fn work<T>(
        &self,
        of: Client,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, Problem> {
        let _place = self.stand(of)?;
        let _turn = self.0.places.acquire().await.map_err(|_| Problem::Broken)?;
        Ok(tokio::task::block_in_place(work))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Desk, OF_ONE};
    use crate::clients::Client;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_line_of_one_address_has_an_end_and_others_still_stand() {
        let desk = Desk::new(1);
        let one = Client::of([1, 2, 3, 4].into());
        let other = Client::of([1, 2, 3, 5].into());
        let busy = desk.0.places.acquire().await.unwrap();
        let waits: Vec<_> = (0..OF_ONE)
            .map(|_| {
                let desk = desk.clone();
                tokio::spawn(async move { desk.work(one, || 1).await.is_ok() })
            })
            .collect();
        while desk.0.line().all < OF_ONE {
            tokio::task::yield_now().await;
        }
        assert!(desk.work(one, || 1).await.is_err(), "one more of the same");
        let its = {
            let desk = desk.clone();
            tokio::spawn(async move { desk.work(other, || 2).await.unwrap() })
        };
        // Who goes away leaves the line.
        waits[0].abort();
        while desk.0.line().of[&one] == OF_ONE {
            tokio::task::yield_now().await;
        }
        drop(busy);
        assert_eq!(its.await.unwrap(), 2);
        for wait in waits.into_iter().skip(1) {
            assert!(wait.await.unwrap());
        }
        assert_eq!(desk.0.line().all, 0);
        assert!(desk.0.line().of.is_empty());
    }
}
