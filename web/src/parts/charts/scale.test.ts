import { describe, expect, test } from 'vitest';
import { extentWithZero, linear, nice, percent, shortMoney, ticks, wrapped } from './scale';

describe('a linear scale', () => {
  test('places the ends and the middle', () => {
    const scale = linear([-10, 10], [0, 200]);
    expect([scale(-10), scale(0), scale(10)]).toEqual([0, 100, 200]);
  });

  test('may run the other way, as upright axes do', () => {
    expect(linear([0, 4], [100, 0])(1)).toBe(75);
  });

  test('does not divide by nothing', () => {
    expect(linear([3, 3], [0, 100])(3)).toBe(0);
  });
});

test('bars stand on zero', () => {
  expect(extentWithZero([5, 9])).toEqual([0, 9]);
  expect(extentWithZero([-5, -9])).toEqual([-9, 0]);
  expect(extentWithZero([])).toEqual([0, 1]);
  expect(extentWithZero([0, 0])).toEqual([0, 1]);
});

describe('ticks', () => {
  test('are round numbers within the domain', () => {
    expect(ticks([0, 100])).toEqual([0, 20, 40, 60, 80, 100]);
    expect(ticks([-3, 11])).toEqual([0, 5, 10]);
    expect(ticks([0, 0.3], 3)).toEqual([0, 0.1, 0.2, 0.3]);
  });

  test('of a domain without width are that one value', () => {
    expect(ticks([7, 7])).toEqual([7]);
  });
});

test('a domain is widened to the ticks around it', () => {
  expect(nice([-3, 11])).toEqual([-5, 15]);
  expect(nice([0, 100])).toEqual([0, 100]);
  expect(nice([4, 4])).toEqual([4, 5]);
});

test('a label takes two lines at most', () => {
  expect(wrapped('Super Six Plus 1', 10)).toEqual(['Super Six', 'Plus 1']);
  expect(wrapped('Super Six Plus 1', 40)).toEqual(['Super Six Plus 1']);
  expect(wrapped('one two three four', 4)).toEqual(['one', 'two…']);
});

test('numbers on an axis', () => {
  expect([0, 12_345, -150_000, 123_456_700].map(shortMoney)).toEqual(['0', '123.5', '−1.5K', '1.2M']);
  expect([percent(0.0106), percent(-0.5, 0)]).toEqual(['1.06%', '−50%']);
});
