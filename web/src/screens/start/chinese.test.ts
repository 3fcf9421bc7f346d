// Every sentence of the start page, administrator, cashier, pit and players has its Chinese: a new one without it fails here.

import { expect, test } from 'vitest';
import common from '../../languages/zh/common';
import audit from '../../languages/zh/audit';
import admin from '../../languages/zh/admin';
import cashier from '../../languages/zh/cashier';
import ofConsole from '../../languages/zh/console';
import pit from '../../languages/zh/pit';
import play from '../../languages/zh/play';
import players from '../../languages/zh/players';
import start from '../../languages/zh/start';

const files = import.meta.glob<string>(['../{start,admin,cashier,pit,players}/*.{svelte,ts}', '../../parts/{StaffGate,Refused,SignIn,TopBar,Loading,PlayersLink}.svelte', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const SCREENS: Record<string, Record<string, string>> = {
  start: { ...common, ...start },
  admin: { ...common, ...start, ...admin },
  cashier: { ...common, ...start, ...cashier },
  pit: { ...common, ...play, ...start, ...audit, ...ofConsole, ...pit },
  players: { ...common, ...start, ...players },
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
