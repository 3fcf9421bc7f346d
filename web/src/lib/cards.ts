// Cards as the server writes them ("9H", "TS"), and how ours are drawn.

import { t } from './i18n.svelte';

export type Suit = 'C' | 'D' | 'H' | 'S';

// Each in a square of 100 by 100.
export const SUIT_PATHS: Record<Suit, string> = {
  H: 'M50 92 C20 66 4 50 4 30 C4 15 15 6 27 6 C38 6 46 13 50 22 C54 13 62 6 73 6 C85 6 96 15 96 30 C96 50 80 66 50 92 Z',
  D: 'M50 4 C60 22 72 38 88 50 C72 62 60 78 50 96 C40 78 28 62 12 50 C28 38 40 22 50 4 Z',
  S: 'M50 4 C60 22 94 40 94 62 C94 76 84 84 73 84 C65 84 58 80 54 73 C55 84 59 92 66 96 L34 96 C41 92 45 84 46 73 C42 80 35 84 27 84 C16 84 6 76 6 62 C6 40 40 22 50 4 Z',
  C: 'M50 4 C63 4 72 13 72 25 C72 32 69 38 63 44 C67 42 71 41 75 41 C87 41 96 50 96 62 C96 75 87 83 75 83 C66 83 58 79 54 71 C55 83 59 91 66 96 L34 96 C41 91 45 83 46 71 C42 79 34 83 25 83 C13 83 4 75 4 62 C4 50 13 41 25 41 C29 41 33 42 37 44 C31 38 28 32 28 25 C28 13 37 4 50 4 Z',
};

type Pip = readonly [x: number, y: number, upside?: boolean];
const [L, M, R] = [34, 50, 66];
const four: Pip[] = [
  [L, 33],
  [R, 33],
  [L, 107, true],
  [R, 107, true],
];
const eight: Pip[] = [...four, [L, 57.7], [R, 57.7], [L, 82.3, true], [R, 82.3, true]];

export const PIPS: Record<string, readonly Pip[]> = {
  A: [[M, 70]],
  '2': [[M, 33], [M, 107, true]],
  '3': [[M, 33], [M, 70], [M, 107, true]],
  '4': four,
  '5': [...four, [M, 70]],
  '6': [...four, [L, 70], [R, 70]],
  '7': [...four, [L, 70], [R, 70], [M, 51.5]],
  '8': [...four, [L, 70], [R, 70], [M, 51.5], [M, 88.5, true]],
  '9': [...eight, [M, 70]],
  T: [...eight, [M, 45.3], [M, 94.7, true]],
};

const RANKS: Record<string, string> = { A: 'ace', T: 'ten', J: 'jack', Q: 'queen', K: 'king' };
const SUITS: Record<Suit, string> = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };

export function cardName(card: string): string {
  const rank = card.slice(0, -1);
  return t('{rank} of {suit}', { rank: t(RANKS[rank] ?? rank), suit: t(SUITS[card.slice(-1) as Suit]) });
}

const SIGNS: Record<Suit, string> = { C: '♣', D: '♦', H: '♥', S: '♠' };

/** In two or three signs, as 7♥ or 10♠. */
export function cardSigns(card: string): string {
  const rank = card.slice(0, -1);
  return (rank === 'T' ? '10' : rank) + SIGNS[card.slice(-1) as Suit];
}

export function isRed(suit: Suit): boolean {
  return suit === 'H' || suit === 'D';
}
