// A game on the screen: what the server says of it, and what the player is about to do.
import type {
  BookText,
  ChargeView,
  Done,
  Ending,
  Entry,
  Ghost,
  LeaderView,
  Luck,
  Made,
  Mode,
  Odds,
  Offer,
  Offers,
  Opened,
  Piece,
  Roll,
  Seen,
  Update,
  View,
  Way,
} from '../api';
import { drawn, type Drawn } from './action';
import { LOST, Said, ask, refused } from './http';
import { newKey } from './key';
import { follow, type Live } from './live';
import { remember, seatOf } from './mine';
import { News } from './news.svelte';
import { list, sentence } from './offers';
import { play } from './sound';
import { whole } from './whole';

// Somebody who may act now.
export interface Actor {
  id: string;
  name: string;
  may: string;
  x: number;
  y: number;
}

export interface Aim {
  x: number;
  y: number;
  facing: number;
}

export interface Asked {
  offer: Offer;
  rolls: Roll[];
  // Where a charge would end.
  charge: ChargeView | null;
}

export class GameOnScreen {
  readonly id: string;
  readonly token: string;
  opened = $state<Opened | null>(null);
  rev = $state(0);
  view = $state.raw<View | null>(null);
  step = $state.raw<Offer[]>([]);
  log = $state.raw<Entry[]>([]);
  players = $state.raw<Update['players']>([]);
  seed = $state<string | null>(null);
  connected = $state(true);
  // The server no longer knows the game, or the link.
  gone = $state(false);
  selected = $state<string | null>(null);
  waiting = $state.raw<string[]>([]);
  offers = $state.raw<Offers | null>(null);
  ghost = $state.raw<Ghost | null>(null);
  aim = $state.raw<Aim | null>(null);
  asked = $state.raw<Asked | null>(null);
  // What one's own roll came to, until it is read.
  result = $state.raw<Entry | null>(null);
  // What the last roll of this player did, as long as it is told.
  private own = $state.raw<Drawn | null>(null);
  says = $state<{ text: string; rule: string | null; bad: boolean } | null>(null);
  moment = $state<number | null>(null);
  past = $state.raw<View | null>(null);
  rule = $state<string | null>(null);
  book = $state.raw<BookText | null>(null);
  seen = $state.raw<Seen | null>(null);
  luck = $state.raw<Luck | null>(null);
  busy = $state(false);
  nameless = $state(false);
  settled = $state.raw<Update['settled']>(null);
  // The side that offers a draw, and the game in which the battle is fought again.
  drawOffered = $state<string | null>(null);
  rematch = $state<string | null>(null);
  // An order that would end the charges of others, pressed once.
  private doubted = '';
  readonly news = new News(
    (update) => {
      const before = this.view;
      this.take(update);
      return before;
    },
    () => this.busy || this.result !== null,
  );
  private live: Live | null = null;
  private planned = 0;
  private looking: Promise<void> = Promise.resolve();
  private views: Record<number, View> = {};

  constructor(id: string, token: string) {
    this.id = id;
    this.token = token;
  }

  // What is asked of this game.
  ask<T>(path: string, body?: unknown, method?: string): Promise<T> {
    return ask<T>(`/games/${this.id}${path}`, this.token, body, method);
  }

  async open(): Promise<void> {
    const opened = await this.ask<Opened>('');
    this.opened = opened;
    this.take(opened.now);
    remember({
      game: this.id,
      token: this.token,
      title: seatOf(this.id)?.title ?? opened.board.scenario.title,
      role: opened.you,
      when: Date.now(),
    });
    const me = opened.now.players.find((p) => p.role === opened.you);
    if (me && !me.name && me.role !== 'watch') {
      const known = localStorage.getItem('linstock.name');
      // A computer does not ask.
      const others = opened.now.players.filter((p) => p !== me && p.role !== 'watch');
      this.nameless = !known && others.some((p) => !p.general);
      await this.name(known || 'A friend');
    }
    const remark = sessionStorage.getItem('linstock.remark');
    sessionStorage.removeItem('linstock.remark');
    if (remark) this.says = { text: remark, rule: null, bad: false };
    this.live = follow(
      this.id,
      this.token,
      () => Math.max(this.rev, this.news.heard),
      (update) => this.hear(update),
      (yes) => this.isConnected(yes),
      () => (this.gone = true),
    );
  }

