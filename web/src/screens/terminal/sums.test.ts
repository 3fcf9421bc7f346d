import { describe, expect, it } from 'vitest';
import type { Line, SeatView } from '../../lib/protocol';
import { insuranceResults, insuredCents, pendingBets, resultText, spotResults, wonCents } from './sums';

const SEAT: SeatView = {
  seat: 7,
  credit_cents: 100_000,
  round: 3,
  bets: { player: 2_500 },
  insurance: [],
  staked_cents: 2_500,
  may_insure: {},
  net: null,
  lines: [],
  insurance_lines: [],
  returned_cents: null,
  can_undo: true,
  last_bets: { tie: 500, banker: 1_000 },
  locked: '',
  owed_cents: 0,
  vouchers: 0,
  card: null,
  session: null,
  calls: false,
  nonce: '',
  to_reveal: '',
  call_taken: false,
};

function line(wager: string, stake: number, net: number, odds: string | null): Line {
  const result = net > 0 ? 'win' : net < 0 ? 'lose' : 'push';
  return { wager, stake_cents: stake, result, odds, returned_cents: stake + net, net_cents: net, paragraph: 'mbs 4.8' };
}

describe('what is not registered yet', () => {
  it('is nothing when nothing waits', () => {
    expect(pendingBets([], SEAT)).toEqual({ added: {}, cents: 0, leaving: false, insured: 0 });
  });

  it('adds bets up by spot', () => {
    const bet = { type: 'bet', round: 3, wager: 'player', cents: 500 } as const;
    const pending = pendingBets(
      [
        { ...bet, request: 'a' },
        { ...bet, request: 'b' },
      ],
      SEAT,
    );
    expect(pending.added).toEqual({ player: 1_000 });
    expect(pending.cents).toBe(1_000);
  });

  it('doubles what lies and repeats what lay', () => {
    expect(pendingBets([{ type: 'double', request: 'a', round: 3 }], SEAT).added).toEqual({ player: 2_500 });
    expect(pendingBets([{ type: 're-bet', request: 'a', round: 3 }], SEAT).cents).toBe(1_500);
    expect(pendingBets([{ type: 're-bet', request: 'a', round: 3 }], null).cents).toBe(0);
  });

  it('marks what is being taken back, and counts insurance apart', () => {
    expect(pendingBets([{ type: 'undo', request: 'a', round: 3 }], SEAT).leaving).toBe(true);
    const insured = pendingBets([{ type: 'insure', request: 'a', round: 3, hand: 'banker', cents: 300 }], SEAT);
    expect([insured.insured, insured.cents]).toEqual([300, 0]);
  });
});

describe('what the round brought', () => {
  it('is said on each spot', () => {
    expect(resultText(line('banker', 10_000, 5_000, '1:2'))).toBe('+50.00 · 1:2 · Rule 4.8');
    expect(resultText(line('tie', 500, -500, null))).toBe('−5.00 · Rule 4.8');
    expect(resultText(line('player', 500, 0, null))).toBe('±0.00 · Rule 4.8');
  });

  it('says what insurance brought, by hand', () => {
    const insurance = [
      { window: 'four-cards', hand: 'banker', cents: 300 },
      { window: 'third-card', hand: 'banker', cents: 200 },
    ] as const;
    const insurance_lines = [{ ...line('banker-insurance', 300, 900, '3:1'), window: 'four-cards' as const }];
    const seat: SeatView = { ...SEAT, insurance: [...insurance], insurance_lines };
    expect([insuredCents(seat, 'banker'), insuredCents(seat, 'player'), insuredCents(null, 'player')]).toEqual([
      500, 0, 0,
    ]);
    expect(insuranceResults(seat, 'banker')).toEqual([{ result: 'win', text: '+9.00 · 3:1 · Rule 4.8' }]);
    expect(insuranceResults(seat, 'player')).toEqual([]);
    expect(wonCents(seat)).toBe(900);
  });

  it('adds up the wins only', () => {
    const lines = [line('banker', 10_000, 5_000, '1:2'), line('tie', 500, -500, null)];
    expect(wonCents({ ...SEAT, lines })).toBe(5_000);
    expect(Object.keys(spotResults({ ...SEAT, lines }))).toEqual(['banker', 'tie']);
    expect(wonCents(null)).toBe(0);
  });
});
