//! Terrain: what each piece does to movement, sight, cover and defence.

use serde::{Deserialize, Serialize};
use table::{Bounds, Feature, Footprint, INCH, Mils, Outline, Point, Swept, TOUCH};

use super::id::Id;
use super::measures::Measures;

/// What a piece of terrain is. The defaults of its ratings are those of
/// ruling.ground-classes, ruling.cover and ruling.line-of-sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // the words say it
pub enum Kind {
    Woods,
    DenseWoods,
    Jungle,
    Brush,
    Field,
    Crops,
    Marsh,
    Swamp,
    Rocky,
    Hill,
    SteepHill,
    Crest,
    Ravine,
    Stream,
    Ford,
    Bridge,
    Road,
    Wall,
    Fence,
    Hedge,
    Works,
    Abatis,
    Building,
    Village,
    Water,
}

/// Classes of ground, the slowest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// Open ground.
    Open,
    /// Broken ground.
    Broken,
    /// Rough ground.
    Rough,
}

/// How well a piece shelters from fire, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cover {
    /// Not at all.
    None,
    /// Partial cover.
    Partial,
    /// Full cover.
    Full,
    /// A fortified position.
    Fortified,
}

/// What a piece does to sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Veil {
    /// Nothing.
    Clear,
    /// Light woods.
    Light,
    /// Dense woods or jungle.
    Dense,
    /// It blocks.
    Block,
}

/// A piece of terrain with its ratings.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Its short name.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// Its shape.
    pub shape: Feature,
    /// The ground it is.
    pub ground: Ground,
    /// The cover it gives.
    pub cover: Cover,
    /// What it does to sight.
    pub veil: Veil,
    /// Its height above the plain.
    pub level: u8,
    /// Whether it is a strong position.
    pub strong: bool,
    /// Whether it is favorable ground to defend.
    pub favorable: bool,
    /// Whether it is a major obstacle.
    pub obstacle: bool,
    /// Whether nobody may enter.
    pub impassable: bool,
    /// Whether a road is good.
    pub good: bool,
    /// How many stands can garrison it.
    pub capacity: u8,
}

impl Kind {
    /// Whether it is drawn as a line.
    #[must_use]
    pub fn is_line(self) -> bool {
        use Kind::{Abatis, Crest, Fence, Hedge, Road, Stream, Wall, Works};
        matches!(self, Crest | Stream | Road | Wall | Fence | Hedge | Works | Abatis)
    }

    /// Whether troops may garrison it.
    #[must_use]
    pub fn is_built(self) -> bool {
        matches!(self, Self::Building | Self::Village)
    }

    /// Whether it is wooded.
    #[must_use]
    pub fn is_wooded(self) -> bool {
        matches!(self, Self::Woods | Self::DenseWoods | Self::Jungle)
    }

    /// Whether it is water or wet ground, which a bridge or a ford leads over.
    #[must_use]
    pub fn is_watery(self) -> bool {
        matches!(self, Self::Stream | Self::Water | Self::Marsh | Self::Swamp)
    }

    /// Whether a unit can be lined up behind it (ruling.linear-cover: an abatis is not named).
    #[must_use]
    pub fn is_linear_cover(self) -> bool {
        matches!(self, Self::Wall | Self::Fence | Self::Hedge | Self::Works)
    }

    /// A piece of this kind with its usual ratings.
    #[must_use]
    pub fn usual(self, id: Id, shape: Feature) -> Piece {
        use Kind::{
            Abatis, Brush, Building, Crest, Crops, DenseWoods, Fence, Hedge, Hill, Jungle, Marsh,
            Ravine, Rocky, SteepHill, Stream, Swamp, Village, Wall, Water, Woods, Works,
        };
        let ground = match self {
            Woods | Brush | Crops | Marsh | SteepHill | Stream | Wall | Fence | Hedge | Ravine
            | Works | Abatis => Ground::Broken,
            DenseWoods | Jungle | Swamp | Rocky => Ground::Rough,
            _ => Ground::Open,
        };
        let cover = match self {
            Woods | Brush | Crops | Fence | Hedge => Cover::Partial,
            DenseWoods | Jungle | Wall | Building | Village | Ravine => Cover::Full,
            Works => Cover::Fortified,
            _ => Cover::None,
        };
        let veil = match self {
            Woods => Veil::Light,
            DenseWoods | Jungle => Veil::Dense,
            Building | Village => Veil::Block,
            _ => Veil::Clear,
        };
        let favorable = self.is_wooded()
            || self.is_linear_cover()
            || matches!(self, Hill | SteepHill | Stream | Building | Village);
        Piece {
            id,
            kind: self,
            shape,
            ground,
            cover,
            veil,
            level: u8::from(matches!(self, Hill | SteepHill | Crest)),
            strong: false,
            favorable,
            obstacle: self == Abatis,
            impassable: self == Water,
            good: true,
            capacity: 0,
        }
    }
}

