// Counts over the rounds of this shoe, from the short results that the table shows to everyone.

import { readResult, type Bead } from '../../lib/roads';

export interface Statistics {
  rounds: number;
  wins: Record<Bead, number>;
  naturals: number;
  playerPairs: number;
  bankerPairs: number;
  longest: Record<'B' | 'P', number>; // runs, ties left out
  averageTotals: { player: number; banker: number };
  sixes: number; // Banker wins with 6
}

export function statistics(results: readonly string[]): Statistics {
  const rounds = results.map(readResult);
  const count = (holds: (round: (typeof rounds)[number]) => boolean): number => rounds.filter(holds).length;
  const mean = (of: (round: (typeof rounds)[number]) => number): number =>
    rounds.length ? rounds.reduce((sum, round) => sum + of(round), 0) / rounds.length : 0;
  return {
    rounds: rounds.length,
    wins: {
      B: count((round) => round.winner === 'B'),
      P: count((round) => round.winner === 'P'),
      T: count((round) => round.winner === 'T'),
    },
    naturals: count((round) => round.natural),
    playerPairs: count((round) => round.playerPair),
    bankerPairs: count((round) => round.bankerPair),
    longest: longestRuns(rounds.map((round) => round.winner)),
    averageTotals: { player: mean((round) => round.playerTotal), banker: mean((round) => round.bankerTotal) },
    sixes: count((round) => round.winner === 'B' && round.bankerTotal === 6),
  };
}

function longestRuns(winners: readonly Bead[]): Record<'B' | 'P', number> {
  const longest = { B: 0, P: 0 };
  let run = 0;
  let last: Bead | null = null;
  for (const winner of winners) {
    if (winner === 'T') continue;
    run = winner === last ? run + 1 : 1;
    last = winner;
    longest[winner] = Math.max(longest[winner], run);
  }
  return longest;
}

export function percent(part: number, whole: number): string {
  return whole ? `${Math.round((part / whole) * 100)} %` : '–';
}
