//! Who sees whom, who bears on whom, who is in close range, and who is outflanked.

use table::{Bounds, Footprint, INCH, Mils, Point, Pose, Size, TOUCH, Wedge};

use super::Battle;
use super::card::{Branch, Side};
use super::drill_places;
use super::formation::Fires;
use super::state::Unit;
use super::terrain::{Cover, Piece};
use crate::maneuver::Order;

/// A stand that bears on a target: which, and at what range.
pub(crate) type Bearing = (u8, Mils);

/// How one looks: over units from higher ground, or with a howitzer's arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// A leader: friends do not hide units from him.
    Leader(Side),
    /// A charger: his own open order does not hide from him whom he charges.
    Charger(Side),
    /// Troops and guns.
    Level,
    /// Howitzers: over units more than 4 inches off.
    Lobbed,
}

/// What is seen from a place.
#[derive(Debug, Clone)]
pub struct SeenFrom {
    /// The outline of the ground that is seen.
    pub outline: Vec<Point>,
    /// The units that are, and the leaders.
    pub units: Vec<super::Id>,
}

/// The ground between two units, with what stands on it.
struct Vista<'b> {
    battle: &'b Battle,
    pieces: Vec<&'b Piece>,
    units: Vec<&'b Unit>,
    ends: [&'b Unit; 2],
    look: Look,
}

impl Vista<'_> {
    /// Whether a place on that ground is seen from another.
    fn clear(&self, from: Point, to: Point) -> bool {
        if self.battle.too_far_to_see(from, to) {
            return false;
        }
        let pieces = || self.pieces.iter().copied();
        let ends = self.ends.map(Some);
        self.battle.seen_past(pieces, (from, to), (ends, self.look))
            && !self.battle.hidden(
                self.units.iter().copied(),
                (from, to),
                (self.look, self.ends.map(Some)),
            )
    }
}

/// How many stands of a unit are right before one of its stands and face its way.
fn before(unit: &Unit, pose: Pose) -> usize {
    let width = unit.size().width;
    let ahead = |other: &&Pose| {
        let (across, ahead) = pose.sees(other.at);
        other.facing == pose.facing && across.abs() < width / 2 && ahead > 0
    };
    unit.place.stands.iter().filter(ahead).count()
}

impl Battle {
    /// What is seen from a place, over and through terrain and units.
    #[must_use]
    pub fn seen_from(&self, from: Point) -> SeenFrom {
        const RAYS: i32 = 120;
        let farthest = self.field.width + self.field.height;
        // Whoever stands there looks out of his own ranks.
        let here = |u: &&Unit| u.present() && u.feet.iter().any(|f| f.distance_to(from) <= TOUCH);
        let here = self.units.iter().find(here);
        let outline = (0..RAYS).map(|i| {
            let ray = table::Facing::hundredths(i * 36_000 / RAYS);
            let (mut low, mut high) = (0, farthest);
            // What is hidden once stays hidden behind it, but for higher ground farther off.
            while high - low > INCH / 8 {
                let middle = i32::midpoint(low, high);
                let to = from + ray.offset(0, middle);
                let on_table = self.field.on_table(to);
                if on_table && self.clear(from, to, [here, None], Look::Level) {
                    low = middle
                } else {
                    high = middle
                }
            }
            from + ray.offset(0, low)
        });
        let seen = |u: &&Unit| {
            u.feet.iter().any(|f| self.clear(from, f.centre(), [here, Some(u)], Look::Level))
        };
        let units = self.units.iter().filter(|u| u.present()).filter(seen).map(Unit::id);
        let leaders = self.leaders.iter().filter(|l| {
            let with = l.attached.and_then(|a| self.unit(a));
            l.present() && self.clear(from, self.leader_at(l), [here, with], Look::Level)
        });
        SeenFrom {
            outline: outline.collect(),
            units: units.chain(leaders.map(|l| l.card.id)).collect(),
        }
    }

    fn too_far_to_see(&self, from: Point, to: Point) -> bool {
        self.visibility().is_some_and(|most| from.distance(to) > most)
    }

    /// Whether a place is seen from another; the two units at the ends hide nothing.
    pub(crate) fn clear(
        &self,
        from: Point,
        to: Point,
        ends: [Option<&Unit>; 2],
        look: Look,
    ) -> bool {
        if self.too_far_to_see(from, to) {
            return false;
        }
        // Also what it only runs along.
        let line = Bounds::around(&[from, to]).grown(TOUCH);
        self.seen_past(|| self.field.veils(line), (from, to), (ends, look))
            && !self.hidden(self.screens(line, ends, look), (from, to), (look, ends))
    }

