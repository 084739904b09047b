//! One way back, followed from its beginning to where it ends.

use table::{Facing, Footprint, INCH, Mils, Pose, Swept, TOUCH};

use super::Battle;
use super::around::Around;
use super::course::Course;
use super::drill::Sergeant;
use super::formation::Formation;
use super::gap::gap_under;
use super::id::Id;
use super::melee::CONTACT;
use super::room::Room;
use super::state::{Placement, Unit};
use super::terrain::{Crossed, Ground, Kind, Piece};
use super::way::Way;
use crate::maneuver::Order;

/// A way back, as far as it goes.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) place: Placement,
    pub(crate) way: Mils,
    pub(crate) ground: Ground,
    /// Friends in formation it passed through.
    pub(crate) passed: Vec<Id>,
    /// Friends who step aside for it where it ends.
    pub(crate) room: Room,
    /// It went over the edge.
    pub(crate) off: bool,
    /// Enemies or impassable ground stopped it.
    pub(crate) blocked: bool,
    /// Friends stopped it, who could not make room.
    pub(super) crowded: bool,
    /// It stopped at the edge of the table, which it does not leave.
    pub(super) edge: bool,
    /// It is in contact with an enemy still.
    pub(super) in_contact: bool,
    /// How far it had to go.
    pub(crate) wanted: Mils,
    /// How much of its way leads straight back.
    pub(super) gained: Mils,
    /// Where its way bends.
    pub(super) corners: Vec<Pose>,
}

impl Flight {
    /// Stopped before it had gone half of its way: by enemies or ground, or by friends so that it is
    /// in contact still (ruling.retreat-blocked).
    pub(crate) fn cut_off(&self) -> bool {
        (self.blocked || self.crowded && self.in_contact) && 2 * self.way < self.wanted
    }

    /// Whether it got where it had to go.
    pub(super) fn arrives(&self) -> bool {
        !self.blocked && !self.crowded && !self.edge
    }

    /// Whether nothing but friends kept it from where it had to go, and it got half of its way.
    pub(super) fn succeeds(&self) -> bool {
        !(self.blocked || self.crowded && 2 * self.way < self.wanted)
    }
}

/// Whether some ground is far enough back.
pub(super) type Enough<'a> = &'a dyn Fn(&[Footprint]) -> bool;

/// What happens where a way back would end on top of a friend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Friends {
    /// He makes room, or it goes on until it is clear of him.
    Pass,
    /// He makes room, or it stops before him.
    MakeRoom,
    /// It stops before him.
    Stay,
}

