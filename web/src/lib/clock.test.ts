import { describe, expect, it } from 'vitest';
import { momentText, timeText } from './clock';

describe('a moment', () => {
  it('has one form, by the clock on the wall', () => {
    const at = Date.UTC(2026, 10, 17, 16, 5, 9);
    expect(momentText(at, 'Asia/Singapore')).toBe('2026-11-18 00:05:09');
    expect(timeText(at, 'Asia/Singapore')).toBe('00:05:09');
    expect(momentText(at, 'UTC')).toBe('2026-11-17 16:05:09');
  });
});
