import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeSocket } from '../../lib/fakesocket';
import { Tables } from './tables.svelte';

const lines = (): string[] => FakeSocket.all.map((one) => `${one.url.split('/').at(-1)} ${one.readyState === 3 ? 'left' : 'open'}`);
const names = (tables: Tables): string[] => tables.shown.map((one) => one.table);

function seated(most: number): Tables {
  const tables = new Tables('own', 7);
  tables.home.live.lobby = most;
  return tables;
}

beforeEach(() => {
  localStorage.clear();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => vi.unstubAllGlobals());

test('at first there is its own table alone', () => {
  const tables = seated(4);
  expect(names(tables)).toEqual(['own']);
  expect(tables.active).toBe(tables.home);
});

test('so many as the venue allows, its own always counted', () => {
  const tables = seated(2);
  tables.play('b');
  expect(names(tables)).toEqual(['b']);
  expect(tables.mayAdd('c')).toBe(false); // its own is one of the two, seen or not
  expect(tables.mayAdd('own')).toBe(true);
  tables.add('own');
  tables.add('c');
  expect(names(tables)).toEqual(['b', 'own']);
  expect(tables.mayAdd('b')).toBe(false);
});

test('a table that is left has its line closed, and leaving the last one leads home', () => {
  const tables = seated(4);
  tables.play('b');
  tables.play('c');
  expect(lines()).toEqual(['b left', 'c open']);
  tables.leave('c');
  expect(names(tables)).toEqual(['own']);
  expect(lines()).toEqual(['b left', 'c left']);
});

test('where the venue allows fewer than before, those too many are left', () => {
  const tables = seated(4);
  tables.add('b');
  tables.add('c');
  tables.keepWithin(2);
  expect(names(tables)).toEqual(['own', 'b']);
  tables.play('b');
  tables.keepWithin(1);
  expect(names(tables)).toEqual(['own']);
});

test('money, settings and dialogs are one for all', () => {
  const tables = seated(4);
  tables.add('b');
  const [home, visited] = tables.shown;
  expect(tables.active).toBe(visited);
  expect(visited!.settings).toBe(home!.settings);
  visited!.dialog = 'collect';
  expect(home!.dialog).toBe('collect');
});

test('what was shown is shown again after a reload, and no more than may be', () => {
  const before = seated(4);
  before.add('b');
  before.add('c');
  before.close();
  const again = seated(4);
  again.restore();
  expect(names(again)).toEqual(['own', 'b', 'c']);
  const fewer = seated(2);
  fewer.restore();
  expect(names(fewer)).toEqual(['own', 'b']);
  const none = seated(1);
  none.restore();
  expect(names(none)).toEqual(['own']);
});
