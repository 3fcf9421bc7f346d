import { describe, expect, it } from 'vitest';
import { corners, HEIGHT, overlap, planFor, spots, WIDTH } from './geometry';

const LAYOUTS: [string, number][] = [
  ['bean-9', 9],
  ['bean-7', 7],
  ['mini-7', 7],
  ['mini-6', 6],
  ['mini-5', 5],
];

describe.each(LAYOUTS)('%s', (layout, boxes) => {
  const plan = planFor(layout, boxes);

  it('has its boxes, numbered from the left, on the table', () => {
    expect(plan.places.map((place) => place.box)).toEqual(Array.from({ length: boxes }, (_, index) => index + 1));
    expect(plan.shape).toBe(layout.slice(0, 4));
    for (const place of plan.places) {
      for (const [x, y] of corners(place, plan.width)) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(WIDTH);
        expect(y).toBeGreaterThan(0);
        expect(y).toBeLessThan(HEIGHT);
      }
    }
  });

  it('is the same from both sides', () => {
    plan.places.forEach((place, index) => {
      const mirror = plan.places[boxes - 1 - index]!;
      expect(place.x + mirror.x).toBeCloseTo(WIDTH, 0);
      expect(place.turn + mirror.turn).toBeCloseTo(0, 0);
    });
  });

  it('lets no box cover another, and leaves room to read them', () => {
    plan.places.forEach((place, index) =>
      plan.places.slice(index + 1).forEach((other) => expect(overlap(place, other, plan.width)).toBe(false)),
    );
    expect(plan.width).toBeGreaterThanOrEqual(80);
  });
});

it('every betting area of 2.1.3 lies inside the box, none on another', () => {
  const all = spots(120, 172);
  expect(all.map((spot) => spot.wager).sort()).toEqual(
    ['banker', 'banker-insurance', 'banker-pair', 'player', 'player-insurance', 'player-pair', 'tie'].sort(),
  );
  for (const spot of all) {
    expect(Math.abs(spot.x)).toBeLessThanOrEqual(60);
    expect(spot.x + spot.width).toBeLessThanOrEqual(60.001);
    expect(spot.y + spot.height).toBeLessThanOrEqual(86);
  }
  all.forEach((one, index) =>
    all.slice(index + 1).forEach((other) => {
      const apart =
        one.x + one.width <= other.x + 0.001 ||
        other.x + other.width <= one.x + 0.001 ||
        one.y + one.height <= other.y + 0.001 ||
        other.y + other.height <= one.y + 0.001;
      expect(apart, `${one.wager} and ${other.wager}`).toBe(true);
    }),
  );
});
