// What a receipt says, and what went through the drawer.

import type { DeskLine, Receipt, TransactionLine, TransferKind } from '../../lib/protocol';

export interface Slip {
  title: string;
  cents: number;
  direction: 'in' | 'out' | 'none'; // cash into the drawer, out of it, or neither
  about: string; // tiger-1-7, or a voucher's number
  why: string;
  desk: string;
  receipt: Receipt | null; // numbered, where cash moved
}

export interface Movement {
  number: number;
  at_ms: number;
  says: string;
  about: string;
  cents: number; // as the drawer sees it: in is more, out is less
}

const SAYS: Partial<Record<TransferKind, string>> = { 'buy-in': 'Credit', 'hand-pay': 'Hand-pay', 'voucher-paid': 'Voucher paid' };

/** The desk's account holds what it owes the drawer: what leaves it is cash that came in. */
export function movement(line: TransactionLine, desk: string): Movement {
  const into = line.source === `desk/${desk}`;
  const other = into ? line.target : line.source;
  const about = other.slice(other.indexOf('/') + 1);
  return { number: line.number, at_ms: line.at_ms, says: SAYS[line.kind] ?? line.kind, about, cents: into ? line.cents : -line.cents };
}

export interface Drawer {
  now: number;
  taken: number;
  paid: number;
  takenCount: number;
  paidCount: number;
}

/** One's own drawer: what it holds, counted from empty, and what went through it on this gaming day. */
export function drawerOf(lines: readonly DeskLine[], desk: string, day: string): Drawer {
  const own = lines.filter((line) => line.desk === desk);
  const today = own.find((line) => line.day === day);
  return {
    now: own.at(-1)?.drawer_now_cents ?? 0,
    taken: today?.taken_in_cents ?? 0,
    paid: today ? today.hand_paid_cents + today.vouchers_paid_cents : 0,
    takenCount: today?.taken_in_count ?? 0,
    paidCount: today?.paid_out_count ?? 0,
  };
}
