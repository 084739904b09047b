//! The measuring stick: any legal order.

use dice::stream::Seeded;
use regimental::battle::Battle;

use crate::Order;

pub(crate) fn order(battle: &Battle, dice: &mut Seeded) -> Option<Order> {
    let mut pick = |n: usize| {
        // Two throws of 250 cover more choices than there ever are.
        let number = usize::from(dice.throw(250) - 1) * 250 + usize::from(dice.throw(250) - 1);
        if n == 0 { 0 } else { number % n }
    };
    battle.some_order(&mut pick).map(|c| Order::new(c, "Chance decided."))
}
