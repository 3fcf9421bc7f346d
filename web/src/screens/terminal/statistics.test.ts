import { expect, it } from 'vitest';
import { percent, statistics } from './statistics';

it('counts the rounds of a shoe', () => {
  const shoe = statistics(['B56', 'B07n', 'T88np', 'B45b', 'P98n', 'P76']);
  expect(shoe.rounds).toBe(6);
  expect(shoe.wins).toEqual({ B: 3, P: 2, T: 1 });
  expect([shoe.naturals, shoe.playerPairs, shoe.bankerPairs, shoe.sixes]).toEqual([3, 1, 1, 1]);
  expect(shoe.longest).toEqual({ B: 3, P: 2 });
  expect(shoe.averageTotals.player).toBeCloseTo(33 / 6);
});

it('has nothing to say of an empty shoe', () => {
  expect(statistics([])).toMatchObject({ rounds: 0, longest: { B: 0, P: 0 }, averageTotals: { player: 0, banker: 0 } });
  expect([percent(0, 0), percent(1, 3)]).toEqual(['–', '33 %']);
});
