//! Clauses that restate others: worked examples, and rules in words that a
//! table also holds. The engine reads the table; these checks see to it that
//! the words still say the same. They are not made at load: house rules may
//! change a table without rewriting its examples.

use rulebook::{Book, Clause, Figure};

/// The clauses that are checked here.
pub(crate) fn restated() -> impl Iterator<Item = &'static str> {
    RESTATED.iter().map(|(id, _)| *id)
}

/// Whether the figures of a restating clause agree with what it restates.
type Agrees = fn(&Book, &Clause) -> Option<bool>;

const RESTATED: [(&str, Agrees); 9] = [
    ("morale.dispirited.large", dispirited_large),
    ("morale.dispirited.small", dispirited_small),
    ("charge.modifier.no-bayonets.noncumulative", |book, c| {
        same_modifier(book, c, "charge.modifier.no-bayonets")
    }),
    ("charge.modifier.indians.noncumulative", |book, c| {
        same_modifier(book, c, "charge.modifier.indians-in-woods")
    }),
    ("command.out-of-command.precedence", out_of_command),
    ("maneuver.disordered.panic.stand-loss", panic_example),
    ("artillery.fire.modifier-meaning", modifier_example),
    ("musketry.base-dice", musketry_example),
    ("morale.loss.crews-leave-guns", crews_flee),
];

/// Single figures that say again what another clause says: clause, figure; the other, its figure.
const SAME: &[(&str, &str, &str, &str)] = &[
    (
        "troop-maneuvers.full-move-disordered.wheel-or-oblique",
        "degrees",
        "formations.wheel.basic",
        "degrees",
    ),
    ("formations.open-order.intervals", "max", "formations.open-order.expand.limit", "inches"),
    (
        "artillery.galloper.hand-haul",
        "galloper",
        "gun-maneuvers.well-handled.mobile.hand-haul-galloper",
        "distance",
    ),
    (
        "artillery.galloper.hand-haul",
        "other_light_carriage",
        "gun-maneuvers.well-handled.mobile.hand-haul",
        "distance",
    ),
    ("roads.bonus.infantry", "multiplier", "movement.infantry.march-column.road", "multiplier"),
    ("roads.bonus.cavalry", "multiplier", "movement.cavalry.march-column.road", "multiplier"),
    ("roads.bonus.artillery", "multiplier", "movement.artillery.foot-gun.road", "multiplier"),
    ("roads.bonus.leaders", "multiplier", "movement.leader.mounted.road", "multiplier"),
    (
        "roads.example.trail-open",
        "double_quick",
        "movement.artillery.foot-gun.open",
        "double_quick",
    ),
    (
        "roads.example.trail-left",
        "double_quick_table",
        "movement.artillery.foot-gun.broken",
        "double_quick",
    ),
    ("roads.example.trail-unlimber", "full", "movement.artillery.foot-gun.broken", "full"),
    ("roads.change-formation.touching", "fraction", "troop-maneuvers.tardy.half-move", "fraction"),
    (
        "roads.change-formation.not-touching",
        "fraction",
        "troop-maneuvers.tardy.half-move",
        "fraction",
    ),
    (
        "roads.other-formation.well-handled",
        "fraction",
        "troop-maneuvers.tardy.half-move",
        "fraction",
    ),
    (
        "special.amusette.halved-when-disordered",
        "multiplier",
        "fire.points.halved.disordered",
        "multiplier",
    ),
    ("special.cold-steel.elite-fires", "modifier", "charge.modifier.cold-steel", "modifier"),
    (
        "troop-maneuvers.full-move-disordered.counts-already-disordered",
        "stands",
        "fire.effect.galling.troops-already-disordered",
        "stands",
    ),
    (
        "maneuver.modifier.battalion-gun.definition",
        "distance",
        "maneuver.modifier.battalion-gun",
        "distance",
    ),
    (
        "maneuver.modifier.battalion-gun.definition",
        "gun_stands",
        "artillery.battalion-gun",
        "gun_stands",
    ),
];

