//! Work that takes time is done at a desk: as much at once as there are places, the rest waits in
//! line. A line that is too long is refused, in all and for one client. Each client has one piece of
//! work at the front, whatever he has waiting behind it: so the clients take turns, and nobody starves
//! behind somebody who asks for much. Who goes away leaves the line.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::clients::Client;
use crate::crowd::{Crowd, Guest, TooMuch};
use crate::error::Problem;

/// As many wait at once.
const WAITING: usize = 1024;
/// As many of one client wait or are served.
const OF_ONE: usize = 64;

/// A desk.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    places: Arc<Semaphore>,
    line: Crowd,
    /// Who of a client's own is at the front.
    fronts: Arc<Mutex<HashMap<Client, Weak<Semaphore>>>>,
}

/// A place at the desk, given up when this is gone.
#[derive(Debug)]
pub(crate) struct Turn {
    _place: OwnedSemaphorePermit,
    _front: OwnedSemaphorePermit,
    _guest: Guest,
}

impl Desk {
    /// A desk for so many at once.
    pub(crate) fn new(places: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places)),
            line: Crowd::new(WAITING, OF_ONE),
            fronts: Arc::default(),
        }
    }

    fn fronts(&self) -> MutexGuard<'_, HashMap<Client, Weak<Semaphore>>> {
        self.fronts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The front of a client's own line. Those nobody stands in are forgotten.
    fn front(&self, of: Client) -> Arc<Semaphore> {
        let mut fronts = self.fronts();
        if let Some(front) = fronts.get(&of).and_then(Weak::upgrade) {
            return front;
        }
        fronts.retain(|_, front| front.strong_count() > 0);
        let front = Arc::new(Semaphore::new(1));
        fronts.insert(of, Arc::downgrade(&front));
        front
    }

    /// A place at the desk, when it is this client's turn.
    pub(crate) async fn turn(&self, of: Client) -> Result<Turn, Problem> {
        let guest = self.line.enter(of).map_err(|much| {
            Problem::busy(match much {
                TooMuch::OfOne => "Too many requests of yours wait already: wait a second.",
                TooMuch::InAll => "The server has too much to do: wait a second.",
            })
        })?;
        let front = self.front(of).acquire_owned().await.map_err(|_| Problem::Broken)?;
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| Problem::Broken)?;
        Ok(Turn { _place: place, _front: front, _guest: guest })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::{Arc, Mutex};

    use super::{Desk, OF_ONE};
    use crate::clients::Client;

    fn clients() -> [Client; 2] {
        [[1, 2, 3, 4], [1, 2, 3, 5]].map(|a: [u8; 4]| Client::of(a.into()))
    }

    #[tokio::test]
    async fn a_line_of_one_client_has_an_end_and_who_goes_away_leaves_it() {
        let desk = Desk::new(1);
        let [one, other] = clients();
        let busy = desk.turn(other).await.unwrap();
        let waits: Vec<_> = (0..OF_ONE)
            .map(|_| {
                let desk = desk.clone();
                tokio::spawn(async move { desk.turn(one).await.is_ok() })
            })
            .collect();
        while desk.line.count() < OF_ONE + 1 {
            tokio::task::yield_now().await;
        }
        assert!(desk.turn(one).await.is_err(), "one more of the same");
        waits[0].abort();
        while desk.line.count() > OF_ONE {
            tokio::task::yield_now().await;
        }
        drop(busy);
        for wait in waits.into_iter().skip(1) {
            assert!(wait.await.unwrap());
        }
        assert_eq!(desk.line.count(), 0);
    }

    #[tokio::test]
    async fn clients_take_turns_however_much_one_asks_for() {
        let desk = Desk::new(1);
        let [one, other] = clients();
        let busy = desk.turn(other).await.unwrap();
        let served: Arc<Mutex<Vec<Client>>> = Arc::default();
        let ask = |of: Client| {
            let (desk, served) = (desk.clone(), Arc::clone(&served));
            tokio::spawn(async move {
                let _turn = desk.turn(of).await.unwrap();
                served.lock().unwrap().push(of);
            })
        };
        let mut waits: Vec<_> = (0..40).map(|_| ask(one)).collect();
        while desk.line.count() < 41 {
            tokio::task::yield_now().await;
        }
        waits.push(ask(other));
        while desk.line.count() < 42 {
            tokio::task::yield_now().await;
        }
        drop(busy);
        for wait in waits {
            wait.await.unwrap();
        }
        let served = served.lock().unwrap();
        let place = served.iter().position(|c| *c == other).unwrap();
        assert!(place <= 2, "served as number {place} of 41");
        drop(served);
        desk.front(one);
        assert_eq!(desk.fronts().len(), 1, "those who went are forgotten");
    }
}
