// Which command puts the cards right: one card at its place, or all of them as they lie.

import type { Hand } from '../../lib/protocol';

export type Correction = { type: 'correct-card'; place: number; card: string } | { type: 'correct-result'; cards: string[] };

/** null where nothing would change, or where more than one card changed and only one may. */
export function correction(registered: readonly string[], cards: readonly string[], whole: boolean): Correction | null {
  const same = cards.length === registered.length && cards.every((card, place) => card === registered[place]);
  if (same || cards.length === 0) return null;
  if (whole) return { type: 'correct-result', cards: [...cards] };
  const changed = cards.flatMap((card, place) => (card === registered[place] ? [] : [place]));
  const place = changed[0];
  if (changed.length !== 1 || place === undefined || cards.length !== registered.length) return null;
  return { type: 'correct-card', place: place + 1, card: cards[place]! };
}

const HANDS: Record<Hand, string> = { player: 'Player', banker: 'Banker' };
const NTH: Record<number, string> = { 4: 'fifth', 5: 'sixth' };

/** What stands over each card: whose it is, or which, where the cards before it decide that. */
export function placeLabels(places: readonly (Hand | null)[]): string[] {
  return places.map((hand, place) => (hand ? HANDS[hand] : (NTH[place] ?? '')));
}
