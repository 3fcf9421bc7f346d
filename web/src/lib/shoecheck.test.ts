// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { ShoeShown } from './protocol';
import { mixedOrder, RULE } from './mixcheck';
import { nonceCommitment } from './mixing';
import { checkShoe, shortHash } from './shoecheck';

const DECK = [...'CDHS'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit));
const ORDER = DECK.join(' ');
const SALT = 'ab'.repeat(32);
// As `printf ... | sha256sum` prints it.
const PROMISE = '5ef6480736bc3b332d30284cb89079c10fd4286ad15be03bb781b963b983ad02';

function shoe(change: Partial<ShoeShown> = {}): ShoeShown {
  const dealt = DECK.slice(0, 6).join(' ');
  return {
    table: 't1',
    shoe: 1,
    decks: 1,
    commitment: PROMISE,
    committed_at_ms: 0,
    revealed: true,
    salt: SALT,
    order: ORDER,
    dealt,
    mix: null,
    commitments: [PROMISE],
    ...change,
  };
}
const held = async (change: Partial<ShoeShown> = {}, promise = PROMISE): Promise<Record<string, boolean>> =>
  Object.fromEntries((await checkShoe(shoe(change), promise)).map((check) => [check.what, check.holds]));

describe('a revealed shoe', () => {
  it('holds what was promised', async () => {
    expect(await held()).toEqual({ commitment: true, cards: true, dealt: true });
  });

  it('is found out if the order, the salt or the promise was changed', async () => {
    const swapped = [DECK[1], DECK[0], ...DECK.slice(2)].join(' ');
    expect(await held({ order: swapped })).toEqual({ commitment: false, cards: true, dealt: false });
    expect((await held({ salt: 'cd'.repeat(32) })).commitment).toBe(false);
    expect((await held({}, '00'.repeat(32))).commitment).toBe(false);
  });

  it('is found out if cards are missing or strange', async () => {
    expect((await held({ order: DECK.slice(1).join(' ') })).cards).toBe(false);
    expect((await held({ order: [...DECK.slice(1), 'ZZ'].join(' ') })).cards).toBe(false);
  });

  it('is not checked before it is revealed, nor dealt cards where nobody can tell', async () => {
    expect(await held({ salt: null, order: null })).toEqual({});
    expect(await held({ dealt: null })).toEqual({ commitment: true, cards: true });
  });

  it('may have burnt cards that nobody saw, and those alone are not compared', async () => {
    const burnt = [DECK[0], '-', '-', ...DECK.slice(3, 6)];
    expect((await held({ dealt: burnt.join(' ') })).dealt).toBe(true);
    expect((await held({ dealt: [...burnt, DECK[7]].join(' ') })).dealt).toBe(false);
  });

  it('may have been mixed by its seats: then the cards came as they made it', async () => {
    const nonce = 'ab'.repeat(32);
    const mix = { rule: RULE, checkpoint: '', seats: [{ seat: 3, commitment: nonceCommitment('t1', 1, 3, nonce), nonce }] };
    const dealt = mixedOrder(DECK, PROMISE, mix).slice(0, 6).join(' ');
    expect(await held({ mix, dealt })).toEqual({ commitment: true, cards: true, mix: true, dealt: true });
    expect(await held({ mix })).toMatchObject({ mix: true, dealt: false }); // as if nobody had mixed
    expect(await held({ mix: { ...mix, seats: [] }, dealt })).toMatchObject({ dealt: false });
    const other = { ...mix, seats: [{ ...mix.seats[0]!, nonce: 'cd'.repeat(32) }] };
    expect(await held({ mix: other, dealt })).toMatchObject({ mix: false, dealt: false });
  });

  it('is written short', () => expect(shortHash('8f3a0000c1d2')).toBe('8f3a…c1d2'));
});
