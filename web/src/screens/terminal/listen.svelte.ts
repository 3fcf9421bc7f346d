// Tones for what happens at the table.

import type { Desk } from './desk.svelte';

export function listen(desk: Desk): void {
  let phase = '';
  let cards = 0;
  $effect(() => {
    const table = desk.live.table;
    if (!table) return;
    if (phase && table.phase !== phase) {
      if (table.phase === 'betting-open') desk.sound('open');
      if (table.phase === 'bets-closed' || (phase === 'betting-open' && table.phase === 'initial-deal'))
        desk.sound('closed');
    }
    if (table.cards.length > cards) desk.sound('card');
    phase = table.phase;
    cards = table.cards.length;
  });
  $effect(() => {
    if (desk.won > 0) desk.sound('win');
  });
}
