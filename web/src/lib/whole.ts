// A view put together from what is known and what an update says has changed.
import type { Update, View } from '../api';

// The view an update leads to: a brief one leaves out the units and leaders that have not changed
// since a revision. Null if what is known here is older than that.
export function whole(known: View | null, rev: number, update: Update): View | null {
  const view = update.view;
  if (update.since === null) return view;
  if (!known || rev < update.since) return null;
  return {
    ...view,
    units: changed(known.units, view.units),
    leaders: changed(known.leaders, view.leaders),
  };
}

function changed<T extends { id: string }>(known: T[], news: T[]): T[] {
  const by = new Map(news.map((one) => [one.id, one]));
  return known.map((one) => by.get(one.id) ?? one);
}
