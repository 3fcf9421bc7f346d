import { expect, it } from 'vitest';
import { paidText, sentenceText, stepText, voidText } from './words';

it('a step is one sentence with its blanks filled', () => {
  const step = { kind: 'act', command: 'declare', line: 'Declare: {hand} wins, {high} over {low}' } as const;
  expect(stepText({ ...step, words: { hand: 'BANKER' }, numbers: { high: 7, low: 4 } })).toBe('Declare: BANKER wins, 7 over 4');
});

it('one seat is not "1 seats"', () => {
  const line = 'Returns {cents} to {seats} seats.';
  expect(sentenceText({ line, numbers: { cents: '5.00', seats: 1 } })).toBe('Returns 5.00 to 1 seat.');
  expect(sentenceText({ line, numbers: { cents: '5.00', seats: 2 } })).toBe('Returns 5.00 to 2 seats.');
});

it('what each box is paid is said box by box; of a hall, how many are', () => {
  expect(paidText([{ seat: 2, cents: 19_500 }, { seat: 5, cents: 0 }])).toBe('Box 2 is paid 195.00 · Box 5 is paid 0.00');
  const hall = Array.from({ length: 12 }, (_, seat) => ({ seat, cents: seat % 2 ? 100 : 0 }));
  expect(paidText(hall)).toBe('Paid 6.00 to 6 of 12 seats');
  expect(paidText([])).toBe('');
});

it('a void says its kind in the words of the floor, and the reason as it was typed', () => {
  expect(voidText({ kind: 'wrong-number-of-cards', why: '' })).toBe('A hand has too many or too few cards');
  expect(voidText({ kind: 'foreign-card', why: 'a blue back' })).toBe('Foreign card. a blue back');
  expect(voidText({ kind: null, why: 'a spill' })).toBe('a spill');
  expect(voidText({ kind: null, why: 'foreign-card. typed by hand' })).toBe('foreign-card. typed by hand');
});
