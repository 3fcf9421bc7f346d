import { expect, it } from 'vitest';
import type { Preview, ConsoleSeat } from '../../lib/protocol';
import { betsByBox, insured, insurers, inWords } from './preview';
import { aConsole } from './testing';
import { sentenceText } from './words';

const NOTHING: Preview = {
  reversed_cents: 0,
  reversed_seats: 0,
  returned_cents: 0,
  returned_seats: 0,
  staked_cents: 0,
  staked_seats: 0,
  paid_cents: 0,
  paid_seats: 0,
  collected_cents: 0,
};
const SEAT: ConsoleSeat = { seat: 3, home_table: '', home_seat: 0, bets: { banker: 10_000 }, insurance: [], withdrawn: {}, staked_cents: 10_000, may_insure: {}, paid: null, locked: '' };

it('says what a void returns, in numbers', () => {
  expect(inWords({ ...NOTHING, returned_cents: 125_000, returned_seats: 7 })).toEqual([
    { line: 'Returns {cents} to {seats} seats.', numbers: { cents: '1,250.00', seats: 7 } },
  ]);
});

it('says what a correction takes back before what it pays', () => {
  const lines = inWords({ ...NOTHING, reversed_cents: 1, reversed_seats: 1, paid_cents: 2, paid_seats: 1 });
  expect(lines.map((one) => one.line.split(' ')[0])).toEqual(['Takes', 'Pays']);
});

it('says what goes back on the table', () => {
  expect(inWords({ ...NOTHING, staked_cents: 50_000, staked_seats: 1 }).map(sentenceText)).toEqual(['Puts back 500.00 of 1 seat.']);
});

it('says so when no money moves', () => {
  expect(inWords(NOTHING)).toEqual([{ line: 'No money moves.', numbers: {} }]);
});

it('lays insurance of both windows on the box', () => {
  const insurance = [
    { window: 'four-cards', hand: 'banker', cents: 500 },
    { window: 'third-card', hand: 'banker', cents: 300 },
  ] as const;
  expect(betsByBox(aConsole({ seats: [{ ...SEAT, insurance: [...insurance] }] }))).toEqual({
    3: { banker: 10_000, 'banker-insurance': 800 },
  });
});

it('adds up what a box has insured', () => {
  const insurance = [500, 300].map((cents) => ({ window: 'four-cards', hand: 'banker', cents }) as const);
  expect(insured(aConsole({ seats: [SEAT, { ...SEAT, seat: 5, insurance }] }))).toEqual([{ seat: 5, hand: 'banker', cents: 800 }]);
});

it('lists who may insure', () => {
  const console = aConsole({ seats: [SEAT, { ...SEAT, seat: 4, may_insure: { banker: 2_500 } }] });
  expect(insurers(console)).toEqual([{ seat: 4, hand: 'banker', cents: 2_500 }]);
});
