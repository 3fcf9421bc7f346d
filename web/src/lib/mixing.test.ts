// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { mixedOrder, mixHolds } from './mixcheck';
import { cleanWords, newNonce, nonceCommitment, wordsOf } from './mixing';
import type { MixShown } from './protocol';
import { hex, sha256 } from './sha256';
import { shake256 } from './shake256';

// Bytes 484 to 499 of SHAKE-256, as Python's hashlib gives them.
const SHAKEN: [string, string][] = [
  ['', '6339894304e35877b0c28a9b1fd166c7'],
  ['a', 'ec874c8a3ad24f046da4787fa698ea90'],
  ['x'.repeat(55), 'd998e59f78d45afeee40cf6aa361643f'],
  ['x'.repeat(56), '484c16b5c26c79d755649c2f28e5a20e'],
  ['x'.repeat(64), '7a68043c774960ea8911d19e5ae151f3'],
  ['x'.repeat(135), '39cd8547fcc83d885ba5602eafb17389'],
  ['x'.repeat(136), '581da723b516bf889b02a2f2191f8a5a'],
  ['庄'.repeat(200), '93913b33f187f9c8f72675902e1b3529'],
];
const take = (text: string, count: number): Uint8Array => {
  const stream = shake256(new TextEncoder().encode(text));
  return Uint8Array.from({ length: count }, () => stream.next().value);
};

describe('the hashes', () => {
  it.each(SHAKEN)('are those of other implementations (%#)', async (text, shaken) => {
    const bytes = new TextEncoder().encode(text);
    expect(hex(sha256(bytes))).toBe(hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))));
    expect(hex(take(text, 500).slice(-16))).toBe(shaken);
  });
});

// The vector that the program itself is held to.
const NONCE = `${'0'.repeat(63)}1 lucky`;
const DECK = [...'CDHS'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit));
const COMMITMENT = nonceCommitment('nc-1', 2, 7, NONCE);
const mix = (nonce: string | null = NONCE, change: Partial<MixShown> = {}): MixShown => ({
  rule: 'natural9 mix 1',
  checkpoint: '',
  seats: [{ seat: 7, commitment: COMMITMENT, nonce }],
  ...change,
});

describe('a mix', () => {
  it('is the one of the program', () => {
    expect(COMMITMENT).toBe('4c24458ac0585a55338b00bbe700d821c91dec7340d35de2a3d2ef02794b5d29');
    const order = mixedOrder(DECK, '0'.repeat(64), mix());
    expect(order.slice(0, 8).join(' ')).toBe('QS TD TS 8S 3D AD 7H 2H');
    expect([...order].sort()).toEqual([...DECK].sort());
  });

  it('holds where every seat revealed what it had committed to', () => {
    expect(mixHolds('nc-1', 2, mix())).toBe(true);
    expect(mixHolds('nc-1', 2, mix(null))).toBe(true); // left out
    expect(mixHolds('nc-1', 3, mix())).toBe(false);
    expect(mixHolds('nc-1', 2, mix('ab'.repeat(32)))).toBe(false);
    expect(mixHolds('nc-1', 2, mix(NONCE, { rule: 'natural9 mix 2' }))).toBe(false);
    expect(mixHolds('nc-1', 2, mix(NONCE, { seats: [...mix().seats, ...mix().seats] }))).toBe(false);
  });

  it('takes a player’s own words, and random digits always', () => {
    expect(newNonce()).toMatch(/^[0-9a-f]{64}$/);
    expect(newNonce('八八')).toMatch(/^[0-9a-f]{64} 八八$/);
    expect(newNonce()).not.toBe(newNonce());
    expect(wordsOf(newNonce('my words'))).toBe('my words');
    expect(wordsOf(newNonce())).toBe('');
    expect(cleanWords('  a\tb\n ')).toBe('a b');
    expect([...cleanWords('🎲'.repeat(80))].length).toBe(64);
  });
});
