import { describe, expect, it } from 'vitest';
import { keyCard, RANKS, readCards, readSeats, SUITS } from './cardkeys';

describe('a card by two keys', () => {
  it('takes every one of the fifty-two', () => {
    const cards = RANKS.flatMap((rank) =>
      SUITS.map((suit) => keyCard(keyCard('', rank.toLowerCase()).rank, suit.toLowerCase()).card),
    );
    expect(new Set(cards).size).toBe(52);
    expect(cards).toContain('9H');
  });

  it('reads 0 as ten and 1 as ace', () => {
    expect(keyCard('', '0').rank).toBe('T');
    expect(keyCard('', '1').rank).toBe('A');
  });

  it('lets another rank replace the first, and Escape forget it', () => {
    expect(keyCard('9', '8')).toEqual({ rank: '8', card: null, taken: true });
    expect(keyCard('9', 'Escape')).toEqual({ rank: '', card: null, taken: true });
    expect(keyCard('', 'Escape').taken).toBe(false);
  });

  it('leaves all other keys alone: a suit without a rank is none', () => {
    for (const key of ['h', 'r', ' ', '?', 'Enter', 'Tab']) expect(keyCard('', key).taken).toBe(false);
    expect(keyCard('9', ' ')).toEqual({ rank: '9', card: null, taken: false });
  });
});

describe('what is typed in a row', () => {
  it('reads cards', () => {
    expect(readCards('9h, 10s Kd')).toEqual(['9H', 'TS', 'KD']);
    expect(readCards('')).toEqual([]);
    expect(readCards('9h 1x')).toBeNull();
  });

  it('reads seats, each once', () => {
    expect(readSeats('3, 7 7')).toEqual([3, 7]);
    expect(readSeats('')).toEqual([]);
    expect(readSeats('three')).toBeNull();
    expect(readSeats('0')).toBeNull();
  });
});
