// Times by the clock on the venue's wall, to the second: an auditor compares them.

import { words } from '../../lib/i18n.svelte';

export function timeText(atMs: number, zone?: string): string {
  return show(atMs, zone, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
}

export function momentText(atMs: number, zone?: string): string {
  return show(atMs, zone, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
}

function show(atMs: number, zone: string | undefined, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(words.dates, { ...options, ...(zone ? { timeZone: zone } : {}) }).format(atMs);
}
