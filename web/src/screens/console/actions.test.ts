import { expect, it } from 'vitest';
import type { Action, CorrectionView } from '../../lib/protocol';
import { actions } from './actions';
import { rankOf } from './cardkeys';
import { aConsole, aTable } from './testing';

const everything = (): boolean => true;
const ALL = ['report', 'correct-card', 'correct-result', 'waive-insurance', 'cut-card', 'new-shoe', 'void-round', 'take-back-waiver', 'discard-held', 'rule-on-bet'];
const both: CorrectionView = { card: true, result: true, reverses: false, rank: 'dealer', paragraph: '' };
const busy = aConsole({ commands: ALL, correction: both, earlier: true });

it('gives each action its own key, none of them a card or the next step', () => {
  const all = actions(aTable({ round: 1, phase: 'complete' }), busy, everything);
  expect(all).toHaveLength(15);
  expect(new Set(all.map((one) => one.key)).size).toBe(all.length);
  for (const { key } of all) {
    expect(rankOf(key), key).toBeNull();
    expect(['P', 'B', 'Z', ' ']).not.toContain(key);
  }
});

it('offers the corrections that the server offers', () => {
  const ids = (correction: CorrectionView | null): string[] => actions(aTable(), aConsole({ commands: ALL, correction }), everything).map((one) => one.id);
  expect(ids(null)).not.toContain('undo');
  expect(ids(null)).not.toContain('correct');
  expect(ids({ ...both, result: false })).toContain('undo');
  expect(ids({ ...both, result: false })).not.toContain('correct');
  expect(ids({ ...both, card: false })).not.toContain('undo');
  expect(ids({ ...both, card: false })).toContain('correct');
});

it('offers to correct what was burnt, once a card was shown and until the first round', () => {
  const burnt = (card: string, ...commands: string[]) => {
    const shoe = { ...aTable().shoe, next_burnt: { card, face_down: 7, to_come: 0 } };
    return actions(aTable({ shoe }), aConsole({ commands }), everything).some((one) => one.id === 'burnt' && one.key === 'G');
  };
  expect([burnt('', 'burn'), burnt('7H', 'burn'), burnt('7H', 'burn-face-down'), burnt('7H')]).toEqual([false, true, true, false]);
  expect(rankOf('G')).toBeNull();
});

it('offers nothing that is not among the commands', () => {
  const ids = actions(aTable(), aConsole(), everything).map((one) => one.id);
  expect(ids).toEqual(['terminals', 'table', 'help']);
});

it('shows whoever only looks nothing but the keys', () => {
  const auditor = (action: Action): boolean => action === 'see-table';
  expect(actions(aTable({ round: 3 }), busy, auditor).map((one) => one.id)).toEqual(['help']);
});
