//! Distances, angles and shares that the battle measures with: figures of the clauses, and the
//! few that only a ruling gives.

use std::collections::HashMap;
use std::sync::Arc;

use rulebook::{Book, Flaw, RuleId};
use table::{INCH, Mils, Size, mils, turn};

use super::settings::Settings;

/// The name of a clause or ruling, shared.
pub type Clause = Arc<str>;

/// The clauses of a book by their names, for citing.
#[derive(Debug, Clone)]
pub struct Clauses {
    names: Vec<Clause>,
    by_name: HashMap<Clause, usize, foldhash::fast::FixedState>,
}

impl Clauses {
    fn read(book: &Book) -> Self {
        let names: Vec<Clause> = book.clauses().map(|(_, c)| Arc::from(c.id.as_str())).collect();
        let by_name = names.iter().cloned().enumerate().map(|(i, n)| (n, i)).collect();
        Self { names, by_name }
    }

    /// The name of a clause.
    #[must_use]
    pub fn name(&self, rule: RuleId) -> Clause {
        self.names.get(rule.index()).cloned().unwrap_or_else(|| Arc::from(""))
    }

    /// Whether the book has a clause.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The first of some names that the book has; the last, a ruling, otherwise.
    #[must_use]
    pub fn cite(&self, names: &[&str]) -> Clause {
        // The rulings are the same for all books; clauses are not.
        let known = |n: &&&str| n.starts_with("ruling.") || self.by_name.contains_key(**n);
        let name = names.iter().find(known).or(names.last()).copied().unwrap_or_default();
        self.by_name.get(name).map_or_else(|| Arc::from(name), |i| Arc::clone(&self.names[*i]))
    }
}

/// The measures of a book.
#[derive(Debug, Clone)]
pub struct Measures {
    /// Inches of the rulings are for 15mm figures; larger ones multiply them.
    thousandths: i32,
    /// Command radius, clear and reduced for each reason.
    pub radius: Mils,
    /// Reduced by woods: whether light woods do it too.
    pub radius_woods: Mils,
    /// Reduced by jungle.
    pub radius_jungle: Mils,
    /// Whether light woods reduce it.
    pub any_woods_reduce: bool,
    /// Reduced by twilight.
    pub radius_twilight: Mils,
    /// Reduced by fog.
    pub radius_fog: Mils,
    /// Reduced while attached.
    pub radius_attached: Mils,
    /// Reduced on foot.
    pub radius_dismounted: Mils,
    /// How near troops must be to a battalion gun.
    pub battalion_gun: Mils,
    /// How near an enemy outflanks.
    pub outflanked: Mils,
    /// Close range of small arms.
    pub close_range: Mils,
    /// Close range of guns.
    pub close_range_guns: Mils,
    /// The rows of the movement table that guns use, by their letters.
    pub gun_rows: Vec<(String, String)>,
    /// Whether guns of some letters have heavy carriages, where the book says so.
    pub carriages: Vec<(String, bool)>,
    /// The letters of the amusette.
    pub amusette: String,
    /// What guns are called by the weight or the bore of their shot.
    pub gun_types: Vec<GunType>,
    /// How near a unit may come without charging; also a short retreat.
    pub short: Mils,
    /// How far a checked charge goes back.
    pub checked: Mils,
    /// How far behind a target units are massed.
    pub massed: Mils,
    /// How near the target a leader must be to check.
    pub fallen_leader: Mils,
    /// How far guns are hauled by hand: any, light carriages, gallopers.
    pub haul: [Mils; 3],
    /// The smallest and largest gap of open order.
    pub gaps: (Mils, Mils),
    /// The most a line may wheel in a move.
    pub wheel: i32,
    /// The most it may wheel in changing front.
    pub change_front: i32,
    /// The most a flank is refused, and the share of the stands.
    pub refuse: (i32, f64),
    /// The share of a unit in woods that makes Indians at home.
    pub indians: f64,
    /// The share of stands that must have fired to run low.
    pub low_on_ammo: f64,
    /// The share of a move in a march by the flank.
    pub flank_march: f64,
    /// The share of a move in a half move.
    pub half: f64,
    /// Gun stands that run low together.
    pub low_guns: u32,
    /// The most a unit turns in a full move disordered.
    pub wheel_disordered: i32,
    /// The same for infantry with machismo.
    pub countercharge_machismo: f64,
    /// The share of the gap a countercharge meets the charger at.
    pub countercharge: f64,
    /// How far sight reaches in light woods.
    pub sight_in_woods: Mils,
    /// How far in dense ones.
    pub sight_in_dense_woods: Mils,
    /// Whether open order stands in one rank: the extended line.
    pub one_rank: bool,
    /// What rulings settle.
    pub settings: Settings,
    /// The clauses.
    pub clauses: Clauses,
}

