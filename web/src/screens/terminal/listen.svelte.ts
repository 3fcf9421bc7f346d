// Tones for what happens at the table.

import type { SeatClient } from './seatclient.svelte';

export function listen(client: SeatClient): void {
  let phase = '';
  let cards = 0;
  $effect(() => {
    const table = client.live.table;
    if (!table) return;
    if (phase && table.phase !== phase) {
      if (table.phase === 'betting-open') client.sound('open');
      if (table.phase === 'bets-closed' || (phase === 'betting-open' && table.phase === 'initial-deal'))
        client.sound('closed');
    }
    if (table.cards.length > cards) client.sound('card');
    phase = table.phase;
    cards = table.cards.length;
  });
  $effect(() => {
    if (client.won > 0) client.sound('win');
  });
}
