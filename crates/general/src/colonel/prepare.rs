//! Before the fight: while the armies are apart and nobody has to go yet, guns come up to where they
//! bear on the enemy without standing in their own army's way, and horse goes wide, where it
//! threatens a flank and draws troops off.

use regimental::battle::card::Carriage;
use regimental::battle::terrain::Field;
use regimental::battle::{Formation, Id, Unit};
use regimental::maneuver::Order as Ranks;
use table::{Facing, INCH, Mils, Point, Pose};

use super::plan::{Task, What};
use crate::seat::Seat;

/// Horse keeps this far from the enemy's foot while it waits.
const APART: Mils = 15 * INCH;
/// Guns are posted no nearer to it than this: they want some turns to fire before it is on them.
const COVERED: Mils = 22 * INCH;
/// With foot nearer to each other than this there is no time for it.
const CALM: Mils = 30 * INCH;
/// How strongly a post draws who is to take it.
const PULL: f64 = 0.8;

/// Gives guns and horse their posts instead of the places where they wait.
pub(crate) fn post(seat: &Seat<'_>, tasks: &mut [(Id, Task)]) {
    let (Some(own), Some(other)) = (Seat::centre(seat.own()), Seat::centre(seat.enemies())) else {
        return;
    };
    let Some(front) = own.toward(other) else { return };
    // An enemy who comes on finds everybody at home.
    let calm = seat.battle.measures().scaled(CALM);
    if seat.own().any(|u| !u.is_guns() && !u.mounted() && off(seat, u.middle) < calm) {
        return;
    }
    for (id, task) in tasks.iter_mut() {
        let Some(unit) = seat.battle.unit(*id) else { continue };
        let found = if unit.is_guns() && unit.card.carriage != Carriage::Fixed {
            battery(seat, unit, front).map(|aim| (aim, What::Battery))
        } else if unit.mounted() {
            wing(seat, unit, (own, other), front).map(|aim| (aim, What::Wing))
        } else {
            None
        };
        if let Some((aim, what)) = found {
            *task = Task { aim, front: None, what, pull: PULL, heat: task.heat };
        }
    }
}

/// Whether a place is well inside the table.
fn within(field: &Field, p: Point) -> bool {
    (3 * INCH..=field.width - 3 * INCH).contains(&p.x)
        && (3 * INCH..=field.height - 3 * INCH).contains(&p.y)
}

/// How far the nearest enemy who could harm it is from a place.
fn off(seat: &Seat<'_>, place: Point) -> Mils {
    let able = seat.enemies().filter(|e| e.order != Ranks::Broken && !e.is_guns());
    able.map(|e| e.middle.distance(place) - e.radius).min().unwrap_or(Mils::MAX)
}

/// The place from which guns bear best on the enemy as he stands.
fn battery(seat: &Seat<'_>, unit: &Unit, front: Facing) -> Option<Point> {
    let scaled = |inches: Mils| seat.battle.measures().scaled(inches * INCH);
    let apart = seat.battle.measures().scaled(COVERED);
    let from = unit.place.pose.at;
    let here = Pose::new(from, front);
    let rate = unit.card.row(Formation::Limbered, false).full[0].max(INCH);
    let worth = |place: Point| {
        let bears: f64 = seat.enemies().map(|e| fire(seat, unit, (place, e))).sum();
        // Each turn on the way is a turn without a shot.
        let turns = f64::from(from.distance(place)) / f64::from(rate);
        let left = f64::from(seat.battle.terms().turns.saturating_sub(seat.battle.turn())) / 2.0;
        let in_way = seat.own().any(|u| u.id() != unit.id() && before(u, place, front));
        let way = if in_way { 0.5 } else { 1.0 };
        bears * way * (left - turns).max(0.0)
    };
    let steps = |most: i32| (-most..=most).map(move |n| n * 3);
    let places =
        (0..=8).flat_map(|ahead| steps(4).map(move |aside| (scaled(aside), scaled(3 * ahead))));
    let field = seat.battle.field();
    let fits = |p: &Point| {
        within(field, *p)
            && off(seat, *p) >= apart
            && !field.pieces.iter().any(|t| t.impassable && t.shape.holds(*p))
    };
    let places = places.map(|(aside, ahead)| here.place(aside, ahead)).filter(fits);
    let best = places.map(|p| (worth(p), p)).reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    // Once in action they stay, unless they bear on next to nothing.
    let ready = unit.formation() == Formation::Unlimbered;
    let better = if ready { 1.6 } else { 1.0 };
    (best.0 > better * worth(from)).then_some(best.1)
}

/// The fire of guns from a place on an enemy, in points.
fn fire(seat: &Seat<'_>, unit: &Unit, (place, enemy): (Point, &Unit)) -> f64 {
    let range = (place.distance(enemy.middle) - enemy.radius / 2).max(0);
    if range > unit.reach() || enemy.order == Ranks::Broken {
        return 0.0;
    }
    let sight = seat.battle.field().sight(place, enemy.middle, seat.battle.measures());
    if sight.blocked || sight.through || sight.too_deep > 0 {
        return 0.0;
    }
    seat.battle.points_at(unit, range)
}

/// Whether a place lies right before a unit that will go forward.
fn before(unit: &Unit, place: Point, front: Facing) -> bool {
    let (across, ahead) = front.across_and_ahead(place - unit.middle);
    !unit.is_guns() && ahead > 0 && across.abs() < unit.frontage() / 2 + INCH
}

/// The post of horse: out on the flank it is nearest to, as far up as it is safe.
fn wing(
    seat: &Seat<'_>,
    unit: &Unit,
    (own, other): (Point, Point),
    front: Facing,
) -> Option<Point> {
    let apart = seat.battle.measures().scaled(APART);
    let field = seat.battle.field();
    let aside = front.across_and_ahead(unit.middle - own).0;
    let out = front.turned(if aside < 0 { -9000 } else { 9000 });
    let inside = |p: &Point| within(field, *p);
    // The edge of the table on that side, seen from the middle of the army.
    let wide = (0..60).map(|n| own + out.offset(0, n * 2 * INCH)).take_while(inside).last()?;
    let deep = own.distance(other);
    let mut up = (0..=12).rev().map(|n| wide + front.offset(0, deep * n / 20)).filter(inside);
    up.find(|p| off(seat, *p) >= apart)
}
