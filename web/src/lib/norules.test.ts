// A screen draws what the server says; it decides nothing by a kind of irregularity, a rank or a hand's points.

import { expect, it } from 'vitest';
import protocol from './protocol.ts?raw';

const files: Record<string, string> = import.meta.glob<string>(['../**/*.ts', '../**/*.svelte', '!./protocol.ts', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

function named(type: string): string[] {
  const [, union = ''] = new RegExp(`^export type ${type} =([^;]+);`, 'm').exec(protocol) ?? [];
  return [...union.matchAll(/"([^"]+)"/g)].map((match) => match[1]!);
}

const KINDS = named('Kind');
const RANKS = ['dealer', 'pit-supervisor', 'pit-manager', 'shift-manager'];
const WORDS = [...KINDS, ...RANKS].join('|');
// A comparison with one of them, a branch for one, or a list of several that something is looked up in.
const DECIDES = new RegExp(`([!=]==? *|case +|includes\\( *)['"](${WORDS})['"]|\\[ *(['"](${WORDS})['"],? *){2,}\\]`, 'g');
// Point totals of baccarat: eight and nine are naturals, the Player draws up to five.
const COUNTS = /total[^\n]{0,20}(>= 8|> 7|<= 5|< 6)|points\([^\n]*% 10/g;

function found(text: string): string[] {
  return [...text.matchAll(DECIDES), ...text.matchAll(COUNTS)].map((match) => match[0]);
}

it('finds a rule where there is one', () => {
  expect(KINDS).toHaveLength(18);
  expect(found(`if (one.kind === 'late-bet') return`)).toHaveLength(1);
  expect(found(`case 'wrong-area':`)).toHaveLength(1);
  expect(found(`const ORDER = ['dealer', 'pit-supervisor'];`)).toHaveLength(1);
  expect(found(`(view.player_total ?? 0) <= 5 ? 'player' : 'banker'`)).toHaveLength(1);
  expect(found(`{ kind: 'late-bet', says: 'Late bet' }`)).toEqual([]);
});

it('finds none in any screen', () => {
  expect(Object.keys(files).length).toBeGreaterThan(150);
  const rules = Object.entries(files).flatMap(([file, text]) => found(text).map((rule) => `${file}: ${rule}`));
  expect(rules).toEqual([]);
});
