//! The keys of a scenario file: what each may be and what it says. The reader takes its names,
//! bounds and words from here, and so does the schema for editors: neither can say what the other
//! does not.

/// What the value of a key is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Text,
    /// The name of a scenario.
    Name,
    /// A short name.
    Id,
    Color,
    Flag,
    Facing,
    Point,
    /// Places: at least so many.
    Points(usize),
    /// A list of texts.
    Texts,
    /// A list of turns.
    Turns,
    Whole(i64, i64),
    Inches(f64, f64),
    /// One of some words.
    Word(&'static [&'static str]),
    /// A list of them.
    Words(&'static [&'static str]),
    One(&'static Table),
    /// A list of tables: at least and at most so many.
    Many(&'static Table, usize, usize),
}

/// A key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// What it says, in a few words.
    pub(super) says: &'static str,
    /// Whether it has to be there.
    pub(super) needed: bool,
    /// It belongs only where another key has one of some words.
    pub(super) only: Option<(&'static str, &'static [&'static str])>,
    /// It belongs only where one of some other keys is.
    pub(super) beside: &'static [&'static str],
}

/// Two keys that contradict each other, and why.
pub(super) type Apart = (&'static str, &'static str, &'static str);

/// A table of the file.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) keys: &'static [Key],
    /// The names of its keys.
    pub(super) names: &'static [&'static str],
    pub(super) apart: &'static [Apart],
}

impl Table {
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|k| k.name == name)
    }
}

const fn key(name: &'static str, shape: Shape, says: &'static str) -> Key {
    Key { name, shape, says, needed: false, only: None, beside: &[] }
}

impl Key {
    const fn needed(mut self) -> Self {
        self.needed = true;
        self
    }

    const fn only(mut self, key: &'static str, words: &'static [&'static str]) -> Self {
        self.only = Some((key, words));
        self
    }

    const fn beside(mut self, keys: &'static [&'static str]) -> Self {
        self.beside = keys;
        self
    }
}

const fn names<const N: usize>(keys: &[Key; N]) -> [&'static str; N] {
    let mut all = [""; N];
    let mut i = 0;
    while i < N {
        all[i] = keys[i].name;
        i += 1;
    }
    all
}

use Shape::{
    Color, Facing, Flag, Id, Inches, Many, Name, One, Point, Points, Text, Texts, Turns, Whole,
    Word, Words,
};

/// More than any battle has; what is checked of units in pairs stays quick.
pub(super) const MOST_UNITS: usize = 250;
/// More than anybody draws; what is checked of them in pairs stays quick.
pub(super) const MOST_POINTS: usize = 1000;
/// More than anybody lists: the texts and tables of a file without a limit of their own.
pub(super) const MOST_LISTED: usize = 10_000;

pub(super) const EDGES: &[&str] = &["north", "east", "south", "west"];
pub(super) const TEMPERS: &[&str] = &super::TEMPERS;
pub(super) const WINDS: &[(&str, f64)] = &[
    ("north", 0.0),
    ("north-east", 45.0),
    ("east", 90.0),
    ("south-east", 135.0),
    ("south", 180.0),
    ("south-west", 225.0),
    ("west", 270.0),
    ("north-west", 315.0),
];
pub(super) const DRAUGHTS: &[&str] = &["oxen", "horses", "horse-artillery"];
pub(super) const FORMATIONS: &[&str] = &[
    "line",
    "open-order",
    "field-column",
    "march-column",
    "square",
    "hasty-square",
    "broken",
    "garrison",
    "limbered",
    "unlimbered",
];
pub(super) const KINDS: &[&str] = &[
    "woods",
    "dense-woods",
    "jungle",
    "brush",
    "field",
    "crops",
    "marsh",
    "swamp",
    "rocky",
    "hill",
    "steep-hill",
    "crest",
    "ravine",
    "stream",
    "ford",
    "bridge",
    "road",
    "wall",
    "fence",
    "hedge",
    "works",
    "abatis",
    "building",
    "village",
    "water",
];
const TRAITS: &[&str] = &[
    "light-infantry",
    "militia",
    "indians",
    "dragoons",
    "marksmen",
    "no-bayonets",
    "buck-and-ball",
    "brave-colonel",
    "machismo",
    "irregular",
    "amusette",
    "galloper",
];
const TREES: &[&str] = &["broadleaf", "pine", "palm", "orchard"];
const MORALE: &[&str] = &["spirited", "reliable", "unreliable", "dispirited"];
const RATINGS: &[&str] = &["gallant", "able", "poor"];
const GUNS: &[&str] = &["guns"];
const TROOPS: &[&str] = &["infantry", "cavalry"];
const ON_TABLE: &[&str] = &["at", "garrison"];

