//! The one writer of state.

use table::Pose;

use super::Battle;
use super::event::{Event, Mark, Pending, Phase};
use super::id::Id;
use super::memo::Memo;
use super::state::{Doings, Gone, LeaderState, Unit, Whereabouts, freshness};
use super::{Ending, Why};

impl Battle {
    fn change(&mut self, id: Id, with: impl FnOnce(&mut Unit)) {
        if let Some(unit) = self.units.iter_mut().find(|u| u.card.id == id) {
            with(unit);
        }
    }

    pub(crate) fn happen(&mut self, event: &Event) {
        self.memo.stir();
        let moved = Memo::moved(event);
        if let Some(before) = moved.and_then(|id| self.unit(id)).map(|u| (u.id(), u.bounds)) {
            self.memo.forget(before.0, before.1);
        }
        self.change_by(event);
        match event {
            // Detachments and their parents change both.
            Event::TurnBegan { .. } | Event::SentOff { .. } | Event::Rejoined { .. } => {
                self.memo.forget_all();
            }
            Event::LeaderMoved { .. }
            | Event::LeaderHit { .. }
            | Event::LeaderReturned { .. }
            | Event::LeaderRemoved { .. } => self.memo.forget_commands(),
            _ => {
                if let Some(after) = moved.and_then(|id| self.unit(id)).map(|u| (u.id(), u.bounds))
                {
                    self.memo.forget(after.0, after.1);
                }
            }
        }
    }

    fn change_by(&mut self, event: &Event) {
        match event {
            Event::TurnBegan { turn, side, greater_losses } => {
                self.new_turn(*turn, *side, *greater_losses)
            }
            Event::PhaseBegan { phase } => self.new_phase(*phase),
            Event::Checked { units, .. } => {
                for line in units {
                    self.change(line.unit, |u| {
                        u.did.checked = Some(line.effect);
                    });
                }
            }
            Event::Ready { unit, pace } => self.change(*unit, |u| {
                u.did.owes = *pace;
                u.did.forced = None;
            }),
            Event::MustDo { unit, effect } => self.change(*unit, |u| u.did.forced = Some(*effect)),
            Event::Held { unit } => self.change(*unit, |u| u.did.owes = None),
            Event::Ordered { unit, order, .. } => self.change(*unit, |u| u.order = *order),
            Event::Placed { unit, why, place, track, .. } => {
                self.change(*unit, |u| {
                    if matches!(why, Why::Enter | Why::SentOff) {
                        u.did.stood = true;
                    }
                    u.whereabouts = Whereabouts::Table;
                    u.stand_at(place.clone());
                    extend(&mut u.did.track, track);
                });
                let with = self.leaders.iter_mut().filter(|l| l.attached == Some(*unit));
                with.filter(|l| l.state == LeaderState::Reserve)
                    .for_each(|l| l.state = LeaderState::Mounted);
            }
            Event::Marked { unit, mark, on } => self.change(*unit, |u| marked(u, *mark, *on)),
            Event::Lost { unit, stands, left, .. } => self.lose_stands(*unit, *stands, *left),
            Event::Gun { unit, stand, state, wrecked, .. } => {
                self.gun_hit(*unit, *stand, *state, *wrecked)
            }
            Event::Removed { unit, gone, .. } => self.removed(*unit, *gone),
            Event::Declared { unit, charge } | Event::ChargeMoved { unit, charge } => {
                self.change(*unit, |u| {
                    u.did.cold_steel |= charge.cold_steel;
                    u.did.charge = Some(charge.clone());
                });
            }
            Event::ChargeOver { unit } => self.change(*unit, |u| u.did.charge = None),
            Event::Countercharged { unit, moved, ground } => {
                self.change(*unit, |u| u.did.countercharged = Some((*moved, *ground)));
            }
            Event::Sheltered { unit, square } => self.change(*unit, |u| u.sheltering = *square),
            Event::Fired { units, stands, target, .. } => {
                for (unit, mask) in units.iter().zip(stands) {
                    self.change(*unit, |u| {
                        u.did.fired |= mask;
                        u.did.targets.push(*target);
                    });
                }
            }
            Event::SentOff { unit, stands, .. } => {
                self.change(*unit, |u| {
                    u.stands = u.stands.saturating_sub(*stands);
                    u.sent_off = u.sent_off.saturating_add(*stands);
                });
            }
            Event::Rejoined { unit, parent, stands } => {
                self.change(*unit, |u| u.whereabouts = Whereabouts::Gone(Gone::Rejoined));
                self.change(*parent, |u| {
                    u.stands = u.stands.saturating_add(*stands);
                    u.sent_off = u.sent_off.saturating_sub(*stands);
                });
                let with = self.leaders.iter_mut().filter(|l| l.attached == Some(*unit));
                with.for_each(|l| l.attached = Some(*parent));
            }
            Event::Queued { pending } => match pending {
                Pending::Breakthrough { .. } => self.breakthroughs.push(pending.clone()),
                _ => self.pending.push_back(pending.clone()),
            },
            Event::Settled => drop(self.pending.pop_front()),
            Event::KeyPosition { name, holder } => {
                if let Some(key) = self.keys.iter_mut().find(|k| k.name == *name) {
                    key.holder = *holder;
                }
            }
            Event::Over { points, winner, reason } => {
                self.ending = Some(Ending { points: *points, winner: *winner, reason: *reason });
                self.phase = Phase::Over;
            }
            Event::LeaderMoved { .. }
            | Event::LeaderHit { .. }
            | Event::LeaderReturned { .. }
            | Event::LeaderRemoved { .. } => self.leader_event(event),
            Event::Answered { .. } | Event::Massed { .. } | Event::Fought { .. } => {}
        }
    }

