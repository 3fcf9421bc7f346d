import { expect, test } from 'vitest';
import type { DeskLine } from '../../lib/protocol';
import { closeOutLines, drawerOf, movement, overOrShort } from './slips';

const line = { number: 1, entry: 1, at_ms: 5, day: 'd', cents: 100 };

test('cash that comes in is more, cash that goes out is less', () => {
  expect(movement({ ...line, kind: 'buy-in', source: 'desk/cass', target: 'credit/tiger-1-7' }, 'cass')).toEqual({
    number: 1,
    at_ms: 5,
    says: 'Credit',
    about: 'tiger-1-7',
    cents: 100,
  });
  expect(movement({ ...line, kind: 'drawer-float', source: 'desk/cass', target: 'vault/main' }, 'cass')).toMatchObject({ says: 'Float', about: '', cents: 100 });
  expect(movement({ ...line, kind: 'voucher-paid', source: 'vouchers/tiger-1', target: 'desk/cass' }, 'cass').cents).toBe(-100);
});

const day = (desk: string, name: string, now: number): DeskLine => ({
  desk,
  day: name,
  taken_in_cents: 500,
  taken_in_count: 2,
  hand_paid_cents: 30,
  vouchers_paid_cents: 70,
  paid_out_count: 3,
  drawer_now_cents: now,
});

test('a drawer is one’s own, its day is today', () => {
  const lines = [day('cass', '1', 900), day('cass', '2', 900), day('rosa', '2', 7)];
  expect(drawerOf(lines, 'cass', '2')).toEqual({ now: 900, taken: 500, paid: 100, takenCount: 2, paidCount: 3 });
  expect(drawerOf(lines, 'cass', '3')).toEqual({ now: 900, taken: 0, paid: 0, takenCount: 0, paidCount: 0 });
  expect(drawerOf([], 'cass', '3').now).toBe(0);
});

test('a close-out adds up line by line to what must be in the drawer', () => {
  const account = {
    opened_at_ms: 0,
    carried_cents: 20,
    float_cents: 1000,
    filled_cents: 500,
    returned_cents: 300,
    taken_in_cents: 70,
    hand_paid_cents: 30,
    vouchers_paid_cents: 10,
    expected_cents: 1250,
    counted_cents: 1245,
    over_cents: -5,
  };
  const lines = closeOutLines(account);
  const parts = lines.filter((line) => !line.sum).reduce((sum, line) => sum + line.cents, 0);
  expect(parts).toBe(account.expected_cents);
  expect(closeOutLines({ ...account, carried_cents: 0 })).toHaveLength(lines.length - 1);
  expect([-5, 0, 5].map(overOrShort)).toEqual(['{cents} short', 'The count is right.', '{cents} over']);
});
