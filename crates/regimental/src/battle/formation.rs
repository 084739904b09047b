//! Formations: how the stands are set, and what a unit may do in each.
//!
//! One row of the table below is one formation: how its stands are set, what it drills, which
//! modifiers of the book count for it. A new one is a name in [`Formation`], a row here, and its
//! lines of the movement table in the book: troops with a rate in it know it.

use serde::{Deserialize, Serialize};
use table::{Mils, Size, Slot, file, hollow_square, ranks};

use super::card::Branch;
use super::measures::Measures;

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

/// The least and the widest gap, by a book's measures.
type Gaps = fn(&Measures) -> (Mils, Mils);

/// What a formation is and does.
#[derive(Debug, Clone, Copy)]
pub struct Nature {
    /// The formation.
    pub formation: Formation,
    /// Its name in the movement table and in words.
    pub name: &'static str,
    /// How the stands are set.
    pub setting: Setting,
    /// The least and the widest gap between the stands of a formation that has gaps.
    pub gaps: Option<Gaps>,
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
    /// Whether troops form it by an order, rather than by a result or by entering a building. Who
    /// has a movement rate in it knows it.
    pub ordered: bool,
    /// Whether it is an order of battle: it changes front and refuses a flank, a march column
    /// deploys into it along its way, and the tardy form it.
    pub line: bool,
    /// Whether it wheels on a corner and marches by the flank.
    pub wheels: bool,
    /// Whether it obliques and withdraws, facing the enemy.
    pub obliques: bool,
    /// Whether it faces about.
    pub faces_about: bool,
    /// Whether a square is formed from it in haste.
    pub squares: bool,
    /// Whether friends who flee through it shake it.
    pub firm: bool,
    /// The modifiers of the maneuver check that count for it, by their names in the books; a book
    /// that has none of a name is not asked.
    pub in_check: &'static [&'static str],
    /// The modifiers of fire at it.
    pub as_target: &'static [&'static str],
    /// The modifiers of the charge combat.
    pub in_combat: &'static [&'static str],
}

const PLAIN: Nature = Nature {
    formation: Formation::Line,
    name: "line",
    setting: Setting::Ranks(2),
    gaps: None,
    fires: Fires::All,
    charges: true,
    roads: false,
    turns: false,
    loose: false,
    all_round: false,
    ordered: true,
    line: true,
    wheels: true,
    obliques: true,
    faces_about: true,
    squares: true,
    firm: true,
    in_check: &[],
    as_target: &[],
    in_combat: &[],
};

/// What is not formed for battle.
const UNFORMED: Nature = Nature {
    ordered: false,
    line: false,
    wheels: false,
    obliques: false,
    faces_about: false,
    squares: false,
    firm: false,
    charges: false,
    ..PLAIN
};

/// Squares and garrisons fire and fight on every side.
const ALL_ROUND: Nature = Nature {
    formation: Formation::Square,
    name: "square",
    setting: Setting::Box,
    fires: Fires::Sides,
    all_round: true,
    in_check: &["square"],
    as_target: &["target-square"],
    ..UNFORMED
};

const NATURES: &[Nature] = &[
    PLAIN,
    Nature {
        formation: Formation::OpenOrder,
        name: "open-order",
        gaps: Some(|measures| measures.gaps),
        loose: true,
        squares: false,
        firm: false,
        in_combat: &["open-order", "skirmishers"],
        ..PLAIN
    },
    Nature {
        formation: Formation::FieldColumn,
        name: "field-column",
        setting: Setting::Wide(2),
        fires: Fires::Ranks(2),
        turns: true,
        line: false,
        in_check: &["field-column"],
        as_target: &["target-field-column"],
        ..PLAIN
    },
    Nature {
        formation: Formation::MarchColumn,
        name: "march-column",
        setting: Setting::Wide(1),
        fires: Fires::Ranks(1),
        roads: true,
        turns: true,
        ordered: true,
        faces_about: true,
        firm: true,
        in_check: &["march-column"],
        as_target: &["target-march-column"],
        in_combat: &["march-column"],
        ..UNFORMED
    },
    Nature { ordered: true, obliques: true, ..ALL_ROUND },
    Nature {
        formation: Formation::HastySquare,
        name: "hasty-square",
        in_combat: &["hasty-square"],
        ..ALL_ROUND
    },
    Nature {
        formation: Formation::Garrison,
        name: "garrison",
        in_check: &["garrison"],
        as_target: &[],
        ..ALL_ROUND
    },
    Nature {
        formation: Formation::Broken,
        name: "broken",
        setting: Setting::Wide(2),
        fires: Fires::None,
        roads: true,
        turns: true,
        ..UNFORMED
    },
    Nature {
        formation: Formation::Unlimbered,
        name: "unlimbered",
        setting: Setting::Abreast,
        loose: true,
        ..UNFORMED
    },
    Nature {
        formation: Formation::Limbered,
        name: "limbered",
        setting: Setting::Wide(1),
        fires: Fires::None,
        roads: true,
        turns: true,
        loose: true,
        in_check: &["limbered-gun"],
        in_combat: &["limbered-guns"],
        ..UNFORMED
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

    /// The names of those for which something holds, as one says them.
    pub(crate) fn names(holds: impl Fn(&Nature) -> bool) -> String {
        let names: Vec<String> =
            NATURES.iter().filter(|n| holds(n)).map(|n| n.name.replace('-', " ")).collect();
        match names.as_slice() {
            [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
            _ => names.join(""),
        }
    }

    /// Whether its stands are in open order: with gaps between them.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.nature().gaps.is_some()
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
        let gap = if nature.gaps.is_some() || nature.setting == Setting::Abreast { gap } else { 0 };
        match nature.setting {
            Setting::Ranks(_) if nature.gaps.is_some() && one_rank => {
                ranks(stands, stands, size, gap)
            }
            Setting::Ranks(n) => {
                let mut slots = ranks(stands, stands.div_ceil(n), size, gap);
                if nature.gaps.is_some() && stands.is_multiple_of(2) {
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
            Setting::Ranks(_) if self.nature().gaps.is_some() && one_rank => 0,
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

/// The formations that troops of a branch know without any more being said: line first, and those
/// they have a rate in. Open order is for some only.
#[must_use]
pub(super) fn usual(branch: Branch, has_rate: impl Fn(Formation) -> bool) -> Vec<Formation> {
    use Formation::{Broken, Limbered, OpenOrder, Unlimbered};
    if branch == Branch::Guns {
        return vec![Unlimbered, Limbered];
    }
    let known = |f: &Formation| f.nature().ordered && *f != OpenOrder && has_rate(*f);
    Formation::all().filter(known).chain([Broken]).collect()
}
