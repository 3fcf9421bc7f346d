import { expect, test } from 'vitest';
import { read, tableOf } from './scan';

const tables = [
  { table: 'nc', seats: 60 },
  { table: 'tiger-1', seats: 60 },
  { table: 'insurance-1', seats: 9 },
];

test('a scanned voucher brings its code with it', () => {
  expect(read(' natural9:tiger-1-7-3:ABCD-EFGH-IJKL-MNOP\n', tables)).toEqual({ what: 'voucher', number: 'tiger-1-7-3', code: 'ABCD-EFGH-IJKL-MNOP' });
  expect(read('NATURAL9:a:b', tables)?.what).toBe('voucher');
});

test('a terminal is a table and a seat that it has', () => {
  expect(read('tiger-1-7', tables)).toEqual({ what: 'terminal', table: 'tiger-1', seat: 7 });
  expect(read('Tiger-1-7', tables)).toEqual({ what: 'terminal', table: 'tiger-1', seat: 7 });
  expect(read('insurance-1-9', tables)?.what).toBe('terminal');
  expect(read('insurance-1-10', tables)).toBeNull();
});

test('with one number more it is a voucher, whose code is still to be typed', () => {
  expect(read('tiger-1-7-3', tables)).toEqual({ what: 'voucher', number: 'tiger-1-7-3', code: '' });
  expect(read('nc-4-1', tables)).toEqual({ what: 'voucher', number: 'nc-4-1', code: '' });
});

test('anything else is nothing', () => {
  for (const text of ['', '7', 'moon-1-7', 'tiger-1-0', 'tiger-1-', 'natural9:x', 'natural9:a:b:c', 'tiger-1-7-x']) expect(read(text, tables)).toBeNull();
});

test('a voucher is voided at the table that issued it', () => {
  expect(tableOf('tiger-1-7-3', tables)).toBe('tiger-1');
  expect(tableOf('moon-7-3', tables)).toBe('');
});
