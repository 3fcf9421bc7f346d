// The shoe that the page is about: a game, its decks, and the cards that are out. It stands in the address, to be shared.

import type { GamePriced, OddsGame, WagerPriced } from '../../lib/protocol';

export const RANKS = 'A23456789TJQK';
export const LEAST_CARDS = 6; // a round may need so many

export interface Shoe {
  game: string;
  decks: number;
  taken: Readonly<Record<string, number>>; // by rank
}

/** ?game=mbs-tiger&decks=8&out=9x2,K */
export function readShoe(search: string, games: readonly OddsGame[]): Shoe {
  const asked = new URLSearchParams(search);
  const game = games.find((one) => one.id === asked.get('game')) ?? games.find((one) => one.id === 'mbs-tiger') ?? games[0];
  const taken: Record<string, number> = {};
  for (const part of (asked.get('out') ?? '').split(',')) {
    const match = /^([A23456789TJQK])(?:x(\d{1,3}))?$/.exec(part);
    if (match?.[1]) taken[match[1]] = Number(match[2] ?? 1);
  }
  return fitted({ game: game?.id ?? '', decks: Number(asked.get('decks') ?? 8), taken }, game);
}

export function writeShoe(shoe: Shoe): string {
  const out = takenRanks(shoe).map(([rank, count]) => (count === 1 ? rank : `${rank}x${count}`));
  const rest = out.length ? `&out=${out.join(',')}` : '';
  return `?game=${encodeURIComponent(shoe.game)}&decks=${shoe.decks}${rest}`;
}

/** The shoe as this game can have it: its decks in range, and no more cards out than there are. */
export function fitted(shoe: Shoe, game: OddsGame | undefined): Shoe {
  if (!game) return shoe;
  const asked = Number.isInteger(shoe.decks) ? shoe.decks : 8;
  const decks = Math.min(game.most_decks, Math.max(game.least_decks, asked));
  let room = 52 * decks - LEAST_CARDS;
  const taken: Record<string, number> = {};
  for (const [rank, count] of takenRanks(shoe)) {
    const some = Math.min(count, 4 * decks, room);
    if (some > 0) taken[rank] = some;
    room -= Math.max(0, some);
  }
  return { game: game.id, decks, taken };
}

export function takenRanks(shoe: Shoe): [string, number][] {
  return [...RANKS].map((rank): [string, number] => [rank, shoe.taken[rank] ?? 0]).filter(([, count]) => count > 0);
}

export function cardsLeft(shoe: Shoe): number {
  return 52 * shoe.decks - takenRanks(shoe).reduce((sum, [, count]) => sum + count, 0);
}

export function left(shoe: Shoe, rank: string): number {
  return 4 * shoe.decks - (shoe.taken[rank] ?? 0);
}

/** One card more out of the shoe, or (with -1) one back. */
export function take(shoe: Shoe, rank: string, count = 1): Shoe {
  const now = (shoe.taken[rank] ?? 0) + count;
  if (now < 0 || now > 4 * shoe.decks || cardsLeft(shoe) - count < LEAST_CARDS) return shoe;
  return { ...shoe, taken: { ...shoe.taken, [rank]: now } };
}

/** As the server reads it. */
export function withoutText(shoe: Shoe): string {
  return takenRanks(shoe).flatMap(([rank, count]) => Array<string>(count).fill(rank)).join(' ');
}

export interface Compared {
  id: string;
  now: WagerPriced;
  change: number; // of the house edge against the full shoe
}

export function compared(now: GamePriced, full: GamePriced | null): Compared[] {
  const before = new Map((full?.game === now.game ? full.wagers : []).map((wager) => [wager.id, wager.house_edge_float]));
  return now.wagers.map((wager) => ({
    id: wager.id,
    now: wager,
    change: wager.house_edge_float - (before.get(wager.id) ?? wager.house_edge_float),
  }));
}

export function onceIn(probability: number): string {
  if (probability <= 0) return '—';
  const rounds = 1 / probability;
  return rounds >= 100 ? Math.round(rounds).toLocaleString('en-US') : rounds.toFixed(1);
}

/** With a sign, and enough digits to see one card move it. */
export function points(change: number): string {
  if (Math.abs(change) < 5e-7) return '±0';
  return `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(4)}`;
}
