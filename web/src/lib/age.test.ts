import { expect, it } from 'vitest';
import { ageText } from './age';

it('shows an age as a clock does, and none that is not there yet', () => {
  expect([25_000, 723_900, 3_729_000, -5_000].map((age) => ageText(1_000, 1_000 + age))).toEqual(['0:25', '12:03', '1:02:09', '0:00']);
});
