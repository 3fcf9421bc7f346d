// The rounds are real ones, as the server recalled them: one ordinary, one corrected after settlement, one void.

import { describe, expect, test } from 'vitest';
import type { Recalled } from '../../lib/protocol';
import { chapters, frameAt, isOver, moved, pauseMs, placeOf } from './film';
import ordinary from './golden/recalled-1.json';
import corrected from './golden/recalled-2.json';
import voided from './golden/recalled-3.json';

const [one, two, three] = [ordinary, corrected, voided] as unknown as [Recalled, Recalled, Recalled];
const at = (round: Recalled, kind: string): number => round.steps.findIndex((step) => step.kind === kind);
const lastOf = (round: Recalled, kind: string): number => round.steps.findLastIndex((step) => step.kind === kind);

test('a round is over when it is settled or void', () => {
  expect([one, two, three].map((round) => isOver(round.status))).toEqual([true, true, true]);
  expect(isOver('betting-open')).toBe(false);
});

test('the film opens at the entry that the address names, else at its end', () => {
  expect(placeOf(one.steps, `#entry-${one.steps[3]!.entry}`)).toBe(3);
  expect([placeOf(one.steps, ''), placeOf(one.steps, '#entry-999999'), placeOf([], '')]).toEqual([one.steps.length - 1, one.steps.length - 1, 0]);
});

describe('a frame', () => {
  test('at the beginning has neither cards nor bets', () => {
    const first = frameAt(one, 0);
    expect(first.hands).toEqual({ player: [], banker: [] });
    expect(first.totals).toEqual({ player: null, banker: null });
    expect(first.bets).toEqual({});
  });

  test('shows the bets as they lay then', () => {
    const before = frameAt(one, at(one, 'bet-taken-back') - 1);
    const after = frameAt(one, at(one, 'bet-taken-back'));
    expect(before.bets['3']).toEqual({ banker: 5_000 });
    expect(after.bets['3']).toEqual({ banker: 4_000 });
    expect(after.bets['1']).toEqual({ player: 10_000, tie: 500 });
  });

  test('at the end is the round as it was recalled', () => {
    for (const round of [one, two]) {
      const end = frameAt(round, round.steps.length - 1);
      expect(end.hands.player.join(' ')).toBe(round.player_cards);
      expect(end.hands.banker.join(' ')).toBe(round.banker_cards);
      expect(end.totals).toEqual({ player: round.player_total, banker: round.banker_total });
      expect(end.winner).toBe(round.winner);
      expect([...end.settled]).toEqual(round.seats.filter((seat) => seat.lines.length).map((seat) => seat.seat));
    }
  });

  test('of a corrected round shows the first result until it was put right', () => {
    const wrong = frameAt(two, at(two, 'round-settled'));
    expect(wrong.winner).toBe('player');
    expect(wrong.settled.size).toBe(2);
    expect(frameAt(two, at(two, 'cards-corrected')).settled.size).toBe(0);
    expect(frameAt(two, at(two, 'cards-corrected')).winner).toBeNull();
    expect(frameAt(two, lastOf(two, 'result-declared')).winner).toBe('tie');
  });

  test('of a void round has no winner and nothing settled', () => {
    const end = frameAt(three, three.steps.length - 1);
    expect([end.ending, end.winner, end.settled.size]).toEqual(['void', null, 0]);
  });

  test('knows who is insured, until it goes back', () => {
    const step = (kind: string): Recalled['steps'][number] => ({ ...one.steps[1]!, kind, seat: 2 });
    const round = { ...one, steps: [one.steps[0]!, step('insurance-placed'), step('insurance-returned')] };
    expect([0, 1, 2].map((place) => [...frameAt(round, place).insured])).toEqual([[], [2], []]);
  });

  test('beyond the end is the end', () => {
    expect(frameAt(one, 10_000).place).toBe(one.steps.length - 1);
  });
});

test('the film neither hurries nor waits for long', () => {
  const steps = one.steps.map((step, place) => ({ ...step, at_ms: [0, 10, 500, 900_000][place] ?? 900_000 }));
  expect([pauseMs(steps, 0), pauseMs(steps, 1), pauseMs(steps, 2)]).toEqual([120, 490, 1_400]);
  expect(pauseMs(steps, steps.length - 1)).toBe(0);
});

test('arrows go by step and by chapter', () => {
  const cards = chapters(one.steps).filter(({ step }) => step.kind === 'card-dealt');
  expect(cards).toHaveLength(4);
  expect(moved(one.steps, 0, -1, false)).toBe(0);
  expect(moved(one.steps, 0, 1, false)).toBe(1);
  expect(moved(one.steps, 0, 1, true)).toBe(at(one, 'betting-closed'));
  expect(moved(one.steps, at(one, 'betting-closed'), -1, true)).toBe(0);
  expect(moved(one.steps, one.steps.length - 1, 1, true)).toBe(one.steps.length - 1);
});
