// What the search is asked for. It stands in the address, to be gone back to and shared.

import type { FoundEntry } from '../../lib/protocol';

export const FIELDS = ['since', 'until', 'table', 'seat', 'device', 'voucher', 'least', 'most', 'result', 'person'] as const;
export type Field = (typeof FIELDS)[number];
export type Asked = Partial<Record<Field, string>>;

export function readAsked(search: string): Asked {
  const given = new URLSearchParams(search);
  return Object.fromEntries(FIELDS.flatMap((name) => (given.get(name)?.trim() ? [[name, given.get(name)!.trim()]] : [])));
}

export function writeAsked(asked: Asked): string {
  const given = FIELDS.flatMap((name) => (asked[name]?.trim() ? [[name, asked[name].trim()]] : []));
  return given.length ? `/audit/search?${new URLSearchParams(given)}` : '/audit/search';
}

/** The round's film, at this very entry. */
export function filmOf(row: FoundEntry): string {
  return `/audit/rounds/${encodeURIComponent(row.table)}/${row.round}#entry-${row.entry}`;
}

export function voucherLink(number: string): string {
  return writeAsked({ voucher: number });
}
