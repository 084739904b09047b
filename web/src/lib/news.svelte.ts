// What others do, shown one order after another at a pace that can be read.
import type { Entry, Update, View } from '../api';
import { drawn, type Drawn } from './action';
import { settings } from './settings.svelte';

// Milliseconds for an order with dice, for one that moved something, and for any other.
const PACES = [
  [0, 0, 0],
  [700, 220, 40],
  [1700, 480, 60],
] as const;

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

  constructor(private readonly take: (update: Update) => View | null) {}

  // The last revision that has arrived, shown or not.
  get heard(): number {
    return this.waiting.at(-1)?.rev ?? 0;
  }

  hear(update: Update): void {
    this.waiting.push(update);
    if (settings.pace === 0 || document.hidden) this.skip();
    else void this.show();
  }

  hold(): void {
    this.held = !this.held;
    this.wake();
  }

  // Shows the rest at once.
  skip(): void {
    this.held = false;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) this.tell(next);
    this.now = null;
    this.stirred = [];
    this.drawn = null;
    this.wake();
  }

  // The player acts: what was told is read.
  read(): void {
    this.skip();
    this.since = [];
  }

  private tell(update: Update): Entry | null {
    const before = this.take(update);
    this.stirred = changed(before, update.view);
    this.drawn = drawn(before, update.view, update.entries);
    const last = update.entries.at(-1) ?? null;
    this.since = [...this.since, ...update.entries.filter(told)];
    if (last && told(last)) this.now = last;
    return last;
  }

  private async show(): Promise<void> {
    if (this.showing) return;
    this.showing = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      const entry = this.tell(next);
      const [roll, move, other] = PACES[settings.pace];
      await this.rest(entry?.dice.length ? roll : this.stirred.length > 0 ? move : other);
    }
    this.showing = false;
    this.now = null;
    this.stirred = [];
    this.drawn = null;
  }

  private async rest(time: number): Promise<void> {
    const until = Date.now() + time;
    while (this.held || Date.now() < until) {
      const left = this.held ? 600_000 : until - Date.now();
      let timer = 0;
      await new Promise<void>((done) => {
        this.wake = done;
        timer = setTimeout(done, left) as unknown as number;
      });
      clearTimeout(timer);
      if (this.skipped()) return;
    }
  }

  // Nothing is shown any more: somebody pressed on.
  private skipped(): boolean {
    return this.now === null && this.stirred.length === 0;
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
