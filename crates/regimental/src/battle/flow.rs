//! The turn: which step comes next, and what happens by itself.

use journal::Recorder;
use table::{Facing, Footprint, INCH, Mils, Pose, TOUCH};

use super::Battle;
use super::card::Side;
use super::command::Decision;
use super::drill_places::station;
use super::event::{Event, Pending, Phase, Why};
use super::formation::Formation;
use super::id::Id;
use super::refusal::No;
use super::state::{LeaderState, Pace, Placement, Stands, Unit, Whereabouts};
use super::terrain::{Crossed, Ground, Kind, Piece};
use super::victory::Reason;
use super::way::Way;
use crate::maneuver::Order;
use crate::rates::{RoadRate, Row};

impl Battle {
    /// Goes on until somebody owes a decision.
    pub(crate) fn run_on(turn: &mut Recorder<'_, Self>) {
        // A step is taken off its list before it is carried out, so this ends.
        for _ in 0..10_000 {
            if let Some(pending) = turn.pending.front().cloned() {
                if turn.owed(&pending).is_some() {
                    return;
                }
                turn.emit(Event::Settled);
                Self::settle(turn, &pending);
                continue;
            }
            if turn.phase != Phase::Over && turn.just_beaten(turn.events()) {
                Self::crews_after_combat(turn);
                Self::take_positions(turn);
                Self::finish(turn, Reason::NoTroops);
            }
            if turn.phase == Phase::Over || !Self::nothing_left(turn) {
                return;
            }
            Self::next_phase(turn);
        }
    }

    /// Carries out a step that leaves no choice, or for which none was taken.
    fn settle(turn: &mut Recorder<'_, Self>, pending: &Pending) {
        match pending {
            Pending::Answer { .. } => {}
            Pending::ChargeMove { unit } => Self::move_charge(turn, *unit),
            Pending::Forced { unit } => Self::forced(turn, *unit),
            Pending::GoBack { unit, how, inches, from, support, .. } => {
                Self::go_back(turn, *unit, *how, (*inches, *support), from)
            }
            Pending::GoOn { unit, ground, .. } => Self::carry(turn, *unit, *ground),
            Pending::Breakthrough { unit, ground } => Self::break_through(turn, *unit, *ground),
            Pending::Widen { .. } => {}
        }
    }

    /// Whether nobody can do anything in this step.
    fn nothing_left(turn: &Recorder<'_, Self>) -> bool {
        let side = turn.mover;
        match turn.phase {
            Phase::Leaders => !turn.leader_doings(side),
            Phase::Checks => !turn.units.iter().any(|u| {
                u.present() && u.side() == side && u.did.checked.is_none() && !u.did.stood
            }),
            Phase::Charges => !turn.units.iter().any(|u| turn.could_charge(u)),
            Phase::Maneuvers => !turn.units.iter().any(|u| u.present() && u.did.owes.is_some()),
            // Not when the last has ridden: after this the enemy fires, and a ride could not be
            // taken back any more.
            Phase::LeaderMoves => !turn
                .leaders
                .iter()
                .any(|l| l.card.side == side && l.present() && l.attached.is_none()),
            Phase::DefensiveFire | Phase::OffensiveFire => {
                let firing = turn.firing_side();
                !turn.units.iter().any(|u| {
                    u.present()
                        && Some(u.side()) == firing
                        && (turn.could_fire(u) || turn.passed_by(u))
                })
            }
            Phase::Combat | Phase::Breakthrough => turn.next_combat().is_none(),
            Phase::Over => true,
        }
    }

    fn passed_by(&self, unit: &Unit) -> bool {
        let fresh = unit.did.fired == 0 && unit.did.targets.is_empty();
        self.phase == Phase::DefensiveFire
            && fresh
            && self
                .units
                .iter()
                .any(|e| e.present() && e.side() != unit.side() && self.passed_through(unit, e))
    }

    fn leader_doings(&self, side: Side) -> bool {
        let leader = |l: &super::state::Leader| {
            l.card.side == side
                && (l.attached.is_some() && l.present()
                    || matches!(l.state, LeaderState::Fallen | LeaderState::Returning)
                    || self.units.iter().any(|u| {
                        u.side() == side
                            && !u.bounds.is_beyond(2 * INCH, l.at)
                            && self.check_attach(side, l.card.id, u.id()).is_ok()
                    }))
        };
        self.leaders.iter().any(leader) || self.arrivals_due(side).next().is_some()
    }

