import { expect, it } from 'vitest';
import { readSlip } from './slip';

it('reads what a scanner types, and nothing else', () => {
  const slip = { number: 'nc-1-7-3', code: 'K7QM-2ABC-DEFG-HJKL' };
  expect(readSlip(' natural9:nc-1-7-3:K7QM-2ABC-DEFG-HJKL\n')).toEqual(slip);
  expect(readSlip('nc-1-7-3')).toBeNull();
  expect(readSlip('natural9:a:b:c')).toBeNull();
});

it('waits until a scanner has typed the whole code', () => {
  const typed = 'natural9:nc-1-7-3:K7QM-2ABC-DEFG-HJKL';
  for (let keys = 1; keys < typed.length; keys += 1) expect(readSlip(typed.slice(0, keys))).toBeNull();
});