    /// Whether pieces of terrain let a place be seen from another. How far one sees into woods is
    /// measured between the stands, as all distances are; through them nobody sees but a leader, whose
    /// radius they shorten.
    fn seen_past<'p, I: Iterator<Item = &'p Piece>>(
        &self,
        pieces: impl Fn() -> I,
        (from, to): (Point, Point),
        (ends, look): ([Option<&Unit>; 2], Look),
    ) -> bool {
        let sight = self.field.sight_past(pieces(), (from, to), self.measures());
        if sight.blocked || sight.through && !matches!(look, Look::Leader(_)) {
            return false;
        }
        if sight.too_deep == 0 {
            return true;
        }
        let [a, b] = ends.map(|e| e.map_or(0, |u| u.size().width.max(u.size().depth)));
        if sight.too_deep > a + b {
            return false;
        }
        let edge = |unit: Option<&Unit>, from: Point, to: Point| {
            let stand = unit.and_then(|u| u.feet.iter().find(|f| f.holds(from)));
            stand.map_or(from, |f| f.way_out(from, to))
        };
        let between = (edge(ends[0], from, to), edge(ends[1], to, from));
        self.field.sight_past(pieces(), between, self.measures()).too_deep == 0
    }

    /// Units that could hide anything on some ground; the two at the ends hide nothing.
    fn screens<'b>(
        &'b self,
        on: Bounds,
        ends: [Option<&Unit>; 2],
        look: Look,
    ) -> impl Iterator<Item = &'b Unit> {
        let ends = ends.map(|e| e.map(Unit::id));
        let hides = move |u: &&Unit| match look {
            Look::Leader(side) => u.side() != side,
            Look::Charger(side) => u.side() != side || !u.formation().is_open(),
            _ => true,
        };
        // A garrison is inside its building, which hides what it hides.
        let outdoors = |u: &Unit| u.place.garrison.is_none();
        self.units.iter().filter(move |u| {
            u.bounds.meets(&on)
                && u.present()
                && !ends.contains(&Some(u.id()))
                && hides(u)
                && outdoors(u)
        })
    }

    /// Whether one of some units hides a place from another, or two that touch where the line runs
    /// between them. Over a unit one sees what is far enough behind it: the whole of the unit there,
    /// not the stand alone that is looked at.
    fn hidden<'b>(
        &self,
        units: impl Iterator<Item = &'b Unit>,
        (from, to): (Point, Point),
        (look, ends): (Look, [Option<&Unit>; 2]),
    ) -> bool {
        let line = Bounds::around(&[from, to]).grown(TOUCH);
        let mut beside: Vec<(bool, &Footprint)> = Vec::new();
        for unit in units.filter(|u| u.bounds.meets(&line)) {
            if unit.feet.iter().any(|f| f.blocks(from, to)) {
                if !self.seen_over(unit, (from, to), (look, ends)) {
                    return true;
                }
                continue;
            }
            let along = |f: &'b Footprint| f.skirted(from, to).map(|left| (left, f));
            let mut along = unit.feet.iter().filter_map(along).peekable();
            if along.peek().is_some() && !self.seen_over(unit, (from, to), (look, ends)) {
                beside.extend(along);
            }
        }
        let meets = |a: &(bool, &Footprint), b: &(bool, &Footprint)| a.0 != b.0 && a.1.touches(b.1);
        beside.iter().any(|a| beside.iter().any(|b| meets(a, b)))
    }

    /// Whether one sees over a unit on the line between two places: from or to higher ground, or
    /// with a howitzer's arc, if it is far enough from the stand there and from the whole unit that
    /// is looked at.
    fn seen_over(
        &self,
        unit: &Unit,
        (from, to): (Point, Point),
        (look, ends): (Look, [Option<&Unit>; 2]),
    ) -> bool {
        let over = self.measures().scaled(4 * INCH);
        let level = self.field.level(unit.middle);
        let higher = || self.field.level(from).max(self.field.level(to)) > level;
        if look != Look::Lobbed && !higher() {
            return false;
        }
        let far = |p: Point| unit.feet.iter().all(|f| f.distance_to(p) > over);
        let stand = ends[0].and_then(|u| u.feet.iter().find(|f| f.holds(from)));
        let off =
            stand.map_or_else(|| far(from), |s| unit.feet.iter().all(|f| f.distance(s) > over));
        off && ends[1].map_or_else(|| far(to), |there| !there.within(unit, over))
    }

    /// What could hide one place from another between two units, looked up once for many lines.
    fn vista<'b>(&'b self, ground: Bounds, ends: [&'b Unit; 2], look: Look) -> Vista<'b> {
        Vista {
            battle: self,
            pieces: self.field.veils(ground).collect(),
            units: self.screens(ground, ends.map(Some), look).collect(),
            ends,
            look,
        }
    }

    /// Where a unit's fire goes: `none`, `front` or `round`.
    #[must_use]
    pub fn arc_of(&self, unit: &Unit) -> &'static str {
        let nature = unit.formation().nature();
        match nature.fires {
            _ if !self.can_fire(unit) => "none",
            Fires::Sides => "round",
            _ if nature.all_round => "round",
            _ => "front",
        }
    }

    /// Whether a unit could fire at all.
    pub(crate) fn can_fire(&self, unit: &Unit) -> bool {
        let mounted = unit.card.branch == Branch::Cavalry && !unit.place.on_foot;
        let able = unit.order != Order::Broken && unit.formation().nature().fires != Fires::None;
        able && !mounted
            && !unit.silenced()
            && unit.sheltering.is_none()
            && unit.card.weapon.is_some()
    }

    /// The stands of a unit that fire, with the front each fires from.
    pub(crate) fn firing_stands<'u>(
        &self,
        unit: &'u Unit,
    ) -> impl Iterator<Item = (u8, Pose)> + 'u {
        let formation = unit.formation();
        let fires = formation.nature().fires;
        let one_rank = self.measures().one_rank;
        let depth = unit.size().depth;
        let n = unit.place.stands.len();
        // A garrison of few stands fires on every side all the same (ruling.garrison): one of them
        // goes to the wall that has none.
        let last = u8::try_from(n.saturating_sub(1)).unwrap_or(0);
        let walls = self.bare_walls(unit).into_iter().map(move |pose| (last, pose));
        let stands = unit.place.stands.iter().enumerate().filter_map(move |(i, pose)| {
            let rank = formation.rank_of(i, n, one_rank);
            let fits = match fires {
                Fires::None => false,
                Fires::All | Fires::Sides => true,
                Fires::Ranks(ranks) => rank < ranks,
            };
            // Rear ranks measure from the front rank (ruling.range-measurement); those of a square
            // from the stands of their side before them.
            let rank = if formation.is_square() { before(unit, *pose) } else { rank };
            let ahead = i32::try_from(rank).unwrap_or(0) * depth;
            (fits && i < 64).then(|| (i as u8, pose.shifted(0, ahead)))
        });
        stands.chain(walls)
    }

    /// The walls of its building at which a garrison has no stand.
    fn bare_walls(&self, unit: &Unit) -> Vec<Pose> {
        let Some(piece) = unit.place.garrison.and_then(|g| self.field.piece(g)) else {
            return vec![];
        };
        let walls = piece.shape.points().len();
        if unit.place.stands.len() >= walls {
            return vec![];
        }
        let every = drill_places::garrison(piece, walls, unit.place.pose.facing).stands;
        let manned = |wall: &Pose| unit.place.stands.iter().any(|s| s.facing == wall.facing);
        every.into_iter().filter(|wall| !manned(wall)).collect()
    }

    /// The stands of a unit that bear on some others within a range, each with its range.
    pub(crate) fn bearing(
        &self,
        unit: &Unit,
        target: &Unit,
        feet: &[Footprint],
        reach: Mils,
    ) -> Vec<Bearing> {
        let lobs = unit.card.weapon.as_ref().is_some_and(|w| w.ways.lobs);
        let look = if lobs { Look::Lobbed } else { Look::Level };
        let (width, depth) = (unit.size().width, unit.size().depth);
        let there = feet.iter().map(Footprint::bounds).reduce(Bounds::and);
        let Some(there) = there else { return vec![] };
        // Rear ranks fire from where the front rank is.
        let ground = unit.bounds.and(there).grown(2 * depth);
        let mut vista = None;
        let mut near: Vec<(Mils, &Footprint)> = Vec::with_capacity(feet.len());
        let middle = there.middle();
        let radius = middle.distance(there.high) + 2;
        // Ranks behind each other fire from the same front: what it bears on is found once.
        let mut fronts: Vec<(Pose, Option<Mils>)> = Vec::with_capacity(feet.len());
        let mut range_from = |front: Pose| {
            let wedge = Wedge::of(front, width);
            if there.is_beyond(reach, front.at) || wedge.misses(middle, radius) {
                return None;
            }
            near.clear();
            near.extend(feet.iter().map(|f| (f.distance_to(front.at), f)));
            near.retain(|(range, f)| *range <= reach && f.within_arc(&wedge));
            if near.is_empty() {
                return None;
            }
            // The nearest that is seen.
            near.sort_by_key(|(range, _)| *range);
            let vista = vista.get_or_insert_with(|| self.vista(ground, [unit, target], look));
            let from = front.place(0, -depth / 2);
            let seen = near.iter().find(|(_, f)| vista.clear(from, f.centre()));
            seen.map(|(range, _)| *range)
        };
        let mut found: Vec<Bearing> = self
            .firing_stands(unit)
            .filter_map(|(i, front)| {
                let known = fronts.iter().find(|(of, _)| *of == front).map(|(_, range)| *range);
                let range = known.unwrap_or_else(|| {
                    let range = range_from(front);
                    fronts.push((front, range));
                    range
                });
                range.map(|range| (i, range))
            })
            .collect();
        if unit.place.garrison.is_some() {
            // From two walls it fires once, from the nearer.
            found.sort_unstable();
            found.dedup_by_key(|b| b.0);
        }
        found
    }

    /// How far the close range of a unit reaches.
    pub(crate) fn close_range_of(&self, unit: &Unit) -> Mils {
        let measures = self.measures();
        if unit.is_guns() { measures.close_range_guns } else { measures.close_range }
    }

    /// The enemies that have a close range: it is a range of fire, so who could not fire has none
    /// (ruling.close-range).
    pub(crate) fn threats<'b>(&'b self, unit: &Unit) -> impl Iterator<Item = &'b Unit> + use<'b> {
        let side = unit.side();
        self.units.iter().filter(move |e| e.present() && e.side() != side && self.can_fire(e))
    }

    /// The nearest enemy that has a unit in close range (ruling.close-range).
    pub(crate) fn in_close_range(&self, unit: &Unit) -> Option<&Unit> {
        self.close_to(unit).min_by_key(|e| (e.distance(unit), e.id()))
    }

    /// The enemies that have a unit in close range.
    pub(crate) fn close_to<'b, 'u>(
        &'b self,
        unit: &'u Unit,
    ) -> impl Iterator<Item = &'b Unit> + use<'b, 'u> {
        let close = move |e: &Unit| self.close_range_of(e);
        self.threats(unit)
            .filter(move |e| e.near(unit, close(e)))
            .filter(move |e| !self.bearing(e, unit, &unit.feet, close(e)).is_empty())
    }

    /// Whether most of a unit's stands are behind the line of another's front.
    pub(crate) fn behind_front(&self, unit: &Unit, of: &Unit) -> bool {
        unit.share(|f| of.turns_its_back_to(f.centre())) >= 0.5
    }

    /// The enemy that outflanks a unit for its maneuver check (ruling.outflanked-maneuver).
    pub(crate) fn outflanked_by(&self, unit: &Unit) -> Option<&Unit> {
        if unit.formation().nature().all_round {
            return None;
        }
        let within = self.measures().outflanked;
        self.units.iter().find(|e| {
            let able = !e.is_guns() && e.order != Order::Broken || self.can_fire(e) && e.is_guns();
            e.present()
                && e.side() != unit.side()
                && able
                && e.near(unit, within)
                && e.within(unit, within)
                && self.behind_front(e, unit)
                && !self.covered_by_work(unit, e)
                && self.has_in_arc(e, unit)
        })
    }

    /// Whether a unit has another in its arc and in sight, at any range. Cavalry counts as if
    /// it fired.
    pub(crate) fn has_in_arc(&self, unit: &Unit, other: &Unit) -> bool {
        let Size { width, depth } = unit.size();
        unit.place.stands.iter().any(|front| {
            let from = front.place(0, -depth / 2);
            other.feet.iter().any(|f| {
                f.in_arc_of(*front, width)
                    && self.clear(from, f.centre(), [Some(unit), Some(other)], Look::Level)
            })
        })
    }

    /// Whether a fortified work lies between a unit and an enemy: it is lined up behind it.
    pub(crate) fn covered_by_work(&self, unit: &Unit, enemy: &Unit) -> bool {
        if unit
            .place
            .garrison
            .is_some_and(|g| self.field.piece(g).is_some_and(|p| p.cover == Cover::Fortified))
        {
            return true;
        }
        self.cover_from(unit, &unit.feet, enemy) == Cover::Fortified
    }

    /// The cover of some stands against an enemy. A work or wall that he lines himself covers
    /// nobody from him: it is his (ruling.fortified). Who charges does not take it over.
    pub(crate) fn cover_from(&self, unit: &Unit, feet: &[Footprint], enemy: &Unit) -> Cover {
        let charges = |u: &Unit, at: &Unit| {
            u.did.charge.as_ref().is_some_and(|c| c.home && c.target == at.id())
        };
        let off = |piece: &Piece, feet: &[Footprint]| {
            feet.iter().map(|f| piece.shape.distance_to(f.pose.at)).min().unwrap_or(Mils::MAX)
        };
        let reach = self.measures().scaled(INCH);
        let his = |piece: &Piece| {
            !charges(enemy, unit)
                && off(piece, &enemy.feet) <= reach
                && (charges(unit, enemy) || off(piece, &enemy.feet) <= off(piece, feet))
        };
        self.cover_against(unit, feet, enemy.middle, &his)
    }

    /// The cover of some stands against fire from a place: the best that half of them have.
    /// Works and walls of which `lost` holds do not count.
    pub(crate) fn cover_against(
        &self,
        unit: &Unit,
        feet: &[Footprint],
        from: Point,
        lost: &dyn Fn(&Piece) -> bool,
    ) -> Cover {
        if let Some(piece) = unit.place.garrison.and_then(|g| self.field.piece(g)) {
            return piece.cover;
        }
        let reach = self.measures().scaled(INCH);
        let mut covers: Vec<Cover> = feet
            .iter()
            .map(|f| {
                let centre = f.centre();
                let of = |p: &&Piece| {
                    p.cover > Cover::None
                        && p.shape.bounds().grown(reach + unit.size().depth).meets(&f.bounds())
                        && if p.is_thin() {
                            p.shape.crossed_by(from, centre)
                                && p.shape.distance_to(centre) <= reach + unit.size().depth
                                && !lost(p)
                        } else {
                            p.shape.holds(centre)
                        }
                };
                self.field.pieces.iter().filter(of).map(|p| p.cover).max().unwrap_or(Cover::None)
            })
            .collect();
        covers.sort_unstable();
        // Half or more have at least this.
        covers.get(covers.len() / 2).copied().unwrap_or(Cover::None)
    }

    /// The fronts of a unit's first rank.
    fn front_rank<'u>(&self, unit: &'u Unit) -> Vec<&'u Pose> {
        let (formation, n) = (unit.formation(), unit.place.stands.len());
        let one_rank = self.measures().one_rank;
        let first = |i: &usize| formation.rank_of(*i, n, one_rank) == 0;
        (0..n).filter(first).filter_map(|i| unit.place.stands.get(i)).collect()
    }

    /// Whether a front touches a line of cover that runs along it.
    fn touches_line(&self, front: Pose, piece: &Piece) -> bool {
        let reach = self.measures().scaled(INCH / 2);
        piece.kind.is_linear_cover() && piece.shape.runs_along(front, reach)
    }

    /// Whether a unit is lined up behind one piece of linear cover.
    pub(crate) fn lines_up_behind(&self, unit: &Unit, piece: &Piece) -> bool {
        let front = self.front_rank(unit);
        let touching = front.iter().filter(|p| self.touches_line(***p, piece)).count();
        2 * touching >= front.len().max(1)
    }

    /// Whether a unit is lined up behind linear cover: half or more of its front stands touch it.
    pub(crate) fn behind_linear_cover(&self, unit: &Unit) -> bool {
        let reach = self.measures().scaled(INCH / 2);
        let front = self.front_rank(unit);
        let touching = |p: &Pose| {
            self.field.pieces.iter().any(|piece| {
                self.touches_line(*p, piece)
                    || (piece.kind.is_wooded()
                        && piece.shape.holds(p.place(0, -unit.size().depth / 2))
                        && !piece.shape.holds(p.place(0, reach)))
            })
        };
        2 * front.iter().filter(|p| touching(p)).count() >= front.len().max(1)
    }
}
