import { expect, it } from 'vitest';
import { readSlip } from './slip';

it('reads what a scanner types, and nothing else', () => {
  expect(readSlip(' natural9:nc-1-7-3:K7QM2\n')).toEqual({ number: 'nc-1-7-3', code: 'K7QM2' });
  expect(readSlip('nc-1-7-3')).toBeNull();
  expect(readSlip('natural9:a:b:c')).toBeNull();
});
