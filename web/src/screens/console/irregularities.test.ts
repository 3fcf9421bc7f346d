import { describe, expect, it } from 'vitest';
import { words } from '../../lib/i18n.svelte';
import type { Kind } from '../../lib/protocol';
import { KINDS } from './irregularities';
import { notNowText } from './words';
import { said } from '../../lib/testing';

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
  });

  it('says why a kind cannot be reported now as the server says it, in the language chosen', async () => {
    const refused = { code: 'no-card-due', said: said('No card is due, so none is missing'), paragraph: '' };
    expect(notNowText(refused)).toBe('No card is due, so none is missing');
    await words.use('server');
    await words.change('zh');
    expect(notNowText(refused)).toBe('未轮到发牌，不缺牌');
    expect(notNowText({ ...refused, said: said('Said for the first time') })).toBe('Said for the first time');
    await words.change('en');
    await words.use();
  });
});
