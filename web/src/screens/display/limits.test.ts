import { expect, test } from 'vitest';
import type { GameView, TableView } from '../../lib/protocol';
import { limitLines } from './limits';

const wager = (id: string, title: string, zh: string) => ({ id, title, names: { en: title, zh } });
const rules = { wagers: [wager('tiger', 'Tiger', '老虎'), wager('tiger-tie', 'Tiger Tie', '老虎和')] } as unknown as GameView;
const table = (limits: TableView['limits'], seat_min_cents = 0) => ({ limits, seat_min_cents });

test('bets with the same limits stand in one line', () => {
  const limits: TableView['limits'] = { player: [500, 500_000], banker: [500, 500_000], tie: [500, 50_000], tiger: [100, 50_000], 'tiger-tie': [100, 50_000] };
  expect(limitLines(table(limits), rules).map((one) => `${one.zh} ${one.en} ${one.range}`)).toEqual(['庄 闲 Banker Player 5–5K', '和 Tie 5–500', '边注 Side bets 1–500']);
});

test('those that differ are named, and so is what a seat must bet at least', () => {
  const limits: TableView['limits'] = { player: [500, 500_000], banker: [1_000, 500_000], tiger: [100, 50_000], 'tiger-tie': [150, 50_000] };
  expect(limitLines(table(limits, 2_000), rules).map((one) => `${one.en} ${one.range}`)).toEqual([
    'Banker 10–5K',
    'Player 5–5K',
    'Tiger 1–500',
    'Tiger Tie 1.50–500',
    'Seat minimum 20',
  ]);
  const many: TableView['limits'] = { tiger: [100, 50_000], 'tiger-tie': [100, 5_000], a: [100, 5_000], b: [100, 5_000] };
  expect(limitLines(table(many), rules).map((one) => `${one.en} ${one.range}`)).toEqual(['Tiger 1–500', 'Other side bets 1–50']);
  expect(limitLines(table(limits)).map((one) => one.en)).toEqual(['Banker', 'Player']);
  expect(limitLines(table({}), null)).toEqual([]);
});
