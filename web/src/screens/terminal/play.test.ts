// What a player is told of the session, and what may be chosen as a limit.

import { expect, it } from 'vitest';
import type { SessionView } from '../../lib/protocol';
import { isHigher, lengthText, limitsOf, limitText, minutesUntil, netText, playedMinutes } from './play';

const SESSION: SessionView = {
  number: 1,
  started_ms: 1_000_000,
  net_cents: 0,
  in_cents: 10_000,
  out_cents: 0,
  staked_cents: 0,
  rounds: 0,
  waits_for: '',
  checks_at_ms: null,
  break_until_ms: null,
  time_min: null,
  loss_cents: 7_700,
  stake_cents: null,
  waiting: [{ limit: 'loss', value: 8_800, from_ms: 5_000_000 }],
  most_time_min: null,
  most_loss_cents: null,
  most_stake_cents: 5_000,
  longest_break_min: 1440,
  cooling_off_min: 1440,
  may_end: false,
};

it('tells lengths and amounts as people say them', () => {
  expect([0, 59, 60, 90, 1440].map(lengthText)).toEqual(['0 min', '59 min', '1 h', '1 h 30 min', '24 h']);
  expect([-1250, 0, 1250].map(netText)).toEqual(['−12.50', '0.00', '+12.50']);
  expect([limitText('time', 90), limitText('loss', 500), limitText('stake', null)]).toEqual(['1 h 30 min', '5.00', 'No limit']);
});

it('counts whole minutes played, and the last minute of a wait as one', () => {
  expect([999_000, 1_059_999, 1_060_000].map((now) => playedMinutes(SESSION, now))).toEqual([0, 0, 1]);
  expect([minutesUntil(61_000, 0), minutesUntil(60_000, 0), minutesUntil(1, 0), minutesUntil(0, 5), minutesUntil(null, 0)]).toEqual([2, 1, 1, 0, 0]);
});

it('offers what holds and what waits, and nothing beyond the house', () => {
  const [time, loss, stake] = limitsOf(SESSION);
  expect(time!.choices).toEqual([null, 30, 60, 120, 240, 480]);
  expect(loss!.choices).toEqual([null, 5_000, 7_700, 8_800, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000]);
  expect([loss!.now, loss!.waiting?.value]).toEqual([7_700, 8_800]);
  expect(stake!.choices).toEqual([1_000, 2_500, 5_000]); // with a ceiling nobody plays without a limit
});

it('knows that no limit is the highest', () => {
  expect([isHigher(null, 5), isHigher(6, 5), isHigher(5, 5), isHigher(4, 5), isHigher(null, null), isHigher(4, null)]).toEqual([true, true, false, false, false, false]);
});
