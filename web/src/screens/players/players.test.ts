import { expect, it } from 'vitest';
import { exclusionText, statusText } from './players';

it('says what stands of an account', () => {
  expect((['open', 'locked', 'closed', 'excluded'] as const).map((status) => statusText({ status }))).toEqual([
    'Open',
    'Locked after wrong PINs',
    'Closed',
    'Excluded',
  ]);
});

it('says when an exclusion may be lifted', () => {
  expect(exclusionText({ until_day: '2027-01-31', own: true })).toBe('The player asked for it: it is not lifted before 2027-01-31.');
  expect(exclusionText({ until_day: '', own: true })).toBe('The player asked for it, permanently: it is not lifted.');
  expect(exclusionText({ until_day: '2027-01-31', own: false })).toContain('2027-01-31');
  expect(exclusionText({ until_day: '', own: false })).toContain('Until a Shift Manager');
});
