// Orders that may be given, in words and under their headings.
import type { Offer, Refusal } from '../api';

export function sentence(no: Refusal): string {
  const fact = no.fact.charAt(0).toUpperCase() + no.fact.slice(1);
  return no.instead ? `${fact}. Instead: ${no.instead}.` : `${fact}.`;
}

export interface Group {
  name: string;
  offers: { offer: Offer; key: number }[];
}

// Orders under their headings, numbered as they stand: the numbers are keys.
export function grouped(offers: Offer[]): Group[] {
  const groups: Group[] = [];
  for (const offer of offers) {
    const group = groups.find((g) => g.name === offer.group);
    if (group) group.offers.push({ offer, key: 0 });
    else groups.push({ name: offer.group, offers: [{ offer, key: 0 }] });
  }
  groups.flatMap((g) => g.offers).forEach((item, i) => (item.key = i + 1));
  return groups;
}

// Names one after another, as one says them.
export function list(names: string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
