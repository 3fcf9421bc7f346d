import { afterEach, expect, it, vi } from 'vitest';
import { forgetCashOut, keepCashOut, keepSlip, keptCashOut, keptSlip, slipTaken } from './untaken';

const NOW = 1_800_000_000_000;
const SLIP = { number: 'cash-1-7-3', code: 'K7QM-2ABC-DEFG-HJKL', cents: 25_000, expires_at_ms: NOW + 1, entry: 12, qr: '<svg/>' };

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
  localStorage.clear();
});

it('keeps a voucher until it is taken', () => {
  expect(keptSlip('cash-1', NOW)).toBeNull();
  keepSlip('cash-1', SLIP);
  expect(keptSlip('cash-1', NOW)).toEqual(SLIP);
  slipTaken('cash-1');
  expect(keptSlip('cash-1', NOW)).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

it('keeps each terminal’s voucher apart', () => {
  keepSlip('cash-1', SLIP);
  expect(keptSlip('cash-12', NOW)).toBeNull();
  slipTaken('cash-12');
  expect(keptSlip('cash-1', NOW)).toEqual(SLIP);
});

it('does not show what has expired, and does not lose it to a clock that is wrong', () => {
  keepSlip('cash-1', SLIP);
  expect(keptSlip('cash-1', SLIP.expires_at_ms)).toBeNull();
  expect(keptSlip('cash-1', NOW)).toEqual(SLIP);
});

it('never lets the code outlive the tab', () => {
  const before = { ...localStorage };
  keepSlip('cash-1', SLIP);
  expect({ ...localStorage }).toEqual(before);
  expect(JSON.stringify({ ...sessionStorage })).toContain(SLIP.code);
});

it.each(['', 'no slip', 'null', '7', '{"number":"cash-1-7-3"}', JSON.stringify({ ...SLIP, cents: null })])(
  'shows nothing for %s',
  (kept) => {
    keepSlip('cash-1', SLIP);
    sessionStorage.setItem(sessionStorage.key(0)!, kept);
    expect(keptSlip('cash-1', NOW)).toBeNull();
  },
);

it('does without where the browser keeps nothing', () => {
  const refuse = vi.fn(() => {
    throw new DOMException('no', 'SecurityError');
  });
  vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(refuse);
  keepSlip('cash-1', SLIP);
  expect(keptSlip('cash-1', NOW)).toBeNull();
  slipTaken('cash-1');
  expect(refuse).toHaveBeenCalledTimes(3);
});

it('keeps what was asked, each terminal’s apart, until it is forgotten', () => {
  const asked = { request: 'r1', vouchers: 3 };
  expect(keptCashOut('cash-1')).toBeNull();
  keepCashOut('cash-1', asked);
  expect(keptCashOut('cash-1')).toEqual(asked);
  expect(keptCashOut('cash-12')).toBeNull();
  forgetCashOut('cash-12');
  expect(keptCashOut('cash-1')).toEqual(asked);
  forgetCashOut('cash-1');
  expect(keptCashOut('cash-1')).toBeNull();
  expect(localStorage.length).toBe(0);
});

it.each(['', 'no cash-out', 'null', '7', '{"request":"r1"}', '{"request":7,"vouchers":1}', '{"request":"r1","vouchers":0.5}'])(
  'knows of no cash-out in %s',
  (kept) => {
    keepCashOut('cash-1', { request: 'r1', vouchers: 0 });
    localStorage.setItem(localStorage.key(0)!, kept);
    expect(keptCashOut('cash-1')).toBeNull();
  },
);