    /// A quick look whether a unit of the group could charge anybody.
    fn could_charge(&self, unit: &Unit) -> bool {
        unit.present()
            && unit.did.charge.is_none()
            && unit.did.owes.is_some_and(|p| p != Pace::Hold)
            && !unit.is_guns()
            && unit.formation().nature().charges
            && unit.order != Order::Broken
            && {
                let pace = unit.did.owes.unwrap_or(Pace::Hold);
                let rate = self.charge_rate(unit, pace, pace == Pace::Tardy);
                let far = rate.into_iter().max().unwrap_or(0);
                self.units
                    .iter()
                    .any(|e| e.present() && e.side() != unit.side() && e.within(unit, far))
            }
    }

    /// The step is over: the next one begins.
    pub(crate) fn next_phase(turn: &mut Recorder<'_, Self>) {
        let next = match turn.phase {
            Phase::Leaders => Phase::Checks,
            Phase::Charges => return Self::charges_declared(turn),
            Phase::Maneuvers => {
                Self::hold_the_rest(turn);
                Phase::Checks
            }
            Phase::Checks => Phase::LeaderMoves,
            Phase::LeaderMoves => Phase::DefensiveFire,
            Phase::DefensiveFire => Phase::OffensiveFire,
            Phase::OffensiveFire => Phase::Combat,
            Phase::Combat => Phase::Breakthrough,
            Phase::Breakthrough => return Self::end_turn(turn),
            Phase::Over => return,
        };
        turn.emit(Event::PhaseBegan { phase: next });
    }

    fn hold_the_rest(turn: &mut Recorder<'_, Self>) {
        let ids: Vec<Id> = turn
            .units
            .iter()
            .filter(|u| u.present() && u.did.owes.is_some())
            .map(Unit::id)
            .collect();
        for unit in ids {
            turn.emit(Event::Held { unit });
        }
    }

    fn end_turn(turn: &mut Recorder<'_, Self>) {
        Self::crews_after_combat(turn);
        Self::take_positions(turn);
        if let Some(reason) = turn.is_over() {
            Self::finish(turn, reason);
            return;
        }
        let side = turn.mover.other();
        let number = turn.turn + u8::from(side == turn.terms.first);
        Self::begin_turn(turn, number, side);
    }

    /// Crews return to their guns if their square held; otherwise the guns are lost.
    fn crews_after_combat(turn: &mut Recorder<'_, Self>) {
        let crews: Vec<(Id, Id)> = turn
            .units
            .iter()
            .filter(|u| u.present())
            .filter_map(|u| u.sheltering.map(|s| (u.id(), s)))
            .collect();
        for (guns, square) in crews {
            let held = turn.unit(square).zip(turn.unit(guns)).is_some_and(|(s, g)| {
                s.present() && s.formation().is_square() && s.within(g, INCH / 2)
            });
            if held {
                turn.emit(Event::Sheltered { unit: guns, square: None });
            } else {
                Self::remove(turn, guns, super::state::Gone::Captured, &["ruling.crew-in-square"]);
            }
        }
    }

    /// A side's turn begins: its passing markers end, hasty squares become squares.
    pub(crate) fn begin_turn(turn: &mut Recorder<'_, Self>, number: u8, side: Side) {
        let lost = turn.lost;
        let greater =
            turn.heavy_casualties(side) && lost[side.index()] > lost[side.other().index()];
        turn.emit(Event::TurnBegan { turn: number, side, greater_losses: greater });
        let squares: Vec<(Id, Placement)> = turn
            .units
            .iter()
            .filter(|u| u.present() && u.side() == side && u.formation() == Formation::HastySquare)
            .map(|u| {
                let mut place = u.place.clone();
                place.formation = Formation::Square;
                (u.id(), place)
            })
            .collect();
        for (unit, place) in squares {
            turn.emit(Event::Placed {
                unit,
                why: Why::CloseUp,
                place,
                track: vec![],
                ground: None,
            });
        }
        turn.emit(Event::PhaseBegan { phase: Phase::Leaders });
    }

    /// Reinforcements of a side that may enter now.
    pub(crate) fn arrivals_due(&self, side: Side) -> impl Iterator<Item = &super::Arrival> {
        self.terms.arrivals.iter().filter(move |a| {
            a.turn <= self.turn
                && self
                    .unit(a.unit)
                    .is_some_and(|u| u.side() == side && u.whereabouts == Whereabouts::Reserve)
        })
    }

