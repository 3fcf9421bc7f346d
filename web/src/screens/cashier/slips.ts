// What a receipt says, and what went through the drawer.

import type { CloseOut, DeskLine, Receipt, TransactionLine, TransferKind } from '../../lib/protocol';

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

const SAYS: Partial<Record<TransferKind, string>> = {
  'buy-in': 'Credit',
  'hand-pay': 'Hand-pay',
  'voucher-paid': 'Voucher paid',
  'drawer-float': 'Float',
  'drawer-fill': 'Fill',
  'drawer-return': 'To the vault',
  'drawer-closed': 'Drawer closed',
};

/** The desk's account holds what it owes the drawer: what leaves it is cash that came in. */
export function movement(line: TransactionLine, desk: string): Movement {
  const into = line.source === `desk/${desk}`;
  const other = into ? line.target : line.source;
  const about = other.startsWith('vault/') ? '' : other.slice(other.indexOf('/') + 1); // there is one vault
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

// The steps of a shift, by their names in the interface.

export type DrawerStep = 'open' | 'fill' | 'return' | 'close';

export const STEPS: Record<DrawerStep, { title: string; says: string; amount: string; go: string; receipt: string }> = {
  open: {
    title: 'Open the drawer',
    says: 'Count the float that the vault gave you.',
    amount: 'Float',
    go: 'Open with {cents}',
    receipt: 'Float',
  },
  fill: { title: 'Fill', says: 'Cash from the vault into the drawer.', amount: 'Amount', go: 'Cash is counted: fill {cents}', receipt: 'Fill' },
  return: {
    title: 'To the vault',
    says: 'Cash from the drawer back to the vault.',
    amount: 'Amount',
    go: 'Cash is counted: hand over {cents}',
    receipt: 'To the vault',
  },
  close: {
    title: 'Count and close',
    says: 'Count all cash in the drawer. It goes to the vault, and the shift ends.',
    amount: 'Cash counted',
    go: 'Close with {cents}',
    receipt: 'Drawer closed',
  },
};

export interface CloseOutRow {
  says: string;
  cents: number;
  sum: boolean;
}

/** What went into the drawer and out of it, down to what it must hold and what was counted. */
export function closeOutLines(account: CloseOut): CloseOutRow[] {
  const row = (says: string, cents: number, sum = false): CloseOutRow => ({ says, cents, sum });
  return [
    ...(account.carried_cents ? [row('In the drawer before', account.carried_cents)] : []),
    row('Float', account.float_cents),
    row('Fills', account.filled_cents),
    row('To the vault', -account.returned_cents),
    row('Taken in', account.taken_in_cents),
    row('Paid by hand', -account.hand_paid_cents),
    row('Vouchers paid', -account.vouchers_paid_cents),
    row('Expected', account.expected_cents, true),
    row('Counted', account.counted_cents, true),
  ];
}

export function overOrShort(over: number): string {
  if (over === 0) return 'The count is right.';
  return over < 0 ? '{cents} short' : '{cents} over';
}
