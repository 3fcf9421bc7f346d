// The one field of the desk: a scanned voucher, a voucher's number, or a terminal.

import type { TableLine } from '../../lib/protocol';

export interface AtTerminal {
  what: 'terminal';
  table: string;
  seat: number;
}
export interface AtVoucher {
  what: 'voucher';
  number: string;
  code: string; // '' where it is still to be typed
}
export type Subject = AtTerminal | AtVoucher;

/** What was typed or scanned; null if it is neither a voucher nor a terminal of this venue. */
export function read(text: string, tables: readonly Pick<TableLine, 'table' | 'seats'>[]): Subject | null {
  const typed = text.trim();
  const scanned = /^natural9:([^:\s]{1,64}):([^:\s]{1,64})$/i.exec(typed);
  if (scanned) return { what: 'voucher', number: scanned[1]!, code: scanned[2]! };
  // A table's own name may hold dashes and numbers: the longest name that fits is meant.
  const known = [...tables].sort((a, b) => b.table.length - a.table.length);
  for (const one of known) {
    const rest = typed.toLowerCase().startsWith(`${one.table.toLowerCase()}-`) ? typed.slice(one.table.length + 1) : '';
    const found = /^([1-9]\d{0,6})(?:-([1-9]\d{0,9}))?$/.exec(rest);
    if (!found || Number(found[1]) > one.seats) continue;
    if (found[2]) return { what: 'voucher', number: `${one.table}-${found[1]}-${found[2]}`, code: '' };
    return { what: 'terminal', table: one.table, seat: Number(found[1]) };
  }
  return null;
}

/** A voucher's number says which table issued it: that is where it is voided. */
export function tableOf(number: string, tables: readonly Pick<TableLine, 'table'>[]): string {
  const known = tables.map((one) => one.table).filter((table) => number.startsWith(`${table}-`));
  return known.sort((a, b) => b.length - a.length)[0] ?? '';
}