    pub(crate) fn check_enter(&self, side: Side, id: Id, way: Mils) -> Result<Placement, No> {
        let rules = ["ruling.reinforcements"];
        self.in_phase(side, &[Phase::Leaders], "sequence.phase-order")?;
        let Some(arrival) = self.arrivals_due(side).find(|a| a.unit == id) else {
            return Err(self.no(&rules, format!("{id} does not enter now")));
        };
        let Some(unit) = self.unit(id) else {
            return Err(self.no(&rules, format!("there is no unit {id}")));
        };
        let formation = if unit.is_guns() { Formation::Limbered } else { Formation::MarchColumn };
        let stands = Stands {
            count: unit.bases(),
            size: unit.size(),
            gap: 0,
            one_rank: false,
            on_foot: false,
        };
        let depth = unit.size().depth * i32::try_from(unit.bases()).unwrap_or(1);
        let pose = Pose::new(arrival.at, arrival.facing).shifted(0, way);
        let place = Placement::new(pose, formation, stands);
        let queue = self.entered_at(arrival);
        let row = unit.card.row(formation, false);
        let mut there = unit.clone();
        there.stand_at(place.clone());
        // From where the whole column is just on the table: what it marches over counts.
        let inside = Pose::new(arrival.at, arrival.facing).shifted(0, depth.min(way));
        let first = there.feet_at(&Placement::new(inside, formation, stands));
        let over = self.field.crossed(&first, &there.feet, None);
        let rate = self.entry_rate(arrival, way, row, over.ground);
        // A column longer than its rate takes turns to come in, and is there when its tail is.
        let turns = 1 + Mils::from(self.turn.saturating_sub(arrival.turn));
        let most = if rate < depth { depth.min(rate * turns) } else { rate } - queue;
        if most < depth {
            return Err(self.no(
                &rules,
                format!(
                    "{id} needs {} inches for its column, and has {} behind those who entered \
                     before it: it enters next turn",
                    table::inches(depth),
                    table::inches(most.max(0))
                ),
            ));
        }
        if way > most || way < depth {
            return Err(self.no(
                &rules,
                format!(
                    "{id} enters {} to {} inches deep, by the head of its column",
                    table::inches(depth),
                    table::inches(most)
                ),
            ));
        }
        if over.closed.is_some() || there.feet.iter().any(|f| !self.field.holds(f)) {
            return Err(self.no(&rules, format!("{id} has no way in there")));
        }
        self.free_way(&there, (&first, over))?;
        if let Some(other) = self.overlapped(&there, &there.feet, None) {
            return Err(self.no(&["ruling.interpenetration"], format!("{other} stands there")));
        }
        let short = self.measures().short;
        if let Some(e) = self
            .units
            .iter()
            .find(|e| e.present() && e.side() != side && e.within(&there, short - 1))
        {
            return Err(self.no(&["ruling.enemy-proximity"], format!("{} is too near", e.id())));
        }
        Ok(place)
    }

    /// Whether a unit that comes onto the table has its way free: over no obstacle, and through
    /// nobody.
    pub(crate) fn free_way(
        &self,
        there: &Unit,
        (from, over): (&[Footprint], Crossed),
    ) -> Result<(), No> {
        let id = there.id();
        if let Some(obstacle) = over.obstacle {
            let fact = format!("{obstacle} is in the way of {id} and must be scaled");
            return Err(self.no(&["ruling.obstacles"], fact));
        }
        let way = Way::new(from, &there.feet);
        let met = |u: &&Unit| u.present() && u.id() != id && Some(u.id()) != there.card.parent;
        for other in self.units.iter().filter(met).filter(|u| way.sweeps(u)) {
            if other.side() != there.side() {
                let fact = format!("{} is in the way of {id}", other.id());
                return Err(self.no(&["ruling.enemy-proximity"], fact));
            }
            if other.is_firm() {
                let fact = format!("{id} would pass through {}, a passage of lines", other.id());
                return Err(self.no(&["ruling.passage-of-lines"], fact));
            }
        }
        Ok(())
    }

