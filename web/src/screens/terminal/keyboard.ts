// Every tap has a key: digits choose a chip, letters bet on a spot or do what a button does.

import type { Desk } from './desk.svelte';
import { ACTION_KEYS } from './spots';

export function onKey(desk: Desk, event: KeyboardEvent): void {
  if (!desk.settings.keys || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (desk.dialog || isTyping(event.target)) return;
  const key = event.key.toLowerCase();
  const chip = desk.chips[Number(key) - 1];
  if (chip) desk.choose(chip);
  else if (key === ACTION_KEYS.double) desk.act('double');
  else if (key === ACTION_KEYS.undo) desk.act('undo');
  else if (key === ACTION_KEYS.clear) desk.act('clear');
  else if (key === ACTION_KEYS.rebet) desk.act('re-bet');
  else if (key === ACTION_KEYS.swap) desk.swap();
  else if (key === ACTION_KEYS.help || key === '?') desk.dialog = 'help';
  else bet(desk, key);
}

function bet(desk: Desk, key: string): void {
  const wager = Object.entries(desk.keys).find(([, letter]) => letter === key)?.[0];
  if (wager) void desk.bet(wager);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && Boolean(target.closest('input, textarea, select, dialog'));
}
