// The receipt that the Python tests make, and everything that can be wrong with one.

import { expect, it } from 'vitest';
import type { EntryReceipt, ReceiptEntry } from '../protocol';
import { checkReceipt } from './check';
import golden from './receipt.golden.json?raw';
import { fitsQr, NoReceipt, readReceipt, roundOf, sizeOf, tableOf, wordsOf } from './receipt';

const OTHER_KEY = 'test.natural9/0badcafe+00000000+AQAA';
const holds = (text: string, known = ''): boolean => checkReceipt(readReceipt(text), known).holds;
const failed = (receipt: EntryReceipt, known = ''): string => checkReceipt(receipt, known).checks.find((one) => !one.holds)!.what;

it('holds as it was made, by its own key and by the one on the papers', () => {
  const receipt = readReceipt(golden);
  expect(checkReceipt(receipt)).toEqual({
    checks: ['entry', 'tree', 'signature'].map((what) => ({ what, holds: true })),
    holds: true,
    size: 7,
    cosigners: [],
  });
  expect(holds(golden, ` ${receipt.key}\n`)).toBe(true);
  expect(failed(receipt, OTHER_KEY)).toBe('key');
  expect([tableOf(receipt.entry), sizeOf(receipt), fitsQr(receipt)]).toEqual(['1', 7, true]);
});

it('says of each cosigner whether it has signed, and of whom no key is known that it is not checked', () => {
  const receipt = readReceipt(golden);
  const key = 'regulator.example/w1+b9c38930+BMhTrQ8M0rYZrqks7sT9VqJNZJnVhM55JX5Fz9gTm2Cn';
  const line = '— regulator.example/w1 ucOJMAAAAABrSdIAFIU6h5N9x9Rbd2Os45GY614Wt59yOKxqOuQ9yhajJgAghZ/K7aotHsmuZmkX/aC5C0idbCZaEG93R3PV3V+IAQ==';
  const of = (signed: string, ...keys: string[]): unknown =>
    checkReceipt({ ...receipt, proof: `${receipt.proof}${signed}\n` }, '', keys).cosigners;
  const name = 'regulator.example/w1';
  expect(of(line, key)).toEqual([{ name, holds: true }]);
  expect(of(line)).toEqual([{ name, holds: null }]);
  expect(of(line, 'nonsense', receipt.key)).toEqual([{ name, holds: null }]);
  const other = line.slice(0, 60) + (line[60] === 'x' ? 'y' : 'x') + line.slice(61);
  expect(of(other, key)).toEqual([{ name, holds: false }]);
  expect(of(line.slice(0, 79), key)).toEqual([{ name, holds: false }]);
});

it('refuses each altered character', () => {
  const good = [...golden].flatMap((old, place) => {
    const text = golden.slice(0, place) + (old === 'A' ? 'B' : 'A') + golden.slice(place + old.length);
    try {
      return holds(text) ? [place] : [];
    } catch (problem) {
      if (problem instanceof NoReceipt) return [];
      throw problem;
    }
  });
  expect(good).toEqual([]);
});

it('names what was changed', () => {
  const { entry, proof, key } = readReceipt(golden);
  const made = (changes: Partial<EntryReceipt>): EntryReceipt => ({ natural9: 'receipt', format: 1, entry, proof, key, ...changes });
  expect(failed(made({ entry: { ...entry, at_ms: entry.at_ms + 1 } }))).toBe('entry');
  expect(failed(made({ entry: { ...entry, seq: entry.seq + 1 } }))).toBe('tree');
  expect(failed(made({ proof: proof.replace('\n7\n', '\n8\n') })), 'a tree of eight has the same way up').toBe('signature');
  expect(failed(made({ proof: '' }))).toBe('tree');
  expect(failed(made({ key: OTHER_KEY }))).toBe('signature');
  const [page, note] = proof.split('\n\n', 2) as [string, string];
  const forged = proof.replace(/(— \S+ )(.*)/, (_, who: string, signed: string) => who + signed.slice(0, 20) + (signed[20] === 'x' ? 'y' : 'x') + signed.slice(21));
  expect(note.split('\n')[1]).toBe('7');
  expect(page.split('\n')[1]).toBe('index 3');
  expect(failed(made({ proof: forged }))).toBe('signature');
});

it.each([
  ['', 'There is nothing here yet.'],
  ['natural9:7-3-1:ABCD', 'This is no receipt: it is not written like one, or a part of it is missing.'],
  [golden.slice(0, -9), 'This is no receipt: it is not written like one, or a part of it is missing.'],
  ['{"natural9":"journal","format":1}', 'This is no receipt: it is something else.'],
  ['[]', 'This is no receipt: it is something else.'],
  ['{"natural9":"receipt","format":2}', 'This receipt is of a later program: check it there.'],
  ['{"natural9":"receipt","format":1,"entry":{},"proof":"","key":""}', 'This is no receipt: it is not written like one, or a part of it is missing.'],
])('says what is wrong with what is none: %#', (text, why) => {
  expect(() => readReceipt(text)).toThrow(new NoReceipt(why));
});

it('tells a bet and a voucher in words', () => {
  const entry = (kind: string, record: object, command?: object): ReceiptEntry =>
    ({ ...readReceipt(golden).entry, kind, body: JSON.stringify({ event: kind, record, command }) });
  const bet = entry('bet-placed', { seat: 3, wager: 'big-tiger', cents: 2_500 }, { round: 12 });
  expect([wordsOf(bet), roundOf(bet)]).toEqual(['Seat 3 bets 25.00 on Big Tiger', 12]);
  const voucher = entry('voucher-issued', { number: '7-3-1', seat: 3, cents: 12_000, expires_at_ms: 1 });
  expect([wordsOf(voucher), roundOf(voucher)]).toEqual(['Seat 3: voucher 7-3-1 for 120.00', null]);
  expect(wordsOf(entry('program-started', {}))).toBeNull();
  expect(wordsOf({ ...bet, body: 'nonsense' })).toBeNull();
});
