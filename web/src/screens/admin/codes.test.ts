import { expect, test } from 'vitest';
import type { DeviceView } from '../../lib/protocol';
import { asText, badSeats, byTable, linkOf } from './codes';

const device = (table: string, kind: DeviceView['kind'], seat: number | null, status: DeviceView['status'] = 'enrolled'): DeviceView => ({
  id: `${kind}-${table}-${seat}-${status}`,
  kind,
  table,
  seat,
  status,
});

test('codes as lines for a list, and as links that carry them behind the #', () => {
  const codes = [
    { id: 'a', code: 'X-1', expires_ms: 0 },
    { id: 'b', code: 'Y 2', expires_ms: 0 },
  ];
  expect(asText(codes)).toBe('a\tX-1\nb\tY 2');
  expect(linkOf('https://x', 'enrol', 'Y 2')).toBe('https://x/#enrol=Y%202');
});

test('devices stand by table, in the order of their seats, without the revoked', () => {
  const all = [device('b', 'terminal', 10), device('b', 'terminal', 9), device('b', 'display', null), device('a', 'terminal', 1, 'revoked')];
  const found = byTable(all, false);
  expect(found.map((at) => at.table)).toEqual(['b']);
  expect(found[0]!.devices.map((one) => one.seat)).toEqual([null, 9, 10]);
  expect(byTable(all, true).map((at) => [at.table, at.counts.revoked])).toEqual([
    ['a', 1],
    ['b', 0],
  ]);
});

test('seats are from 1 to the last of the table, in order', () => {
  expect(badSeats(1, 9, 9)).toBe('');
  expect(badSeats(3, null, 9)).toBe('');
  for (const [first, last] of [[0, 1], [null, 1], [1.5, 2], [10, 10]] as const) expect(badSeats(first, last, 9)).toContain('A seat');
  for (const [first, last] of [[3, 2], [1, 10]] as const) expect(badSeats(first, last, 9)).toContain('last seat');
});
