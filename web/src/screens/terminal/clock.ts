// Times by the clock on the venue's wall, wherever the browser believes it is.

import { words } from '../../lib/i18n.svelte';

export function clockText(atMs: number, zone?: string): string {
  return show(atMs, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

export function dateText(atMs: number, zone?: string): string {
  return show(atMs, zone, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
}

function show(atMs: number, zone: string | undefined, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(words.dates, { ...options, ...(zone ? { timeZone: zone } : {}) }).format(atMs);
}
