import { describe, expect, test } from 'vitest';
import type { GamePriced, OddsGame } from '../../lib/protocol';
import { cardsLeft, compared, left, onceIn, points, readShoe, take, withoutText, writeShoe } from './shoe';

const game = (id: string, least_decks: number, most_decks: number): OddsGame => ({
  id,
  title: id,
  operator: '',
  least_decks,
  most_decks,
  decks_paragraph: '',
  has_insurance: false,
  wagers: [],
});
const GAMES = [game('mbs-nc', 6, 8), game('mbs-tiger', 4, 8)];

describe('the address', () => {
  test('comes back as it was written', () => {
    const shoe = { game: 'mbs-nc', decks: 7, taken: { '9': 2, K: 1 } };
    expect(writeShoe(shoe)).toBe('?game=mbs-nc&decks=7&out=9x2,K');
    expect(readShoe(writeShoe(shoe), GAMES)).toEqual(shoe);
  });

  test('of nobody is a full shoe', () => {
    expect(readShoe('', GAMES)).toEqual({ game: 'mbs-tiger', decks: 8, taken: {} });
  });

  test('that makes no sense is made to fit', () => {
    expect(readShoe('?game=none&decks=77&out=9x999,Z,Kx', GAMES)).toEqual({ game: 'mbs-tiger', decks: 8, taken: { '9': 32 } });
    expect(readShoe('?game=mbs-nc&decks=1', GAMES).decks).toBe(6);
    expect(readShoe('?game=mbs-nc&decks=many', GAMES).decks).toBe(8);
  });

  test('never leaves too few cards for a round', () => {
    const out = [...'A23456789TJQK'].map((rank) => `${rank}x24`).join();
    expect(cardsLeft(readShoe(`?game=mbs-nc&decks=6&out=${out}`, GAMES))).toBe(6);
  });
});

describe('taking cards', () => {
  const full = { game: 'mbs-nc', decks: 8, taken: {} };

  test('one out, one back', () => {
    const without = take(take(full, '9'), '9');
    expect([left(without, '9'), cardsLeft(without), withoutText(take(without, 'A'))]).toEqual([30, 414, 'A 9 9']);
    expect(take(take(without, '9', -1), '9', -1).taken['9']).toBe(0);
  });

  test('none that is not there', () => {
    const gone = { ...full, taken: { '9': 32 } };
    expect(take(gone, '9')).toBe(gone);
    expect(take(full, '9', -1)).toBe(full);
  });
});

test('the house edge is compared with that of the full shoe of the same game', () => {
  const priced = (game: string, edge: number): GamePriced =>
    ({ game, decks: 8, cards_left: 416, wagers: [{ id: 'tie', house_edge_float: edge }], insurance: [] }) as unknown as GamePriced;
  expect(compared(priced('a', 0.15), priced('a', 0.14))[0]?.change).toBeCloseTo(0.01);
  expect(compared(priced('a', 0.15), priced('b', 0.14))[0]?.change).toBe(0);
  expect(compared(priced('a', 0.15), null)[0]?.change).toBe(0);
});

test('numbers in words', () => {
  expect([onceIn(0), onceIn(0.5), onceIn(1 / 1234.4)]).toEqual(['—', '2.0', '1,234']);
  expect([points(0), points(0.0001234), points(-0.01)]).toEqual(['±0', '+0.0123', '−1.0000']);
});
