import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askAtMost } from './attended';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what changes is asked for at once, often changed no oftener than said, and the last change is never left out', () => {
  const asked: number[] = [];
  const { changed } = askAtMost(1_000, () => asked.push(Date.now() - began));
  const began = Date.now();
  changed();
  for (let tenth = 1; tenth <= 12; tenth += 1) {
    vi.advanceTimersByTime(100);
    changed();
  }
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([0, 1_000, 2_000]);
});

test('once stopped it asks nothing any more', () => {
  const ask = vi.fn();
  const { changed, stop } = askAtMost(1_000, ask);
  changed();
  changed();
  stop();
  vi.advanceTimersByTime(5_000);
  expect(ask).toHaveBeenCalledTimes(1);
});