/// Figures that the procedures are built on: another value would need another procedure, so a
/// book that has one is refused rather than played wrongly.
fn fixed(book: &Book) -> Result<(), Flaw> {
    const NUMBERS: &[(&str, &str, f64)] = &[
        ("formations.line.two-ranks", "ranks", 2.0),
        ("formations.open-order.ranks", "ranks", 2.0),
        ("formations.open-order.refuse-flank", "flanks", 1.0),
        ("formations.deploy-to-the-front.result", "degrees", 90.0),
        ("formations.deploy-to-the-front.two-steps", "steps", 2.0),
        ("artillery.battalion-gun", "gun_stands", 1.0),
        ("roads.width", "stands", 1.0),
        ("roads.start-on-road", "stands_touching", 1.0),
        ("roads.other-formation.well-handled", "stands_touching", 1.0),
        ("roads.poor.no-bonus", "multiplier", 1.0),
        ("special.amusette.attached", "stands", 1.0),
        ("sequence.maneuver.1-leaders", "step", 1.0),
        ("sequence.maneuver.2-repeat", "step", 2.0),
        ("sequence.fire.1-defensive", "step", 1.0),
        ("sequence.fire.2-offensive", "step", 2.0),
        ("sequence.charge.1-combat", "step", 1.0),
        ("sequence.charge.2-breakthrough-move", "step", 2.0),
        ("sequence.charge.3-breakthrough-combat", "step", 3.0),
    ];
    const FLAGS: &[(&str, &str)] = &[
        ("gun-maneuvers.hasty.shelter-in-square", "silenced"),
        ("gun-maneuvers.tardy.mobile.limber-and-full-retreat", "silenced"),
        ("troop-maneuvers.tardy.full-move-disordered", "disordered"),
    ];
    const LISTS: &[(&str, &str, &[&str])] = &[
        ("sequence.phase-order", "order", &["maneuver", "musketry-cannonade", "charge"]),
        ("roads.condition", "ratings", &["good", "poor"]),
        ("troop-maneuvers.tardy.change-formation.square", "from", &["line", "field-column"]),
    ];
    let other = |id: &str, figure: &str| {
        Flaw::of(id, format!("`{figure}`: the battle is not built for another value"))
    };
    for (id, figure, value) in NUMBERS.iter().filter(|(id, ..)| book.clause(id).is_some()) {
        if (book.number(id, figure)? - value).abs() > f64::EPSILON {
            return Err(other(id, figure));
        }
    }
    for (id, figure) in FLAGS.iter().filter(|(id, _)| book.clause(id).is_some()) {
        if !book.flag(id, figure)? {
            return Err(other(id, figure));
        }
    }
    for (id, figure, values) in LISTS.iter() {
        let Some(clause) = book.clause(id) else { continue };
        let list = clause.figures.get(*figure).and_then(rulebook::Figure::list).unwrap_or_default();
        if !list.iter().map(rulebook::Figure::text).eq(values.iter().map(|v| Some(*v))) {
            return Err(other(id, figure));
        }
    }
    for (_, clause) in book
        .clauses()
        .filter(|(_, c)| c.id.starts_with("gun-maneuvers.") && c.figures.contains_key("only"))
    {
        let only = book.text(&clause.id, "only")?;
        let galloper = clause.id.ends_with("galloper");
        if !matches!(
            (only, galloper),
            ("light-carriage" | "field-and-horse-guns", false) | ("galloper-gun", true)
        ) {
            return Err(other(&clause.id, "only"));
        }
    }
    Ok(())
}

/// The rows of the movement table that guns use, by their letters.
fn gun_rows(book: &Book) -> Result<Vec<(String, String)>, Flaw> {
    let mut rows = Vec::new();
    for (_, clause) in
        book.clauses().filter(|(_, c)| c.id.starts_with("movement.artillery.category."))
    {
        let row = format!("artillery.{}", book.text(&clause.id, "row")?);
        rows.extend(letters(clause, "types").map(|code| (code, row.clone())));
    }
    Ok(rows)
}

/// The letters of guns in a list that writes the carriage before them, as hcSG and lcLG.
fn letters(clause: &rulebook::Clause, figure: &str) -> impl Iterator<Item = String> {
    let list = clause.figures.get(figure).and_then(rulebook::Figure::list).unwrap_or_default();
    let bare = |code: &str| code.trim_start_matches("hc").trim_start_matches("lc").to_owned();
    list.iter().filter_map(rulebook::Figure::text).map(bare).collect::<Vec<_>>().into_iter()
}

/// The carriages of guns by their letters: whether heavy.
fn carriages(book: &Book) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    for (id, figure, heavy) in
        [("artillery.carriage.heavy", "codes", true), ("artillery.carriage.light", "codes", false)]
    {
        if let Some(clause) = book.clause(id) {
            all.extend(letters(clause, figure).map(|code| (code, heavy)));
        }
    }
    all
}

/// The pounders, or the bore in inches, that go by some letters.
pub type GunType = (Vec<i32>, Option<f64>, String);

/// The names of guns: 6-pounders are light guns, and so on.
fn gun_types(book: &Book) -> Result<Vec<GunType>, Flaw> {
    let mut types = Vec::new();
    for (_, clause) in book.clauses().filter(|(_, c)| c.id.starts_with("artillery.type.")) {
        let has = |figure: &str| clause.figures.contains_key(figure);
        let pounders = if has("pounders") { book.ints(&clause.id, "pounders")? } else { vec![] };
        let bore = has("calibre_inches").then(|| book.number(&clause.id, "calibre_inches"));
        types.push((pounders, bore.transpose()?, book.text(&clause.id, "code")?.to_owned()));
    }
    Ok(types)
}

