// Which of a game's wagers are on at a table: the venue may switch some off, from one shoe to the next.

import type { GameView, TableView } from './protocol';

/** Whatever is on offer has limits; what bets of this round still lie on is shown until the next begins. */
export function offered(rules: GameView, table: Pick<TableView, 'limits' | 'laid'>): GameView {
  return { ...rules, wagers: rules.wagers.filter((wager) => wager.id in table.limits || table.laid[wager.id]) };
}
