// Keying in a card: rank, then suit. One mistake is mended by the next rank; Escape or Backspace forgets.

export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'] as const;
export const SUITS = ['S', 'H', 'D', 'C'] as const;

export function rankOf(key: string): string | null {
  const upper = key.toUpperCase();
  if (upper === '0' || upper === '1') return upper === '0' ? 'T' : 'A';
  return (RANKS as readonly string[]).includes(upper) ? upper : null;
}

export function suitOf(key: string): string | null {
  const upper = key.toUpperCase();
  return (SUITS as readonly string[]).includes(upper) ? upper : null;
}

export interface Keyed {
  rank: string; // '' until one is keyed
  card: string | null; // whole, to be sent
  taken: boolean; // whether the key meant a card at all
}

/** What one more key makes of the rank keyed before it. */
export function keyCard(rank: string, key: string): Keyed {
  if (rank && (key === 'Escape' || key === 'Backspace')) return { rank: '', card: null, taken: true };
  const suit = rank ? suitOf(key) : null;
  if (suit) return { rank: '', card: rank + suit, taken: true };
  const next = key.length === 1 ? rankOf(key) : null;
  if (next) return { rank: next, card: null, taken: true };
  return { rank, card: null, taken: false };
}

/** Cards as typed in a row, "9h 10s Kd"; null where one of them is none. */
export function readCards(text: string): string[] | null {
  const cards: string[] = [];
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const match = /^(10|[2-9TJQKA])([SHDC])$/i.exec(part);
    if (!match?.[1] || !match[2]) return null;
    cards.push((match[1] === '10' ? 'T' : match[1].toUpperCase()) + match[2].toUpperCase());
  }
  return cards;
}

/** Seats as typed, "3, 7 9"; null where one of them is none. */
export function readSeats(text: string): number[] | null {
  const seats = text.split(/[\s,]+/).filter(Boolean);
  if (seats.some((seat) => !/^[1-9]\d{0,5}$/.test(seat))) return null;
  return [...new Set(seats.map(Number))];
}
