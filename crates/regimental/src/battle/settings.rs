//! The settings of rulings that change what the battle does, not what a check comes to.

use rulebook::Book;

/// What a book has settled of them. The names are those of the rulings' settings.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Broken troops can be enfiladed and outflanked besides.
    pub broken_flanks: bool,
    /// Half a move of troops on the double quick is half of that rate.
    pub half_of_double_quick: bool,
    /// A charger sees, and goes, through his own open order.
    pub charge_through_open_order: bool,
    /// Mounted cavalry may charge a garrison in a building.
    pub cavalry_against_buildings: bool,
    /// Supports share the retreat of those before them.
    pub supports_share: bool,
}

impl Settings {
    pub(crate) fn read(book: &Book) -> Self {
        let is = |name: &str, value: &str| book.setting(name) == value;
        Self {
            broken_flanks: is("broken-flanks", "besides"),
            half_of_double_quick: is("double-quick-half-move", "double-quick-rate"),
            charge_through_open_order: is("charge-through-open-order", "through"),
            cavalry_against_buildings: !is("cavalry-against-buildings", "may-not"),
            supports_share: !is("supports-retreat", "make-room"),
        }
    }
}
