// A charge in plain words: the four lines one wants to know before it is declared.
import type { Outcome, Roll } from '../api';

// To the whole, but never none or all of what is some: 0.4 is not nothing.
export function round(percent: number): string {
  if (percent > 0 && percent < 1) return 'under 1';
  if (percent > 99 && percent < 100) return 'over 99';
  return String(Math.round(percent));
}

const likeliest = (odds: Outcome[], tone: string): Outcome | undefined =>
  odds.filter((o) => o.tone === tone).sort((a, b) => b.percent - a.percent)[0];

const EFFECTS: Record<string, string> = {
  swept: 'swept from the field',
  'driven back': 'driven back',
  'hard pressed': 'hard pressed',
  falter: 'made to falter',
  recoil: 'thrown back',
  repulsed: 'repulsed',
};

// A result as a sentence: who suffers it, and what it does to both. Where it does one thing or
// another, the likelier.
function said(o: Outcome, attacker: string, defender: string): string {
  const [whom, effect] = o.name.includes(': ') ? o.name.split(': ') : ['', o.name];
  const first = o.does.split(' / ')[0]?.replace(/^\d+% /, '') ?? '';
  const does = first.replace('attacker:', attacker).replace('defender:', defender);
  const who = whom === 'attacker' ? attacker : whom === 'defender' ? defender : whom;
  return `${who} ${EFFECTS[effect ?? ''] ?? effect} (${does})`.trim();
}

export function plainly(
  rolls: Roll[],
  attacker: string,
  defender: string,
  enemy: (roll: Roll) => boolean,
): string[] {
  const home = rolls.find((r) => r.chances);
  const chances = home?.chances;
  if (!home || !chances) return [];
  const before = rolls.filter((r) => r !== home);
  const fire = before.some(enemy);
  const stops =
    chances.stopped > 0 ? `${round(chances.stopped)}% that this stops it` : 'that cannot stop it';
  const lines = [
    fire ? `It is fired at as it comes: ${stops}.` : 'Nobody can fire at it as it comes.',
  ];
  if (before.some((r) => !enemy(r))) lines[0] += ' It fires as well before they meet.';
  const [good, bad] = [likeliest(home.odds, 'good'), likeliest(home.odds, 'bad')];
  if (good) lines.push(`If it wins, most likely: ${said(good, attacker, defender)}.`);
  if (bad) lines.push(`If it loses, most likely: ${said(bad, attacker, defender)}.`);
  if (chances.struggles > 0)
    lines.push(`${round(chances.struggles)}% that neither gives way at once, and both lose by it.`);
  return lines;
}
