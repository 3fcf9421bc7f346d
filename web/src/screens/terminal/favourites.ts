// A player's own patterns of bets, kept in the browser for as long as this player sits here.

import type { SeatView } from '../../lib/protocol';
import { forget, keep, kept } from './kept';
import type { SeatClient } from './seatclient.svelte';

export type Pattern = Readonly<Record<string, number>>; // cents by wager
export const MOST_FAVOURITES = 4;

/** Who sits here, as far as a screen can tell: the session, or where the venue has none, until the next cash-out. */
function sitter(you: SeatView | null): string {
  return you?.session ? `session ${you.session.number}` : `voucher ${you?.vouchers ?? 0}`;
}

/** What somebody else kept is forgotten. */
export function favourites(tid: string, you: SeatView | null): Pattern[] {
  try {
    const { by, patterns } = JSON.parse(kept(`favourites-${tid}`) ?? '{}') as { by?: string; patterns?: unknown };
    if (by === sitter(you) && Array.isArray(patterns)) return patterns.filter(isPattern).slice(0, MOST_FAVOURITES);
  } catch {
    // nothing that can be read was kept
  }
  if (you) forget(`favourites-${tid}`);
  return [];
}

export function keepFavourites(tid: string, you: SeatView | null, patterns: readonly Pattern[]): void {
  keep(`favourites-${tid}`, JSON.stringify({ by: sitter(you), patterns: patterns.slice(0, MOST_FAVOURITES) }));
}

/** The same bets in another order are the same pattern. */
export function isSame(one: Pattern, other: Pattern): boolean {
  const spots = Object.keys(one);
  return spots.length === Object.keys(other).length && spots.every((spot) => one[spot] === other[spot]);
}

export function sumOf(pattern: Pattern): number {
  return Object.values(pattern).reduce((sum, cents) => sum + cents, 0);
}

export function layFavourite(client: SeatClient, place: number): void {
  const pattern = favourites(client.tid, client.live.you)[place];
  if (pattern) client.layAll(pattern);
  else client.live.note = { template: 'No favourite {number} is kept. Nothing was bet.', values: { number: place + 1 } };
}

function isPattern(one: unknown): one is Pattern {
  const amounts = one && typeof one === 'object' ? Object.values(one) : [];
  return amounts.length > 0 && amounts.every((cents) => Number.isSafeInteger(cents) && (cents as number) > 0);
}
