import { expect, it } from 'vitest';
import { pointsText, readCard } from './playercard';

it('reads a scanned card once it is whole, and leaves alone what somebody types', () => {
  expect(readCard('natural9-card:K7QF3M2PWX9H')).toBe('K7QF3M2PWX9H');
  expect(readCard(' NATURAL9-CARD:K7QF3M2PWX9H ')).toBe('K7QF3M2PWX9H');
  expect(readCard('natural9-card:K7QF3M2')).toBeNull();
  expect(readCard('K7QF-3M2P-WX9H')).toBeNull();
});

it('shows whole points', () => {
  expect([0, 99, 100, 1_234_567, -50].map(pointsText)).toEqual(['0', '0', '1', '12,345', '-1']);
});
