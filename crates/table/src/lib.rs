//! The wargames table: free measurement in inches, without a grid.
//!
//! It knows stands, terrain, sight and motion, and no rules: what a wood does
//! to a line of infantry is the rulebook's business.

mod feature;
mod layout;
mod measure;
mod motion;
mod stand;

pub use feature::{Feature, Outline, Swept, distance_to_line};
pub use layout::{Slot, file, hollow_square, laid_out, ranks};
pub use measure::{
    FARTHEST, Facing, INCH, Mils, Point, Pose, TOUCH, arc, as_inches, inches, mils, turn,
};
pub use motion::{Corner, Trail, WheelPlan, wheel, wheel_between};
pub use stand::{Bounds, Footprint, Size, Wedge};
