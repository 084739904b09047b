//! Formations: how the stands are set, and what a unit may do in each.
//!
//! One row of the table below is one formation. A new one is a name in
//! [`Formation`], a row here, and its line of the movement table in the book.

use serde::{Deserialize, Serialize};
use table::{Mils, Size, Slot, file, hollow_square, ranks};

use super::card::Branch;

/// A formation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formation {
    /// Two ranks.
    Line,
    /// Open order; in the Triple Alliance book the extended line of skirmishers.
    OpenOrder,
    /// Two stands wide.
    FieldColumn,
    /// One stand wide.
    MarchColumn,
    /// A hollow square.
    Square,
    /// A square formed in haste against cavalry.
    HastySquare,
    /// In a building or an enclosed work.
    Garrison,
    /// No formation at all: in flight.
    Broken,
    /// Guns ready to fire.
    Unlimbered,
    /// Guns ready to move.
    Limbered,
}

/// How the stands of a formation are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// In so many ranks, with gaps.
    Ranks(usize),
    /// So many stands wide.
    Wide(usize),
    /// A box.
    Box,
    /// All side by side.
    Abreast,
}

/// Which stands fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fires {
    /// None.
    None,
    /// All of them.
    All,
    /// Those of the first ranks.
    Ranks(usize),
    /// Each in its own direction: squares and garrisons.
    Sides,
}

/// What a formation is and does.
#[derive(Debug, Clone, Copy)]
pub struct Nature {
    /// The formation.
    pub formation: Formation,
    /// Its name in the movement table and in words.
    pub name: &'static str,
    /// How the stands are set.
    pub setting: Setting,
    /// Whether there are gaps between the stands.
    pub gaps: bool,
    /// Which stands fire.
    pub fires: Fires,
    /// Whether it may charge.
    pub charges: bool,
    /// Whether it may follow a road.
    pub roads: bool,
    /// Whether it turns freely at its head.
    pub turns: bool,
    /// Whether friends may pass through it without a passage of lines.
    pub loose: bool,
    /// Whether it has no flank.
    pub all_round: bool,
}

const PLAIN: Nature = Nature {
    formation: Formation::Line,
    name: "line",
    setting: Setting::Ranks(2),
    gaps: false,
    fires: Fires::All,
    charges: true,
    roads: false,
    turns: false,
    loose: false,
    all_round: false,
};

/// Squares and garrisons fire and fight on every side.
const ALL_ROUND: Nature = Nature {
    formation: Formation::Square,
    name: "square",
    setting: Setting::Box,
    fires: Fires::Sides,
    charges: false,
    all_round: true,
    ..PLAIN
};

const NATURES: [Nature; 10] = [
    PLAIN,
    Nature {
        formation: Formation::OpenOrder,
        name: "open-order",
        gaps: true,
        loose: true,
        ..PLAIN
    },
    Nature {
        formation: Formation::FieldColumn,
        name: "field-column",
        setting: Setting::Wide(2),
        fires: Fires::Ranks(2),
        turns: true,
        ..PLAIN
    },
    Nature {
        formation: Formation::MarchColumn,
        name: "march-column",
        setting: Setting::Wide(1),
        fires: Fires::Ranks(1),
        charges: false,
        roads: true,
        turns: true,
        ..PLAIN
    },
    ALL_ROUND,
    Nature { formation: Formation::HastySquare, name: "hasty-square", ..ALL_ROUND },
    Nature { formation: Formation::Garrison, name: "garrison", ..ALL_ROUND },
    Nature {
        formation: Formation::Broken,
        name: "broken",
        setting: Setting::Wide(2),
        fires: Fires::None,
        charges: false,
        roads: true,
        turns: true,
        ..PLAIN
    },
    Nature {
        formation: Formation::Unlimbered,
        name: "unlimbered",
        setting: Setting::Abreast,
        charges: false,
        loose: true,
        ..PLAIN
    },
    Nature {
        formation: Formation::Limbered,
        name: "limbered",
        setting: Setting::Wide(1),
        fires: Fires::None,
        charges: false,
        roads: true,
        turns: true,
        loose: true,
        ..PLAIN
    },
];

impl Formation {
    /// Every formation.
    pub fn all() -> impl Iterator<Item = Self> {
        NATURES.iter().map(|n| n.formation)
    }

    /// What it is and does.
    #[must_use]
    pub fn nature(self) -> &'static Nature {
        NATURES.iter().find(|n| n.formation == self).unwrap_or(&PLAIN)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.nature().name
    }

    /// Whether it is a square of either kind.
    #[must_use]
    pub fn is_square(self) -> bool {
        matches!(self, Self::Square | Self::HastySquare)
    }

    /// Whether it follows its head like a snake.
    #[must_use]
    pub fn snakes(self) -> bool {
        matches!(self, Self::MarchColumn | Self::Limbered)
    }

    /// Where the stands stand. Open order in one rank is the extended line.
    #[must_use]
    pub fn slots(self, stands: usize, size: Size, gap: Mils, one_rank: bool) -> Vec<Slot> {
        let nature = self.nature();
        let gap = if nature.gaps || nature.setting == Setting::Abreast { gap } else { 0 };
        match nature.setting {
            Setting::Ranks(_) if nature.gaps && one_rank => ranks(stands, stands, size, gap),
            Setting::Ranks(n) => {
                let mut slots = ranks(stands, stands.div_ceil(n), size, gap);
                if nature.gaps && stands.is_multiple_of(2) {
                    stagger(&mut slots, size.width + gap);
                }
                slots
            }
            Setting::Wide(1) => file(stands, size),
            Setting::Wide(n) => ranks(stands, n, size, 0),
            Setting::Box => hollow_square(stands, size),
            Setting::Abreast => ranks(stands, stands.max(1), size, gap),
        }
    }

    /// The rank each stand stands in.
    #[must_use]
    pub fn rank_of(self, stand: usize, stands: usize, one_rank: bool) -> usize {
        match self.nature().setting {
            Setting::Ranks(_) if self.nature().gaps && one_rank => 0,
            Setting::Ranks(n) => stand / stands.div_ceil(n).max(1),
            Setting::Wide(n) => stand / n,
            Setting::Box | Setting::Abreast => 0,
        }
    }
}

/// The rear rank covers the gaps of an equal front rank, like a checkerboard. It moves half a
/// step to the right; a mirrored unit is not the same, as a player's own would not be.
fn stagger(slots: &mut [Slot], step: Mils) {
    for slot in slots.iter_mut().filter(|s| s.back > 0) {
        slot.right += step / 2;
    }
}

/// The formations that troops of a branch know without any more being said.
#[must_use]
pub(super) fn usual(branch: Branch, squares: bool) -> Vec<Formation> {
    use Formation::{Broken, FieldColumn, Limbered, Line, MarchColumn, Square, Unlimbered};
    match branch {
        Branch::Infantry if squares => vec![Line, FieldColumn, MarchColumn, Square, Broken],
        Branch::Infantry => vec![Line, FieldColumn, MarchColumn, Broken],
        Branch::Cavalry => vec![Line, FieldColumn, MarchColumn, Broken],
        Branch::Guns => vec![Unlimbered, Limbered],
    }
}
