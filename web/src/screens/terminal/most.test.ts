import { describe, expect, it } from 'vitest';
import type { SessionView } from '../../lib/protocol';
import cases from './most.golden.json';
import { mostOn } from './most';

const TABLE = { limits: { banker: [500, 20_000] }, laid: {}, betting_unit_cents: 100, seat_min_cents: 0, seat_max_cents: null, table_max_cents: null } as unknown as Parameters<typeof mostOn>[1];
const YOU = { bets: {}, credit_cents: 100_000, staked_cents: 0, session: null };
const NONE = { added: {}, cents: 0 };
const session = (limits: Partial<SessionView>): SessionView => ({ net_cents: 0, loss_cents: null, stake_cents: null, ...limits }) as SessionView;

describe('the most that a spot takes', () => {
  it.each([
    ['the spot', TABLE, YOU, 20_000, 'maximum on this spot'],
    ['the credit, in whole units', TABLE, { ...YOU, credit_cents: 12_345 }, 12_300, 'credit'],
    ['a seat', { ...TABLE, seat_max_cents: 15_000 }, { ...YOU, staked_cents: 4_000 }, 11_000, 'for a seat'],
    ['the table', { ...TABLE, table_max_cents: 15_000, laid: { tie: 9_000 } }, YOU, 6_000, 'in a round'],
    ['the own limit on loss', TABLE, { ...YOU, staked_cents: 1_000, session: session({ loss_cents: 5_000, net_cents: -2_000 }) }, 2_000, 'on loss'],
    ['the own limit on stakes', TABLE, { ...YOU, staked_cents: 1_000, session: session({ stake_cents: 5_000 }) }, 4_000, 'on the stake'],
  ] as const)('is bounded by %s', (_, table, you, cents, why) => {
    const most = mostOn('banker', table, you, NONE);
    expect(most.cents).toBe(cents);
    expect(most.why).toContain(why);
  });

  it('leaves room for what is on its way', () => {
    expect(mostOn('banker', TABLE, YOU, { added: { banker: 5_000 }, cents: 5_000 }).cents).toBe(15_000);
    expect(mostOn('banker', TABLE, { ...YOU, credit_cents: 6_000 }, { added: { tie: 5_000 }, cents: 5_000 }).cents).toBe(1_000);
  });

  it('is nothing where the least bet is more, and on a spot that takes none', () => {
    expect(mostOn('banker', TABLE, { ...YOU, credit_cents: 400 }, NONE)).toMatchObject({ cents: 0, also: 'The least bet here is more.' });
    expect(mostOn('banker', { ...TABLE, seat_min_cents: 30_000 }, YOU, NONE).cents).toBe(0);
    expect(mostOn('dragon', TABLE, YOU, NONE).cents).toBe(0);
  });

  it('is what the server takes, and no more', () => {
    expect(cases.length).toBeGreaterThan(100);
    for (const one of cases as unknown as { wager: string; table: typeof TABLE; you: typeof YOU; most: number }[]) {
      expect(mostOn(one.wager, one.table, one.you, NONE).cents, JSON.stringify(one)).toBe(one.most);
    }
  });
});
