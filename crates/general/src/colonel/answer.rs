//! The choices a fight leaves: each is tried on a copy of the battle and looked at.

use dice::stream::Source;
use regimental::battle::{Battle, Command, Decision, Pending};
use table::INCH;

use super::Colonel;
use super::charge::combat_worth;
use super::march::Lookout;
use crate::Order;
use crate::seat::Seat;
use crate::worth;

impl Colonel<'_> {
    /// Decides a choice that is owed.
    pub(crate) fn answer(&self, pending: &Pending) -> Option<Order> {
        let unit = pending.unit();
        let own = self.seat.battle.unit(unit)?;
        let mut choices = vec![Decision::Stand];
        for choice in self.seat.battle.choices(pending) {
            match choice {
                Decision::Recall { inches, facing } => {
                    for part in [inches, inches / 2] {
                        choices.push(Decision::Recall { inches: part.max(INCH), facing });
                        let back = facing.back();
                        choices.push(Decision::Recall { inches: part.max(INCH), facing: back });
                    }
                }
                Decision::Advance { inches } => {
                    choices.push(choice);
                    choices.push(Decision::Advance { inches: (inches / 2).max(1) });
                }
                other => choices.push(other),
            }
        }
        let mut best: Option<(f64, Command, Decision)> = None;
        for decision in choices {
            let command = Command::Decide { unit, decision };
            if !self.seat.may(&command) {
                continue;
            }
            let worth = self.looks(pending, &command);
            if best.as_ref().is_none_or(|b| worth > b.0) {
                best = Some((worth, command, decision));
            }
        }
        let (_, command, decision) = best?;
        let name = &own.card.name;
        let reason = match decision {
            Decision::Stand => format!("{name} does as the result says: nothing else is better."),
            Decision::Countercharge => format!("{name} goes out to meet them: better odds so."),
            Decision::HastySquare => format!("{name} forms square against their horse."),
            Decision::Shelter { .. } => format!("The crew of {name} is safer in the square."),
            Decision::Recall { .. } => format!("{name} is recalled before it is caught."),
            Decision::Carry => format!("{name} takes the ground they held."),
            Decision::Widen { .. } => format!("{name} spreads out."),
            Decision::Advance { .. } => {
                format!("{name} follows up while nobody stands in its way.")
            }
        };
        Some(Order::new(command, reason))
    }

    /// What the battle would be worth after a decision.
    fn looks(&self, pending: &Pending, command: &Command) -> f64 {
        let side = self.seat.side;
        let mut there: Battle = self.seat.battle.clone();
        let mut dice = Source::seeded("a look ahead");
        if journal::carry_out(&mut there, &mut dice, command).is_err() {
            return f64::MIN;
        }
        let mut worth = worth::lead(&there, side);
        // The charge that is answered comes home, or this unit's own second one.
        let charger = match pending {
            Pending::Answer { charger, .. } => *charger,
            other => other.unit(),
        };
        let seat = Seat { battle: &there, side };
        let doctrine = self.plan.doctrine;
        if let Some((combat, outcomes)) = there.foresee_combat(charger) {
            worth += combat_worth(&seat, &combat, &outcomes, doctrine.ground).0;
        }
        if let Some(unit) = there.unit(pending.unit()).filter(|u| u.present()) {
            let lookout = Lookout::new(&seat, doctrine);
            worth += 0.3 * lookout.standing(unit, unit.place.pose, 1.0);
        }
        worth
    }
}
