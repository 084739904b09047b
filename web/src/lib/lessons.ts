// What the training says now. It follows from where the battle is, so that it is right whatever was
// done before; who may do what is what the server says of each unit, not a guess.
import type { Ghost, Offer, Piece, View } from '../api';
import { list } from './offers';

export interface Lesson {
  title: string;
  text: string;
}

export interface Seen {
  view: View;
  mine: boolean;
  // The name of one's side; empty where one has both.
  you: string;
  // The chosen unit, if it is of the side that acts, and what it may do now.
  unit: Piece | null;
  offers: Offer[];
  ghost: Ghost | null;
  over: boolean;
}

const names = (units: Piece[]): string => list(units.map((u) => u.name));
const legal = (offers: Offer[], group: string): Offer[] =>
  offers.filter((o) => !o.no && o.group === group);

const GHOST: Lesson = {
  title: 'The ghost',
  text: 'It shows where the unit will stand, how far it goes and on what ground. Let go, or press Enter; where it comes to something else than you asked for, it waits for a word. Undo (u) is free until a die falls or the other side acts. Each unit moves once in a turn; it may still fire afterwards.',
};

export function lesson(seen: Seen): Lesson {
  const { view } = seen;
  if (seen.over)
    return {
      title: 'The battle is over',
      text: 'Look through it again, turn by turn, or open Armies to see what is left and what it counted. Cowpens is the next battle to try.',
    };
  if (!seen.mine)
    return {
      title: 'The other side acts',
      text: 'What they do is told in the panel; Pause holds it. When a decision is yours, the panel says so.',
    };
  if (view.choice)
    return {
      title: 'A choice of yours',
      text: 'Something happened that leaves you a choice. Its answers are at the top of the panel.',
    };
  const step = STEPS[view.phase];
  return step ? step(seen) : { title: 'Training', text: view.prompt };
}

const STEPS: Record<string, (seen: Seen) => Lesson> = {
  leaders: ({ view, you }) => ({
    title: 'Leaders',
    text: `${view.turn === 1 && you ? `You command ${you}. The stars are worth their number to whoever holds them at the end; Armies says how the battle is won. ` : ''}A leader may join a unit he touches. Nothing has to be done: press “On to the maneuver checks” (e).`,
  }),
  checks: ({ unit, offers }) => {
    const all = offers.find((o) => !o.no && /^Check all/.test(o.label));
    return unit?.may
      ? {
          title: `A check for ${unit.name}`,
          text: `A unit must pass a maneuver check before it moves. Choose “${all ? 'Check all … one die' : 'Check alone'}”, look at the odds, then Roll.${all ? ' Who checks together also charges and moves together.' : ''}`,
        }
      : {
          title: 'Maneuver checks',
          text: 'Units with a dashed green frame may check. Click one, or press n. Those in good order that you leave alone simply stand; disordered troops must check. Limbered guns cannot fire: move them up, and let them Unlimber in your next turn.',
        };
  },
  charges: (seen) => charges(seen),
  maneuvers: ({ view, unit, ghost }) => {
    if (unit?.moves && ghost) return GHOST;
    const keys = list(view.keys.map((k) => k.name));
    return unit?.moves
      ? {
          title: `Move ${unit.name}`,
          text: `Drag it toward the enemy; the shaded ground is where it gets by going forward.${keys ? ` ${keys} count for points.` : ''} The round handle turns it.`,
        }
      : {
          title: 'Move those that checked',
          text: 'Click a unit with a dashed frame, or send all of them straight ahead below. Letters on a unit: D disordered, B broken, W worn, S spent, A low on ammunition. When all have moved as you like, press “These have moved” (e).',
        };
  },
  'leader-moves': () => ({
    title: 'Leaders ride',
    text: 'Drag a leader so that his units are inside his circle: they check better under his eyes. Press “Leaders have moved” (e) when they stand well: then the other side fires.',
  }),
  'defensive-fire': fire,
  'offensive-fire': fire,
  combat: combat,
  breakthrough: combat,
};

// It speaks of the whole group that has checked: a charge of one is lost by a move of another.
function charges({ view, unit, offers, ghost }: Seen): Lesson {
  const can = view.units.filter((u) => u.can_charge);
  if (view.units.some((u) => u.charging && u.side === view.awaiting))
    return {
      title: 'Charges are declared',
      text: `${can.length > 0 ? `${names(can)} may charge too. ` : ''}Press “No more charges” (e) when you have declared all you want: then they go in, and those that are left move.`,
    };
  if (can.length === 0)
    return ghost
      ? GHOST
      : {
          title: 'Moves',
          text: 'Nobody of this group can reach the enemy with a charge. Move them: drag a unit on the map.',
        };
  const who = `Can charge now: ${names(can)}.`;
  const first =
    'Charges come before all moves: as soon as anybody of this group moves, or guns unlimber, nobody of it charges any more.';
  const open = unit && legal(offers, 'Charge').length > 0;
  return {
    title: 'Charges, or moves',
    text: `${who} ${first} You need not: infantry in cover or a building is best shot at first. ${open ? 'Choose one under Charge, or drag the unit onto the enemy.' : `To charge, choose ${can.length === 1 ? 'it' : 'one of them'}.`}`,
  };
}

function fire({ unit, offers }: Seen): Lesson {
  const targets = legal(offers, 'Fire').length > 0;
  if (unit?.may && targets)
    return {
      title: 'Fire',
      text: 'Enemies framed in red are targets. Click one, or choose under Fire. All that bear may fire together.',
    };
  if (unit?.may)
    return {
      title: 'Fire',
      text: `${unit.name} has nobody before its muzzles. Choose another with a dashed frame.`,
    };
  return {
    title: 'Fire',
    text: 'Choose a unit with a dashed frame, then its target. The odds come before the die. “Cease fire” (e) ends the step.',
  };
}

function combat(): Lesson {
  return {
    title: 'The charge goes home',
    text: 'Click the charging unit and press Fight. Both sides throw a die; the difference decides.',
  };
}
