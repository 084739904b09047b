//! The lab: many battles of one scenario, what they come to, and a report to hand to its author;
//! tournaments between generals; the luck audit of a battle.

pub mod fought;
pub mod interval;
pub mod player;
pub mod report;
pub mod run;
pub mod simulate;
pub mod tally;
pub mod tournament;
pub mod what_if;

pub use general::audit;
