//! Orders: each is checked, then carried out by the same reading of it.

use journal::Recorder;
use table::Pose;

use super::card::Side;
use super::command::{Command, Step};
use super::event::{Event, Mark, Phase, Why};
use super::formation::Formation;
use super::id::Id;
use super::moves::Move;
use super::refusal::No;
use super::state::{Pace, Placement, Stands, Unit, Whereabouts};
use super::terrain::Ground;
use super::{Awaiting, Battle};
use crate::maneuver::Order;

impl journal::Battle for Battle {
    type Seat = Side;
    type Command = Command;
    type Event = Event;
    type Refusal = No;
    type Awaiting = Awaiting;

    fn check(&self, by: Side, command: &Command) -> Result<(), No> {
        if self.phase == Phase::Over {
            return Err(self.no(&["ruling.game-end"], "the battle is over"));
        }
        match command {
            Command::Attach { leader, unit } => self.check_attach(by, *leader, *unit),
            Command::Detach { leader } => self.check_detach(by, *leader),
            Command::Replace { leader, unit } => self.check_replace(by, *leader, *unit),
            Command::Enter { unit, inches } => self.check_enter(by, *unit, *inches).map(drop),
            Command::Check { units } => self.check_check(by, units),
            Command::Charge { unit, target, cold_steel, disordered, wheel } => {
                self.check_charge(by, *unit, (*target, *cold_steel, *disordered, *wheel)).map(drop)
            }
            Command::Maneuver { unit, steps, disordered } => {
                self.check_maneuver(by, *unit, steps, *disordered).map(drop)
            }
            Command::Go { unit, to, disordered } => {
                self.check_go(by, *unit, *to, *disordered).map(drop)
            }
            Command::SendOff { unit, detachment, to } => {
                self.check_send_off(by, *unit, *detachment, *to).map(drop)
            }
            Command::Rejoin { unit } => self.check_rejoin(by, *unit).map(drop),
            Command::MoveLeader { leader, to } => self.check_move_leader(by, *leader, *to),
            Command::Fire { units, target, passing, mark } => {
                if let Some(mark) = mark.filter(|m| !units.contains(m)) {
                    let fact = format!("{mark} does not fire: who runs low is one of those who do");
                    return Err(self.no(&["ruling.mixed-fire"], fact));
                }
                let volley = self.check_fire(by, units, *target, *passing)?;
                self.check_mark(&volley, *mark)
            }
            Command::Fight { unit } => self.check_fight(by, *unit).map(drop),
            Command::Decide { unit, decision } => self.check_decide(by, *unit, *decision).map(drop),
            Command::Done => self.check_done(by),
        }
    }

    fn execute(turn: &mut Recorder<'_, Self>, command: &Command) {
        let Some(by) = turn.awaited() else { return };
        Self::carry_out(turn, by, command);
        Self::run_on(turn);
    }

    fn apply(&mut self, event: &Event) {
        self.happen(event);
    }

    fn awaiting(&self) -> Awaiting {
        let choice = self.pending.front().filter(|p| self.owed(p).is_some()).cloned();
        Awaiting { side: self.awaited(), phase: self.phase, choice }
    }

    fn reveals(event: &Event) -> bool {
        // What the other side has answered, or seen begin, is known; and so, when the battle is
        // over, is the seed of its dice.
        matches!(
            event,
            Event::TurnBegan { .. }
                | Event::Over { .. }
                | Event::Answered { .. }
                | Event::PhaseBegan {
                    phase: Phase::DefensiveFire | Phase::OffensiveFire | Phase::Combat
                }
        )
    }
}