impl Piece {
    /// Whether one of some stands is on it, or touches it.
    pub(crate) fn touched_by(&self, feet: &[Footprint]) -> bool {
        let ground = self.shape.bounds().grown(table::TOUCH);
        feet.iter().any(|f| ground.meets(&f.bounds()) && self.shape.gap(f) <= table::TOUCH)
    }

    /// Whether it changes anything for who moves over it and has come over some ground.
    fn slows_or_bars(&self, over: Ground) -> bool {
        self.ground > over || self.impassable || self.obstacle || self.kind.is_built()
    }

    /// Whether it is something to line up behind or to cross, without width of its own.
    #[must_use]
    pub fn is_thin(&self) -> bool {
        matches!(self.shape.outline(), Outline::Line(..))
            && (self.kind.is_linear_cover() || self.kind == Kind::Abatis)
    }
}

/// The table with its terrain.
#[derive(Debug, Clone)]
pub struct Field {
    /// From left to right.
    pub width: Mils,
    /// From near to far.
    pub height: Mils,
    /// What lies on it.
    pub pieces: Vec<Piece>,
}

/// The ground a way leads over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossed {
    /// The slowest.
    pub ground: Ground,
    /// A piece nobody may enter, if the way leads into one.
    pub closed: Option<Id>,
    /// A major obstacle, if the way leads over one.
    pub obstacle: Option<Id>,
}

/// Whether one place is seen from another, and through what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sight {
    /// A crest, a building or the like blocks it.
    pub blocked: bool,
    /// How much longer its way through woods is than one sees through them.
    pub too_deep: Mils,
    /// It runs into woods and out of them again.
    pub through: bool,
    /// It runs through light woods.
    pub light: bool,
    /// It runs through dense woods or jungle.
    pub dense: bool,
    /// It runs through jungle.
    pub jungle: bool,
}

impl Field {
    /// The piece of a name.
    #[must_use]
    pub fn piece(&self, id: Id) -> Option<&Piece> {
        self.pieces.iter().find(|p| p.id == id)
    }

    /// Whether a stand is wholly on the table.
    #[must_use]
    pub fn holds(&self, stand: &Footprint) -> bool {
        let b = stand.bounds();
        b.low.x >= 0 && b.low.y >= 0 && b.high.x <= self.width && b.high.y <= self.height
    }

    /// Whether a place is on the table.
    #[must_use]
    pub fn on_table(&self, p: Point) -> bool {
        (0..=self.width).contains(&p.x) && (0..=self.height).contains(&p.y)
    }

    /// How high a place is.
    #[must_use]
    pub fn level(&self, p: Point) -> u8 {
        let on =
            |piece: &&Piece| piece.level > 0 && piece.kind != Kind::Crest && piece.shape.holds(p);
        self.pieces.iter().filter(on).map(|p| p.level).max().unwrap_or(0)
    }

