// The voucher that the player has not taken yet, kept through a reload of the page. Who holds its code holds its money:
// so it is kept for this tab alone, which localStorage would not do, and only until the player says that it was taken.
// What was asked is kept before it is sent, and without a code: this terminal alone gets the same answer to it again.

import type { VoucherSlip } from '../../lib/protocol';
import { forget, keep, kept } from './kept';

const PREFIX = 'natural9-untaken-';
const ASKED = 'cash-out-';

/** A cash-out as it was asked, and how many vouchers the terminal had printed before it. */
export interface CashOut {
  request: string;
  vouchers: number;
}

export function keepCashOut(terminal: string, asked: CashOut): void {
  keep(ASKED + terminal, JSON.stringify(asked));
}

/** The cash-out whose voucher the player has not taken, whether or not it was answered. */
export function keptCashOut(terminal: string): CashOut | null {
  try {
    const { request, vouchers } = JSON.parse(kept(ASKED + terminal) ?? 'null') as Partial<CashOut>;
    return typeof request === 'string' && Number.isInteger(vouchers) ? { request, vouchers: vouchers! } : null;
  } catch {
    return null;
  }
}

export function forgetCashOut(terminal: string): void {
  forget(ASKED + terminal);
}

export function keepSlip(terminal: string, slip: VoucherSlip): void {
  try {
    sessionStorage.setItem(PREFIX + terminal, JSON.stringify(slip));
  } catch {
    // a browser that keeps nothing still shows it, until it is taken or the page is loaded anew
  }
}

/** What this terminal has to show again. An expired slip is not shown, nor thrown away: this clock may be the wrong one. */
export function keptSlip(terminal: string, nowMs: number): VoucherSlip | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + terminal) ?? 'null');
    return isSlip(kept) && nowMs < kept.expires_at_ms ? kept : null;
  } catch {
    return null;
  }
}

export function slipTaken(terminal: string): void {
  try {
    sessionStorage.removeItem(PREFIX + terminal);
  } catch {
    // nothing was kept
  }
}

function isSlip(kept: unknown): kept is VoucherSlip {
  const { number, code, cents, expires_at_ms, entry, qr } = (kept ?? {}) as Partial<VoucherSlip>;
  return [number, code, qr].every((one) => typeof one === 'string') && [cents, expires_at_ms, entry].every(Number.isFinite);
}
