import { expect, it } from 'vitest';
import { correction } from './correction';

const LIE = ['9H', '2C', 'KD'];

it('one card is corrected at its place, counted from one', () => {
  expect(correction(LIE, ['9H', '2C', 'QD'], false)).toEqual({ type: 'correct-card', place: 3, card: 'QD' });
});

it('two changed cards are not one mis-key', () => {
  expect(correction(LIE, ['9S', '2C', 'QD'], false)).toBeNull();
});

it('a result is corrected by all cards, more or fewer than were registered', () => {
  expect(correction(LIE, ['9H', '2C'], true)).toEqual({ type: 'correct-result', cards: ['9H', '2C'] });
  expect(correction(LIE, [...LIE, '4S'], true)).toEqual({ type: 'correct-result', cards: [...LIE, '4S'] });
});

it('what is registered already is no correction', () => {
  expect(correction(LIE, [...LIE], true)).toBeNull();
  expect(correction(LIE, [...LIE], false)).toBeNull();
  expect(correction(LIE, [], true)).toBeNull();
});
