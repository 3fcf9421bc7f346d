// The roads of the screens are those of the program: `natural9 roads WINNERS --json` made the golden file.

import { describe, expect, test } from 'vitest';
import golden from './roads.golden.json';
import { askRoads, type Bead, layOut, readResult, roads, ROWS } from './roads';

interface Golden {
  winners: string;
  roads: {
    bead_plate: string[];
    big_road: { column: number; row: number; winner: string; ties: number }[];
    big_eye_boy: string;
    small_road: string;
    cockroach_road: string;
  };
  laid: number[][][];
}

describe('the five roads against the golden file', () => {
  test.each(golden as Golden[])('$winners', ({ winners, roads: wanted, laid }) => {
    const drawn = roads([...winners] as Bead[]);
    expect(drawn.beadPlate).toEqual(wanted.bead_plate);
    expect(drawn.bigRoad).toEqual(wanted.big_road);
    expect([drawn.bigEyeBoy, drawn.smallRoad, drawn.cockroachRoad]).toEqual([
      wanted.big_eye_boy,
      wanted.small_road,
      wanted.cockroach_road,
    ]);
    const placed = [drawn.bigEyeBoy, drawn.smallRoad, drawn.cockroachRoad].map((icons) =>
      layOut(icons).map((icon) => [icon.column, icon.row]),
    );
    expect(placed).toEqual(laid);
  });

  test('it holds shoes that bend, begin with ties, and have many of them', () => {
    const shoes = (golden as Golden[]).map((one) => one.winners);
    expect(shoes.some((shoe) => /B{7}|P{7}/.test(shoe))).toBe(true);
    expect(shoes.some((shoe) => shoe.startsWith('TT') && shoe.length > 2)).toBe(true);
    expect(shoes.some((shoe) => /T{10}/.test(shoe))).toBe(true);
    expect((golden as Golden[]).every((one) => one.roads.big_road.every((cell) => cell.row <= ROWS))).toBe(true);
  });
});

test('a result as the table writes it', () => {
  expect(readResult('B36npb')).toEqual({
    winner: 'B',
    playerTotal: 3,
    bankerTotal: 6,
    natural: true,
    playerPair: true,
    bankerPair: true,
  });
  expect(readResult('T55').natural).toBe(false);
});

describe('asking the roads', () => {
  test('what the next round would draw is what it then draws', () => {
    for (const { winners } of golden as Golden[]) {
      const beads = [...winners] as Bead[];
      for (const winner of ['B', 'P'] as const) {
        const [before, after] = [roads(beads), roads([...beads, winner])];
        const { all, icons } = askRoads(beads, winner);
        expect(all).toEqual(after);
        expect([before.bigEyeBoy, before.smallRoad, before.cockroachRoad].map((road, place) => road + icons[place])).toEqual([
          after.bigEyeBoy,
          after.smallRoad,
          after.cockroachRoad,
        ]);
      }
    }
  });

  test('there is nothing to ask before a derived road begins', () => {
    expect(askRoads([], 'B').icons).toEqual(['', '', '']);
    expect(askRoads(['B', 'P'], 'P').icons).toEqual(['b', '', '']);
  });
});