    /// How far troops enter, who march straight in: over the ground their column lies on, or along
    /// a road, with its bonus if it is good.
    fn entry_rate(&self, arrival: &super::Arrival, way: Mils, row: Row, ground: Ground) -> Mils {
        const STEP: Mils = INCH / 20;
        let door = Pose::new(arrival.at, arrival.facing);
        // How much of the way keeps to a road, from the edge on.
        let kept = |p: &Piece| {
            let steps = (0..=way / STEP).map(|i| i * STEP).chain([way]);
            let aside = station(p.shape.points(), arrival.at).at.distance(arrival.at);
            let on = |step: &Mils| {
                let at = door.place(0, *step);
                // Past its end a road is no road, wide as it is.
                let off = station(p.shape.points(), at).at.distance(at);
                p.shape.holds(at) && off <= aside + TOUCH
            };
            steps.take_while(on).last().unwrap_or(0)
        };
        let roads = self.field.pieces.iter().filter(|p| p.kind == Kind::Road);
        let Some((along, road)) = roads.map(|p| (kept(p), p)).max_by_key(|r| r.0) else {
            return row.full[ground as usize];
        };
        let (whole, rest) = (along >= way, row.full[ground as usize]);
        #[allow(clippy::cast_possible_truncation)] // a few feet
        match row.road {
            RoadRate::Times(times) if road.good && whole => {
                (f64::from(row.full[0]) * times).round() as Mils
            }
            // What is left of the rate after the road goes over the ground there.
            RoadRate::Times(times) if road.good && along > 0 => {
                let spent = (f64::from(along) / times).round() as Mils;
                along + (rest - spent).max(0)
            }
            RoadRate::Whole(full, _) if road.good && whole => full,
            _ if whole => row.full[0],
            _ => rest,
        }
    }

    /// How much of the way those who entered at the same point this turn take up.
    fn entered_at(&self, arrival: &super::Arrival) -> Mils {
        self.terms
            .arrivals
            .iter()
            .filter(|a| a.at == arrival.at && a.unit != arrival.unit)
            .filter_map(|a| self.unit(a.unit))
            .filter(|u| u.present() && u.did.stood)
            .map(|u| u.size().depth * i32::try_from(u.bases()).unwrap_or(1))
            .sum()
    }

    pub(crate) fn check_done(&self, side: Side) -> Result<(), No> {
        let owner = self.awaited();
        if owner != Some(side) {
            return Err(self.no(&["sequence.phase-order"], "the other side is to act"));
        }
        if !self.pending.is_empty() {
            return Err(self.no(&["sequence.phase-order"], "a choice is owed first"));
        }
        if self.phase == Phase::Checks {
            let must = self.units.iter().find(|u| u.side() == side && u.must_check());
            if let Some(unit) = must {
                let how = if unit.is_guns() { "silenced" } else { "disordered or broken" };
                return Err(self
                    .no(
                        &["ruling.maneuver-check-required"],
                        format!("{} is {how} and must check", unit.id()),
                    )
                    .instead(format!("check {}", unit.id())));
            }
        }
        if matches!(self.phase, Phase::Combat | Phase::Breakthrough) && self.next_combat().is_some()
        {
            return Err(self
                .no(&["sequence.charge.1-combat"], "charge combats are left that must be fought"));
        }
        if self.phase == Phase::Over {
            return Err(self.no(&["ruling.game-end"], "the battle is over"));
        }
        Ok(())
    }

    /// The decisions a pending step leaves to somebody, besides standing.
    #[must_use]
    pub fn choices(&self, pending: &Pending) -> Vec<Decision> {
        self.memo.choices(pending, || self.find_choices(pending))
    }

    fn find_choices(&self, pending: &Pending) -> Vec<Decision> {
        let recall = |id: Id| {
            let unit = self.unit(id);
            let rate = unit.map_or(0, |u| u.card.row(u.formation(), u.place.on_foot).full[0]);
            Decision::Recall {
                inches: rate,
                facing: unit.map_or(Facing::NORTH, |u| u.place.pose.facing),
            }
        };
        let here = |id: Id| self.unit(id).is_some_and(Unit::present);
        let horse = |id: Id| self.unit(id).is_some_and(Unit::mounted);
        match pending {
            Pending::Answer { unit, charger } => match (self.unit(*unit), self.unit(*charger)) {
                (Some(u), Some(c)) if u.present() && c.present() => self.answers(u, c),
                _ => vec![],
            },
            Pending::GoBack { unit, recall: true, .. } if here(*unit) && horse(*unit) => {
                vec![recall(*unit)]
            }
            Pending::GoOn { unit, recall: may, stay, .. } if here(*unit) => {
                let mut choices = vec![];
                if *may && horse(*unit) {
                    choices.push(recall(*unit));
                }
                if *stay {
                    choices.push(Decision::Carry);
                }
                choices
            }
            Pending::Breakthrough { unit, .. } if here(*unit) => {
                let free = self.unit(*unit).map_or(0, |u| self.free_run(u));
                if free > 0 { vec![Decision::Advance { inches: free }] } else { vec![] }
            }
            Pending::Widen { unit } if here(*unit) => {
                let gap = self.unit(*unit).and_then(|u| self.may_widen(u));
                gap.map(|gap| Decision::Widen { gap }).into_iter().collect()
            }
            _ => vec![],
        }
    }

