//! One way back, followed from its beginning to where it ends.

use table::{Facing, Footprint, INCH, Mils, Pose, Swept, TOUCH};

use super::Battle;
use super::around::Around;
use super::course::Course;
use super::drill::Sergeant;
use super::formation::Formation;
use super::id::Id;
use super::state::{Placement, Unit};
use super::terrain::{Crossed, Ground, Kind, Piece};
use super::way::Way;

/// A way back, as far as it goes.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) place: Placement,
    pub(crate) way: Mils,
    pub(crate) ground: Ground,
    /// Friends in formation it passed through.
    pub(crate) passed: Vec<Id>,
    /// It went over the edge.
    pub(crate) off: bool,
    /// Enemies or impassable ground stopped it.
    pub(crate) blocked: bool,
    /// How far it had to go.
    pub(crate) wanted: Mils,
    /// How much of its way leads straight back.
    pub(super) gained: Mils,
    /// Where its way bends.
    pub(super) corners: Vec<Pose>,
}

impl Flight {
    /// Stopped before it had gone half of its way.
    pub(crate) fn cut_off(&self) -> bool {
        self.blocked && 2 * self.way < self.wanted
    }
}

/// Whether some ground is far enough back.
pub(super) type Enough<'a> = &'a dyn Fn(&[Footprint]) -> bool;

/// How a way back is measured.
#[derive(Clone, Copy)]
pub(crate) struct Back<'a> {
    /// How far on each kind of ground.
    pub(crate) limit: [Mils; 3],
    /// Where it may stop; without it, it goes as far as it can.
    pub(crate) enough: Option<Enough<'a>>,
    /// Enemies that do not stop it: those it fought.
    pub(crate) from: &'a [Id],
    /// Straight back.
    pub(crate) straight: Facing,
}

impl Back<'_> {
    pub(super) fn is_enough(&self, feet: &[Footprint]) -> bool {
        self.enough.is_some_and(|enough| enough(feet))
    }
}

/// Ways are followed in pieces of a quarter inch.
pub(super) const PIECE: Mils = INCH / 4;

/// Nobody goes farther back than this.
pub(super) const FARTHEST: Mils = 40 * INCH;

/// What ends a way.
enum End {
    /// It is far enough, or as far as the rate goes.
    Done,
    /// Enemies or ground are in the way.
    Blocked,
    /// It leads over the edge.
    Off,
}

/// A unit on its way back.
struct Fleeing<'f> {
    battle: &'f Battle,
    sergeant: Sergeant<'f>,
    course: &'f Course,
    back: Back<'f>,
    /// What it leaves behind: works it stood at, the house it was in.
    leaves: Vec<Id>,
    house: Option<&'f Piece>,
    /// Broken troops for whom a road is open ground.
    rabble: bool,
    around: Around<'f>,
    way: Mils,
    at: Vec<Footprint>,
    ground: Ground,
    passed: Vec<Id>,
    /// The last place where it was clear of everybody.
    best: Option<Mils>,
}

impl<'f> Fleeing<'f> {
    fn new(battle: &'f Battle, unit: &'f Unit, course: &'f Course, back: Back<'f>) -> Self {
        let feet = course.feet();
        // A deeper formation is laid over the works it stood behind: leaving them is no crossing.
        let mut leaves = battle.field.lined_by(feet);
        leaves.extend(unit.place.garrison);
        let house = unit.place.garrison.and_then(|g| battle.field.piece(g));
        let begins = house.is_none() && battle.free(unit, feet);
        Self {
            battle,
            sergeant: Sergeant::new(battle, unit),
            course,
            back,
            leaves,
            house,
            rabble: course.formation() == Formation::Broken
                && battle.measures().clauses.has("roads.who.broken"),
            around: Around::default(),
            way: 0,
            at: feet.to_vec(),
            ground: Ground::Open,
            passed: vec![],
            best: begins.then_some(0),
        }
    }

    fn feet_at(&self, way: Mils) -> Vec<Footprint> {
        self.course.feet_at(&self.sergeant, way)
    }

    /// Who is driven out of a house has gone nowhere before he is outside.
    fn outside(&self, feet: &[Footprint]) -> bool {
        let inside = |h: &Piece| feet.iter().any(|f| h.shape.entered(&Swept::between(f, f)));
        !self.house.is_some_and(inside)
    }

    fn crossed(&self, to: &[Footprint]) -> Crossed {
        let way = (self.at.as_slice(), to);
        self.battle.field.crossed_among(&self.around.pieces, way, &self.leaves, self.ground)
    }

    fn barred(&self, over: &Crossed, ahead: &[Footprint], next: Mils) -> bool {
        let short = self.battle.measures().short;
        over.closed.is_some()
            || over.obstacle.is_some()
            || self.around.bars(
                (&self.at, ahead),
                self.back.from,
                (short, self.course.past_corner(next)),
            )
    }

    /// The slowest ground when it has crossed some more: a road is none.
    fn ground_by(&self, over: Ground, next: Mils, ahead: &[Footprint]) -> Ground {
        let on_road = |feet: &[Footprint]| self.battle.on_road(feet);
        let by_road =
            self.course.on_road(next) || self.rabble && on_road(&self.at) && on_road(ahead);
        if by_road { self.ground } else { over }
    }

