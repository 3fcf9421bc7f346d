import { describe, expect, test } from 'vitest';
import type { ColumnKind, ReportView } from '../../lib/protocol';
import { BAND, daysBefore, filtered, holdBars, isOutside, isTotal, pageOf, queryOf, sheetOf, sums, winBy, type Row } from './reports';

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

const column = (name: string, kind: ColumnKind, summed = false) => ({ name, title: name, kind, on_screen: true, wide: false, summed });
const filter = (name: string, kind: ReportView['filters'][number]['kind'], goes_on_from = '') => ({ name, title: name, kind, says: '', goes_on_from });
const report = (changes: Partial<ReportView>): ReportView => ({
  name: 'tips',
  title: 'Tips',
  says: '',
  adds_up: true,
  heavy: false,
  columns: [column('seat', 'seat'), column('rounds', 'count', true), column('cents', 'money', true), column('hold_percent', 'percent')],
  filters: [filter('days', 'days'), filter('table', 'table'), filter('before', 'page', 'entry'), filter('limit', 'count')],
  ...changes,
});

test('sums are of the columns that add up, where the rows do', () => {
  const rows = [{ seat: 1, rounds: 2, cents: -5, hold_percent: 3 }, { rounds: 1, cents: 7 }];
  expect(sums(report({}), rows)).toEqual({ rounds: 3, cents: 2 });
  expect(sums(report({ adds_up: false }), rows)).toBeNull();
  expect(sums(report({}), rows.slice(0, 1))).toBeNull();
});

test('a row of all seats or all wagers is a sum itself', () => {
  expect(isTotal(report({}), { seat: 0 })).toBe(true);
  expect(isTotal(report({}), { seat: 3, wager: '' })).toBe(false);
  expect(isTotal(report({ columns: [column('wager', 'wager')] }), { seat: 3, wager: '' })).toBe(true);
});

test('a report is asked for what it takes, and no more', () => {
  const given = { first_day: '2026-11-16', last_day: '', table: '1', desk: 'cass' };
  expect(queryOf(report({}), given)).toEqual({ first_day: '2026-11-16', table: '1' });
  expect(queryOf(report({ filters: [] }), given)).toEqual({});
  expect(pageOf(report({}))?.goes_on_from).toBe('entry');
  expect(sheetOf(report({}), given)).toBe('/api/reports/tips?first_day=2026-11-16&table=1&limit=10000&format=csv');
  expect(sheetOf(report({ filters: [] }), given)).toBe('/api/reports/tips?format=csv');
});
