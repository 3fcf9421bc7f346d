// The colour of a chip by its value, as on most floors: 1 ivory, 5 red, 25 green, 100 black, 500 purple, 1,000 yellow.
// From 5,000 on the same colours come again by thousands, with a brass edge, and under 1 by hundredths, with a grey one.

export interface ChipColours {
  body: string;
  ink: string; // of the number, read against the body
  edge: string;
}

const IVORY = '#f4ecdb';
const DARK = '#1c1503';
const SET: readonly (readonly [from: number, body: string, ink: string])[] = [
  [1, '#efe6d2', DARK],
  [5, '#a3241d', '#fff'],
  [10, '#1f4f8f', '#fff'],
  [20, '#176b3a', '#fff'],
  [50, '#d97a1f', DARK],
  [100, '#17191b', '#fff'],
  [500, '#6a2a7d', '#fff'],
  [1_000, '#e3bd3a', DARK],
];

export function chipColours(cents: number): ChipColours {
  const value = cents / 100;
  const [counted, edge] = value >= 5_000 ? [value / 1_000, '#d8b673'] : value < 1 ? [cents, '#9aa3a8'] : [value, IVORY];
  const [, body, ink] = SET.findLast(([from]) => from <= counted) ?? SET[0]!;
  return { body, ink, edge: body === SET[0]![1] && edge === IVORY ? '#5b6470' : edge };
}