const TOP_KEYS: [Key; 15] = [
    key("id", Name, "a short name").needed(),
    key("title", Text, "its title").needed(),
    key("date", Text, "when it was fought"),
    key("book", Text, "the id of a rulebook, or a house-rule file").needed(),
    key("blurb", Text, "what it is about"),
    key("sources", Texts, "where its facts come from"),
    key("notes", Texts, "remarks for the players"),
    key("table", One(&TABLE), "[table] with width and height").needed(),
    key("game", One(&GAME), "[game] with turns and first").needed(),
    key("side", Many(&SIDE, 2, 2), "two [[side]] tables").needed(),
    key("uniform", Many(&UNIFORM, 0, MOST_LISTED), "what troops wear, for the map"),
    key("terrain", Many(&TERRAIN, 0, MOST_LISTED), "the pieces of terrain"),
    key("leader", Many(&LEADER, 0, MOST_LISTED), "the leaders"),
    key("unit", Many(&UNIT, 1, MOST_UNITS), "[[unit]] tables").needed(),
    key("key-position", Many(&KEY_POSITION, 0, MOST_LISTED), "ground that is worth points"),
];
pub(super) static TOP: Table = Table { keys: &TOP_KEYS, names: &names(&TOP_KEYS), apart: &[] };

const TABLE_KEYS: [Key; 2] = [
    key("width", Inches(12.0, 400.0), "inches").needed(),
    key("height", Inches(12.0, 400.0), "inches").needed(),
];
pub(super) static TABLE: Table =
    Table { keys: &TABLE_KEYS, names: &names(&TABLE_KEYS), apart: &[] };

const GAME_KEYS: [Key; 7] = [
    key("turns", Whole(1, 99), "the last turn").needed(),
    key("first", Text, "the side that moves first").needed(),
    key("margin", Whole(1, 1000), "points by which a side must lead to win; 1 if not said"),
    key("twilight", Turns, "turns of twilight"),
    key("fog", Turns, "turns of fog"),
    key("sight", Inches(1.0, 100.0), "how far one sees in twilight and fog")
        .beside(&["twilight", "fog"]),
    key("militia-provisional", Flag, "whether militia is at best provisionally commanded"),
];
pub(super) static GAME: Table = Table { keys: &GAME_KEYS, names: &names(&GAME_KEYS), apart: &[] };

const SIDE_KEYS: [Key; 6] = [
    key("id", Id, "a short name; orders call the sides one and two as well").needed(),
    key("name", Text, "its name").needed(),
    key("home", Word(EDGES), "north, east, south or west: the edge it retreats to").needed(),
    key("heavy", Whole(1, 1000), "stands lost that are heavy casualties; a quarter if not said"),
    key("color", Color, "its colour on the map, such as #a3322b"),
    key("temper", Word(TEMPERS), "how a computer general is disposed who commands it"),
];
pub(super) static SIDE: Table = Table { keys: &SIDE_KEYS, names: &names(&SIDE_KEYS), apart: &[] };