impl Battle {
    fn carry_out(turn: &mut Recorder<'_, Self>, by: Side, command: &Command) {
        match command {
            Command::Attach { leader, unit } => {
                let to = turn.unit(*unit).map(|u| u.place.pose.at).unwrap_or_default();
                turn.emit(Event::LeaderMoved { leader: *leader, to, attached: Some(*unit) });
            }
            Command::Detach { leader } => {
                let to = turn.leader(*leader).map(|l| turn.leader_at(l)).unwrap_or_default();
                turn.emit(Event::LeaderMoved { leader: *leader, to, attached: None });
            }
            Command::Replace { leader, unit } => Self::replace(turn, *leader, *unit),
            Command::Enter { unit, inches } => {
                if let Ok(place) = turn.check_enter(by, *unit, *inches) {
                    turn.emit(Event::Placed {
                        unit: *unit,
                        why: Why::Enter,
                        place,
                        track: vec![],
                        ground: None,
                    });
                }
            }
            Command::Check { units } => Self::check_units(turn, units),
            Command::Charge { unit, target, cold_steel, disordered, wheel } => {
                if let Ok(charge) =
                    turn.check_charge(by, *unit, (*target, *cold_steel, *disordered, *wheel))
                {
                    turn.emit(Event::Declared { unit: *unit, charge });
                }
            }
            Command::Maneuver { unit, steps, disordered } => {
                if let Ok(moved) = turn.check_maneuver(by, *unit, steps, *disordered) {
                    Self::maneuver(turn, *unit, moved);
                }
            }
            Command::Go { unit, to, disordered } => {
                if let Ok(moved) = turn.check_go(by, *unit, *to, *disordered) {
                    Self::maneuver(turn, *unit, moved);
                }
            }
            Command::SendOff { unit, detachment, to } => {
                if let Ok((place, stands)) = turn.check_send_off(by, *unit, *detachment, *to) {
                    Self::send_off(turn, *unit, *detachment, place, stands);
                }
            }
            Command::Rejoin { unit } => {
                if let Ok(parent) = turn.check_rejoin(by, *unit) {
                    let stands = turn.unit(*unit).map_or(0, |u| u.stands);
                    turn.emit(Event::Rejoined { unit: *unit, parent, stands });
                    Self::close_up(turn, parent);
                }
            }
            Command::MoveLeader { leader, to } => {
                turn.emit(Event::LeaderMoved { leader: *leader, to: *to, attached: None })
            }
            Command::Fire { units, target, passing, mark } => {
                if let Ok(volley) = turn.check_fire(by, units, *target, *passing) {
                    Self::fire(turn, &volley, *passing, *mark);
                }
            }
            Command::Fight { unit } => {
                if let Ok(combat) = turn.check_fight(by, *unit) {
                    Self::fight(turn, &combat);
                }
            }
            Command::Decide { unit, decision } => {
                if let Ok(pending) = turn.check_decide(by, *unit, *decision) {
                    Self::decide(turn, &pending, *decision);
                }
            }
            Command::Done => Self::next_phase(turn),
        }
    }

    /// The unit whose maneuver is up, with its pace.
    fn maneuvering(&self, side: Side, id: Id) -> Result<(&Unit, Pace), No> {
        // A maneuver ends the declaring of charges by itself, if none of this group was declared
        // and nobody must go back first.
        let declared = |u: &Unit| u.did.charge.is_some() && u.did.owes.is_some();
        let busy = |u: &Unit| declared(u) || u.did.forced.is_some();
        let waits = self.units.iter().filter(|u| u.side() == side).any(busy);
        let phases: &[Phase] =
            if waits { &[Phase::Maneuvers] } else { &[Phase::Maneuvers, Phase::Charges] };
        self.in_phase(side, phases, "sequence.maneuver.2c-maneuver").map_err(|no| {
            let declaring = self.phase == Phase::Charges && self.awaited() == Some(side);
            if declaring { no.instead("say done when all charges are declared") } else { no }
        })?;
        let unit = self.own_unit(side, id)?;
        match unit.did.owes {
            Some(pace) => Ok((unit, pace)),
            None if unit.did.checked.is_none() => Err(self
                .no(
                    &["ruling.maneuver-check-required"],
                    format!("{id} has not checked: it may hold and fire"),
                )
                .instead(format!("check {id} first"))),
            None => {
                Err(self
                    .no(&["ruling.maneuver-check-order"], format!("{id} has made its maneuver")))
            }
        }
    }

    fn check_maneuver(
        &self,
        side: Side,
        id: Id,
        steps: &[Step],
        disordered: bool,
    ) -> Result<Move, No> {
        let (unit, pace) = self.maneuvering(side, id)?;
        self.disordered_pace(unit, pace, disordered)?;
        let judged = self.judge(unit, pace, steps, disordered);
        judged.map_err(|no| self.with_less(unit, (pace, disordered), steps, no))
    }

