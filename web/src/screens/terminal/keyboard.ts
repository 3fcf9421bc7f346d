// Every tap has a key: digits choose a chip, letters bet on a spot or do what a button does.

import type { SeatClient } from './seatclient.svelte';
import { ACTION_KEYS } from './spots';

export function onKey(client: SeatClient, event: KeyboardEvent): void {
  if (!client.settings.keys || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (client.dialog || isTyping(event.target)) return;
  const key = event.key.toLowerCase();
  const place = event.shiftKey && /^Digit[1-9]$/.test(event.code) ? Number(event.code.slice(5)) : 0;
  if (place) return void import('./favourites').then(({ layFavourite }) => layFavourite(client, place - 1));
  const chip = client.chips[Number(key) - 1];
  if (chip) client.choose(chip);
  else if (key === ACTION_KEYS.double) client.act('double');
  else if (key === ACTION_KEYS.undo) client.act('undo');
  else if (key === ACTION_KEYS.clear) client.act('clear');
  else if (key === ACTION_KEYS.rebet) client.act('re-bet');
  else if (key === ACTION_KEYS.swap) client.swap();
  else if (key === '+') client.aim();
  else if (key === '*') client.dialog = 'favourites';
  else if (key === 'escape') client.aim(false);
  else if (key === ACTION_KEYS.help || key === '?') client.dialog = 'help';
  else bet(client, key);
}

function bet(client: SeatClient, key: string): void {
  const wager = Object.entries(client.keys).find(([, letter]) => letter === key)?.[0];
  if (wager) void client.bet(wager);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && Boolean(target.closest('input, textarea, select, dialog'));
}
