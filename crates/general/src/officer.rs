//! What every officer does in the same order: the steps of the turn, and which of his judgements
//! each of them asks for.

use regimental::battle::state::Pace;
use regimental::battle::{Command, Pending, Phase, Step, Unit};
use regimental::maneuver::Order as Ranks;
use table::{Corner, INCH};

use crate::Order;
use crate::seat::Seat;

/// Somebody who commands from a seat.
pub(crate) trait Officer {
    /// Where he sits.
    fn seat(&self) -> &Seat<'_>;
    /// Whether a unit has something to do in this turn.
    fn stirs(&self, unit: &Unit) -> bool;
    /// The answer to a choice the rules leave him.
    fn decide(&self, choice: &Pending) -> Option<Order>;
    /// What he does about his leaders before the checks.
    fn leaders(&self) -> Option<Order> {
        self.seat().arrivals()
    }
    /// The next charge.
    fn charge(&self) -> Option<Order>;
    /// The next maneuver.
    fn maneuver(&self) -> Option<Order>;
    /// The next ride of a leader.
    fn ride(&self) -> Option<Order>;
}

/// What an officer orders now: nothing where the battle is over.
pub(crate) fn order(officer: &impl Officer) -> Option<Order> {
    let seat = officer.seat();
    if let Some(choice) = journal::Battle::awaiting(seat.battle).choice {
        return officer.decide(&choice);
    }
    match seat.battle.phase() {
        Phase::Leaders => officer.leaders(),
        Phase::Checks => check(officer),
        Phase::Charges => officer.charge(),
        Phase::Maneuvers => officer.maneuver(),
        Phase::LeaderMoves => officer.ride(),
        Phase::DefensiveFire | Phase::OffensiveFire => seat.fire(),
        Phase::Combat | Phase::Breakthrough => seat.fight(),
        Phase::Over => None,
    }
    .or_else(|| Some(Order::new(Command::Done, "Nothing more is worth doing in this step.")))
}

/// Brigades that have something to do check together, the shaken with them.
fn check(officer: &impl Officer) -> Option<Order> {
    let seat = officer.seat();
    let open: Vec<&Unit> = seat.unchecked().filter(|u| officer.stirs(u)).collect();
    let first = open.first()?;
    let units = seat.group(first, &open);
    let many = Command::Check { units: units.clone() };
    if units.len() > 1 && seat.may(&many) {
        let leader = seat
            .battle
            .commanded(first)
            .and_then(|c| seat.battle.leader(c.leader).map(|l| l.card.name.to_string()));
        let whose = leader.map_or_else(String::new, |l| format!(" of {l}"));
        return Some(Order::new(many, format!("The brigade{whose} moves together.")));
    }
    let command = Command::Check { units: vec![first.id()] };
    let reason = match first.order {
        Ranks::Good => format!("{} has something to do.", first.card.name),
        _ => format!("{} must be brought to order.", first.card.name),
    };
    seat.may(&command).then(|| Order::new(command, reason))
}

/// A march column near the enemy forms for the fight.
pub(crate) fn deploy(seat: &Seat<'_>, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
    let formed = unit.card.formations.iter().copied().find(|f| f.nature().line)?;
    let forms = [Corner::Left, Corner::Right]
        .map(|c| vec![Step::Form { formation: formed, toward: Some(c) }]);
    // As far forward as the order allows, then into line; but not into the enemy's fire.
    let gap = seat.nearest_enemy(unit.middle).map_or(0, |e| e.distance(unit));
    let row = unit.card.row(unit.formation(), unit.place.on_foot);
    let spare = (gap - seat.battle.measures().scaled(10 * INCH)).min(row.full[0] / 2);
    let ahead =
        (spare >= INCH).then(|| vec![Step::Advance { inches: spare }, Step::DeployToTheFront]);
    let mut ways = ahead.into_iter().chain([vec![Step::DeployToTheFront]]).chain(forms);
    let steps = ways.find(|s| seat.legal(unit, pace, s))?;
    Some((steps, format!("{} deploys: the enemy is near.", unit.card.name)))
}
