import { expect, it, vi } from 'vitest';
import { keepAlive } from './keepalive';

it('tells the server while somebody works, and lets an empty console end', () => {
  vi.useFakeTimers();
  const tell = vi.fn();
  const stop = keepAlive(tell);
  vi.advanceTimersByTime(10 * 60_000);
  expect(tell).not.toHaveBeenCalled();
  dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }));
  vi.advanceTimersByTime(10 * 60_000);
  expect(tell).toHaveBeenCalledTimes(1);
  stop();
  dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }));
  vi.advanceTimersByTime(10 * 60_000);
  expect(tell).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
