// What the training claims is what the server allows: a whole training battle, every unit asked at
// every step.
import type { Made, Offers, Offer, Opened, Piece, Update, View } from '../src/api';
import { lesson } from '../src/lib/lessons';
import { list } from '../src/lib/offers';
import { expect, test } from './table';
import type { APIRequestContext } from '@playwright/test';

interface Table {
  request: APIRequestContext;
  made: Made;
}

async function asked<T>({ request, made }: Table, path: string, data?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${made.token}` };
  const url = `/api/games/${made.game}${path}`;
  const answer = await (data === undefined
    ? request.get(url, { headers })
    : request.post(url, { headers, data }));
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as T;
}

// What is said of a unit that is chosen, and of nobody.
const said = (view: View, unit: Piece | null, offers: Offer[]): string =>
  lesson({ view, mine: true, you: '', unit, offers, ghost: null, over: false }).text;

const legal = (offers: Offer[], group: string): Offer[] =>
  offers.filter((o) => !o.no && o.group === group);

// Everything the coach says now against what may be done now.
function compare(view: View, known: Map<string, Offer[]>, counts: Record<string, number>): void {
  const own = view.units.filter((u) => u.side === view.awaiting && u.place === 'table');
  const offers = (u: Piece): Offer[] => known.get(u.id) ?? [];
  if (view.phase === 'charges') {
    const can = own.filter((u) => legal(offers(u), 'Charge').length > 0);
    const text = said(view, null, []);
    const declared = own.some((u) => u.charging);
    if (can.length > 0) {
      expect(text).toContain(
        `${declared ? '' : 'Can charge now: '}${list(can.map((u) => u.name))}`,
      );
      counts['charges'] = (counts['charges'] ?? 0) + 1;
    } else if (declared) expect(text).not.toContain('may charge too');
    else expect(text).toContain('Nobody of this group can reach the enemy');
  }
  for (const u of own.filter((o) => o.may)) {
    const text = said(view, u, offers(u));
    if (view.phase === 'checks')
      expect(text.includes('Check all')).toBe(offers(u).some((o) => /^Check all/.test(o.label)));
    if (/fire$/.test(view.phase)) {
      const targets = legal(offers(u), 'Fire').length > 0;
      expect(text.includes('framed in red are targets'), `${u.name}: ${text}`).toBe(targets);
      if (targets) counts['fire'] = (counts['fire'] ?? 0) + 1;
    }
    if (view.phase === 'maneuvers' && /Drag it/.test(text))
      expect(legal(offers(u), 'Maneuver').length, u.name).toBeGreaterThan(0);
  }
}

test('what the training claims is what may be done', async ({ request }) => {
  test.setTimeout(240_000);
  const scenario = { scenario: 'training-15mm', mode: { kind: 'hot-seat' } };
  const made = (await (await request.post('/api/games', { data: scenario })).json()) as Made;
  const table = { request, made };
  let now: Update = (await asked<Opened>(table, '')).now;
  const counts: Record<string, number> = {};
  // Toward the enemy, so that there is something to claim.
  const forward = async (u: Piece): Promise<Record<string, unknown> | null> => {
    const t = (u.front.facing * Math.PI) / 180;
    const to = { x: u.front.x + 5 * Math.sin(t), y: u.front.y + 5 * Math.cos(t) };
    const way = await asked<{ ghost: { order: Record<string, unknown> | null } }>(table, '/plan', {
      unit: u.id,
      to,
    });
    return way.ghost.order;
  };
  for (let i = 0; i < 260 && !now.view.ending; i++) {
    const view = now.view;
    const known = new Map<string, Offer[]>();
    const own = view.units.filter((u) => u.side === view.awaiting && u.place === 'table');
    if (!view.choice)
      for (const u of own)
        if (u.may || view.phase === 'charges')
          known.set(u.id, (await asked<Offers>(table, `/offers?of=${u.id}`)).offers);
    if (!view.choice) compare(view, known, counts);
    const first = (group: string): Offer | undefined =>
      own.flatMap((u) => legal(known.get(u.id) ?? [], group))[0];
    const mover = own.find((u) => u.moves);
    const order =
      view.choice?.offers.find((o) => !o.no)?.order ??
      first('Maneuver check')?.order ??
      first('Combat')?.order ??
      (i % 3 === 0 ? first('Charge')?.order : undefined) ??
      first('Fire')?.order ??
      (mover && ((await forward(mover)) ?? first('Maneuver')?.order)) ??
      now.step.find((o) => o.order['do'] === 'done')?.order;
    if (!order) break;
    now = (await asked<{ update: Update }>(table, '/orders', { order })).update;
  }
  expect(counts['charges'] ?? 0).toBeGreaterThan(2);
  expect(counts['fire'] ?? 0).toBeGreaterThan(5);
});
