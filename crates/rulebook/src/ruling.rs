//! Rulings: what the project decided where the sheets are silent or damaged.

use indexmap::IndexMap;

/// A choice that a group with the printed rulebook may want otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name a house-rule file switches.
    pub name: String,
    /// The value in force unless switched.
    pub default: String,
    /// The books it changes anything in; all of the family if empty.
    pub books: Vec<String>,
    /// Every value, with what it means.
    pub options: IndexMap<String, String>,
}

/// An open question of the sheets and what the project does about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The id, such as `ruling.die-ten`.
    pub id: String,
    /// The chapter it stands in.
    pub chapter: String,
    /// Whether it settles damaged or contradictory print; otherwise it fills
    /// a silence.
    pub reading: bool,
    /// The question.
    pub question: String,
    /// What the sheets hint at.
    pub hints: String,
    /// The ruling.
    pub text: String,
    /// The switch, where a group may want it otherwise and the engine can.
    pub setting: Option<Setting>,
}
