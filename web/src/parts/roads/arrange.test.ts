import { expect, it } from 'vitest';
import { arrange, leastHeight } from './arrange';

const space = (width: number, height: number) => ({ width, height, name: 18, gap: 8 });

it('shows all five wherever they can be read', () => {
  expect(arrange(space(1000, 500)).flat()).toHaveLength(5);
  expect(arrange(space(240, 700))).toEqual([['bead'], ['big'], ['eye'], ['small'], ['cockroach']]);
  expect(arrange(space(1900, 90))).toEqual([['bead', 'big', 'eye', 'small', 'cockroach']]);
});

it('leaves out the derived roads first, the big road never', () => {
  expect(arrange(space(340, 90))).toEqual([['bead', 'big']]);
  expect(arrange(space(130, 180))).toEqual([['bead'], ['big']]);
  expect(arrange(space(100, 50))).toEqual([['big']]);
});

it('needs a line for the name and six squares for every row', () => {
  expect(leastHeight(2, 18, 8)).toBe(2 * 78 + 8);
});
