import { expect, it } from 'vitest';
import { offered } from './offered';
import type { GameView } from './protocol';

const rules = { id: 'mbs-tiger', wagers: [{ id: 'tie' }, { id: 'tiger' }, { id: 'small-tiger' }] } as GameView;
const ids = (game: GameView) => game.wagers.map((wager) => wager.id);

it('shows what has limits, and what bets still lie on', () => {
  const table = { limits: { tie: [100, 500], tiger: [100, 500] } as Record<string, [number, number]>, laid: {} };
  expect(ids(offered(rules, table))).toEqual(['tie', 'tiger']);
  expect(ids(offered(rules, { ...table, laid: { 'small-tiger': 100, tiger: 0 } }))).toEqual(['tie', 'tiger', 'small-tiger']);
  expect(offered(rules, table).id).toBe('mbs-tiger');
});
