// Which row of the pay table a result paid, so that it can be lit. Display only: money is what the server says it is.

import { points } from '../../lib/cards';
import type { TableView, WagerView } from '../../lib/protocol';

export interface Facts {
  winner: string;
  total: Record<string, number>;
  cards: Record<string, number>;
  pair: Record<string, boolean>;
  samePair: boolean;
}

export function factsOf(table: Pick<TableView, 'cards' | 'result'>): Facts | null {
  const result = table.result;
  if (!result) return null;
  const of = (hand: string): string[] => table.cards.filter((one) => one.hand === hand).map((one) => one.card);
  const rank = (hand: string): string => (of(hand)[0] ?? '').slice(0, -1);
  return {
    winner: result.winner,
    total: { player: result.player_total, banker: result.banker_total },
    cards: { player: of('player').length, banker: of('banker').length },
    pair: { player: result.player_pair, banker: result.banker_pair },
    samePair: result.player_pair && result.banker_pair && rank('player') === rank('banker'),
  };
}

function natural(facts: Facts, hand: string): boolean {
  return facts.cards[hand] === 2 && (facts.total[hand] ?? 0) >= 8;
}

function holds(clause: string, facts: Facts): boolean {
  const [first = '', second = '', third = ''] = clause.split(' ');
  if (first === 'no') return !holds(`${second} ${third}`.trim(), facts);
  if (clause === 'tie') return facts.winner === 'tie';
  if (clause === 'natural') return natural(facts, 'player') || natural(facts, 'banker');
  if (clause === 'same pair') return facts.samePair;
  if (first === 'paired') return Number(facts.pair.player) + Number(facts.pair.banker) === Number(third);
  if (first === 'margin') {
    return Math.abs((facts.total.player ?? 0) - (facts.total.banker ?? 0)) === Number(second);
  }
  if (second === 'wins') return facts.winner === first;
  if (second === 'total') return facts.total[first] === Number(third);
  if (second === 'cards') return facts.cards[first] === Number(third);
  if (second === 'natural') return natural(facts, first);
  if (second === 'pair') return facts.pair[first] ?? false;
  return false;
}

/** The place of the row that decided this wager, or -1 if it lost. */
export function rowThatPaid(wager: WagerView, facts: Facts | null): number {
  if (!facts) return -1;
  return wager.pays.findIndex((row) => row.when.split(', ').every((clause) => holds(clause, facts)));
}

/** A hand's total from its cards, for what the server has not added up (a card still being squeezed). */
export function totalOf(cards: readonly string[]): number {
  return cards.reduce((sum, card) => sum + points(card), 0) % 10;
}