  close(): void {
    this.note();
    this.live?.stop();
  }

  // Keeps how the game stands for the list of one's games.
  note(): void {
    const known = seatOf(this.id);
    if (known && this.view) remember({ ...known, status: this.status });
  }

  // What the other side calls this player.
  async name(name: string): Promise<void> {
    await this.ask('/name', { name }).catch(() => undefined);
  }

  // What was said of a lost connection is over when it is back, and what may be done is asked anew.
  private isConnected(yes: boolean): void {
    if (yes && !this.connected) {
      if (this.says?.text === LOST) this.says = null;
      void this.look();
    }
    this.connected = yes;
  }

  // What others did is shown at its pace; one's own orders, and what was missed, at once.
  private hear(update: Update): void {
    const own = (by: string): boolean => this.side === 'both' || this.side.split('/')[0] === by;
    const fresh = update.rev > Math.max(this.rev, this.news.heard);
    const few = update.entries.length > 0 && update.entries.length < 12;
    const others = few && update.entries.every((e) => !own(e.by));
    if (fresh && others && this.moment === null) this.news.hear(update);
    else {
      this.news.skip();
      this.take(update);
    }
  }

  // Updates come by two ways, as answers and live: the later one wins, whatever the way.
  take(update: Update): void {
    if (this.view && update.rev < this.rev) return;
    const view = whole(this.view, this.rev, update);
    if (!view) {
      void this.refresh();
      return;
    }
    const news = update.rev > this.rev;
    this.welcome(update);
    this.rev = update.rev;
    this.log = [...this.log.slice(0, update.from), ...update.entries];
    this.view = view;
    this.step = update.step;
    this.players = update.players;
    this.waiting = update.waiting;
    this.seed = update.seed;
    this.settled = update.settled;
    this.drawOffered = update.draw_offered;
    this.rematch = update.rematch;
    for (const n of Object.keys(this.views).map(Number)) if (n >= update.from) delete this.views[n];
    if (news) {
      this.ghost = null;
      this.aim = null;
      this.asked = null;
      void this.look();
    }
  }

  // Somebody has taken a seat since the last look.
  private welcome(update: Update): void {
    // A seat nobody has taken yet has no name.
    const known = (role: string): string | undefined =>
      this.players.find((p) => p.role === role)?.name;
    const come = update.players.find(
      (p) => p.name && !p.general && p.role !== this.side && known(p.role) === '',
    );
    if (come && this.view)
      this.says = { text: `${come.name} has joined the game.`, rule: null, bad: false };
  }

  // How the game stands, for the list of one's games.
  get status(): string {
    const view = this.view;
    if (!view) return '';
    if (this.ending)
      return this.ending.winner ? `over: ${this.sideName(this.ending.winner)} won` : 'over: a draw';
    const whose = this.mine ? 'your move' : `waiting for ${this.sideName(view.awaiting)}`;
    return `turn ${view.turn} of ${view.turns}, ${view.points.join(' to ')}, ${whose}`;
  }

  get shown(): View | null {
    return this.past ?? this.view;
  }

  // Fire, charges and losses to draw now.
  get drawn(): Drawn | null {
    if (this.moment !== null) return null;
    return this.result ? this.own : this.news.drawn;
  }

  get side(): string {
    return this.opened?.you ?? 'watch';
  }

  // How it ended: fought to its end, given up, or agreed to be a draw.
  get ending(): Ending | null {
    const settled = this.settled;
    if (settled?.kind === 'drawn') return { winner: null, reason: 'both agreed to a draw' };
    if (settled) {
      const other = this.opened?.board.scenario.sides.find((s) => s.id !== settled.by);
      const by = this.sideName(settled.by);
      return { winner: other?.id ?? null, reason: `the ${by} gave the battle up` };
    }
    return this.view?.ending ?? null;
  }

  // The sides this seat speaks for.
  get sides(): string[] {
    const all = this.opened?.board.scenario.sides.map((s) => s.id) ?? [];
    return this.side === 'both' ? all : all.filter((id) => id === this.side.split('/')[0]);
  }

  // Those whose charges are over as soon as anybody of their group moves.
  get forfeits(): string[] {
    if (!this.mine || this.view?.phase !== 'charges') return [];
    const others = this.view.units.filter((u) => u.can_charge && u.id !== this.selected);
    return others.map((u) => u.name);
  }