    /// Whether a unit may move fully at the price of disorder, where an order asks for it.
    pub(super) fn disordered_pace(
        &self,
        unit: &Unit,
        pace: Pace,
        disordered: bool,
    ) -> Result<(), No> {
        let full_move = "troop-maneuvers.tardy.full-move-disordered";
        if disordered && !self.measures().clauses.has(full_move) {
            let half = ["troop-maneuvers.tardy.half-move"];
            return Err(
                self.no(&half, "this book has no full move disordered: tardy is half a move")
            );
        }
        if disordered && (pace != Pace::Tardy || unit.is_guns()) {
            return Err(self.no(
                &["troop-maneuvers.full-move-disordered.eligible-good-order", full_move],
                format!(
                    "{} is not tardy troops: only they move fully at the price of disorder",
                    unit.id()
                ),
            ));
        }
        Ok(())
    }

    fn check_go(&self, side: Side, id: Id, to: Pose, disordered: bool) -> Result<Move, No> {
        let (unit, pace) = self.maneuvering(side, id)?;
        self.disordered_pace(unit, pace, disordered)?;
        if !self.field.on_table(to.at) {
            let (x, y) = (table::inches(to.at.x), table::inches(to.at.y));
            return Err(self.no(&["ruling.table-edge"], format!("{x} {y} is off the table")));
        }
        let plan = self.plan(unit, pace, to, disordered);
        match plan.stopped {
            None => self.judge(unit, pace, &plan.steps, disordered),
            Some(no) => {
                let at = plan.end;
                let words = format!(
                    "the nearest it gets is {} {} facing {}",
                    table::inches(at.at.x),
                    table::inches(at.at.y),
                    at.facing.in_degrees()
                );
                Err(if no.instead.is_some() { no } else { no.instead(words) })
            }
        }
    }

    fn maneuver(turn: &mut Recorder<'_, Self>, id: Id, moved: Move) {
        if turn.phase == Phase::Charges {
            Self::charges_declared(turn);
        }
        let guns = turn.unit(id).is_some_and(Unit::is_guns);
        let leaves = moved.leaves;
        let before = turn.unit(id).map(|u| u.feet.clone()).unwrap_or_default();
        let still = turn.unit(id).is_some_and(|u| u.place == moved.place);
        if !still {
            turn.emit(Event::Placed {
                unit: id,
                why: Why::Maneuver,
                place: moved.place,
                track: moved.track,
                ground: Some(moved.ground),
            });
        }
        for (on, mark) in [
            (moved.about_faced, Mark::AboutFaced),
            (moved.flank_marched, Mark::FlankMarched),
            (moved.busy, Mark::Busy),
        ] {
            if on {
                turn.emit(Event::Marked { unit: id, mark, on: true });
            }
        }
        if !moved.passed.is_empty() {
            for unit in moved.passed.iter().chain([&id]) {
                turn.emit(Event::Marked { unit: *unit, mark: Mark::Passage, on: true });
            }
        }
        for unit in moved.disorders {
            if turn.unit(unit).is_some_and(|u| u.order == Order::Good && !u.is_guns()) {
                let rules = vec![turn.measures().clauses.cite(&[moved.disordered_by])];
                turn.emit(Event::Ordered { unit, order: Order::Disordered, rules });
            }
        }
        if moved.replenishes {
            turn.emit(Event::Marked { unit: id, mark: Mark::LowOnAmmo, on: false });
        }
        if guns {
            turn.emit(Event::Marked { unit: id, mark: Mark::GunsReady, on: moved.guns_ready });
            if moved.rallies {
                Self::rally_guns(turn, id);
            }
            if moved.silenced {
                Self::silence_all(turn, id, "gun-maneuvers.tardy.mobile.limber-and-full-retreat");
            }
        }
        turn.emit(Event::Held { unit: id });
        if leaves {
            Self::amusette_left(turn, id);
            Self::leaders_ridden_over(turn, id, &before);
        }
    }

    fn rally_guns(turn: &mut Recorder<'_, Self>, id: Id) {
        let tardy = turn.unit(id).is_some_and(|u| u.did.owes == Some(Pace::Tardy));
        let rule =
            if tardy { "gun-maneuvers.tardy.rally" } else { "gun-maneuvers.well-handled.rally" };
        Self::silence(turn, id, false, rule);
    }