    /// Who owes a decision on a pending step.
    pub(crate) fn owed(&self, pending: &Pending) -> Option<Side> {
        if self.choices(pending).is_empty() {
            return None;
        }
        self.unit(pending.unit()).map(Unit::side)
    }

    pub(crate) fn check_decide(
        &self,
        side: Side,
        id: Id,
        decision: Decision,
    ) -> Result<Pending, No> {
        let Some(pending) = self.pending.front() else {
            return Err(self.no(&["sequence.phase-order"], "no choice is owed now"));
        };
        let unit = pending.unit();
        if self.owed(pending) != Some(side) || unit != id {
            return Err(
                self.no(&["sequence.phase-order"], format!("the choice owed is that of {unit}"))
            );
        }
        let choices = self.choices(pending);
        let fits = match decision {
            Decision::Stand => true,
            Decision::Advance { inches } => choices.iter().any(|c| matches!(c, Decision::Advance { inches: most } if inches > 0 && inches <= *most)),
            // Nobody stays nearer to an enemy than that.
            Decision::Recall { inches, .. } => choices.iter().any(|c| matches!(c, Decision::Recall { inches: most, .. } if inches >= self.measures().short.min(*most) && inches <= *most)),
            Decision::Widen { gap } => {
                let most = choices.iter().any(|c| matches!(c, Decision::Widen { gap: most } if gap <= *most));
                most && self.unit(id).is_some_and(|u| gap > u.place.gap)
            }
            other => choices.contains(&other),
        };
        if !fits {
            let short = self.measures().short;
            let words: Vec<String> = choices.iter().map(|c| in_words(c, short)).collect();
            let rule = match decision {
                Decision::Recall { .. } => "ruling.recall",
                Decision::Advance { .. } => "ruling.breakthrough",
                Decision::Widen { .. } => "formations.open-order.expand.limit",
                Decision::Countercharge => "ruling.countercharge",
                Decision::HastySquare => "ruling.hasty-square",
                Decision::Shelter { .. } => "ruling.crew-in-square",
                _ => "ruling.carry-the-position",
            };
            let fact = format!("{id} may stand, or: {}", words.join(", "));
            return Err(self.no(&[rule], fact));
        }
        Ok(pending.clone())
    }

    pub(crate) fn decide(turn: &mut Recorder<'_, Self>, pending: &Pending, decision: Decision) {
        turn.emit(Event::Settled);
        match (pending, decision) {
            (Pending::Answer { unit, charger }, answer) => {
                Self::answer(turn, *unit, *charger, answer)
            }
            (Pending::GoBack { unit, from, .. }, Decision::Recall { inches, facing }) => {
                // Who is hemmed in goes back as printed, and pays for it.
                if !Self::recall(turn, *unit, from, inches, facing) {
                    Self::settle(turn, pending);
                }
            }
            (Pending::GoOn { unit, .. }, Decision::Recall { inches, facing }) => {
                let from = turn.fought_by(*unit);
                Self::recall(turn, *unit, &from, inches, facing);
            }
            (Pending::GoOn { stay: true, .. }, Decision::Stand) => {}
            (Pending::Widen { unit }, Decision::Widen { gap }) => Self::widen(turn, *unit, gap),
            (Pending::Breakthrough { unit, .. }, Decision::Advance { inches }) => {
                Self::run_free(turn, *unit, inches);
            }
            (pending, _) => Self::settle(turn, pending),
        }
    }
}

/// A choice in words.
fn in_words(choice: &Decision, short: Mils) -> String {
    match choice {
        Decision::Recall { inches, .. } => {
            let (least, most) = (table::inches(short.min(*inches)), table::inches(*inches));
            format!("recall {least} to {most} inches")
        }
        Decision::Advance { inches } => {
            format!("advance up to {} inches", table::inches(*inches))
        }
        Decision::Widen { gap } => format!("widen to at most {} inches", table::inches(*gap)),
        Decision::Countercharge => "countercharge".to_owned(),
        Decision::HastySquare => "form a hasty square".to_owned(),
        Decision::Shelter { square } => format!("shelter in {square}"),
        Decision::Stand | Decision::Carry => "carry the position".to_owned(),
    }
}