  // Whether this seat is to act.
  get mine(): boolean {
    const who = this.ending ? null : this.view?.awaiting;
    return (
      !!who && this.moment === null && (this.side === 'both' || this.side.split('/')[0] === who)
    );
  }

  // Whether a unit or a leader is this seat's to order: a seat may have one brigade only.
  leads(id: string): boolean {
    const leader = this.side.split('/')[1];
    if (!leader || id === leader) return true;
    const own = this.opened?.board.brigades.find((b) => b.leader === leader);
    return own?.units.includes(id) ?? false;
  }

  // The selected leader, if he may ride now.
  get rider(): LeaderView | null {
    const leader = this.shown?.leaders.find((l) => l.id === this.selected);
    return this.mine && leader?.may_ride ? leader : null;
  }

  get piece(): Piece | null {
    return this.shown?.units.find((u) => u.id === this.selected) ?? null;
  }

  sideName(id: string | null | undefined): string {
    return this.opened?.board.scenario.sides.find((s) => s.id === id)?.name ?? '';
  }

  tell(error: unknown): void {
    if (error instanceof Said) {
      const no = error.refusal;
      const text = no ? sentence(no) : error.message;
      this.says = { text, rule: no?.rule ?? null, bad: true };
      if (error.status === 409) void this.refresh();
    } else {
      this.says = { text: 'Something went wrong on this page. Reload it.', rule: null, bad: true };
      console.warn(error);
    }
  }

  async refresh(): Promise<void> {
    try {
      this.take((await this.ask<Opened>('')).now);
    } catch (e) {
      this.tell(e);
    }
  }

  async select(id: string | null): Promise<void> {
    this.selected = id;
    this.doubted = '';
    this.ghost = null;
    this.aim = null;
    this.offers = null;
    await this.look();
  }

  // What the selected unit may do now, when it is known.
  async ready(): Promise<Offer[]> {
    await this.looking;
    return this.offers?.offers ?? [];
  }

  look(): Promise<void> {
    this.looking = this.lookNow();
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    const id = this.selected;
    if (!id || this.moment !== null || !this.mine) {
      this.offers = null;
      return;
    }
    try {
      const offers = await this.ask<Offers>(`/offers?of=${encodeURIComponent(id)}`);
      if (this.selected === id) this.offers = offers;
    } catch (e) {
      this.tell(e);
    }
  }

  async choose(offer: Offer): Promise<void> {
    if (offer.no) {
      this.says = { text: sentence(offer.no), rule: offer.no.rule, bad: true };
      return;
    }
    if (!offer.rolls) {
      const order = JSON.stringify(offer.order);
      if (offer.order['do'] === 'maneuver' && this.forfeits.length > 0 && order !== this.doubted) {
        this.doubted = order;
        this.says = {
          text: `When one of the group moves, nobody of it charges any more, and ${list(this.forfeits)} still may. Press again to do it all the same.`,
          rule: null,
          bad: true,
        };
        return;
      }
      await this.give(offer.order);
      return;
    }
    try {
      const odds = await this.ask<Odds>('/preview', { order: offer.order });
      this.asked = { offer, rolls: odds.rolls, charge: odds.charge };
    } catch (e) {
      this.tell(e);
    }
  }

  async give(order: Record<string, unknown>): Promise<void> {
    if (this.busy) return;
    this.news.read();
    this.busy = true;
    this.says = null;
    this.result = null;
    this.doubted = '';
    const key = newKey();
    const body = { order, after: this.rev, key, brief: true };
    try {
      const done = await this.again(() => this.ask<Done>('/orders', body));
      this.asked = null;
      const before = this.view;
      this.take(done.update);
      const last = done.update.entries.at(-1);
      if (last && last.dice.length > 0) {
        this.result = last;
        this.own = this.view && drawn(before, this.view, done.update.entries);
        play(order['do'] === 'fire' ? 'volley' : order['do'] === 'fight' ? 'drum' : 'dice');
      }
    } catch (e) {
      this.asked = null;
      this.tell(e);
    } finally {
      this.busy = false;
      this.news.goOn();
    }
  }

  // What one's own roll came to has been read: what the other side does goes on.
  goOn(): void {
    this.result = null;
    this.news.goOn();
  }

