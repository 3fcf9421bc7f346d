import { expect, test } from 'vitest';
import type { FloorDay, HourLine } from '../../lib/protocol';
import { bandOf, hoursOf, series, verdict } from './plots';

const HOUR = 3_600_000;
const line = (table: string, hour: number, more: Partial<HourLine> = {}): HourLine => ({ table, from_ms: hour * HOUR, rounds: 1, staked_cents: 100, house_win_cents: 5, ...more });
const day = (...hours: HourLine[]): FloorDay => ({ day: '2026-11-18', at_ms: 14.5 * HOUR, curve: [], hours, pace: {} });

test('the band is two deviations on each side, and nobody guesses one', () => {
  const at = (win: number) => ({ at_ms: 0, house_win_cents: win, expected_cents: 100, deviation_cents: 40 });
  expect(bandOf(at(0))).toEqual({ low: 20, expected: 100, high: 180 });
  expect([19, 20, 180, 181].map((win) => verdict(at(win)))).toEqual(['below', 'within', 'within', 'above']);
  expect(verdict({ at_ms: 0, house_win_cents: 1, expected_cents: null, deviation_cents: null })).toBe('unknown');
});

test('hours go on from the first to this one, and an hour without play is nothing', () => {
  const today = day(line('a', 10), line('b', 10, { rounds: 4 }), line('a', 12, { house_win_cents: -7 }));
  const hours = hoursOf(today);
  expect(hours.map((hour) => hour / HOUR)).toEqual([10, 11, 12, 13, 14]);
  expect(series(today.hours, hours, ['a', 'b'], 'rounds')).toEqual([5, 0, 1, 0, 0]);
  expect(series(today.hours, hours, ['a'], 'house_win_cents')).toEqual([5, 0, -7, 0, 0]);
  expect(hoursOf(day())).toEqual([]);
  expect(series([line('a', 10, { staked_cents: null })], [10 * HOUR], ['a'], 'staked_cents')).toEqual([0]);
});
