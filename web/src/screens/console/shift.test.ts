import { expect, it } from 'vitest';
import { hasDealer, shiftKey } from './shift';
import { AUTOMATIC, BY_HAND, SHUFFLER, aTable } from './testing';

it('offers one key: on where nobody is, a relief where another is, off where it is me', () => {
  const table = aTable();
  expect(shiftKey(table, '', 'mei')).toEqual({ command: 'sign-on', label: 'Sign on' });
  expect(shiftKey(table, 'dora', 'mei')).toEqual({ command: 'sign-on', label: 'Relieve' });
  expect(shiftKey(table, 'mei', 'mei')).toEqual({ command: 'sign-off', label: 'Sign off' });
  expect(shiftKey(aTable({ status: 'paused' }), '', 'mei')?.command).toBe('sign-on');
  expect(shiftKey(aTable({ status: 'closed' }), '', 'mei')).toBeNull();
});

it('says nothing of a dealer where the table plays by itself, unless there is one', () => {
  expect([BY_HAND, SHUFFLER, AUTOMATIC].map((table) => hasDealer(table, ''))).toEqual([true, true, false]);
  expect(hasDealer({ ...AUTOMATIC, shoe: 'read' }, '')).toBe(true); // somebody draws the cards
  expect(hasDealer(AUTOMATIC, 'mei')).toBe(true);
});
