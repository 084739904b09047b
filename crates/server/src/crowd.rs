//! How much there is at once, of one client and of all. Whoever is let in is counted off when he goes,
//! however he goes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clients::Client;

/// A count of those inside.
#[derive(Debug, Clone)]
pub(crate) struct Crowd(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    in_all: usize,
    of_one: usize,
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    all: usize,
    of: HashMap<Client, usize>,
}

/// Why somebody is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooMuch {
    OfOne,
    InAll,
}

/// Somebody inside, until this is gone.
#[derive(Debug)]
pub(crate) struct Guest {
    inside: Arc<Inner>,
    of: Client,
    weight: usize,
}

impl Inner {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut inside = self.inside.inside();
        inside.all -= self.weight;
        if let Some(own) = inside.of.get_mut(&self.of) {
            *own -= self.weight;
            if *own == 0 {
                inside.of.remove(&self.of);
            }
        }
    }
}

impl Crowd {
    /// So much in all, and so much of one.
    pub(crate) fn new(in_all: usize, of_one: usize) -> Self {
        Self(Arc::new(Inner { in_all, of_one, inside: Mutex::default() }))
    }

    /// Lets one in.
    pub(crate) fn enter(&self, of: Client) -> Result<Guest, TooMuch> {
        self.enter_with(of, 1)
    }

    /// Lets one in whatever he has here already: he stands for many.
    pub(crate) fn enter_for_many(&self, of: Client) -> Result<Guest, TooMuch> {
        self.admit(of, 1, usize::MAX)
    }

    /// Lets one in who counts for so much. Whoever has nothing here yet is let in with more than his
    /// share: he could not come in otherwise.
    pub(crate) fn enter_with(&self, of: Client, weight: usize) -> Result<Guest, TooMuch> {
        self.admit(of, weight.max(1), self.0.of_one)
    }

    fn admit(&self, of: Client, weight: usize, of_one: usize) -> Result<Guest, TooMuch> {
        let mut inside = self.0.inside();
        let own = inside.of.get(&of).copied().unwrap_or_default();
        if own > 0 && own.saturating_add(weight) > of_one {
            return Err(TooMuch::OfOne);
        }
        if inside.all > 0 && inside.all.saturating_add(weight) > self.0.in_all {
            return Err(TooMuch::InAll);
        }
        inside.all += weight;
        inside.of.insert(of, own + weight);
        drop(inside);
        Ok(Guest { inside: Arc::clone(&self.0), of, weight })
    }

    /// How much there is now.
    pub(crate) fn count(&self) -> usize {
        self.0.inside().all
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Crowd, TooMuch};
    use crate::clients::Client;

    #[test]
    fn one_fills_his_share_and_all_fill_the_whole() {
        let crowd = Crowd::new(5, 3);
        let (one, other) = (Client::of([1, 2, 3, 4].into()), Client::of([1, 2, 3, 5].into()));
        let inside = [crowd.enter(one), crowd.enter_with(one, 2)].map(Result::unwrap);
        assert_eq!(crowd.enter(one).unwrap_err(), TooMuch::OfOne);
        let its = crowd.enter(other).unwrap();
        assert_eq!(crowd.enter_with(other, 2).unwrap_err(), TooMuch::InAll);
        let more = crowd.enter_for_many(one).unwrap();
        assert_eq!(crowd.count(), 5);
        drop((inside, more, its));
        assert_eq!(crowd.count(), 0);
        assert!(crowd.0.inside().of.is_empty());
        let large = crowd.enter_with(one, 9).unwrap();
        assert_eq!(crowd.enter(one).unwrap_err(), TooMuch::OfOne, "he has his share");
        drop(large);
    }
}
