//! Maneuvers of one's own will: which list allows what, how far, over which ground, past whom.

use table::{Footprint, Mils, Pose, inches};

use super::Battle;
use super::card::Carriage;
use super::command::Step;
use super::drill::{Drill, Sergeant};
use super::formation::Formation;
use super::id::Id;
use super::lists::{Deeds, Share};
use super::refusal::No;
use super::state::{Pace, Placement, Unit};
use super::terrain::Ground;
use super::way::Way;
use crate::fire::Class;
use crate::maneuver::Order;
use crate::rates::RoadRate;

/// More steps than any maneuver has.
const MOST_STEPS: usize = 32;

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
    /// The rule that disorders them.
    pub(crate) disordered_by: &'static str,
    pub(crate) about_faced: bool,
    pub(crate) flank_marched: bool,
    pub(crate) busy: bool,
    pub(crate) guns_ready: bool,
    pub(crate) silenced: bool,
    pub(crate) replenishes: bool,
    pub(crate) rallies: bool,
    pub(crate) leaves: bool,
    /// The worst ground it changed formation on.
    formed_on: Ground,
}

impl Move {
    pub(super) fn to(place: Placement) -> Self {
        Self {
            place,
            track: Vec::new(),
            ground: Ground::Open,
            cost: 0,
            limit: 0,
            passed: Vec::new(),
            disorders: Vec::new(),
            disordered_by: "troop-maneuvers.tardy.full-move-disordered",
            about_faced: false,
            flank_marched: false,
            busy: false,
            guns_ready: false,
            silenced: false,
            replenishes: false,
            rallies: false,
            leaves: false,
            formed_on: Ground::Open,
        }
    }
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
        self.judged(unit, (pace, disordered), steps, true)
    }

    /// The same for who does not ask why not: a refusal can cost as much as the answer.
    #[must_use]
    pub fn allows(
        &self,
        unit: &Unit,
        pace: Pace,
        steps: &[Step],
        disordered: bool,
    ) -> Option<Move> {
        if too_far(unit, pace, steps) {
            return None;
        }
        self.judged(unit, (pace, disordered), steps, false).ok()
    }

    fn judged(
        &self,
        unit: &Unit,
        (pace, disordered): (Pace, bool),
        steps: &[Step],
        why: bool,
    ) -> Result<Move, No> {
        if steps.len() > MOST_STEPS {
            let fact = format!("{} steps are no one maneuver", steps.len());
            return Err(self.no(&["ruling.half-move-and"], fact));
        }
        let deeds = Deeds::of(steps);
        if steps.is_empty() {
            return Ok(self.holding(unit, deeds, disordered));
        }
        if !self.has(unit) {
            return self.judge_anew(unit, pace, (steps, deeds), (disordered, why));
        }
        if let Some(found) = self.memo.judged(unit.id(), (pace, disordered), steps) {
            return Ok(found);
        }
        let found = self.judge_anew(unit, pace, (steps, deeds), (disordered, why))?;
        self.memo.judge(unit.id(), (pace, disordered), steps, &found);
        Ok(found)
    }

    fn judge_anew(
        &self,
        unit: &Unit,
        pace: Pace,
        (steps, deeds): (&[Step], Deeds),
        (disordered, why): (bool, bool),
    ) -> Result<Move, No> {
        let mut sergeant = Sergeant::new(self, unit);
        for step in steps {
            sergeant.step(step)?;
        }
        let mut drill = sergeant.drill;
        // A column looks where its head looks.
        if drill.place.formation.snakes()
            && let Some(head) = drill.place.stands.first()
        {
            if matches!(steps.last(), Some(Step::Turn { .. })) && steps.iter().all(stands_still) {
                let fact = format!("{} would not move: a column turns as it marches", unit.id());
                let no = self.no(&["ruling.wheel-measurement"], fact);
                return Err(no.instead("turn and advance, or face about"));
            }
            drill.place.pose.facing = head.facing;
        }
        let share = if unit.is_guns() {
            self.gun_list(unit, pace, deeds)?
        } else {
            self.troop_list(unit, pace, deeds, (&drill, disordered))?
        };
        if unit.is_guns() && pace == Pace::Tardy && deeds.limber && deeds.moves {
            self.leads_away(unit, &drill)?;
        }
        self.limits_of_turning(unit, &drill, disordered)?;
        self.lies_free(unit, &drill)?;
        self.in_turn(steps)?;
        // Too far on any ground: said before what else is in the way, with the ground it is.
        if let Err(no) = self.within_rate(unit, &drill, share, Ground::Open) {
            if !why {
                return Err(no);
            }
            let ground = self.walk(unit, &drill).map_or(Ground::Open, |w| w.ground);
            return Err(self.within_rate(unit, &drill, share, ground).err().unwrap_or(no));
        }
        let mut walked = self.walk(unit, &drill)?;
        let passage = self.passes_lines(unit, (pace, disordered), deeds, &walked)?;
        let share = if passage { Share::Half } else { share };
        let rate = self.within_rate(unit, &drill, share, walked.ground);
        let (cost, limit) = rate.map_err(|no| match walked.passed.first() {
            // Half a move is all that a passage of lines leaves.
            Some(friend) => {
                let rules =
                    ["troop-maneuvers.well-handled.passage-of-lines", "ruling.passage-of-lines"];
                let fact = format!("{} (a passage of lines through {friend})", no.fact);
                No { instead: no.instead, ..self.no(&rules, fact) }
            }
            None => no,
        })?;
        if let Some(most) = deeds.haul {
            self.haul(unit, most)?;
        }
        walked.cost = cost;
        walked.limit = limit;
        self.consequences(unit, deeds, disordered, &mut walked);
        Ok(walked)
    }

    /// Whether steps stand where in a maneuver they may: flanks are refused at its end, gaps widened
    /// before or after everything else.
    fn in_turn(&self, steps: &[Step]) -> Result<(), No> {
        if steps.iter().rev().skip(1).any(|s| matches!(s, Step::RefuseFlank { .. })) {
            return Err(self.no(
                &["formations.open-order.refuse-flank", "ruling.refuse-flank"],
                "a flank is refused at the end of the maneuver",
            ));
        }
        let stirs = |s: &Step| !matches!(s, Step::Expand { .. } | Step::RefuseFlank { .. });
        let (first, last) = (steps.iter().position(stirs), steps.iter().rposition(stirs));
        if let Some((first, last)) = first.zip(last)
            && steps[first..=last].iter().any(|s| matches!(s, Step::Expand { .. }))
        {
            return Err(self.no(
                &["formations.open-order.expand.when", "formations.open-order.expand.limit"],
                "gaps are widened at the beginning or at the end of the movement",
            ));
        }
        Ok(())
    }

    /// Whether a walk is a passage of lines, if it may be one.
    fn passes_lines(
        &self,
        unit: &Unit,
        (pace, disordered): (Pace, bool),
        deeds: Deeds,
        walked: &Move,
    ) -> Result<bool, No> {
        let Some(friend) = walked.passed.first() else { return Ok(false) };
        if pace == Pace::Tardy || disordered || unit.is_guns() {
            let (rule, why) = match () {
                () if unit.is_guns() => ("ruling.passage-of-lines", "guns make none"),
                () if disordered => {
                    let rule = "troop-maneuvers.full-move-disordered.no-passage-of-lines";
                    (rule, "not in a full move disordered")
                }
                () => ("ruling.passage-of-lines", "it needs Well Handled"),
            };
            let id = unit.id();
            let fact = format!("{id} would pass through {friend}, a passage of lines: {why}");
            return Err(self.no(&[rule, "ruling.passage-of-lines"], fact));
        }
        if deeds.actions > 0 {
            return Err(self.no(
                &["ruling.half-move-and"],
                "a passage of lines is combined with a half move and nothing else",
            ));
        }
        Ok(true)
    }

    /// Tardy guns that limber up may only retreat: away from the nearest enemy, and homeward.
    fn leads_away(&self, unit: &Unit, drill: &Drill) -> Result<(), No> {
        let (from, to) = (unit.place.pose.at, drill.place.pose.at);
        // Homeward at least as much as aside.
        let (aside, home) = self.homeward(unit.side()).across_and_ahead(to - from);
        let home = home > 0 && home >= aside.abs();
        let away = self
            .nearest_enemy(unit)
            .is_none_or(|e| e.middle.distance(to) > e.middle.distance(from));
        if home && away {
            return Ok(());
        }
        let rules = ["gun-maneuvers.tardy.mobile.limber-and-full-retreat", "ruling.full-retreat"];
        let fact = format!("{} is tardy: having limbered it may only retreat", unit.id());
        Err(self.no(&rules, fact).instead("move away from the enemy, toward its own edge"))
    }

    /// What a drill costs and what it may, if it may.
    fn within_rate(
        &self,
        unit: &Unit,
        drill: &Drill,
        share: Share,
        ground: Ground,
    ) -> Result<(Mils, Mils), No> {
        let (cost, limit) = self.measure(unit, drill, share, ground);
        if cost <= limit {
            return Ok((cost, limit));
        }
        // On a good road by the ruler, not as it is counted.
        let whole = drill.way();
        let by_road = whole > cost && drill.legs.iter().all(|l| l.way == 0 || l.road == Some(true));
        let (cost, limit) = match unit.card.row(unit.formation(), unit.place.on_foot).road {
            RoadRate::Times(times) if by_road => (whole, half(limit, times)),
            _ => (cost, limit),
        };
        // Never rounded down to what it may go.
        let goes = f64::from((cost + 9) / 10) / 100.0;
        let may = inches(limit);
        let fact = format!(
            "{} would go {goes} inches over {} ground; it may go {may}",
            unit.id(),
            ground_name(ground)
        );
        let tardy = unit.did.owes == Some(Pace::Tardy);
        let front = "formations.change-front.distance";
        let rules = match share {
            _ if unit.is_guns() && tardy => ["gun-maneuvers.tardy.full-move", front],
            _ if unit.is_guns() => ["gun-maneuvers.well-handled.full-move", front],
            Share::Own => [front, "troop-maneuvers.well-handled.change-front"],
            Share::Half | Share::None if tardy => ["troop-maneuvers.tardy.half-move", front],
            Share::Half | Share::None => ["troop-maneuvers.well-handled.half-move-and", front],
            Share::DoubleQuick => ["maneuver.good-order.double-quick.effect", front],
            Share::Full if tardy => ["troop-maneuvers.tardy.full-move-disordered", front],
            Share::Full => ["troop-maneuvers.well-handled.full-move", front],
        };
        Err(self.no(&rules, fact).instead(format!("go at most {may} inches")))
    }

    /// Walks the legs: ground, friends, enemies, edges.
    pub(super) fn walk(&self, unit: &Unit, drill: &Drill) -> Result<Move, No> {
        let mut ground = Ground::Open;
        let mut formed_on = Ground::Open;
        let mut passed: Vec<Id> = Vec::new();
        let start = &drill.legs[0].feet;
        let by_road = drill.legs.iter().any(|l| l.road.is_some())
            && drill.legs.iter().all(|l| l.way == 0 || l.road.is_some());
        for pair in drill.legs.windows(2) {
            let (from, leg) = (&pair[0], &pair[1]);
            let from_feet: &[Footprint] =
                if leg.sets || from.feet.len() != leg.feet.len() { &leg.feet } else { &from.feet };
            // Who goes by the road alone has its rate from the start, whatever he formed up on.
            let counts = leg.road.is_none() && (leg.way > 0 || !by_road);
            let forms = leg.formation != from.formation;
            let so_far = if counts && !forms { ground } else { Ground::Open };
            let enters = leg.enters.or(from.enters);
            let legs = (from_feet, leg.feet.as_slice());
            let over = self.field.crossed_but(legs, enters.as_slice(), so_far);
            if counts {
                ground = ground.max(over.ground);
            }
            if forms {
                let before = self.field.crossed(&from.feet, &from.feet, from.enters).ground;
                formed_on = formed_on.max(over.ground).max(before);
            }
            if let Some(closed) = over.closed {
                return Err(self.no(
                    &["ruling.ground-classes"],
                    format!("{closed} is in the way and cannot be entered"),
                ));
            }
            // A road leads up to it, and on behind it, but nobody follows it through.
            if let Some(obstacle) = over.obstacle {
                let scale = "troop-maneuvers.well-handled.scale-major-obstacle";
                return Err(if unit.mounted() || unit.is_guns() {
                    let fact = format!("{obstacle} is in the way: only troops on foot scale it");
                    self.no(&["ruling.obstacles"], fact)
                } else {
                    self.no(&[scale, "ruling.obstacles"], format!("{obstacle} must be scaled"))
                });
            }
            if leg.feet.iter().any(|f| !self.field.holds(f)) {
                return Err(
                    self.no(&["ruling.table-edge"], format!("{} would leave the table", unit.id()))
                );
            }
            let way = Way::new(from_feet, &leg.feet);
            self.past_friends(unit, way, &mut passed);
            self.past_enemies(unit, way, leg, start)?;
        }
        let last = drill.legs.last().map_or(start.as_slice(), |l| &l.feet);
        if let Some(other) = self.overlapped(unit, last, drill.place.garrison) {
            return Err(self.no(
                &["ruling.interpenetration"],
                format!("{} would end on top of {other}", unit.id()),
            ));
        }
        let track = drill.legs.iter().map(|l| l.pose).collect();
        Ok(Move { track, ground, passed, formed_on, ..Move::to(drill.place.clone()) })
    }

    /// It stays where it is; a refused flank stays refused.
    pub(super) fn holding(&self, unit: &Unit, deeds: Deeds, disordered: bool) -> Move {
        let mut hold = Move::to(unit.place.clone());
        self.consequences(unit, deeds, disordered, &mut hold);
        hold
    }

    /// Whether half a move of a unit is half of the double quick rate (ruling.half-move-and).
    fn halves_double_quick(&self, unit: &Unit) -> bool {
        self.measures().settings.half_of_double_quick && unit.did.owes == Some(Pace::DoubleQuick)
    }

    pub(super) fn measure(
        &self,
        unit: &Unit,
        drill: &Drill,
        share: Share,
        ground: Ground,
    ) -> (Mils, Mils) {
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
            // Changing front goes at the rate of the result.
            Share::Own if unit.did.owes == Some(Pace::DoubleQuick) => row.double_quick[at],
            Share::Full | Share::Own => row.full[at],
            Share::Half if drill.sideways > 0 => half(row.full[at], self.measures().flank_march),
            Share::Half if self.halves_double_quick(unit) => {
                half(row.double_quick[at], self.measures().half)
            }
            Share::Half => half(row.full[at], self.measures().half),
            Share::None => 0,
        };
        let limit = rows.iter().map(&rate).min().unwrap_or_else(|| rate(&row));
        if share == Share::Half && drill.sideways > 0 && drill.way() > drill.sideways {
            // Half a move, and a march by the flank of its own (ruling.half-move-and).
            let before = rows.iter().map(|r| half(r.full[at], self.measures().half)).min();
            let (moved, may) = (drill.way() - drill.sideways, before.unwrap_or(limit));
            return if moved > may { (moved, may) } else { (drill.sideways, limit) };
        }
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
                    Share::Half if self.halves_double_quick(unit) => {
                        half(quick, self.measures().half)
                    }
                    Share::Half => half(full, self.measures().half),
                    _ => limit,
                };
                (whole, limit)
            }
            _ if share == Share::Own && unit.is_guns() => (0, 0),
            _ => (whole, limit),
        }
    }

    pub(super) fn consequences(&self, unit: &Unit, d: Deeds, disordered: bool, walked: &mut Move) {
        let passage = !walked.passed.is_empty();
        let raw = unit.card.class == Class::Raw;
        let bad = walked.formed_on > Ground::Open;
        let deployed = d.form.is_some() || d.alone == Some("deploying to the front");
        if disordered || (deployed && raw && bad && !unit.is_guns()) {
            walked.disorders.push(unit.id());
            if !disordered {
                let tardy = unit.did.owes == Some(Pace::Tardy);
                walked.disordered_by = match (d.form.is_some(), tardy) {
                    (true, true) => "troop-maneuvers.tardy.change-formation.raw-disordered",
                    (true, false) => "troop-maneuvers.well-handled.change-formation.raw-disordered",
                    _ => "troop-maneuvers.well-handled.deploy-to-the-front.raw-disordered",
                };
            }
        }
        if passage {
            let others: Vec<&Unit> = walked.passed.iter().filter_map(|p| self.unit(*p)).collect();
            for other in others {
                let any = |is: fn(&Unit) -> bool| [unit, other].into_iter().any(is);
                let why = if any(|u| u.order != Order::Good) {
                    "troop-maneuvers.well-handled.passage-of-lines.disordered-unit"
                } else if any(|u| u.card.class == Class::Raw) {
                    "troop-maneuvers.well-handled.passage-of-lines.raw-unit"
                } else if walked.ground > Ground::Open {
                    "troop-maneuvers.well-handled.passage-of-lines.ground"
                } else {
                    continue;
                };
                walked.disordered_by = why;
                walked.disorders.extend([unit.id(), other.id()]);
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
}

/// Whether a step leaves a column where it is, looking where it looked.
fn stands_still(step: &Step) -> bool {
    matches!(step, Step::Turn { .. } | Step::Limber)
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

/// Whether some steps are too far over any ground, by a glance that saves drilling them: what they
/// cost at least against what the unit may go at most.
fn too_far(unit: &Unit, pace: Pace, steps: &[Step]) -> bool {
    let row = unit.card.row(unit.formation(), unit.place.on_foot);
    let most = if pace == Pace::DoubleQuick { row.double_quick[0] } else { row.full[0] };
    let straight = unit.formation() == Formation::Line && unit.place.refused.is_none();
    let mut least = 0;
    for step in steps {
        match step {
            Step::Advance { inches } | Step::Withdraw { inches } | Step::Oblique { inches, .. } => {
                least += inches;
            }
            // A little less than its outer corner goes, for what is rounded.
            Step::Wheel { degrees, .. } if straight => {
                least += table::arc(unit.frontage(), table::turn(*degrees)) * 19 / 20;
            }
            Step::Wheel { .. } | Step::Turn { .. } | Step::AboutFace => {}
            // Another formation has another rate, and a road a bonus.
            _ => return false,
        }
    }
    least > most.max(row.full[0])
}
