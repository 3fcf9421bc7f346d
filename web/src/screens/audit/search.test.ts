import { expect, test } from 'vitest';
import type { FoundEntry } from '../../lib/protocol';
import { filmOf, readAsked, voucherLink, writeAsked } from './search';

test('the address comes back as it was written, and holds nothing else', () => {
  const asked = { since: '2026-11-16T14:05', table: 'vip 1', least: '2.50', person: 'mei' };
  expect(readAsked(writeAsked(asked).replace('/audit/search', ''))).toEqual(asked);
  expect(readAsked('?seat=7&before=3&nonsense=1&result=%20')).toEqual({ seat: '7' });
  expect([writeAsked({}), writeAsked({ seat: ' ' })]).toEqual(['/audit/search', '/audit/search']);
});

test('a row leads to the film at its entry, a voucher to its own story', () => {
  expect(filmOf({ table: 'vip 1', round: 17, entry: 1042 } as FoundEntry)).toBe('/audit/rounds/vip%201/17#entry-1042');
  expect(voucherLink('3-7-1')).toBe('/audit/search?voucher=3-7-1');
});
