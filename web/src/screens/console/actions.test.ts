import { expect, it } from 'vitest';
import type { Action, ConsoleView, CorrectionView, TableView } from '../../lib/protocol';
import { actions, type Keyboard } from './actions';
import { rankOf } from './cardkeys';
import { aConsole, aTable } from './testing';

const everything = (): boolean => true;
const dealer = (action: Action): boolean => ['see-table', 'deal', 'report-irregularity', 'lock-terminal'].includes(action);
const BOXES: Keyboard = { byHand: true, insurance: true };
const ALL = ['report', 'correct-card', 'correct-result', 'waive-insurance', 'cut-card', 'new-shoe', 'void-round', 'discard-held', 'rule-on-bet'];
const both: CorrectionView = { card: true, result: true, reverses: false, rank: 'dealer', paragraph: '' };
const busy = aConsole({ commands: ALL, correction: both, earlier: true });

/** Those that would do something. */
function alive(view: Partial<TableView>, console: Partial<ConsoleView>): string[] {
  return actions(aTable(view), aConsole(console), everything, BOXES).flatMap((one) => (one.now ? [one.id] : []));
}

it('gives each action its own key, none of them a card or the next step', () => {
  const all = actions(aTable({ round: 1, phase: 'complete' }), busy, everything, BOXES);
  expect(all).toHaveLength(15);
  expect(new Set(all.map((one) => one.key)).size).toBe(all.length);
  for (const { key } of all) {
    expect(rankOf(key), key).toBeNull();
    expect(['P', 'B', 'Z', ' ']).not.toContain(key);
  }
});

it('leaves every key at its place, whether it would do anything or not', () => {
  const keys = (console: ConsoleView): string[] => actions(aTable(), console, everything, BOXES).map((one) => one.id);
  expect(keys(aConsole())).toEqual(keys(busy));
  const waived = keys(aConsole({ commands: ['take-back-waiver'] }));
  expect(waived).toHaveLength(keys(busy).length);
  expect(waived.indexOf('unwaive')).toBe(keys(busy).indexOf('waive'));
});

it('has no key for what such a table never does', () => {
  const ids = actions(aTable(), busy, everything, { byHand: false, insurance: false }).map((one) => one.id);
  for (const never of ['undo', 'cut', 'waive', 'unwaive', 'burnt', 'earlier']) expect(ids).not.toContain(never);
});

it('offers the corrections that the server offers', () => {
  expect(alive({}, { correction: null })).not.toContain('undo');
  expect(alive({}, { correction: { ...both, result: false } })).toContain('undo');
  expect(alive({}, { correction: { ...both, result: false } })).not.toContain('correct');
  expect(alive({}, { correction: { ...both, card: false } })).not.toContain('undo');
  expect(alive({}, { correction: { ...both, card: false } })).toContain('correct');
});

it('offers to correct what was burnt, once a card was shown and until the first round', () => {
  const burnt = (card: string, ...commands: string[]) =>
    alive({ shoe: { ...aTable().shoe, next_burnt: { card, face_down: 7, to_come: 0 } } }, { commands }).includes('burnt');
  expect([burnt('', 'burn'), burnt('7H', 'burn'), burnt('7H', 'burn-face-down'), burnt('7H')]).toEqual([false, true, true, false]);
});

it('offers nothing that is not among the commands', () => {
  expect(alive({}, {})).toEqual(['terminals', 'table', 'help']);
});

it('shows whoever only looks nothing but the keys', () => {
  const auditor = (action: Action): boolean => action === 'see-table';
  expect(actions(aTable({ round: 3 }), busy, auditor, BOXES).map((one) => one.id)).toEqual(['help']);
});

it('names the rank that signs, before the key is pressed, to whoever does not hold it', () => {
  const rank = (table_commands: string[], may: (action: Action) => boolean): Record<string, string> =>
    Object.fromEntries(actions(aTable(), aConsole({ table_commands }), may, BOXES).flatMap((one) => (one.rank ? [[one.id, one.rank]] : [])));
  expect(rank(['open-table'], dealer)).toEqual({ rule: 'shift-manager', void: 'pit-supervisor', freeze: 'pit-supervisor', table: 'pit-manager' });
  expect(rank(['pause-table', 'close-table'], dealer)['table']).toBe('pit-supervisor');
  expect(rank(['open-table'], everything)).toEqual({});
});
