// What others do, shown one order after another at a pace that can be read.
import type { Entry, Update, View } from '../api';
import { drawn, type Drawn } from './action';
import { settings } from './settings.svelte';

// Milliseconds for an order with dice, for a charge that is declared, and for one that moved
// something. An order that did none of it is passed over.
const PACES = [
  { roll: 0, charge: 0, move: 0 },
  { roll: 800, charge: 600, move: 250 },
  { roll: 2200, charge: 1800, move: 900 },
] as const;

// How long an order is looked at.
export function pace(entry: Entry | null, stirred: boolean, at: 0 | 1 | 2): number {
  const { roll, charge, move } = PACES[at];
  if (entry && entry.dice.length > 0) return roll;
  if (entry?.lines.some((l) => l.kind === 'move' && l.target !== null)) return charge;
  return stirred ? move : 0;
}

export class News {
  // The order that is being shown.
  now = $state.raw<Entry | null>(null);
  // Everything others did since this player last acted.
  since = $state.raw<Entry[]>([]);
  // The units it changed.
  stirred = $state.raw<readonly string[]>([]);
  // Its fire, charges and losses.
  drawn = $state.raw<Drawn | null>(null);
  held = $state(false);
  showing = $state(false);
  private waiting: Update[] = [];
  private wake: () => void = () => undefined;
  private hurry = false;

  constructor(
    private readonly take: (update: Update) => View | null,
    // Whether what one's own roll came to is still to be read: nothing goes on under it.
    private readonly unread: () => boolean = () => false,
  ) {}

  // The last revision that has arrived, shown or not.
  get heard(): number {
    return this.waiting.at(-1)?.rev ?? 0;
  }

  hear(update: Update): void {
    this.waiting.push(update);
    if ((settings.pace === 0 && !this.unread()) || document.hidden) this.skip();
    else void this.show();
  }

  hold(): void {
    this.held = !this.held;
    this.wake();
  }

  // The result of one's own roll has been read: what waited for that goes on.
  goOn(): void {
    this.wake();
  }

  // Shows the rest at once.
  skip(): void {
    this.held = false;
    this.hurry = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) this.tell(next);
    this.clear();
    this.wake();
  }

  // The player acts: what was told is read.
  read(): void {
    this.skip();
    this.since = [];
  }

  private clear(): void {
    this.now = null;
    this.stirred = [];
    this.drawn = null;
  }

  private tell(update: Update): Entry | null {
    const before = this.take(update);
    this.stirred = changed(before, update.view);
    this.drawn = drawn(before, update.view, update.entries);
    const last = update.entries.at(-1) ?? null;
    this.since = [...this.since, ...update.entries.filter(told)];
    return last;
  }

  private async show(): Promise<void> {
    if (this.showing) return;
    this.showing = true;
    this.hurry = false;
    await this.rest(0);
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      const entry = this.tell(next);
      const long = pace(entry, this.stirred.length > 0, settings.pace);
      // What did nothing that can be seen takes no time and nobody's place.
      if (long === 0) continue;
      if (entry && told(entry)) this.now = entry;
      await this.rest(long);
      if (this.hurry) break;
    }
    this.showing = false;
    this.clear();
    // What came while the rest was skipped.
    if (this.waiting.length > 0) void this.show();
  }

  private async rest(time: number): Promise<void> {
    const until = Date.now() + time;
    while (!this.hurry && (this.held || this.unread() || Date.now() < until)) {
      const left = this.held || this.unread() ? 600_000 : until - Date.now();
      let timer = 0;
      await new Promise<void>((done) => {
        this.wake = done;
        timer = setTimeout(done, left) as unknown as number;
      });
      clearTimeout(timer);
    }
  }
}

export const told = (entry: Entry): boolean =>
  entry.lines.some((line) => line.kind !== 'step' && line.kind !== 'turn');

function changed(before: View | null, after: View): readonly string[] {
  const was = new Map((before?.units ?? []).map((u) => [u.id, u]));
  const other = after.units.filter((u) => {
    const old = was.get(u.id);
    return (
      !!old &&
      (old.stands !== u.stands ||
        old.order !== u.order ||
        old.place !== u.place ||
        old.front.x !== u.front.x ||
        old.front.y !== u.front.y ||
        old.front.facing !== u.front.facing)
    );
  });
  return other.map((u) => u.id);
}
