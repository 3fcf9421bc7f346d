import { expect, it } from 'vitest';
import type { Action } from '../../lib/protocol';
import { actions } from './actions';
import { rankOf } from './cardkeys';
import { aConsole, aTable, BY_HAND, SHUFFLER } from './testing';

const everything = (): boolean => true;
const ALL = ['report', 'correct-card', 'correct-result', 'waive-insurance', 'cut-card', 'new-shoe', 'void-round'];
const busy = aConsole({ commands: ALL });

it('gives each action its own key, none of them a card or the next step', () => {
  const all = actions(aTable({ round: 1, phase: 'complete' }), busy, BY_HAND, everything);
  expect(all).toHaveLength(11);
  expect(new Set(all.map((one) => one.key)).size).toBe(all.length);
  for (const { key } of all) {
    expect(rankOf(key), key).toBeNull();
    expect(['P', 'B', 'Z', ' ']).not.toContain(key);
  }
});

it('offers no card to be named where the shuffler deals', () => {
  const ids = actions(aTable({ phase: 'complete' }), busy, SHUFFLER, everything).map((one) => one.id);
  expect(ids).not.toContain('undo');
  expect(ids).not.toContain('correct');
  expect(ids).not.toContain('cut');
});

it('mends a mis-key until the result is declared, a result afterwards', () => {
  const result = {
    round: 1,
    winner: 'tie' as const,
    player_total: 6,
    banker_total: 6,
    natural: false,
    player_pair: false,
    banker_pair: false,
    won: [],
  };
  const ids = (part: object): string[] => actions(aTable(part), busy, BY_HAND, everything).map((one) => one.id);
  expect(ids({ phase: 'initial-deal' })).toContain('undo');
  expect(ids({ phase: 'initial-deal' })).not.toContain('correct');
  expect(ids({ phase: 'settled', result })).not.toContain('undo');
  expect(ids({ phase: 'settled', result })).toContain('correct');
});

it('shows whoever only looks nothing but the keys', () => {
  const auditor = (action: Action): boolean => action === 'see-table';
  expect(actions(aTable({ round: 3 }), busy, BY_HAND, auditor).map((one) => one.id)).toEqual(['help']);
});
