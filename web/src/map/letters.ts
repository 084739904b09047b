// How wide letters are in the face the map is lettered in, as a share of their height. It is good
// to a few parts in a hundred, and needs no page to measure on.
const CLASSES: [RegExp, number][] = [
  [/[ijlI.,:;'’|!·]/, 0.3],
  [/[ft()[\]-]/, 0.36],
  [/[rs]/, 0.44],
  [/[mwMW]/, 0.96],
  [/[A-ZÀ-Þ]/, 0.73],
  [/[0-9]/, 0.57],
  [/ /, 0.28],
];

export function wide(text: string): number {
  let sum = 0;
  for (const letter of text) sum += CLASSES.find(([these]) => these.test(letter))?.[1] ?? 0.57;
  return sum;
}
