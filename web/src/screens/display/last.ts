// The last finished round of a table, for a wall that was just switched on.

import { get } from '../../lib/api';
import type { Recalled, RoundSummary } from '../../lib/protocol';
import type { Finished } from './stage';

const LOOK_BACK = 3; // rounds: the newest may still be in play, or void

export async function lastFinished(table: string): Promise<Finished | null> {
  const path = `/api/rounds/${encodeURIComponent(table)}`;
  try {
    const rounds = await get<RoundSummary[]>(path, { count: LOOK_BACK });
    const ended = rounds.find((round) => round.winner !== null);
    return ended ? asFinished(await get<Recalled>(`${path}/${ended.round}`)) : null;
  } catch {
    return null; // whoever may not recall sees it from the next round on
  }
}

export function asFinished(round: Recalled): Finished | null {
  if (round.winner === null) return null;
  const cards = (text: string): string[] => text.split(' ').filter((card) => /^\w{2}$/.test(card));
  return {
    round: round.round,
    winner: round.winner,
    player: { cards: cards(round.player_cards), total: round.player_total ?? 0 },
    banker: { cards: cards(round.banker_cards), total: round.banker_total ?? 0 },
  };
}
