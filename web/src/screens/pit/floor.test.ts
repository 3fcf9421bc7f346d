import { expect, test } from 'vitest';
import type { FloorTable, WinLine } from '../../lib/protocol';
import { said } from '../../lib/testing';
import { allAlarms, decisions, inOrder, levelOf, movement, sums, urgency } from './floor';

const row = (table: string, more: Partial<FloorTable> = {}): FloorTable => ({
  table,
  title: table,
  game: 'mbs-tiger',
  mode: 'automatic',
  dealer: '',
  calls: [],
  status: 'open',
  phase: 'betting-open',
  in_play: true,
  round: 3,
  staked_cents: 100,
  seated: 2,
  waiting: 0,
  waiting_kind: '',
  waiting_rank: '',
  faults: {},
  halted: null,
  halted_at_ms: null,
  alarms: [],
  cards: [],
  player_total: null,
  banker_total: null,
  result: null,
  results: [],
  closes_at_ms: null,
  node: '',
  ...more,
});
const byId = (...rows: FloorTable[]): Record<string, FloorTable> => Object.fromEntries(rows.map((one) => [one.table, one]));

test('what needs somebody stands first, the rest as in the venue file', () => {
  const rows = byId(
    row('a'),
    row('b', { status: 'closed' }),
    row('c', { waiting: 1, waiting_kind: 'late-bet', waiting_rank: 'pit-manager' }),
    row('d', { faults: { reader: said('gone') } }),
    row('e', { halted: said('disk') }),
    row('f', { status: 'paused' }),
  );
  expect(inOrder(rows, ['f', 'b', 'a', 'c', 'd', 'e']).map((one) => one.table)).toEqual(['e', 'd', 'c', 'f', 'b', 'a']);
  expect(levelOf(rows.e!)).toBe('halted');
});

test('decisions are mine if my rank reaches; a cashier decides nothing', () => {
  const rows = [row('a', { waiting: 1, waiting_kind: 'late-bet', waiting_rank: 'pit-manager' }), row('b')];
  expect(decisions(rows, ['dealer', 'pit-supervisor', 'pit-manager']).mine.length).toBe(1);
  expect(decisions(rows, ['dealer', 'pit-supervisor'])).toEqual({ mine: [], others: [rows[0]] });
  expect(decisions(rows, []).mine.length).toBe(0);
  const two = [{ ...rows[0]!, waiting: 2 }];
  expect(decisions(two, ['dealer', 'pit-supervisor'])).toEqual({ mine: two, others: [] }); // each says who decides it
  expect(decisions(two, []).others).toEqual(two);
});

test('the floor is summed, and what may not be seen is not guessed', () => {
  const rows = [row('a'), row('b', { staked_cents: 50, halted: said('disk') }), row('c', { in_play: false, seated: 0 })];
  expect(sums(rows, null)).toEqual({ staked: 150, seated: 4, win: null, alarms: 1 });
  expect(sums(rows, [{ house_win_cents: -70 }, { house_win_cents: 20 }] as WinLine[]).win).toBe(-50);
});

test('alarms stand by their age, and one that nobody has looks older', () => {
  const fault = { alarm: 'reader', at_ms: 9_000, taken_by: '', fault: said('gone'), kind: null, rank: '' };
  const rows = [row('a', { alarms: [fault] }), row('b', { halted: said('disk'), halted_at_ms: 5_000 }), row('c')];
  expect(allAlarms(rows).map((one) => [one.table, one.alarm])).toEqual([['b', 'halted'], ['a', 'reader']]);
  expect([9_000, 68_999, 69_000, 308_999, 309_000].map((now) => urgency(fault, now))).toEqual(['new', 'new', 'waits', 'waits', 'late']);
});

test('the books are looked at again when a round begins, ends or is corrected, and not for every card', () => {
  const at = { round: 4, in_play: true, result: null, results: [], waiting: [] } satisfies Parameters<typeof movement>[0];
  expect(movement({ ...at })).toBe(movement(at));
  const ended = { ...at, in_play: false };
  const result = { winner: 'banker' } as unknown as NonNullable<Parameters<typeof movement>[0]['result']>;
  const all = [at, ended, { ...ended, result }, { ...at, round: 5 }, { ...at, results: ['B09'] }].map(movement);
  expect(new Set(all).size).toBe(all.length);
});