    /// Follows the next piece. A way that is blocked before it gains more than the floor is not
    /// measured to the last.
    fn piece(&mut self, floor: Option<Mils>) -> Option<End> {
        let next = self.way + PIECE;
        if next > self.around.until {
            let short = self.battle.measures().short;
            self.around = self.battle.around(self.sergeant.unit, self.course, self.way, short);
        }
        let ahead = self.feet_at(next);
        let over = self.crossed(&ahead);
        let ground = self.ground_by(over.ground, next, &ahead);
        let rate = self.back.limit[ground as usize];
        let too_far = !self.course.within(next, rate);
        if too_far && self.best == Some(self.way) {
            // What is left of the rate, to the last.
            let rest = last((self.way, next), |w| self.course.within(w, rate));
            if rest > self.way && self.around.free(&self.feet_at(rest)) {
                self.best = Some(rest);
            }
            return Some(End::Done);
        }
        if self.barred(&over, &ahead, next) {
            return Some(self.up_to_the_bar(next, rate, floor));
        }
        if ahead.iter().any(|f| !self.battle.field.holds(f)) {
            return Some(End::Off);
        }
        let piece = Way::new(&self.at, &ahead);
        for friend in self.around.friends.iter().filter(|f| piece.sweeps(f)) {
            if !self.passed.contains(&friend.id()) {
                self.passed.push(friend.id());
            }
        }
        (self.ground, self.way, self.at) = (ground, next, ahead);
        if self.around.free(&self.at) && self.outside(&self.at) {
            self.best = Some(self.way);
            if too_far || self.back.is_enough(&self.at) {
                return Some(End::Done);
            }
        }
        None
    }

    /// Up to what bars the next piece, to the last.
    fn up_to_the_bar(&mut self, next: Mils, rate: Mils, floor: Option<Mils>) -> End {
        let gained = self.course.gained(next, self.back.straight);
        if self.back.enough.is_none() && floor.is_some_and(|f| gained + TOUCH <= f) {
            return End::Blocked;
        }
        let rest = last((self.way, next), |w| {
            let feet = self.feet_at(w);
            !self.barred(&self.crossed(&feet), &feet, next)
        });
        let feet = self.feet_at(rest);
        let room = self.around.free(&feet) && self.outside(&feet);
        if rest > self.way && self.course.within(rest, rate) && room {
            self.best = Some(rest);
            self.at = feet;
        }
        let enough = rest > 0 && self.back.is_enough(&self.at);
        if self.best == Some(rest) && enough { End::Done } else { End::Blocked }
    }

    /// The exact place within the last piece: as near as is enough.
    fn refined(&self, reached: Mils) -> Mils {
        if reached == 0 || !self.back.is_enough(&self.feet_at(reached)) {
            return reached;
        }
        let short_of = |way: Mils| {
            let feet = self.feet_at(way);
            !self.back.is_enough(&feet)
                || !self.battle.free(self.sergeant.unit, &feet)
                || !self.outside(&feet)
        };
        last(((reached - PIECE).max(0), reached), short_of) + 1
    }
}

impl Battle {
    /// Follows a way until it is enough, too far, blocked, or over the edge. It never ends on top
    /// of anybody: it goes on until it is clear. A way that is blocked before it gains more than the
    /// floor is not measured to the last.
    pub(crate) fn flight(
        &self,
        unit: &Unit,
        course: &Course,
        back: Back<'_>,
        floor: Option<Mils>,
    ) -> Flight {
        let mut fleeing = Fleeing::new(self, unit, course, back);
        let mut end = None;
        while end.is_none() && fleeing.way < FARTHEST {
            end = fleeing.piece(floor);
        }
        let off = matches!(end, Some(End::Off));
        // It stops at the last place where it was clear of everybody.
        let way = if off { fleeing.way } else { fleeing.refined(fleeing.best.unwrap_or(0)) };
        let stays = fleeing.house.is_some() && fleeing.best.is_none() && !off;
        Flight {
            place: match stays {
                true => unit.place.clone(),
                false => course.place(&fleeing.sergeant, way),
            },
            way,
            ground: fleeing.ground,
            off,
            blocked: matches!(end, Some(End::Blocked)),
            wanted: back.limit[fleeing.ground as usize],
            gained: course.gained(way, back.straight),
            corners: course.corners(&fleeing.sergeant, way),
            passed: fleeing.passed,
        }
    }

    /// Whether the middle of some stands is on a road.
    fn on_road(&self, feet: &[Footprint]) -> bool {
        let Some(around) = feet.iter().map(Footprint::bounds).reduce(table::Bounds::and) else {
            return false;
        };
        let middle = around.middle();
        self.field.pieces.iter().any(|p| p.kind == Kind::Road && p.shape.holds(middle))
    }
}

/// The last way of a stretch for which something holds that held at its beginning.
pub(super) fn last((mut low, mut high): (Mils, Mils), holds: impl Fn(Mils) -> bool) -> Mils {
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}