    fn new_turn(&mut self, turn: u8, side: super::Side, greater: bool) {
        self.turn = turn;
        self.mover = side;
        self.greater[side.index()] = greater;
        self.breakthroughs.clear();
        for unit in &mut self.units {
            unit.did = Doings { guns_ready: true, ..Doings::default() };
            if unit.side() == side {
                unit.about_faced = false;
                unit.passage = false;
                unit.flank_marched = false;
            }
        }
        for leader in self.leaders.iter_mut().filter(|l| l.card.side == side) {
            leader.moved = false;
            leader.stand_in = false;
            // Absent for one turn of his owner, on foot for one, then back.
            match leader.state {
                LeaderState::Absent if leader.waited => leader.state = LeaderState::Returning,
                LeaderState::Dismounted if leader.waited => leader.state = LeaderState::Mounted,
                _ => {}
            }
            leader.waited = true;
        }
    }

    fn new_phase(&mut self, phase: Phase) {
        if phase == Phase::OffensiveFire || phase == Phase::DefensiveFire {
            for unit in &mut self.units {
                unit.did.fired = 0;
                unit.did.targets.clear();
            }
        }
        if phase == Phase::Breakthrough {
            self.pending.extend(self.breakthroughs.drain(..));
        }
        self.phase = phase;
    }

    fn lose_stands(&mut self, id: Id, stands: u8, left: u8) {
        let mut side = None;
        self.change(id, |u| {
            u.stands = left;
            if u.is_guns() {
                u.guns.truncate(left.into());
            }
            // What a detachment loses does not count for its parent (ruling.detachments).
            let state = freshness(&u.card, left.saturating_add(u.sent_off));
            if !u.is_guns() {
                u.freshness = u.freshness.max(state);
            }
            side = Some(u.side());
        });
        if let Some(side) = side {
            self.lost[side.index()] += u32::from(stands);
        }
    }

    fn gun_hit(&mut self, id: Id, stand: u8, state: super::state::GunStand, wrecked: bool) {
        let mut lost = None;
        self.change(id, |u| {
            let at = usize::from(stand);
            if wrecked {
                if at < u.guns.len() {
                    u.guns.remove(at);
                    u.stands = u.stands.saturating_sub(1);
                    lost = Some(u.side());
                }
            } else if let Some(gun) = u.guns.get_mut(at) {
                *gun = state;
            }
        });
        if let Some(side) = lost {
            self.lost[side.index()] += 1;
        }
    }

    fn removed(&mut self, id: Id, gone: Gone) {
        let mut lost = None;
        self.change(id, |u| {
            u.whereabouts = Whereabouts::Gone(gone);
            lost = Some((u.side(), u32::from(u.stands)));
            u.did.charge = None;
            u.did.owes = None;
            u.did.forced = None;
            u.sheltering = None;
        });
        if let Some((side, stands)) = lost.filter(|_| gone != Gone::Rejoined) {
            self.lost[side.index()] += stands;
        }
    }

    fn leader_event(&mut self, event: &Event) {
        let (Event::LeaderMoved { leader: id, .. }
        | Event::LeaderHit { leader: id, .. }
        | Event::LeaderReturned { leader: id, .. }
        | Event::LeaderRemoved { leader: id }) = event
        else {
            return;
        };
        let with = match event {
            Event::LeaderReturned { unit, .. } => self.unit(*unit).map(|u| u.place.pose.at),
            Event::LeaderHit { .. } => self.leader(*id).map(|l| self.leader_at(l)),
            _ => None,
        };
        let Some(leader) = self.leaders.iter_mut().find(|l| l.card.id == *id) else { return };
        match event {
            Event::LeaderMoved { to, attached, .. } => {
                // Leaving a unit is no ride, and takes back the joining of this turn.
                leader.moved = leader.attached.is_none() || attached.is_some();
                leader.at = *to;
                leader.attached = *attached;
            }
            Event::LeaderHit { state, .. } => {
                let changed = leader.state != *state;
                leader.state = *state;
                if changed {
                    leader.waited = false;
                }
                if !leader.present() {
                    leader.at = with.unwrap_or(leader.at);
                    leader.attached = None;
                }
            }
            Event::LeaderReturned { unit, rating, stand_in, .. } => {
                let fallen = leader.state == LeaderState::Fallen;
                leader.state = LeaderState::Mounted;
                leader.rating = *rating;
                leader.attached = Some(*unit);
                leader.stand_in = *stand_in;
                leader.at = with.unwrap_or(leader.at);
                let side = leader.card.side;
                self.replaced[side.index()] += u8::from(fallen);
            }
            _ => leader.state = LeaderState::Gone,
        }
    }
}

fn extend(track: &mut Vec<Pose>, more: &[Pose]) {
    for pose in more {
        if track.last() != Some(pose) {
            track.push(*pose);
        }
    }
}

fn marked(u: &mut Unit, mark: Mark, on: bool) {
    match mark {
        Mark::LowOnAmmo => {
            u.low = on && !u.is_guns();
            if !on {
                u.guns.iter_mut().for_each(|g| g.low = false);
            }
        }
        Mark::AboutFaced => u.about_faced = on,
        Mark::Passage => u.passage = on,
        Mark::FlankMarched => u.flank_marched = on,
        Mark::FellBack => u.did.fell_back = on,
        Mark::Busy => u.did.busy = on,
        Mark::GunsReady => u.did.guns_ready = on,
        Mark::Amusette => u.amusette = on,
        Mark::Fought => u.did.fought = on,
    }
}
