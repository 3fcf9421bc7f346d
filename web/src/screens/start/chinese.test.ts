// Every sentence of the start page, administrator, cashier and pit has its Chinese: a new one without it fails here.

import { expect, test } from 'vitest';
import { chinese as common } from '../../lib/chinese';
import { chinese as admin } from '../admin/chinese';
import { chinese as cashier } from '../cashier/chinese';
import { chinese as ofConsole } from '../console/chinese';
import { chinese as pit } from '../pit/chinese';
import { chinese as start } from './chinese';

const files = import.meta.glob<string>(['../{start,admin,cashier,pit}/*.{svelte,ts}', '../../parts/{StaffGate,Refused,SignIn,TopBar,Loading}.svelte', '!../**/*.test.ts', '!../**/chinese.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const SCREENS: Record<string, Record<string, string>> = {
  start: { ...common, ...start },
  admin: { ...common, ...start, ...admin },
  cashier: { ...common, ...start, ...cashier },
  pit: { ...common, ...start, ...ofConsole, ...pit },
};
// Said outright, one of two, or in a list whose sentences are shown later.
const SAID = [/\bt\(\s*'([^']+)'/g, /\b(?:says|title): '([^']+)'/g, /[?:]\s*'([A-Z][^']+)'/g, /return '([A-Z][^']+)'/g, /^ {2}'?[\w-]+'?: '([A-Z][^']+)',$/gm];

function sentences(screen: string): string[] {
  const at = screen === 'start' ? /^\.\/|\/start\// : new RegExp(`/${screen}/`); // our own folder is written ./
  const own = Object.entries(files).filter(([path]) => at.test(path) || path.includes('/parts/'));
  return [...new Set(own.flatMap(([, text]) => SAID.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!))))];
}

test.each(Object.keys(SCREENS))('every sentence of %s', (screen) => {
  const all = sentences(screen);
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter((one) => SCREENS[screen]![one] === undefined && one !== 'English').sort()).toEqual([]);
});

test('every blank that is filled in is kept', () => {
  const blanks = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const list of [start, admin, cashier, pit]) for (const [english, said] of Object.entries(list)) expect(blanks(said), english).toEqual(blanks(english));
});
