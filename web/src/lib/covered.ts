// While cards lie face down before somebody or are being turned, nothing on the screen tells what they are: no total, no
// natural, not who draws, nor that the round is complete, nor the roads. The server's view has all of it, for the faces are public once dealt.

import type { Hand, TableView } from './protocol';

/** The places of the cards that are not open to all yet. */
export function notOpen(table: TableView): number[] {
  const { squeeze, cards } = table;
  return squeeze ? cards.map((_, place) => place).slice(squeeze.opened) : [];
}

/** The table as it is seen where the cards at these places cannot be read. */
export function covered(table: TableView, down: readonly number[]): TableView {
  if (!down.length) return table;
  const isDown = (place: number): boolean => down.includes(place);
  const isOpen = (hand: Hand): boolean => table.cards.every((one, place) => one.hand !== hand || !isDown(place));
  return {
    ...table,
    phase: 'initial-deal',
    player_total: totalOf(table, 'player', isDown),
    banker_total: totalOf(table, 'banker', isDown),
    naturals: table.naturals.filter(isOpen),
    due: null,
    draws: null,
    window: null,
    window_open: false,
    offers: [],
    result: null,
    ...roadsBefore(table),
  };
}

/** The roads and the tallies without this round, which is counted there as soon as it is settled. */
function roadsBefore({ phase, result, results, tallies }: TableView): Partial<TableView> {
  if (phase !== 'settled' || !result) return {};
  const counted = result.natural ? [...result.won, 'natural'] : result.won;
  const before = counted.map((name) => [name, (tallies[name] ?? 0) - 1] as const);
  return { results: results.slice(0, -1), tallies: { ...tallies, ...Object.fromEntries(before) } };
}

/** Of the cards that lie open from the first one on. */
function totalOf(table: TableView, hand: Hand, isDown: (place: number) => boolean): number | null {
  const places = table.cards.map((_, place) => place).filter((place) => table.cards[place]?.hand === hand);
  const first = places.findIndex(isDown);
  const open = first < 0 ? places : places.slice(0, first);
  return table.cards[open.at(-1) ?? -1]?.total ?? null;
}
