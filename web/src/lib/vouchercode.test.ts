import { expect, test } from 'vitest';
import { CODE_KEYS, inGroups, numberKeys } from './vouchercode';

test('no key of a code is mistaken for another', () => {
  expect(new Set(CODE_KEYS).size).toBe(32);
  for (const one of 'ILOU') expect(CODE_KEYS).not.toContain(one);
});

test('the number has the keys that the venue’s tables take', () => {
  expect(numberKeys(['nc-1', 'tiger-1'])).toBe('0123456789-ceginrt');
});

test('a code is shown as it is printed', () => {
  expect([inGroups('k7qm2xh4'), inGroups('K7QM-2XH4-0'), inGroups('')]).toEqual(['K7QM-2XH4', 'K7QM-2XH4-0', '']);
});
