import { describe, expect, test } from 'vitest';
import { BAND, daysBefore, filtered, holdBars, isOutside, REPORTS, sums, winBy, type Row } from './reports';

const hold = (changes: Row): Row => ({
  table: '1',
  day: '2026-11-16',
  wager: '',
  turnover_cents: 100_000,
  house_win_cents: 2_000,
  theoretical_cents: 1_200,
  deviation_cents: 300,
  ...changes,
});

describe('hold against theoretical', () => {
  test('variances of tables add up, their deviations do not', () => {
    const [bar] = holdBars([hold({}), hold({ table: '2', deviation_cents: 400 })], 'day');
    expect(bar).toEqual({ id: '2026-11-16', turnover: 200_000, win: 4_000, expected: 2_400, deviation: 500 });
  });

  test('single wagers and unknown rules are left out', () => {
    expect(holdBars([hold({ wager: 'tie' }), hold({ theoretical_cents: null })], 'table')).toEqual([]);
  });

  test('a win outside the band is seen', () => {
    const bar = { id: '1', turnover: 1, win: 1_000, expected: 0, deviation: 500 };
    expect(isOutside(bar)).toBe(true);
    expect(isOutside({ ...bar, win: Math.floor(BAND * 500) })).toBe(false);
    expect(isOutside({ ...bar, deviation: 0 })).toBe(false);
  });
});

test('win by day and by table', () => {
  const rows = [hold({}), hold({ day: '2026-11-15' }), hold({ table: '2', house_win_cents: -500 })];
  expect(winBy(rows, 'day').map((one) => [one.id, one.win])).toEqual([
    ['2026-11-15', 2_000],
    ['2026-11-16', 1_500],
  ]);
  expect(winBy(rows, 'table').map((one) => [one.id, one.win])).toEqual([
    ['1', 4_000],
    ['2', -500],
  ]);
});

test('lines are found by words in any column, and by kind', () => {
  const rows: Row[] = [
    { kind: 'round-voided', says: 'Round void: a chair fell', by: 'ada' },
    { kind: 'hand-paid', says: 'Seat 3 was paid', by: 'bo' },
  ];
  expect(filtered(rows, 'chair ADA', '')).toEqual([rows[0]]);
  expect(filtered(rows, '', 'hand-paid')).toEqual([rows[1]]);
  expect(filtered(rows, 'chair', 'hand-paid')).toEqual([]);
});

test('days before a day', () => {
  expect(daysBefore('2026-03-03', 6)).toBe('2026-02-25');
  expect(daysBefore('2026-11-16', 0)).toBe('2026-11-16');
});

test('sums are of money and counts alone', () => {
  const win = REPORTS.find((report) => report.id === 'win')!;
  const total = sums(win, [{ rounds: 2, house_win_cents: -5, hold_percent: 3, table: '1' }, { rounds: 1, house_win_cents: 7 }]);
  expect(total.rounds).toBe(3);
  expect(total.house_win_cents).toBe(2);
  expect('hold_percent' in total || 'table' in total).toBe(false);
});
