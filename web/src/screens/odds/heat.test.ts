import { expect, test } from 'vitest';
import type { InsurancePriced } from '../../lib/protocol';
import { heatOf, mapsOf, signed, stepName } from './heat';

const line = (window: string, player_total: number, banker_total: number, expected_float: number): InsurancePriced =>
  ({ window, player_total, banker_total, expected_float, hand: 'banker', odds: '2:1' }) as InsurancePriced;

test('each window is a map with only the points at which something is offered', () => {
  const [four, third] = mapsOf([line('four-cards', 4, 5, 0.1), line('four-cards', 0, 6, -0.1), line('third-card', 9, 0, 0), line('four-cards', 4, 6, 0)]);
  expect([four!.window, four!.players, four!.bankers]).toEqual(['four-cards', [0, 4], [5, 6]]);
  expect(four!.at(4, 5).map((one) => one.expected_float)).toEqual([0.1]);
  expect(four!.at(0, 5)).toEqual([]);
  expect(third!.at(9, 0)).toHaveLength(1);
  expect(mapsOf([])).toEqual([]);
});

test('a cell says whom it favours and how much, in steps that the legend names', () => {
  expect([0.3, 0.05, 0.0001].map(heatOf)).toEqual([
    { favours: 'bettor', step: 3 },
    { favours: 'bettor', step: 2 },
    { favours: 'bettor', step: 0 },
  ]);
  expect([-0.02, 0].map(heatOf)).toEqual([
    { favours: 'house', step: 1 },
    { favours: 'house', step: 0 },
  ]);
  expect([0, 1, 2, 3].map(stepName)).toEqual(['0–2%', '2–5%', '5–10%', '≥ 10%']);
  expect([0.01234, -0.5, 0].map(signed)).toEqual(['+1.23%', '−50.00%', '0.00%']);
});
