import { expect, test } from 'vitest';
import { Handout } from './handout.svelte';

const code = (id: string, text = 'X'): { id: string; code: string; expires_ms: number } => ({ id, code: text, expires_ms: 0 });
const ids = (handout: Handout): string[] => handout.of('ada').map((one) => one.id);

test('codes of several stay until each is taken', () => {
  const handout = new Handout();
  handout.add([code('mei')], 'ada');
  handout.add([code('arun'), code('lena')], 'ada');
  expect(ids(handout)).toEqual(['mei', 'arun', 'lena']);
  handout.seen([{ id: 'mei', waits: true }, { id: 'arun', waits: true }, { id: 'lena', waits: false }]);
  expect(ids(handout), 'who never waited may still hold a code, for a new password').toEqual(['mei', 'arun', 'lena']);
  handout.seen([{ id: 'mei', waits: false }, { id: 'arun', waits: true }]);
  expect(ids(handout)).toEqual(['arun', 'lena']);
  handout.take('lena');
  expect(ids(handout)).toEqual(['arun']);
  handout.takeAll();
  expect(ids(handout)).toEqual([]);
});

test('a newer code takes the place of the former one', () => {
  const handout = new Handout();
  handout.add([code('mei', 'old')], 'ada');
  handout.add([code('mei', 'new')], 'ada');
  expect(handout.of('ada').map((one) => one.code)).toEqual(['new']);
});

test('whoever signs in on the same page sees nobody else’s codes', () => {
  const handout = new Handout();
  handout.add([code('mei')], 'ada');
  expect(handout.of('olaf')).toEqual([]);
  handout.add([code('arun')], 'olaf');
  expect(handout.of('olaf').map((one) => one.id)).toEqual(['arun']);
});