    /// Light infantry stands are sent off: a well handled unit's maneuver.
    fn check_send_off(
        &self,
        side: Side,
        id: Id,
        detachment: Id,
        to: Pose,
    ) -> Result<(Placement, u8), No> {
        let rules = ["formations.open-order.detachment", "ruling.detachments"];
        let (unit, pace) = self.maneuvering(side, id)?;
        let Some(part) = self
            .unit(detachment)
            .filter(|d| d.card.parent == Some(id) && d.whereabouts == Whereabouts::Reserve)
        else {
            return Err(self.no(
                &rules,
                format!("{detachment} is no detachment of {id} waiting to be sent off"),
            ));
        };
        if !matches!(pace, Pace::WellHandled | Pace::DoubleQuick) || unit.order != Order::Good {
            return Err(self.no(&rules, format!("{id} must be well handled and in good order")));
        }
        let stands = part.stands;
        if unit.stands <= stands {
            return Err(self.no(
                &rules,
                format!("{id} has {} stands left and cannot send off {stands}", unit.stands),
            ));
        }
        let gap = self.measures().gaps.0;
        let how = Stands {
            count: part.bases(),
            size: part.size(),
            gap,
            one_rank: self.measures().one_rank,
            on_foot: false,
        };
        let place = Placement::new(to, Formation::OpenOrder, how);
        let mut there = part.clone();
        there.stand_at(place.clone());
        // From where the parent stands, straight.
        let begun = part.feet_at(&Placement::new(
            Pose::new(unit.place.pose.at, to.facing),
            Formation::OpenOrder,
            how,
        ));
        let mut left = self.field.lined_by(&unit.feet);
        left.extend(unit.place.garrison);
        let over = self.field.crossed_but((&begun, &there.feet), &left, Ground::Open);
        let at = over.ground as usize;
        let limit = super::moves::half(
            unit.card.row(Formation::OpenOrder, false).full[at]
                .max(unit.card.row(unit.formation(), false).full[at]),
            self.measures().half,
        );
        if there.distance(unit) > limit || there.feet.iter().any(|f| !self.field.holds(f)) {
            return Err(self.no(
                &rules,
                format!("{detachment} forms up within {} inches of {id}", table::inches(limit)),
            ));
        }
        if self.overlapped(&there, &there.feet, None).is_some() {
            return Err(
                self.no(&["ruling.interpenetration"], format!("{detachment} has no room there"))
            );
        }
        if let Some(closed) = over.closed {
            let fact = format!("{closed} is in the way of {detachment} and cannot be entered");
            return Err(self.no(&["ruling.ground-classes"], fact));
        }
        self.free_way(&there, (&begun, over))?;
        if self
            .units
            .iter()
            .any(|e| e.present() && e.side() != side && e.within(&there, self.measures().short - 1))
        {
            return Err(self.no(&["ruling.enemy-proximity"], "an enemy is too near there"));
        }
        Ok((place, stands))
    }

    fn send_off(
        turn: &mut Recorder<'_, Self>,
        unit: Id,
        detachment: Id,
        place: Placement,
        stands: u8,
    ) {
        turn.emit(Event::SentOff { unit, detachment, stands });
        turn.emit(Event::Placed {
            unit: detachment,
            why: Why::SentOff,
            place,
            track: vec![],
            ground: None,
        });
        // Powder that is short is short for all of them.
        if turn.unit(unit).is_some_and(|u| u.low) {
            turn.emit(Event::Marked { unit: detachment, mark: Mark::LowOnAmmo, on: true });
        }
        Self::close_up(turn, unit);
        turn.emit(Event::Held { unit });
    }

    fn check_rejoin(&self, side: Side, id: Id) -> Result<Id, No> {
        let rules = ["ruling.detachments"];
        let (unit, pace) = self.maneuvering(side, id)?;
        let parent = unit.card.parent.and_then(|p| self.unit(p)).filter(|p| p.present());
        let Some(parent) = parent else {
            return Err(self.no(&rules, format!("{id} has no parent on the table")));
        };
        if !matches!(pace, Pace::WellHandled | Pace::DoubleQuick)
            || !unit.within(parent, table::TOUCH)
        {
            return Err(self
                .no(&rules, format!("{id} rejoins {} by contact, on Well Handled", parent.id())));
        }
        if let Some(building) = parent.place.garrison.and_then(|g| self.field.piece(g)) {
            let inside = |u: &&Unit| u.present() && u.place.garrison == Some(building.id);
            let there: usize = self.units.iter().filter(inside).map(Unit::bases).sum();
            let room = super::drill_places::capacity(building);
            if there + unit.bases() > room {
                let fact = format!("{} holds {room} stands, {there} are there", building.id);
                return Err(self.no(&["ruling.garrison"], fact));
            }
        }
        Ok(parent.id())
    }
}
