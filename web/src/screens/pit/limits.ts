// Limits as they are typed, against those in force: only what differs is sent.

import { parseCents, showCents } from '../../lib/money';
import type { LimitChange, TableView } from '../../lib/protocol';

export interface Typed {
  wagers: Record<string, { min: string; max: string }>;
  seatMin: string;
  seatMax: string; // '' where there is none
  tableMax: string;
}

export interface Changed {
  limits?: Record<string, LimitChange>;
  seat_min_cents?: number;
  seat_max_cents?: number;
  table_max_cents?: number;
}

export function typed(view: TableView): Typed {
  const or = (cents: number | null): string => (cents === null ? '' : showCents(cents));
  return {
    wagers: Object.fromEntries(Object.entries(view.limits).map(([wager, [min, max]]) => [wager, { min: showCents(min), max: showCents(max) }])),
    seatMin: showCents(view.seat_min_cents),
    seatMax: or(view.seat_max_cents),
    tableMax: or(view.table_max_cents),
  };
}

/** What would change, and which fields cannot be read. Whether such limits may be is the server's to say. */
export function changed(view: TableView, now: Typed): { change: Changed; wrong: string[] } {
  const wrong: string[] = [];
  const change: Changed = {};
  const limits: Record<string, LimitChange> = {};
  for (const [wager, [oldMin, oldMax]] of Object.entries(view.limits)) {
    const min = parseCents(now.wagers[wager]?.min ?? '');
    const max = parseCents(now.wagers[wager]?.max ?? '');
    if (min === null || max === null) wrong.push(wager);
    else if (min !== oldMin || max !== oldMax) limits[wager] = { min_cents: min, max_cents: max };
  }
  if (Object.keys(limits).length) change.limits = limits;
  const seatMin = parseCents(now.seatMin);
  if (seatMin === null) wrong.push('seatMin');
  else if (seatMin !== view.seat_min_cents) change.seat_min_cents = seatMin;
  for (const [field, name, before] of [
    ['seatMax', 'seat_max_cents', view.seat_max_cents],
    ['tableMax', 'table_max_cents', view.table_max_cents],
  ] as const) {
    const text = now[field].trim();
    const cents = parseCents(text);
    // A limit that is in force can be changed, not taken away: an empty field is only right where there was none.
    if (text === '' ? before !== null : cents === null) wrong.push(field);
    else if (text !== '' && cents !== null && cents !== before) change[name] = cents;
  }
  return { change, wrong };
}

export function isNothing(change: Changed): boolean {
  return Object.keys(change).length === 0;
}
