//! Short names of units, leaders and terrain, as the scenario gives them.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A name of at most sixteen small letters, digits and dashes, kept in one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Id(u128);

/// No id is longer.
const LONGEST: usize = 16;

impl Id {
    /// The id of a name, if it is one.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let good = !name.is_empty() && name.len() <= LONGEST && name.bytes().all(fits);
        let padded = name.bytes().chain(std::iter::repeat(0)).take(LONGEST);
        good.then(|| Self(padded.fold(0, |all, b| all << 8 | u128::from(b))))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.to_be_bytes();
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(LONGEST);
        f.pad(std::str::from_utf8(&bytes[..end]).unwrap_or_default())
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(from)?;
        Self::new(&name).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "`{name}` is no id: 1 to {LONGEST} small letters, digits and dashes"
            ))
        })
    }
}
