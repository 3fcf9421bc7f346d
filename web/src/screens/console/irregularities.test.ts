import { describe, expect, it } from 'vitest';
import type { Kind } from '../../lib/protocol';
import { KINDS, notNow, ranksAtLeast, wordsOf } from './irregularities';
import { aTable, BY_HAND, SHUFFLER } from './testing';

const ALL: Record<Kind, true> = {
  'drawn-together-order-known': true,
  'drawn-together-order-unknown': true,
  'excess-or-exposed': true,
  'face-up-in-shoe': true,
  'foreign-card': true,
  'found-later': true,
  'insufficient-cards': true,
  'late-bet': true,
  'not-covered': true,
  'order-altered': true,
  'shortage-or-excess': true,
  'table-interruption': true,
  'terminal-interruption': true,
  'unshuffled-cards': true,
  'withdrawn-bet': true,
  'wrong-area': true,
  'wrong-number-of-cards': true,
  'wrong-result': true,
};

describe('what happened', () => {
  it('offers each of the eighteen kinds once, with a sentence', () => {
    expect(KINDS.map((one) => one.kind).sort()).toEqual(Object.keys(ALL).sort());
    for (const one of KINDS) expect(one.explains).not.toBe('');
    expect(wordsOf('found-later').round).toBe(true);
  });

  it('says why a kind cannot be reported now', () => {
    const view = aTable({ phase: 'betting-open', round: 1 });
    expect(notNow(wordsOf('late-bet'), view, BY_HAND)).not.toBe('');
    expect(notNow(wordsOf('late-bet'), aTable({ phase: 'bets-closed' }), BY_HAND)).toBe('');
    expect(notNow(wordsOf('found-later'), view, BY_HAND)).not.toBe('');
    expect(notNow(wordsOf('found-later'), aTable({ round: 2 }), BY_HAND)).toBe('');
    expect(notNow(wordsOf('insufficient-cards'), aTable({ due: null }), BY_HAND)).not.toBe('');
    expect(notNow(wordsOf('insufficient-cards'), aTable({ due: 'player' }), BY_HAND)).toBe('');
    expect(notNow(wordsOf('excess-or-exposed'), aTable(), SHUFFLER)).not.toBe('');
    expect(notNow(wordsOf('excess-or-exposed'), aTable(), BY_HAND)).toBe('');
  });
});

describe('rank', () => {
  it('is enough from the one named upwards', () => {
    expect(ranksAtLeast('dealer', 'dealer')).toBe(true);
    expect(ranksAtLeast('dealer', 'pit-supervisor')).toBe(false);
    expect(ranksAtLeast('shift-manager', 'pit-supervisor')).toBe(true);
  });

  it('is held only in the pit', () => {
    expect(ranksAtLeast('administrator', 'dealer')).toBe(false);
    expect(ranksAtLeast(undefined, 'dealer')).toBe(false);
  });
});
