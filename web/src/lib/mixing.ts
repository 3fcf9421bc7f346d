// What a seat mixes into a shoe, and the hash that it commits to.

import { hex, sha256 } from './sha256';

export const MOST_WORDS = 64; // characters that a player may type

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What a player has typed, as it can be mixed in. */
export function cleanWords(typed: string): string {
  const words = typed.replace(/[\p{Cc}\p{Surrogate}]+/gu, ' ').trim();
  return [...words].slice(0, MOST_WORDS).join('').trim();
}

/** 32 random bytes, and the player's own words behind them if there are any. */
export function newNonce(words = ''): string {
  const digits = hex(crypto.getRandomValues(new Uint8Array(32)));
  return words ? `${digits} ${words}` : digits;
}

export function wordsOf(nonce: string): string {
  return nonce.slice(65);
}

export function nonceCommitment(table: string, shoe: number, seat: number, nonce: string): string {
  return hex(sha256(utf8(`natural9 nonce 1\ntable ${table}\nshoe ${shoe}\nseat ${seat}\nnonce ${nonce}\n`)));
}
