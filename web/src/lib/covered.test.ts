import { expect, it } from 'vitest';
import { covered, notOpen } from './covered';
import type { TableView } from './protocol';

const TABLE = {
  phase: 'complete',
  cards: [
    { card: '9C', hand: 'player', total: 9 },
    { card: '3C', hand: 'banker', total: 3 },
    { card: 'KD', hand: 'player', total: 9 },
    { card: '2D', hand: 'banker', total: 5 },
  ],
  squeeze: { opened: 0, ends_at_ms: 8_000 },
  player_total: 9,
  banker_total: 5,
  naturals: ['player'],
  due: 'banker',
  draws: 'banker',
  window: 'four-cards',
  offers: [{ hand: 'banker' }],
  result: null,
} as unknown as TableView;
const SILENT = { phase: 'initial-deal', due: null, draws: null, window: null, offers: [], result: null };

it('knows what is not open to all yet', () => {
  expect(notOpen(TABLE)).toEqual([0, 1, 2, 3]);
  expect(notOpen({ ...TABLE, squeeze: { opened: 3, ends_at_ms: null } })).toEqual([3]);
  expect(notOpen({ ...TABLE, squeeze: null })).toEqual([]);
});

it('tells nothing of cards that lie face down', () => {
  expect(covered(TABLE, [0, 1, 2, 3])).toMatchObject({ ...SILENT, player_total: null, banker_total: null, naturals: [] });
});

it('tells a total as far as its hand lies open, from the first card on', () => {
  expect(covered(TABLE, [2, 3])).toMatchObject({ ...SILENT, player_total: 9, banker_total: 3, naturals: [] });
  expect(covered(TABLE, [0, 3])).toMatchObject({ player_total: null, banker_total: 3 });
});

it('tells a natural with its hand, and the rest with the last card', () => {
  expect(covered(TABLE, [3])).toMatchObject({ ...SILENT, player_total: 9, banker_total: 3, naturals: ['player'] });
  expect(covered(TABLE, [])).toBe(TABLE);
});

it('leaves the roads and the tallies as they were before the round', () => {
  const result = { round: 4, winner: 'player', natural: true, won: ['player', 'player-pair'] };
  const tallies = { player: 3, banker: 2, tie: 0, natural: 1, 'player-pair': 1 };
  const settled = { ...TABLE, phase: 'settled', result, results: ['B35', 'P95n'], tallies } as unknown as TableView;
  expect(covered(settled, [3])).toMatchObject({
    results: ['B35'],
    tallies: { player: 2, banker: 2, tie: 0, natural: 0, 'player-pair': 0 },
  });
  expect(covered({ ...settled, phase: 'complete' }, [3]).results).toEqual(['B35', 'P95n']);
});