  // The key makes a repeat harmless: an answer that got lost is asked for again.
  private async again<T>(send: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await send();
      } catch (e) {
        if (!(e instanceof Said) || e.status !== 0 || tries >= 4) throw e;
        await new Promise((r) => setTimeout(r, 400 * (tries + 1)));
      }
    }
  }

  async undo(what: 'undo' | 'redo' = 'undo'): Promise<void> {
    if (what === 'undo' && (this.view?.undo ?? 0) === 0) {
      this.says = {
        text: 'Nothing to take back: a die has fallen, or the other side has seen it.',
        rule: null,
        bad: false,
      };
      return;
    }
    this.news.read();
    try {
      const key = newKey();
      const done = await this.ask<Done>(`/${what}`, { after: this.rev, key, brief: true });
      this.take(done.update);
      this.says = { text: what === 'undo' ? 'Taken back.' : 'Done again.', rule: null, bad: false };
    } catch (e) {
      this.tell(e);
    }
  }

  // A ghost of the selected unit at a place; the newest question wins.
  async plan(aim: Aim): Promise<void> {
    const unit = this.selected;
    if (!unit) return;
    this.aim = aim;
    this.result = null;
    // A leader rides straight; whether he may get there the server says when he does.
    if (this.rider) return;
    const asked = ++this.planned;
    try {
      const way = await this.ask<Way>('/plan', { unit, to: aim });
      if (asked === this.planned && this.aim) this.ghost = way.ghost;
    } catch (e) {
      if (asked === this.planned) this.tell(e);
    }
  }

  dropAim(): void {
    this.planned++;
    this.aim = null;
    this.ghost = null;
  }

  // Carries out the ghost.
  async confirm(): Promise<void> {
    if (this.rider && this.aim) {
      await this.ride(this.rider.id, this.aim.x, this.aim.y);
      this.dropAim();
      return;
    }
    const ghost = this.ghost;
    if (!ghost) return;
    if (!ghost.order) {
      const why = ghost.stopped;
      this.says = why
        ? { text: sentence(why), rule: why.rule, bad: true }
        : { text: 'It stands there already.', rule: null, bad: false };
      this.dropAim();
      return;
    }
    const stopped = ghost.stopped;
    await this.give(ghost.order);
    if (stopped && !this.says)
      this.says = {
        text: `It went as far as it may: ${sentence(stopped)}`,
        rule: stopped.rule,
        bad: false,
      };
  }

  async ride(leader: string, x: number, y: number): Promise<void> {
    await this.give({ do: 'move-leader', leader, to: [x, y] });
  }

  async look_from(x: number, y: number): Promise<void> {
    try {
      this.seen = await this.ask<Seen>(`/sight?x=${x}&y=${y}`);
    } catch (e) {
      this.tell(e);
    }
  }

  // The battle as it was after so many orders; null comes back to now.
  async go(n: number | null): Promise<void> {
    this.ghost = null;
    this.aim = null;
    if (n === null || n >= this.log.length) {
      this.moment = n === null ? null : this.log.length;
      this.past = null;
      if (n === null) void this.look();
      return;
    }
    this.moment = n;
    this.offers = null;
    try {
      const view = await this.viewAt(n);
      if (this.moment === n) this.past = view;
    } catch (e) {
      this.tell(e);
    }
  }

  async branch(n: number, mode: Mode, name: string): Promise<Made> {
    return this.ask<Made>('/branch', { n, mode, name });
  }

  // How much of the battle was dice; known when it is over.
  async weigh(): Promise<void> {
    try {
      this.luck = await this.ask<Luck>('/luck');
    } catch (e) {
      this.tell(e);
    }
  }

  async read(rule: string | null): Promise<void> {
    this.rule = rule;
    if (this.book) return;
    try {
      this.book = await ask<BookText>(`/books/${this.opened?.board.scenario.book}`);
    } catch (e) {
      this.tell(e);
    }
  }

  // The table after so many orders, as it was shown then.
  async viewAt(n: number): Promise<View> {
    const view = this.views[n] ?? (await this.ask<View>(`/at/${n}`));
    this.views[n] = view;
    return view;
  }

  async save(): Promise<Blob> {
    const response = await fetch(`/api/games/${this.id}/save`, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    if (!response.ok) throw await refused(response);
    return response.blob();
  }
}
