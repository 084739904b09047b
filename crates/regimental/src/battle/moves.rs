//! Maneuvers of one's own will: which list allows what, how far, over which ground, past whom.

use table::{Footprint, INCH, Mils, Pose, inches};

use super::Battle;
use super::card::{Branch, Carriage, Trait};
use super::command::Step;
use super::drill::{Drill, Leg, Sergeant};
use super::formation::Formation;
use super::id::Id;
use super::refusal::No;
use super::state::{Pace, Placement, Unit};
use super::terrain::Ground;
use crate::fire::Class;
use crate::maneuver::Order;
use crate::rates::RoadRate;

/// A maneuver that may be made.
#[derive(Debug, Clone)]
pub struct Move {
    /// Where it ends.
    pub place: Placement,
    /// The poses on its way.
    pub track: Vec<Pose>,
    /// The worst ground crossed.
    pub ground: Ground,
    /// By the ruler, the good road counted by its bonus.
    pub cost: Mils,
    /// What it may go.
    pub limit: Mils,
    /// Friends passed through in a passage of lines.
    pub passed: Vec<Id>,
    /// Units that become disordered by it.
    pub disorders: Vec<Id>,
    pub(crate) about_faced: bool,
    pub(crate) flank_marched: bool,
    pub(crate) busy: bool,
    pub(crate) guns_ready: bool,
    pub(crate) silenced: bool,
    pub(crate) replenishes: bool,
    pub(crate) rallies: bool,
    pub(crate) leaves: bool,
}

impl Move {
    fn to(place: Placement) -> Self {
        Self {
            place,
            track: Vec::new(),
            ground: Ground::Open,
            cost: 0,
            limit: 0,
            passed: Vec::new(),
            disorders: Vec::new(),
            about_faced: false,
            flank_marched: false,
            busy: false,
            guns_ready: false,
            silenced: false,
            replenishes: false,
            rallies: false,
            leaves: false,
        }
    }
}

/// What the steps amount to.
#[derive(Debug, Clone, Copy, Default)]
struct Deeds {
    moves: bool,
    form: Option<Formation>,
    flank: bool,
    about: bool,
    scale: bool,
    replenish: bool,
    alone: Option<&'static str>,
    limber: bool,
    unlimber: bool,
    pivot: bool,
    haul: Option<Mils>,
    rally: bool,
    actions: u8,
}

impl Deeds {
    fn of(steps: &[Step]) -> Self {
        let mut d = Self::default();
        for step in steps {
            match *step {
                Step::Advance { .. }
                | Step::Withdraw { .. }
                | Step::Oblique { .. }
                | Step::Wheel { .. }
                | Step::Road { .. } => d.moves = true,
                Step::Turn { .. } | Step::Expand { .. } | Step::RefuseFlank { .. } => {}
                Step::Form { formation, .. } => {
                    d.form = Some(formation);
                    d.actions += 1;
                }
                Step::Mount => {
                    d.form = Some(Formation::Line);
                    d.actions += 1;
                }
                Step::Dismount => {
                    d.form = Some(Formation::OpenOrder);
                    d.actions += 1;
                }
                Step::Garrison { .. } => {
                    d.form = Some(Formation::Garrison);
                    d.actions += 1;
                }
                Step::FlankMarch { .. } => {
                    d.flank = true;
                    d.actions += 1;
                }
                Step::AboutFace => {
                    d.about = true;
                    d.actions += 1;
                }
                Step::Scale { .. } => {
                    d.scale = true;
                    d.actions += 1;
                }
                Step::Replenish => {
                    d.replenish = true;
                    d.actions += 1;
                }
                Step::DeployToTheFront => {
                    d.alone = Some("deploying to the front");
                    d.actions += 1;
                }
                Step::ChangeFront { .. } => {
                    d.alone = Some("changing front");
                    d.actions += 1;
                }
                Step::Limber => {
                    d.limber = true;
                    d.actions += 1;
                }
                Step::Unlimber { .. } => {
                    d.unlimber = true;
                    d.actions += 1;
                }
                Step::Pivot { .. } => {
                    d.pivot = true;
                    d.actions += 1;
                }
                Step::HandHaul { inches } => {
                    d.haul = Some(inches.abs());
                    d.actions += 1;
                }
                Step::Rally => {
                    d.rally = true;
                    d.actions += 1;
                }
            }
        }
        d
    }
}

/// How far the steps may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Share {
    DoubleQuick,
    Full,
    Half,
    None,
    /// Only what its own step measures.
    Own,
}