const UNIFORM_KEYS: [Key; 4] = [
    key("id", Id, "a short name").needed(),
    key("name", Text, "whose uniform it is").needed(),
    key("color", Color, "the colour of the coat").needed(),
    key("facings", Color, "the colour of collar and cuffs; cream if not said"),
];
pub(super) static UNIFORM: Table =
    Table { keys: &UNIFORM_KEYS, names: &names(&UNIFORM_KEYS), apart: &[] };

const TERRAIN_KEYS: [Key; 17] = [
    key("id", Id, "a short name").needed(),
    key("kind", Word(KINDS), "what it is").needed(),
    key("name", Text, "its name on the map"),
    key("points", Points(2), "its corners, or the points of its line").needed(),
    key("width", Inches(0.0, 100.0), "how wide a road, a stream, a ford or a bridge is")
        .only("kind", &["road", "stream", "ford", "bridge"]),
    key("ground", Word(&["open", "broken", "rough"]), "the ground it is"),
    key("cover", Word(&["none", "partial", "full", "fortified"]), "the cover it gives"),
    key("sight", Word(&["clear", "light", "dense", "block"]), "what it does to sight"),
    key("level", Whole(0, 9), "its height above the plain; of hills and crests 1 if not said"),
    key("crest", Points(2), "the points of its crest line"),
    key("strong", Flag, "whether it is a strong position"),
    key("favorable", Flag, "whether it is favorable ground to defend"),
    key("obstacle", Flag, "whether it is a major obstacle"),
    key("impassable", Flag, "whether nobody may enter"),
    key("good", Flag, "whether a road is good").only("kind", &["road"]),
    key("capacity", Whole(1, 60), "how many stands can garrison it"),
    key("trees", Word(TREES), "what grows in it; broadleaf if not said")
        .only("kind", &["woods", "dense-woods", "jungle"]),
];
pub(super) static TERRAIN: Table =
    Table { keys: &TERRAIN_KEYS, names: &names(&TERRAIN_KEYS), apart: &[] };

const LEADER_KEYS: [Key; 11] = [
    key("id", Id, "a short name").needed(),
    key("name", Text, "his name").needed(),
    key("side", Text, "the id of his side").needed(),
    key("rating", Word(RATINGS), "gallant, able or poor").needed(),
    key("superior", Id, "the leader who commands him"),
    key("at", Point, "where he is"),
    key("with", Id, "the unit he is with"),
    key("replacement", Word(RATINGS), "the rating of who replaces him; able if not said"),
    key("dismounted", Flag, "whether he is on foot"),
    key("uniform", Id, "what he wears; the colour of his side if not said"),
    key("facings", Color, "the colour of his own collar and cuffs"),
];
pub(super) static LEADER: Table = Table {
    keys: &LEADER_KEYS,
    names: &names(&LEADER_KEYS),
    apart: &[("at", "with", "a leader is `at` a place or `with` a unit, not both")],
};

