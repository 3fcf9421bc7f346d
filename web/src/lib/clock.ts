// Times by the clock on the venue's wall, to the second, in the one form that every staff screen, every receipt and the
// server's own sentences have: 2026-11-17 22:05:09, whatever the language and wherever the browser believes it is.

const DAY: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' };
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };

/** 22:05:09 */
export function timeText(atMs: number, zone?: string): string {
  const at = parts(atMs, zone, TIME);
  return `${at.hour}:${at.minute}:${at.second}`;
}

/** 2026-11-17 22:05:09 */
export function momentText(atMs: number, zone?: string): string {
  const at = parts(atMs, zone, DAY);
  return `${at.year}-${at.month}-${at.day} ${timeText(atMs, zone)}`;
}

function parts(atMs: number, zone: string | undefined, options: Intl.DateTimeFormatOptions): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, ...(zone ? { timeZone: zone } : {}) });
  return Object.fromEntries(format.formatToParts(atMs).map((part) => [part.type, part.value]));
}
