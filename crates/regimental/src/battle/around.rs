//! What lies around a way that is followed piece by piece.

use table::{Bounds, Footprint, INCH, Mils, Point, TOUCH};

use super::Battle;
use super::course::Course;
use super::gap::{gap, gap_under};
use super::id::Id;
use super::state::Unit;
use super::terrain::Piece;
use super::way::Way;
use crate::maneuver::Order;

/// What lies around a way is looked up for so much of it at a time.
const STRETCH: Mils = 6 * INCH;

/// What lies around a stretch of a way.
#[derive(Default)]
pub(crate) struct Around<'b> {
    pub(crate) pieces: Vec<&'b Piece>,
    pub(crate) friends: Vec<&'b Unit>,
    enemies: Vec<&'b Unit>,
    /// Where the stretch ends.
    pub(crate) until: Mils,
}

impl Around<'_> {
    /// Whether nobody stands on some ground. A garrison is inside its building.
    pub(crate) fn free(&self, feet: &[Footprint]) -> bool {
        let way = Way::at(feet);
        let stands = self.friends.iter().chain(&self.enemies);
        let met = |u: &&Unit| u.place.garrison.is_none() && way.lies_on(u);
        !stands.copied().any(|u| met(&u))
    }

    /// Whether an enemy bars the way: coming nearer than two inches to him. Those it fought it may
    /// only leave behind.
    /// Once past the corner of a way round, they are kept off like all others.
    pub(crate) fn bars(
        &self,
        (from, to): (&[Footprint], &[Footprint]),
        except: &[Id],
        (short, past_corner): (Mils, bool),
    ) -> bool {
        if self.enemies.is_empty() {
            return false;
        }
        let way = Way::new(from, to);
        self.enemies.iter().any(|e| {
            if !way.reaches(e, short) {
                return false;
            }
            let fought = except.contains(&e.id()) && !past_corner || e.order == Order::Broken;
            let limit = if fought { TOUCH } else { short };
            if gap_under(to, &e.feet, limit).is_none() && !way.sweeps(e) {
                return false;
            }
            let after = gap(to, &e.feet);
            // In contact already, or on top of him as it turns: deeper in leads nowhere.
            let off = |feet: &[Footprint]| middle(feet).distance(e.middle);
            let before = gap(from, &e.feet);
            // Past the corner to go along him is too near, not only to come nearer.
            after < before
                || after == before && past_corner && except.contains(&e.id())
                || after == 0 && off(to) < off(from)
        })
    }
}

fn middle(feet: &[Footprint]) -> Point {
    let around = feet.iter().map(Footprint::bounds).reduce(Bounds::and);
    around.map_or(Point::default(), |b| b.middle())
}

impl Battle {
    /// What a way could come near on its next stretch: the rest need not be looked at piece by
    /// piece.
    pub(crate) fn around<'b>(
        &'b self,
        unit: &Unit,
        course: &Course,
        way: Mils,
        short: Mils,
    ) -> Around<'b> {
        let until = way + STRETCH;
        let ground = course.ground((way, until));
        let near = |within: Mils| {
            let ground = ground.grown(within);
            let met = move |u: &&Unit| u.bounds.meets(&ground) && u.present();
            self.units.iter().filter(met).filter(|u| u.id() != unit.id())
        };
        Around {
            pieces: self.field.on_the_way(ground),
            friends: near(0).filter(|u| u.side() == unit.side()).collect(),
            enemies: near(short).filter(|u| u.side() != unit.side()).collect(),
            until,
        }
    }
}
