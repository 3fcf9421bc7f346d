import { expect, test } from 'vitest';
import { addressOf, columnsFor, kept, turns } from './grid';

test('at most six at a time, in even turns', () => {
  const tables = (count: number): string[] => Array.from({ length: count }, (_, place) => String(place + 1));
  expect(turns(tables(6)).map((one) => one.length)).toEqual([6]);
  expect(turns(tables(9)).map((one) => one.length)).toEqual([5, 4]);
  expect(turns(tables(13)).map((one) => one.length)).toEqual([5, 5, 3]);
  expect(turns([])).toEqual([[]]);
  expect([1, 2, 3, 4, 5, 6].map(columnsFor)).toEqual([1, 2, 2, 2, 3, 3]);
});

test('a display comes back to what it showed', () => {
  expect(kept.read()).toEqual([]);
  kept.write(['vip-1', '2']);
  expect(addressOf(kept.read())).toBe('/display/vip-1/2');
  localStorage.setItem('natural9-wall', '{"no": "list"}');
  expect(kept.read()).toEqual([]);
  localStorage.removeItem('natural9-wall');
});
