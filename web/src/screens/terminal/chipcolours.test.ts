import { expect, it } from 'vitest';
import { chipColours } from './chipcolours';

const VALUES = [5, 10, 25, 50, 100, 200, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 10_000_000];

function light(hex: string): number {
  const full = hex.length === 4 ? [...hex.slice(1)].map((one) => one + one).join('') : hex.slice(1);
  const [r = 0, g = 0, b = 0] = (full.match(/../g) ?? []).map((part) => {
    const one = parseInt(part, 16) / 255;
    return one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

it('has the colours of a common set, whatever else lies in the rack', () => {
  const bodies = [100, 500, 2_500, 10_000, 50_000, 100_000].map((cents) => chipColours(cents).body);
  expect(new Set(bodies).size).toBe(6);
  expect(chipColours(2_000)).toEqual(chipColours(2_500)); // 20 is that floor's 25
  expect(chipColours(300)).toEqual(chipColours(100));
});

it('begins again by thousands and by hundredths, told apart by the edge', () => {
  for (const [small, large] of [[500, 500_000], [2_500, 2_500_000], [10_000, 10_000_000], [500, 5], [2_500, 25]] as const) {
    expect(chipColours(large).body).toBe(chipColours(small).body);
    expect(chipColours(large).edge).not.toBe(chipColours(small).edge);
  }
});

it.each(VALUES)('%d cents can be read on its colour, and seen against it', (cents) => {
  const { body, ink, edge } = chipColours(cents);
  expect(contrast(body, ink)).toBeGreaterThan(4.5);
  expect(contrast(body, edge)).toBeGreaterThan(1.15);
});