const UNIT_KEYS: [Key; 34] = [
    key("id", Id, "a short name").needed(),
    key("name", Text, "its name").needed(),
    key("side", Text, "the id of its side").needed(),
    key("leader", Id, "the leader who commands it"),
    key("arm", Word(&["infantry", "cavalry", "guns"]), "infantry, cavalry or guns").needed(),
    key("class", Word(&["elite", "veteran", "trained", "raw"]), "elite, veteran, trained or raw")
        .needed(),
    key("morale", Word(MORALE), "when it is worn and spent; reliable if not said")
        .only("arm", TROOPS),
    key("stands", Whole(1, 40), "how many stands").needed(),
    key("weapon", Text, "the letters of its weapon in the book"),
    key("pounder", Whole(1, 1000), "the weight of its guns' shot, in pounds").only("arm", GUNS),
    key("bore", Inches(0.1, 20.0), "the bore of its guns, in inches").only("arm", GUNS),
    key("traits", Words(TRAITS), "what else it is"),
    key("formations", Words(FORMATIONS), "the formations it knows, if not the usual ones"),
    key("carriage", Word(&["light", "heavy", "fixed"]), "the carriages of its guns")
        .only("arm", GUNS),
    key("draught", Word(DRAUGHTS), "what drags its guns").only("arm", GUNS),
    key("worn", Whole(0, 40), "the stands left with which it is worn")
        .only("arm", TROOPS)
        .beside(&["spent"]),
    key("spent", Whole(0, 40), "the stands left with which it is spent").only("arm", TROOPS),
    key("at", Point, "where the middle of its front is"),
    key("facing", Facing, "which way it faces").beside(ON_TABLE),
    key("formation", Word(FORMATIONS), "the formation it begins in").beside(ON_TABLE),
    key("gap", Inches(0.0, 2.0), "the gaps of open order").beside(ON_TABLE),
    key("garrison", Id, "the building it is in"),
    key("on-foot", Flag, "whether dragoons are on foot").only("arm", &["cavalry"]),
    key("lost", Whole(0, 39), "stands lost before the battle"),
    key("order", Word(&["good", "disordered", "broken"]), "its order; guns are `silenced` instead"),
    key("low-on-ammo", Flag, "whether it is low on ammunition"),
    key("silenced", Whole(0, 40), "how many of its gun stands are silenced").only("arm", GUNS),
    key("damaged", Whole(0, 40), "how many of its gun stands are damaged").only("arm", GUNS),
    key("about-faced", Flag, "whether it has faced about").beside(ON_TABLE),
    key("amusette", Flag, "false where its amusette is no longer with it"),
    key("arrives", One(&ARRIVES), "when and where it enters"),
    key("parent", Id, "the unit that may send it off"),
    key("uniform", Id, "what it wears; the colour of its side if not said"),
    key("facings", Color, "the colour of its own collar and cuffs"),
];
const WEAPON: &str = "a weapon is its letters (`weapon`), or of guns `pounder` or `bore`: say one";
const FRESH: &str =
    "`morale` already says when it is worn and spent: leave it out, or `worn` and `spent`";
pub(super) static UNIT: Table = Table {
    keys: &UNIT_KEYS,
    names: &names(&UNIT_KEYS),
    apart: &[
        ("weapon", "pounder", WEAPON),
        ("weapon", "bore", WEAPON),
        ("pounder", "bore", WEAPON),
        ("morale", "worn", FRESH),
        ("morale", "spent", FRESH),
        ("at", "garrison", "a unit is `at` a place or the `garrison` of one, not both"),
        ("at", "arrives", "a unit is `at` a place now, or `arrives` later, not both"),
        ("garrison", "arrives", "a unit is in a `garrison` now, or `arrives` later, not both"),
    ],
};

const ARRIVES_KEYS: [Key; 3] = [
    key("turn", Whole(1, 99), "the turn it enters").needed(),
    key("at", Point, "the place on the edge").needed(),
    key("facing", Facing, "the way it marches in").needed(),
];
pub(super) static ARRIVES: Table =
    Table { keys: &ARRIVES_KEYS, names: &names(&ARRIVES_KEYS), apart: &[] };

const KEY_POSITION_KEYS: [Key; 5] = [
    key("id", Id, "a short name").needed(),
    key("at", Point, "a place").needed(),
    key("value", Whole(0, 100), "points").needed(),
    key("holder", Text, "the side that holds it when the battle begins"),
    key("name", Text, "its name, for the map"),
];
pub(super) static KEY_POSITION: Table =
    Table { keys: &KEY_POSITION_KEYS, names: &names(&KEY_POSITION_KEYS), apart: &[] };

#[cfg(test)]
mod tests {
    use regimental::battle::Formation;

    #[test]
    fn the_formations_are_those_of_the_battle() {
        let mut known: Vec<&str> = Formation::all().map(Formation::name).collect();
        let mut named = super::FORMATIONS.to_vec();
        known.sort_unstable();
        named.sort_unstable();
        assert_eq!(known, named);
    }
}