impl Battle {
    /// Whether a unit may make these steps at a pace, and what comes of them.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn judge(
        &self,
        unit: &Unit,
        pace: Pace,
        steps: &[Step],
        disordered: bool,
    ) -> Result<Move, No> {
        let deeds = Deeds::of(steps);
        if steps.is_empty() {
            return Ok(self.holding(unit, deeds, disordered));
        }
        let mut sergeant = Sergeant::new(self, unit);
        for step in steps {
            sergeant.step(step)?;
        }
        let drill = sergeant.drill;
        let share = if unit.is_guns() {
            self.gun_list(unit, pace, deeds)?
        } else {
            self.troop_list(unit, pace, deeds, &drill, disordered)?
        };
        self.limits_of_turning(unit, &drill)?;
        if let Some(step) =
            steps.iter().rev().skip(1).find(|s| matches!(s, Step::RefuseFlank { .. }))
        {
            let _ = step;
            return Err(self.no(
                &["formations.open-order.refuse-flank", "ruling.refuse-flank"],
                "a flank is refused at the end of the maneuver",
            ));
        }
        let mut walked = self.walk(unit, &drill)?;
        let passage = !walked.passed.is_empty();
        if passage && (pace == Pace::Tardy || disordered || unit.is_guns()) {
            return Err(self.no(
                &[
                    "troop-maneuvers.full-move-disordered.no-passage-of-lines",
                    "ruling.passage-of-lines",
                ],
                format!(
                    "{} would pass through {}: a passage of lines needs Well Handled",
                    unit.id(),
                    walked.passed[0]
                ),
            ));
        }
        if passage && deeds.actions > 0 {
            return Err(self.no(
                &["ruling.half-move-and"],
                "a passage of lines is combined with a half move and nothing else",
            ));
        }
        let share = if passage { Share::Half } else { share };
        let (cost, limit) = self.measure(unit, &drill, share, walked.ground);
        if cost > limit {
            return Err(self
                .no(
                    &["troop-maneuvers.well-handled.full-move"],
                    format!(
                        "{} would go {} inches over {} ground; it may go {}",
                        unit.id(),
                        inches(cost),
                        ground_name(walked.ground),
                        inches(limit)
                    ),
                )
                .instead(format!("go at most {} inches", inches(limit))));
        }
        if let Some(most) = deeds.haul {
            self.haul(unit, most)?;
        }
        walked.cost = cost;
        walked.limit = limit;
        self.consequences(unit, deeds, disordered, passage, &mut walked);
        Ok(walked)
    }

    fn troop_list(
        &self,
        unit: &Unit,
        pace: Pace,
        d: Deeds,
        drill: &Drill,
        disordered: bool,
    ) -> Result<Share, No> {
        let name = unit.id();
        if d.limber || d.unlimber || d.pivot || d.haul.is_some() || d.rally {
            return Err(
                self.no(&["gun-maneuvers.well-handled.limber"], format!("{name} is not artillery"))
            );
        }
        if d.actions > 1 {
            return Err(self.no(&["ruling.half-move-and"], "one maneuver of the list, not two"));
        }
        if unit.order == Order::Broken {
            return Err(self.no(&["ruling.broken-state"], format!("{name} is broken")));
        }
        self.dismounting(unit, drill)?;
        if let Some(what) = d.alone {
            self.standing_alone(unit, pace, d, what)?;
            return Ok(Share::Own);
        }
        if d.scale && unit.mounted() {
            return Err(self.no(&["ruling.obstacles"], "cavalry cannot scale an obstacle"));
        }
        if d.replenish && (self.in_close_range(unit).is_some() || !(unit.low)) {
            return Err(self.no(
                &["troop-maneuvers.well-handled.replenish-ammunition", "ruling.low-on-ammo"],
                format!("{name} is not low on ammunition, or within enemy close range"),
            ));
        }
        match pace {
            Pace::Hold if d.actions > 0 || d.moves => {
                Err(self.no(&["ruling.hold-and-fire"], format!("{name} may only hold and fire")))
            }
            Pace::Hold => Ok(Share::None),
            Pace::WellHandled | Pace::DoubleQuick => Ok(match (d.actions, pace) {
                (0, Pace::DoubleQuick) if !disordered => Share::DoubleQuick,
                (0, _) => Share::Full,
                _ => Share::Half,
            }),
            Pace::Tardy if disordered => {
                if d.actions > 0 {
                    return Err(self.no(
                        &[
                            "troop-maneuvers.full-move-disordered.no-change-formation",
                            "ruling.half-move-and",
                        ],
                        "a full move disordered goes forward or backward and does nothing else",
                    ));
                }
                Ok(Share::Full)
            }
            Pace::Tardy if d.actions == 0 => Ok(Share::Half),
            Pace::Tardy => self.tardy(unit, d),
        }
    }

    /// Changing front and deploying to the front are whole maneuvers.
    fn standing_alone(&self, unit: &Unit, pace: Pace, d: Deeds, what: &str) -> Result<(), No> {
        let rule = match what {
            "changing front" => "troop-maneuvers.well-handled.change-front",
            _ => "troop-maneuvers.well-handled.deploy-to-the-front",
        };
        let clauses = &self.measures().clauses;
        if !clauses.has(rule) {
            return Err(self.no(&["ruling.half-move-and"], format!("this book has no {what}")));
        }
        if d.moves {
            return Err(self.no(
                &["formations.change-front.alone", "ruling.half-move-and"],
                format!("{what} is a whole maneuver: no move before or after it"),
            ));
        }
        let tardy_may = what == "changing front";
        match pace {
            Pace::WellHandled | Pace::DoubleQuick => Ok(()),
            Pace::Tardy if tardy_may => Ok(()),
            _ => Err(self.no(
                &["formations.deploy-to-the-front.requires-well-handled", rule],
                format!("{} needs Well Handled for {what}", unit.id()),
            )),
        }
    }

    fn dismounting(&self, unit: &Unit, drill: &Drill) -> Result<(), No> {
        if drill.place.on_foot != unit.place.on_foot && !unit.card.is(Trait::Dragoons) {
            return Err(self
                .no(&["ruling.mount-dismount"], format!("{} does not fight on foot", unit.id())));
        }
        Ok(())
    }

    fn tardy(&self, unit: &Unit, d: Deeds) -> Result<Share, No> {
        let clauses = &self.measures().clauses;
        if d.moves {
            return Err(self.no(
                &["troop-maneuvers.tardy.half-move"],
                "tardy: a half move, or one maneuver without moving",
            ));
        }
        let may = match d.form {
            Some(Formation::Line | Formation::OpenOrder | Formation::Garrison) => {
                unit.card.branch != Branch::Cavalry || d.form == Some(Formation::Line)
            }
            Some(Formation::Square) => {
                clauses.has("troop-maneuvers.tardy.change-formation.square")
                    && matches!(unit.formation(), Formation::Line | Formation::FieldColumn)
            }
            Some(_) => false,
            None => d.about || d.scale,
        };
        if may {
            return Ok(Share::None);
        }
        Err(self.no(
            &["maneuver.good-order.tardy.effect"],
            format!("{} is tardy: half move, full move disordered, into line, open order or garrison, about face or scale", unit.id()),
        ))
    }

    fn gun_list(&self, unit: &Unit, pace: Pace, d: Deeds) -> Result<Share, No> {
        let name = unit.id();
        let clauses = &self.measures().clauses;
        let mobile = unit.card.carriage == Carriage::Light;
        if d.form.is_some() || d.flank || d.about || d.scale || d.alone.is_some() {
            return Err(
                self.no(&["gun-maneuvers.well-handled.full-move"], format!("{name} is artillery"))
            );
        }
        if unit.card.carriage == Carriage::Fixed && (d.moves || d.limber || d.haul.is_some()) {
            return Err(
                self.no(&["ruling.fixed-guns"], format!("{name} has no limber and never moves"))
            );
        }
        let well = matches!(pace, Pace::WellHandled | Pace::DoubleQuick);
        if pace == Pace::Hold && (d.actions > 0 || d.moves) {
            return Err(
                self.no(&["ruling.hold-and-fire"], format!("{name} may only hold and fire"))
            );
        }
        let alone = d.actions == 1 && !d.moves;
        if d.rally
            && !(alone
                && unit.guns.iter().any(|g| g.silenced)
                && (well || clauses.has("gun-maneuvers.tardy.rally")))
        {
            return Err(self.no(
                &["gun-maneuvers.tardy.no-rally", "gun-maneuvers.well-handled.rally"],
                format!(
                    "{name} rallies as its whole maneuver, on Well Handled, and if it is silenced"
                ),
            ));
        }
        if d.replenish
            && !(alone
                && well
                && unit.guns.iter().any(|g| g.low)
                && self.in_close_range(unit).is_none())
        {
            return Err(self.no(&["gun-maneuvers.well-handled.replenish-ammunition"], format!("{name} replenishes as its whole maneuver, on Well Handled, outside enemy close range, if it is low")));
        }
        if d.haul.is_some() && !(alone && well) {
            return Err(self.no(
                &["gun-maneuvers.well-handled.mobile.hand-haul"],
                "hauling by hand is a whole well handled maneuver",
            ));
        }
        let combined = d.actions + u8::from(d.moves) > 1;
        if combined {
            if !mobile {
                return Err(self.no(&["gun-maneuvers.mobile-only", "artillery.carriage.heavy.common-maneuvers-only", "gun-maneuvers.well-handled.full-move"], format!("{name} may do one thing of the common list: combined maneuvers are for mobile guns")));
            }
            let pair = d.actions == 1 && d.moves && (d.limber || (d.unlimber && well));
            if !pair {
                return Err(self.no(
                    &["gun-maneuvers.well-handled.mobile.full-move-and-unlimber"],
                    format!("{name} may move and unlimber, or limber and move"),
                ));
            }
        }
        Ok(match (d.moves, pace) {
            (true, Pace::DoubleQuick) if !d.unlimber => Share::DoubleQuick,
            (true, _) => Share::Full,
            _ => Share::Own,
        })
    }

    fn haul(&self, unit: &Unit, way: Mils) -> Result<(), No> {
        let [any, light, galloper] = self.measures().haul;
        let most = if unit.card.is(Trait::Galloper) && galloper > 0 {
            galloper
        } else if unit.card.carriage == Carriage::Light && light > 0 {
            light
        } else {
            any
        };
        if way <= most {
            return Ok(());
        }
        Err(self.no(
            &[
                "artillery.galloper.hand-haul",
                "gun-maneuvers.well-handled.mobile.hand-haul",
                "gun-maneuvers.well-handled.hand-haul",
            ],
            format!("{} may be hauled {} inches", unit.id(), inches(most)),
        ))
    }

    fn limits_of_turning(&self, unit: &Unit, drill: &Drill) -> Result<(), No> {
        let rules = ["formations.wheel.basic", "ruling.wheel-measurement"];
        if drill.wheeled > self.measures().wheel {
            return Err(self.no(
                &rules,
                format!(
                    "{} would wheel {} degrees in all; 45 is the most",
                    unit.id(),
                    f64::from(drill.wheeled) / 100.0
                ),
            ));
        }
        if drill.wheeled > 0 && drill.obliqued > 0 {
            return Err(self.no(&rules, "a move has a wheel or an oblique, not both"));
        }
        if drill.back > 0 && drill.ahead > 0 {
            return Err(
                self.no(&["ruling.backward-move"], "a move backward is backward as a whole")
            );
        }
        Ok(())
    }

    /// Walks the legs: ground, friends, enemies, edges.
    fn walk(&self, unit: &Unit, drill: &Drill) -> Result<Move, No> {
        let mut ground = Ground::Open;
        let mut passed: Vec<Id> = Vec::new();
        let start = &drill.legs[0].feet;
        for pair in drill.legs.windows(2) {
            let (from, leg) = (&pair[0], &pair[1]);
            let from_feet: &[Footprint] =
                if leg.sets || from.feet.len() != leg.feet.len() { &leg.feet } else { &from.feet };
            let over = self.field.crossed(from_feet, &leg.feet, leg.enters.or(from.enters));
            if leg.road.is_none() {
                ground = ground.max(over.ground);
            }
            if let Some(closed) = over.closed {
                return Err(self.no(
                    &["ruling.ground-classes"],
                    format!("{closed} is in the way and cannot be entered"),
                ));
            }
            if let (Some(obstacle), None) = (over.obstacle, leg.road) {
                return Err(self.no(
                    &["troop-maneuvers.well-handled.scale-major-obstacle", "ruling.obstacles"],
                    format!("{obstacle} must be scaled"),
                ));
            }
            if leg.feet.iter().any(|f| !self.field.holds(f)) {
                return Err(
                    self.no(&["ruling.table-edge"], format!("{} would leave the table", unit.id()))
                );
            }
            self.past_friends(unit, from_feet, leg, &mut passed);
            self.past_enemies(unit, from_feet, leg, start)?;
        }
        let last = drill.legs.last().map_or(start.as_slice(), |l| &l.feet);
        if let Some(other) = self.overlapped(unit, last, drill.place.garrison) {
            return Err(self.no(
                &["ruling.interpenetration"],
                format!("{} would end on top of {other}", unit.id()),
            ));
        }
        let track = drill.legs.iter().map(|l| l.pose).collect();
        Ok(Move { track, ground, passed, ..Move::to(drill.place.clone()) })
    }

    /// It stays where it is; a refused flank stays refused.
    fn holding(&self, unit: &Unit, deeds: Deeds, disordered: bool) -> Move {
        let mut hold = Move::to(unit.place.clone());
        self.consequences(unit, deeds, disordered, false, &mut hold);
        hold
    }

    fn past_friends(&self, unit: &Unit, from: &[Footprint], leg: &Leg, passed: &mut Vec<Id>) {
        for friend in self
            .units
            .iter()
            .filter(|u| u.present() && u.side() == unit.side() && u.id() != unit.id())
        {
            let firm = !friend.formation().nature().loose
                && !matches!(friend.formation(), Formation::Broken | Formation::Garrison);
            if firm && !passed.contains(&friend.id()) && sweeps(from, &leg.feet, friend) {
                passed.push(friend.id());
            }
        }
    }

    fn past_enemies(
        &self,
        unit: &Unit,
        from: &[Footprint],
        leg: &Leg,
        start: &[Footprint],
    ) -> Result<(), No> {
        let short = self.measures().short;
        for enemy in self.units.iter().filter(|u| u.present() && u.side() != unit.side()) {
            if !self.keeps_off(enemy) || !reaches(from, &leg.feet, enemy, short) {
                continue;
            }
            if sweeps(from, &leg.feet, enemy) {
                return Err(self.no(
                    &["ruling.enemy-proximity"],
                    format!("{} is in the way: charge it, or go round", enemy.id()),
                ));
            }
            let before = distance(start, enemy);
            let pieces = (leg.way / (INCH / 4)).clamp(1, 200);
            for i in 1..=pieces {
                let near = leg.feet.iter().zip(from).any(|(to, from)| {
                    let d = to.pose.at - from.pose.at;
                    let part =
                        table::Point { x: d.x * i / pieces - d.x, y: d.y * i / pieces - d.y };
                    let at = to.shifted(part);
                    enemy.feet.iter().any(|e| {
                        let gap = at.distance(e);
                        gap < short && gap < before
                    })
                });
                if near {
                    return Err(self
                        .no(
                            &["ruling.enemy-proximity"],
                            format!(
                                "{} would come within {} inches of {}",
                                unit.id(),
                                inches(short),
                                enemy.id()
                            ),
                        )
                        .instead("stop farther off, or charge"));
                }
            }
        }
        Ok(())
    }

    /// Whether one must keep off an enemy unless charging it.
    pub(crate) fn keeps_off(&self, enemy: &Unit) -> bool {
        enemy.formation() != Formation::Limbered
    }

    /// Who is on the ground some stands would cover.
    pub(crate) fn overlapped(
        &self,
        unit: &Unit,
        feet: &[Footprint],
        garrison: Option<Id>,
    ) -> Option<Id> {
        let stands = self.units.iter().filter(|u| u.present() && u.id() != unit.id());
        let met = stands.filter(|u| !(garrison.is_some() && u.place.garrison == garrison));
        met.into_iter()
            .find(|u| {
                reaches(feet, feet, u, 0)
                    && u.feet.iter().any(|b| feet.iter().any(|a| a.overlaps(b)))
            })
            .map(Unit::id)
    }

    fn measure(&self, unit: &Unit, drill: &Drill, share: Share, ground: Ground) -> (Mils, Mils) {
        let rows: Vec<_> = drill
            .legs
            .iter()
            .filter(|l| l.way > 0)
            .map(|l| unit.card.row(l.formation, l.on_foot))
            .collect();
        let row = rows
            .first()
            .copied()
            .unwrap_or_else(|| unit.card.row(unit.formation(), unit.place.on_foot));
        let at = ground as usize;
        let rate = |row: &crate::rates::Row| match share {
            Share::DoubleQuick => row.double_quick[at],
            Share::Full | Share::Own => row.full[at],
            Share::Half => half(row.full[at], self.measures().half),
            Share::None => 0,
        };
        let limit = rows.iter().map(&rate).min().unwrap_or_else(|| rate(&row));
        let on_good: Mils = drill.legs.iter().filter(|l| l.road == Some(true)).map(|l| l.way).sum();
        let whole = drill.way();
        match row.road {
            RoadRate::Times(times) if on_good > 0 => {
                let bonus = f64::from(on_good) / times;
                #[allow(clippy::cast_possible_truncation)] // a few feet
                let cost = (f64::from(whole - on_good) + bonus).round() as Mils;
                (cost, limit)
            }
            RoadRate::Whole(full, quick) if on_good > 0 && on_good == whole => {
                let limit = match share {
                    Share::DoubleQuick => quick,
                    Share::Full => full,
                    Share::Half => half(full, self.measures().half),
                    _ => limit,
                };
                (whole, limit)
            }
            _ if share == Share::Own && unit.is_guns() => (0, 0),
            _ => (whole, limit),
        }
    }

    fn consequences(
        &self,
        unit: &Unit,
        d: Deeds,
        disordered: bool,
        passage: bool,
        walked: &mut Move,
    ) {
        let raw = unit.card.class == Class::Raw;
        let bad =
            walked.ground > Ground::Open || self.ground_under(&walked.place, unit) > Ground::Open;
        let deployed = d.form.is_some() || d.alone == Some("deploying to the front");
        if disordered || (deployed && raw && bad && !unit.is_guns()) {
            walked.disorders.push(unit.id());
        }
        if passage {
            let others: Vec<&Unit> = walked.passed.iter().filter_map(|p| self.unit(*p)).collect();
            for other in others {
                let disorder = [unit, other]
                    .iter()
                    .any(|u| u.order != Order::Good || u.card.class == Class::Raw);
                if disorder || walked.ground > Ground::Open {
                    walked.disorders.extend([unit.id(), other.id()]);
                }
            }
            walked.disorders.sort_unstable();
            walked.disorders.dedup();
        }
        walked.about_faced = d.about;
        walked.flank_marched = d.flank;
        walked.busy = d.replenish || d.scale;
        walked.replenishes = d.replenish;
        walked.rallies = d.rally;
        let mobile = unit.card.carriage == Carriage::Light;
        walked.guns_ready = d.actions == 0 && !d.moves
            || (mobile
                && !d.moves
                && (d.unlimber || d.pivot)
                && unit.did.owes != Some(Pace::Tardy));
        walked.silenced = unit.did.owes == Some(Pace::Tardy) && d.limber && d.moves;
        walked.leaves = d.moves || d.flank || d.form.is_some() || d.alone.is_some();
    }

    pub(crate) fn ground_under(&self, place: &Placement, unit: &Unit) -> Ground {
        let size = if place.on_foot { unit.card.on_foot } else { unit.card.size };
        let feet: Vec<Footprint> = place.stands.iter().map(|p| Footprint::of(*p, size)).collect();
        self.field.crossed(&feet, &feet, place.garrison).ground
    }
}

