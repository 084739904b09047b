//! What the letters of a weapon say besides its fire points, which are the book's.
//!
//! A weapon that only fires needs no row here: its clauses are enough. One row is one weapon with
//! ways of its own.

/// The ways of a weapon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ways {
    /// Its letters; those of guns and of small arms are apart.
    letters: &'static str,
    guns: bool,
    /// It fires over troops (ruling.overhead-fire).
    pub lobs: bool,
    /// It has a heavy carriage, where the book has no clause on carriages.
    pub heavy: bool,
    /// Its crew gallops.
    pub gallops: bool,
    /// Its row of the movement table, where the book's list of guns leaves it out or there is none.
    pub row: Option<&'static str>,
    /// The book's list of guns leaves it out; a ruling names its row.
    pub unlisted: bool,
    /// Buck and ball fits it.
    pub buck_and_ball: bool,
    /// Its pikes keep off horse.
    pub pikes: bool,
}

const PLAIN: Ways = Ways {
    letters: "",
    guns: false,
    lobs: false,
    heavy: false,
    gallops: false,
    row: None,
    unlisted: false,
    buck_and_ball: false,
    pikes: false,
};
const GUN: Ways = Ways { guns: true, ..PLAIN };

const ALL: &[Ways] = &[
    Ways { letters: "M", buck_and_ball: true, ..PLAIN },
    Ways { letters: "SM", buck_and_ball: true, ..PLAIN },
    Ways { letters: "FP", pikes: true, ..PLAIN },
    Ways { letters: "SG", heavy: true, row: Some("artillery.siege-gun"), ..GUN },
    Ways {
        letters: "SH",
        lobs: true,
        heavy: true,
        row: Some("artillery.siege-gun"),
        unlisted: true,
        ..GUN
    },
    Ways { letters: "H", lobs: true, unlisted: true, ..GUN },
    Ways { letters: "HG", heavy: true, ..GUN },
    Ways { letters: "MG", heavy: true, ..GUN },
    Ways { letters: "GG", gallops: true, row: Some("artillery.galloper-gun"), ..GUN },
];

impl Ways {
    /// The ways of the weapon of some letters.
    #[must_use]
    pub fn of(letters: &str, guns: bool) -> Self {
        let known = ALL.iter().find(|w| w.letters == letters && w.guns == guns);
        known.copied().unwrap_or(if guns { GUN } else { PLAIN })
    }
}