    /// Whether a bridge or a ford makes the way good here.
    fn bridged(&self, p: Point) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece.kind, Kind::Bridge | Kind::Ford) && piece.shape.holds(p))
    }

    /// Whether a bridge or ford carries a stand over water: wherever the line of its middle, as far
    /// before and behind it as it reaches, is above the water it is on the bridge.
    fn bridges(&self, water: &Piece, a: &Footprint, b: &Footprint) -> bool {
        let crossing = |p: &Piece| matches!(p.kind, Kind::Bridge | Kind::Ford);
        if !self.pieces.iter().any(crossing) {
            return false;
        }
        let heading = a.centre().toward(b.centre()).unwrap_or(b.pose.facing);
        let reach = |f: &Footprint| {
            let ahead = |c: &Point| heading.across_and_ahead(*c - f.centre()).1.abs();
            f.corners.iter().map(ahead).max().unwrap_or(0)
        };
        let from = a.centre() + heading.offset(0, -reach(a));
        let to = b.centre() + heading.offset(0, reach(b));
        let long = from.distance(to);
        let pieces = long / (INCH / 4) + 1;
        let mut carried = false;
        for i in 0..=pieces {
            // Widened, for ways of many inches.
            let way = i64::from(long) * i64::from(i) / i64::from(pieces);
            let at = from.on_the_way(to, Mils::try_from(way).unwrap_or(long));
            let bridged = self.bridged(at);
            if !bridged && water.shape.holds(at) {
                return false;
            }
            carried |= bridged;
        }
        carried
    }

    /// The ground between two places of some stands. `except` may be entered: a building whose
    /// garrison they are, or an obstacle they scale.
    #[must_use]
    pub fn crossed(&self, from: &[Footprint], to: &[Footprint], except: Option<Id>) -> Crossed {
        self.crossed_but((from, to), except.as_slice(), Ground::Open)
    }

    /// A piece nobody may enter that some stands would lie on.
    pub(crate) fn shut(&self, feet: &[Footprint], except: &[Id]) -> Option<Id> {
        // No ground is slower: only what bars is looked for.
        self.crossed_but((feet, feet), except, Ground::Rough).closed
    }

    /// Walls, works and the like that stands lie over.
    pub(crate) fn lined_by(&self, feet: &[Footprint]) -> Vec<Id> {
        let under = |p: &&Piece| p.is_thin() && feet.iter().any(|f| p.shape.under(f));
        self.pieces.iter().filter(under).map(|p| p.id).collect()
    }

    /// The same, with several pieces that may be entered, and with the slowest ground so far.
    pub(crate) fn crossed_but(
        &self,
        (from, to): (&[Footprint], &[Footprint]),
        except: &[Id],
        ground: Ground,
    ) -> Crossed {
        let all = from.iter().chain(to).map(Footprint::bounds).reduce(Bounds::and);
        let near = all.map_or_else(Vec::new, |all| self.on_the_way(all));
        self.crossed_among(&near, (from, to), except, ground)
    }

    /// The pieces on some ground that change anything for who moves over them.
    pub(crate) fn on_the_way(&self, ground: Bounds) -> Vec<&Piece> {
        let met = |p: &&Piece| p.slows_or_bars(Ground::Open) && p.shape.bounds().meets(&ground);
        self.pieces.iter().filter(met).collect()
    }

    /// The same, of pieces looked up before: for ways that are followed piece by piece.
    pub(crate) fn crossed_among(
        &self,
        near: &[&Piece],
        (from, to): (&[Footprint], &[Footprint]),
        except: &[Id],
        ground: Ground,
    ) -> Crossed {
        let mut crossed = Crossed { ground, closed: None, obstacle: None };
        let mut before = None;
        for (a, b) in from.iter().zip(to) {
            // Once the ground is slow, what is no slower need not be looked for.
            if before != Some(crossed.ground) {
                before = Some(crossed.ground);
                if !near.iter().any(|p| p.slows_or_bars(crossed.ground)) {
                    break;
                }
            }
            let bounds = a.bounds().and(b.bounds());
            let mut way = None;
            for piece in near.iter().filter(|p| p.shape.bounds().meets(&bounds)) {
                if !piece.slows_or_bars(crossed.ground) || except.contains(&piece.id) {
                    continue;
                }
                let way = way.get_or_insert_with(|| Swept::between(a, b));
                if !piece.shape.entered(way) {
                    continue;
                }
                if piece.kind.is_watery() && self.bridges(piece, a, b) {
                    continue;
                }
                crossed.ground = crossed.ground.max(piece.ground);
                if piece.impassable || piece.kind.is_built() {
                    crossed.closed = crossed.closed.or(Some(piece.id));
                }
                if piece.obstacle {
                    crossed.obstacle = crossed.obstacle.or(Some(piece.id));
                }
            }
        }
        crossed
    }

    /// Whether terrain lets one place be seen from another.
    #[must_use]
    pub fn sight(&self, from: Point, to: Point, measures: &Measures) -> Sight {
        self.sight_past(self.pieces.iter(), (from, to), measures)
    }

    /// The pieces that could hide anything on some ground.
    pub(crate) fn veils(&self, on: Bounds) -> impl Iterator<Item = &Piece> {
        let hides = |p: &&Piece| p.veil != Veil::Clear || p.level > 0;
        self.pieces.iter().filter(hides).filter(move |p| p.shape.bounds().meets(&on))
    }

    /// Whether these pieces let one place be seen from another.
    pub(crate) fn sight_past<'p>(
        &self,
        pieces: impl Iterator<Item = &'p Piece>,
        (from, to): (Point, Point),
        measures: &Measures,
    ) -> Sight {
        // Where it runs along the edge of an area it is open, but not between two that meet there.
        let line = Bounds::around(&[from, to]);
        let mut sight = Sight::default();
        let (mut light, mut dense) = (0, 0);
        let mut inside = false;
        let (mut woods, mut thickets, mut walls) = ([0; 2], [0; 2], [0; 2]);
        let note = |edges: &mut [Mils; 2], along: [Mils; 2]| {
            edges.iter_mut().zip(along).for_each(|(edge, long)| *edge += long);
        };
        let at_hand = |piece: &Piece, p: Point| piece.shape.distance_to(p) <= measures.scaled(INCH);
        let mut levels = None;
        for piece in pieces.filter(|p| p.shape.bounds().meets(&line)) {
            match piece.veil {
                Veil::Clear => {}
                Veil::Light => {
                    inside |= piece.shape.holds(from) || piece.shape.holds(to);
                    let stretch = piece.shape.stretch(from, to);
                    light += stretch.inside;
                    note(&mut woods, stretch.along);
                }
                Veil::Dense => {
                    inside |= piece.shape.holds(from) || piece.shape.holds(to);
                    let stretch = piece.shape.stretch(from, to);
                    dense += stretch.inside;
                    note(&mut woods, stretch.along);
                    note(&mut thickets, stretch.along);
                    sight.jungle |= stretch.inside > 0 && piece.kind == Kind::Jungle;
                }
                // Who stands at a hedge that hides sees over it.
                Veil::Block if matches!(piece.shape.outline(), Outline::Line(..)) => {
                    sight.blocked |= ![from, to].iter().any(|p| at_hand(piece, *p))
                        && piece.shape.crossed_by(from, to);
                }
                Veil::Block => {
                    if !piece.shape.holds(from) && !piece.shape.holds(to) {
                        let stretch = piece.shape.stretch(from, to);
                        sight.blocked |= stretch.inside > 0;
                        note(&mut walls, stretch.along);
                    }
                }
            }
            if piece.level > 0 {
                let (a, b) = *levels.get_or_insert_with(|| (self.level(from), self.level(to)));
                if piece.kind == Kind::Crest {
                    sight.blocked |= a.max(b) <= piece.level
                        && ![from, to].iter().any(|p| at_hand(piece, *p))
                        && piece.shape.crossed_by(from, to);
                } else if piece.level > a.max(b) {
                    let stretch = piece.shape.stretch(from, to);
                    sight.blocked |= stretch.inside > 0;
                    note(&mut walls, stretch.along);
                }
            }
        }
        let shut = |edges: [Mils; 2]| edges[0].min(edges[1]);
        dense += shut(thickets);
        light += shut(woods) - shut(thickets);
        sight.blocked |= shut(walls) > 0;
        sight.light = light > 0;
        sight.dense = dense > 0;
        sight.through = !inside && light.max(dense) > TOUCH;
        let deeper = [light - measures.sight_in_woods, dense - measures.sight_in_dense_woods];
        sight.too_deep = deeper[0].max(deeper[1]).max(0);
        sight
    }
}