/// Half of a rate, or another share of it.
pub(crate) fn half(rate: Mils, share: f64) -> Mils {
    #[allow(clippy::cast_possible_truncation)] // a few feet
    let part = (f64::from(rate) * share).round() as Mils;
    part
}

pub(crate) fn ground_name(ground: Ground) -> &'static str {
    match ground {
        Ground::Open => "open",
        Ground::Broken => "broken",
        Ground::Rough => "rough",
    }
}

/// Whether some stands, on their way, could come within a distance of a unit at all.
pub(crate) fn reaches(from: &[Footprint], to: &[Footprint], unit: &Unit, within: Mils) -> bool {
    let box_of = |f: &Footprint| f.bounds();
    let bounds = from.iter().chain(to).map(box_of).reduce(table::Bounds::and);
    let around = table::Bounds {
        low: unit.middle - table::Point { x: unit.radius, y: unit.radius },
        high: unit.middle + table::Point { x: unit.radius, y: unit.radius },
    };
    bounds.is_some_and(|b| b.grown(within).meets(&around))
}

/// Whether some stands sweep over a unit.
pub(crate) fn sweeps(from: &[Footprint], to: &[Footprint], unit: &Unit) -> bool {
    reaches(from, to, unit, 0)
        && from.iter().zip(to).any(|(a, b)| {
            let by = b.pose.at - a.pose.at;
            unit.feet.iter().any(|u| a.sweeps_over(by, u) || b.overlaps(u))
        })
}

fn distance(feet: &[Footprint], unit: &Unit) -> Mils {
    feet.iter()
        .flat_map(|a| unit.feet.iter().map(move |b| a.distance(b)))
        .min()
        .unwrap_or(Mils::MAX)
}