fn disagreeing(book: &Book) -> impl Iterator<Item = &'static str> {
    let figure = |id: &str, key: &str| {
        book.clause(id).and_then(|c| c.figures.get(key)).and_then(Figure::number)
    };
    SAME.iter()
        .filter(move |(id, key, other, its)| {
            book.clause(id).is_some() && figure(id, key) != figure(other, its)
        })
        .map(|(id, ..)| *id)
}

/// The restating clauses of a book that contradict what they restate.
#[must_use]
pub fn contradictions(book: &Book) -> Vec<&'static str> {
    let wrong = |(id, agrees): &&(&'static str, Agrees)| {
        book.clause(id).is_some_and(|clause| agrees(book, clause) != Some(true))
    };
    RESTATED.iter().filter(wrong).map(|(id, _)| *id).chain(disagreeing(book)).collect()
}

fn int(clause: &Clause, key: &str) -> Option<i64> {
    clause.figures.get(key).and_then(Figure::int)
}

fn of(book: &Book, id: &str, key: &str) -> Option<i64> {
    book.clause(id).and_then(|c| int(c, key))
}

/// The rows of the dispirited column: start, worn, spent.
fn dispirited(book: &Book) -> Option<Vec<[i64; 3]>> {
    let rows = book.rows("morale.effectiveness.dispirited", "rows").ok()?;
    rows.into_iter().map(|r| <[i32; 3]>::try_from(r).ok().map(|r| r.map(i64::from))).collect()
}

fn dispirited_large(book: &Book, clause: &Clause) -> Option<bool> {
    let (start, worn, spent) =
        (int(clause, "min_start")?, int(clause, "worn_after")?, int(clause, "spent_after")?);
    let dash = of(book, "morale.effectiveness.dispirited", "no_worn_marker")?;
    let rows = dispirited(book)?;
    let agree =
        rows.iter().filter(|r| r[0] >= start).all(|r| r[1] == r[0] - worn && r[2] == r[0] - spent);
    Some(agree && rows.iter().all(|r| (r[1] != dash) == (r[0] >= start)))
}

fn dispirited_small(book: &Book, clause: &Clause) -> Option<bool> {
    let (start, spent) = (int(clause, "max_start")?, int(clause, "spent_after")?);
    let rows = dispirited(book)?;
    let dash = of(book, "morale.effectiveness.dispirited", "no_worn_marker")?;
    let agree = rows.iter().filter(|r| r[0] <= start).all(|r| r[2] == r[0] - spent);
    Some(agree && rows.iter().all(|r| (r[1] == dash) == (r[0] <= start)))
}

fn same_modifier(book: &Book, clause: &Clause, other: &str) -> Option<bool> {
    Some(int(clause, "modifier")? == of(book, other, "modifier")?)
}

fn out_of_command(book: &Book, clause: &Clause) -> Option<bool> {
    let replaced = of(book, "maneuver.modifier.provisional-command", "modifier")?;
    Some(
        same_modifier(book, clause, "maneuver.modifier.out-of-command")?
            && int(clause, "replaces")? == replaced,
    )
}

fn panic_example(_: &Book, clause: &Clause) -> Option<bool> {
    let per_point = int(clause, "stands_per_point_below_zero")?;
    Some(int(clause, "example_loss")? == per_point * (-int(clause, "example_total")?).max(0))
}

fn modifier_example(_: &Book, clause: &Clause) -> Option<bool> {
    Some(
        int(clause, "example_before")? + int(clause, "example_modifier")?
            == int(clause, "example_after")?,
    )
}

fn musketry_example(_: &Book, clause: &Clause) -> Option<bool> {
    let example = clause.figures.get("example")?.table()?;
    let castings = example.get("castings")?.list()?;
    let dice = example.get("dice")?.int()?;
    let per = int(clause, "castings_per_die")?;
    let exact: Vec<i64> = castings.iter().filter_map(Figure::int).collect();
    let worked = [2 * per, 2 * per + 1];
    Some(exact == worked && exact.iter().all(|c| c / per == dice))
}

fn crews_flee(book: &Book, clause: &Clause) -> Option<bool> {
    Some(int(clause, "flee")? == of(book, "morale.loss.chart-4-6", "flee")?)
}
