import { describe, expect, it } from 'vitest';
import { QUICK_MS, QuickFinger } from './guard';

function showing(meaning: string, at = 0): QuickFinger {
  const finger = new QuickFinger();
  finger.says(meaning, at);
  return finger;
}

describe('the key of the next step', () => {
  it('counts however many news arrive while the line says the same', () => {
    const finger = showing('Close bets');
    for (let at = 0; at <= 1_000; at += 10) finger.says('Close bets', at);
    expect(finger.takes(1_001)).toBe(true);
  });

  it('counts once: a second press at once is the same one', () => {
    const finger = showing('Close bets');
    expect(finger.takes(1_000)).toBe(true);
    expect(finger.takes(1_000 + QUICK_MS - 1)).toBe(false);
    expect(finger.takes(1_000 + QUICK_MS)).toBe(true); // it was refused, and is asked again
  });

  it('does not do a step that has only just come up', () => {
    const finger = showing('Declare');
    expect(finger.takes(1_000)).toBe(true);
    finger.says('Settle', 1_300);
    expect(finger.takes(1_300 + QUICK_MS - 1)).toBe(false);
    expect(finger.takes(1_300 + QUICK_MS)).toBe(true);
  });

  it('does what the line said when the finger came down, not when it went up', () => {
    const finger = showing('Declare');
    finger.says('Settle', 2_000);
    expect(finger.takes(1_990)).toBe(false);
  });

  it('is not held off by presses that did not count', () => {
    const finger = showing('Close bets', 1_000);
    for (let at = 1_000; at < 1_000 + QUICK_MS; at += 50) expect(finger.takes(at)).toBe(false);
    expect(finger.takes(1_000 + QUICK_MS)).toBe(true);
  });
});