/// How a way back is measured.
#[derive(Clone, Copy)]
pub(crate) struct Back<'a> {
    /// How far on each kind of ground.
    pub(crate) limit: [Mils; 3],
    /// Where it may stop; without it, it goes as far as it can.
    pub(crate) enough: Option<Enough<'a>>,
    /// Friends where it ends.
    pub(crate) friends: Friends,
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
    /// Enemies or ground are in the way, or it is not far enough where its rate ends.
    Blocked,
    /// Friends are where it would have to end.
    Crowded,
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
    /// Friends it passes over, and from where on.
    passed: Vec<(Id, Mils)>,
    /// The last place where it could stand, and who steps aside for it there.
    best: Option<(Mils, Room)>,
    /// How far it had to go, where friends stop it before that.
    wanted: Option<Mils>,
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
            best: begins.then_some((0, vec![])),
            wanted: None,
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

    /// Who steps aside so that it can stand somewhere; nothing if it cannot stand there.
    fn room_at(&self, way: Mils) -> Option<Room> {
        let feet = self.feet_at(way);
        let unit = self.sergeant.unit;
        // What lies around is known for the stretch it is on, and this may be an earlier one.
        if !self.outside(&feet) || self.battle.free(unit, &feet) {
            return self.outside(&feet).then(Room::new);
        }
        match self.back.friends {
            Friends::Stay => None,
            _ => self.battle.room_for(unit, &feet, self.back.straight),
        }
    }

    /// The nearest place before some way, past the last that is known, where it could stand.
    fn best_before(&mut self, end: Mils) {
        const STEP: Mils = INCH / 8;
        let known = self.best.as_ref().map_or(-1, |b| b.0);
        let ways = (0..).map(|n| end - n * STEP).take_while(|way| *way > known && *way >= 0);
        let found = { ways }.find_map(|way| Some((way, self.room_at(way)?)));
        if found.is_some() {
            self.best = found;
        }
    }

    /// Follows the next piece. A way that is blocked before it gains more than the floor is not
    /// measured to the last.
    fn piece(&mut self, floor: Option<Mils>) -> Option<End> {
        let from = self.way;
        let mut next = from + PIECE;
        if next > self.around.until {
            let short = self.battle.measures().short;
            self.around = self.battle.around(self.sergeant.unit, self.course, from, short);
        }
        let mut ahead = self.feet_at(next);
        let mut over = self.crossed(&ahead);
        let mut ground = self.ground_by(over.ground, next, &ahead);
        let rate = self.back.limit[ground as usize];
        let ends = !self.course.within(next, rate);
        if ends {
            // What is left of the rate, to the last.
            next = last((from, next), |w| self.course.within(w, rate));
            if next == from {
                return Some(self.at_its_end(from));
            }
            ahead = self.feet_at(next);
            over = self.crossed(&ahead);
            ground = self.ground_by(over.ground, next, &ahead);
        }
        if self.barred(&over, &ahead, next) {
            return Some(self.up_to_the_bar(next, floor));
        }
        if ahead.iter().any(|f| !self.battle.field.holds(f)) {
            return Some(End::Off);
        }
        let piece = Way::new(&self.at, &ahead);
        for friend in self.around.friends.iter().filter(|f| piece.sweeps(f)) {
            if !self.passed.iter().any(|(id, _)| *id == friend.id()) {
                self.passed.push((friend.id(), next));
            }
        }
        (self.ground, self.way, self.at) = (ground, next, ahead);
        if let Some(end) = self.arrived(from) {
            return Some(end);
        }
        if ends {
            return Some(self.at_its_end(next));
        }
        if self.around.free(&self.at) && self.outside(&self.at) {
            self.best = Some((next, vec![]));
        }
        None
    }

    /// Whether the last piece led far enough back, to the last; and whether it can stand there.
    fn arrived(&mut self, from: Mils) -> Option<End> {
        let enough = |way: Mils| {
            let feet = self.feet_at(way);
            self.back.is_enough(&feet) && self.outside(&feet)
        };
        if !enough(self.way) {
            return None;
        }
        let least = last((from, self.way), |way| !enough(way)) + 1;
        for way in [least, self.way] {
            if let Some(room) = self.room_at(way) {
                // Between a place that is taken and one that is not, the first that is not.
                let short_of = |w: Mils| self.room_at(w).is_none();
                let first = if way == least { way } else { last((least, way), short_of) + 1 };
                let room = self.room_at(first).unwrap_or(room);
                self.best = Some((first, room));
                return Some(End::Done);
            }
        }
        match self.back.friends {
            Friends::Pass => None,
            _ => Some(self.before_friends(least)),
        }
    }

    /// As far as the rate goes: where it was to get farther off than that, it is stopped.
    fn at_its_end(&mut self, end: Mils) -> End {
        let Some(room) = self.room_at(end) else { return self.before_friends(end) };
        self.best = Some((end, room));
        if self.back.enough.is_some() { End::Blocked } else { End::Done }
    }

    /// Friends are where it would have to end: as near to that as there is room.
    fn before_friends(&mut self, wanted: Mils) -> End {
        self.wanted = Some(wanted);
        self.best_before(wanted - 1);
        End::Crowded
    }

    /// Up to what bars the next piece, to the last.
    fn up_to_the_bar(&mut self, next: Mils, floor: Option<Mils>) -> End {
        let gained = self.course.gained(next, self.back.straight);
        if self.back.enough.is_none() && floor.is_some_and(|f| gained + TOUCH <= f) {
            return End::Blocked;
        }
        let from = self.way;
        let rest = last((from, next), |w| {
            let feet = self.feet_at(w);
            !self.barred(&self.crossed(&feet), &feet, next)
        });
        if rest > from {
            self.at = self.feet_at(rest);
            self.way = rest;
            if let Some(end) = self.arrived(from) {
                return end;
            }
        }
        self.best_before(rest);
        End::Blocked
    }
}

impl Battle {
    /// Follows a way until it is enough, as far as the rate goes, blocked, or over the edge. It never
    /// ends on top of anybody. A way that is blocked before it gains more than the floor is not
    /// measured to the last.
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
        let known = fleeing.best.take();
        // With no place for it on the way it stays, unless it has to take up another formation.
        let housed = fleeing.house.is_some() || course.formation() == unit.formation();
        let stays = known.is_none() && !off && housed;
        let (way, room) = match known {
            Some(best) if !off => best,
            _ => (if off { fleeing.way } else { 0 }, vec![]),
        };
        let place = match stays {
            true => unit.place.clone(),
            false => course.place(&fleeing.sergeant, way),
        };
        let feet = unit.feet_at(&place);
        // Whom it only comes up against at its end makes room, and is not passed through.
        let over = |(id, from): &&(Id, Mils)| {
            let steps_aside = room.iter().any(|(friend, _)| friend == id);
            *from <= if steps_aside { way - self.measures().scaled(INCH) - PIECE } else { way }
        };
        let passed: Vec<Id> = fleeing.passed.iter().filter(over).map(|p| p.0).collect();
        Flight {
            in_contact: self.touched(unit, &feet),
            edge: false,
            place,
            way,
            ground: fleeing.ground,
            off,
            blocked: end.is_none() || matches!(end, Some(End::Blocked)),
            crowded: matches!(end, Some(End::Crowded)),
            wanted: fleeing.wanted.unwrap_or(back.limit[fleeing.ground as usize]),
            gained: course.gained(way, back.straight),
            corners: course.corners(&fleeing.sergeant, way),
            passed,
            room,
        }
    }

    /// Whether an enemy who is not broken touches some ground.
    fn touched(&self, unit: &Unit, feet: &[Footprint]) -> bool {
        let foe = |e: &&Unit| e.present() && e.side() != unit.side() && e.order != Order::Broken;
        self.units.iter().filter(foe).any(|e| gap_under(feet, &e.feet, CONTACT + 1).is_some())
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
