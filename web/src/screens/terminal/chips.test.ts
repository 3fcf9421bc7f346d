import { describe, expect, it } from 'vitest';
import { chipsFor, chosenChip, denominations, firstChip, isChip, pile } from './chips';

describe('chips', () => {
  it('begin at the least bet and stay under the largest', () => {
    expect(chipsFor(100, { player: [100, 20_000] })).toEqual([100, 500, 1_000, 2_500, 5_000, 10_000]);
    expect(chipsFor(100, { player: [500, 500_000], tie: [100, 20_000] })).toEqual([
      100, 500, 2_500, 10_000, 50_000, 100_000,
    ]);
  });

  it('show the denominations between where few fit', () => {
    expect(chipsFor(100, { player: [100, 2_500] })).toEqual([100, 500, 1_000, 2_500]);
  });

  it('are multiples of the betting unit', () => {
    for (const unit of [20, 100, 250, 1_000]) {
      for (const chip of chipsFor(unit, { player: [unit, 10_000_000] })) expect(chip % unit).toBe(0);
    }
    expect(chipsFor(300, { player: [500, 5_000] })[0]).toBe(600);
  });

  it('have a least bet that is no usual denomination', () => {
    expect(chipsFor(100, { player: [2_000, 100_000] })[0]).toBe(2_000);
  });

  it('are the player’s own as far as the table takes them, six at most', () => {
    const limits = { player: [500, 50_000] } as const;
    expect(chipsFor(100, limits, [13_700, 500, 100_000, 550])).toEqual([500, 13_700]);
    expect(chipsFor(100, limits, [100_000])).toEqual(chipsFor(100, limits));
    expect(chipsFor(100, limits, [100, 200, 300, 400, 500, 600, 700])).toHaveLength(6);
    expect(denominations(100, limits)).toEqual([100, 500, 1_000, 2_500, 5_000, 10_000, 50_000]);
    expect([isChip(550, 100, limits), isChip(600, 100, limits), isChip(60_000, 100, limits)]).toEqual([false, true, false]);
  });

  it('remember the choice as far as the table has it', () => {
    expect(chosenChip([100, 500, 2_500], 500)).toBe(500);
    expect(chosenChip([100, 500, 2_500], 600)).toBe(500);
    expect(chosenChip([100, 500], 50)).toBe(100);
    expect(chosenChip([100, 500], null)).toBe(100);
  });

  it('are chosen for a player as the least that is a bet by itself', () => {
    expect(firstChip([500, 2_500, 10_000], 1_000)).toBe(2_500);
    expect(firstChip([500, 2_500], 500)).toBe(500);
    expect(firstChip([500], 1_000)).toBe(500);
  });

  it('pile up, the largest first, and never more than five', () => {
    expect(pile([100, 500, 2_500], 3_100)).toEqual([2_500, 500, 100]);
    expect(pile([100], 100_000)).toHaveLength(5);
    expect(pile([500], 100)).toEqual([500]);
  });
});