impl Measures {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let inches = |id: &str, figure: &str| book.number(id, figure).map(mils);
        let clauses = Clauses::read(book);
        fixed(book)?;
        let or = |id: &str, figure: &str, otherwise: f64| match clauses.has(id) {
            true => book.number(id, figure),
            false => Ok(otherwise),
        };
        let scale = book.number("scale.ground", "inches")?;
        let by_hand = |id: &str| Ok(mils(or(id, "distance", 0.0)?));
        let haul = "gun-maneuvers.well-handled";
        let half = "troop-maneuvers.tardy.half-move";
        let countercharge = "troop-maneuvers.hasty.cavalry-countercharge";
        let short = "charge.falter.attacker.retreat";
        let woods = "command.radius.reduced.woods";
        let one_rank = !clauses.has("formations.open-order.ranks")
            && clauses.has("movement.infantry.skirmishers.open");
        let expand = ("formations.open-order.expand.limit", "inches");
        Ok(Self {
            thousandths: mils(scale),
            radius: inches("command.radius.clear-sight", "radius")?,
            radius_woods: inches(woods, "radius")?,
            radius_jungle: match clauses.has("command.radius.reduced.jungle") {
                true => inches("command.radius.reduced.jungle", "radius")?,
                false => inches(woods, "radius")?,
            },
            any_woods_reduce: clauses.has("command.radius.reduced.jungle"),
            radius_twilight: inches("command.radius.reduced.twilight", "radius")?,
            radius_fog: inches("command.radius.reduced.fog", "radius")?,
            radius_attached: inches("command.radius.reduced.attached", "radius")?,
            radius_dismounted: inches("command.radius.reduced.dismounted", "radius")?,
            battalion_gun: mils(or("maneuver.modifier.battalion-gun", "distance", 0.0)?),
            outflanked: inches("maneuver.modifier.outflanked", "distance")?,
            close_range: inches("musketry.close-range", "distance")?,
            close_range_guns: inches("cannonade.close-range", "distance")?,
            gun_types: gun_types(book)?,
            gun_rows: gun_rows(book)?,
            carriages: carriages(book),
            amusette: match clauses.has("artillery.type.amusette") {
                true => book.text("artillery.type.amusette", "code")?.to_owned(),
                false => "A".to_owned(),
            },
            low_guns: book.count("fire.additional.low-on-ammo.guns", "gun_stands_marked")?,
            wheel_disordered: turn(or(
                "troop-maneuvers.full-move-disordered.wheel-or-oblique",
                "degrees",
                45.0,
            )?),
            countercharge_machismo: or(
                "troop-maneuvers.hasty.machismo-countercharge",
                "fraction_of_gap",
                0.5,
            )?,
            short: inches(short, "distance")?,
            checked: match clauses.has("fire.additional.charge-checked.retreat") {
                true => inches("fire.additional.charge-checked.retreat", "distance")?,
                false => inches(short, "distance")?,
            },
            massed: inches("fire.additional.massed-target", "distance")?,
            fallen_leader: inches("fire.additional.fallen-leader.who", "distance")?,
            haul: [
                by_hand(&format!("{haul}.hand-haul"))?,
                by_hand(&format!("{haul}.mobile.hand-haul"))?,
                by_hand(&format!("{haul}.mobile.hand-haul-galloper"))?,
            ],
            gaps: (
                mils(or("formations.open-order.intervals", "min", 0.5 * scale)?),
                mils(or(expand.0, expand.1, scale)?),
            ),
            wheel: turn(or("formations.wheel.basic", "degrees", 45.0)?),
            change_front: turn(or("formations.change-front.angle", "degrees", 90.0)?),
            refuse: (
                turn(or("formations.open-order.refuse-flank", "degrees", 45.0)?),
                or("formations.open-order.refuse-flank", "fraction", 0.5)?,
            ),
            indians: or("maneuver.modifier.indians.half-in-woods", "fraction", 0.5)?,
            low_on_ammo: book.number("fire.additional.low-on-ammo.troops", "fraction")?,
            flank_march: or("troop-maneuvers.well-handled.march-by-the-flank", "fraction", 0.5)?,
            half: book.number(half, "fraction")?,
            countercharge: book.number(countercharge, "fraction_of_gap")?,
            sight_in_woods: mils(4.0 * scale),
            sight_in_dense_woods: mils(2.0 * scale),
            one_rank,
            settings: Settings::read(book),
            clauses,
        })
    }

    /// A length that a ruling gives for 15mm figures.
    #[must_use]
    pub fn scaled(&self, length: Mils) -> Mils {
        i32::try_from(i64::from(length) * i64::from(self.thousandths) / i64::from(INCH))
            .unwrap_or(length)
    }

    /// The size of a stand (ruling.stand-dimensions).
    #[must_use]
    pub fn stand(&self, width: Mils, depth: Mils) -> Size {
        Size { width: self.scaled(width), depth: self.scaled(depth) }
    }
}
