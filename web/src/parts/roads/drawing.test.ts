import { expect, test } from 'vitest';
import { boardPath, columnsFor, leftOut, middle } from './drawing';

test('the board has a line on both sides of every column and row', () => {
  expect(boardPath(2)).toBe('M0 0V60M10 0V60M20 0V60M0 0H20M0 10H20M0 20H20M0 30H20M0 40H20M0 50H20M0 60H20');
});

test('what no longer fits leaves on the left', () => {
  expect(leftOut(0, 5)).toBe(0);
  expect(leftOut(5, 5)).toBe(0);
  expect(leftOut(8, 5)).toBe(3);
});

test('columns fill the box with squares', () => {
  expect(columnsFor(600, 120)).toBe(30);
  expect(columnsFor(1, 120)).toBe(1);
  expect(columnsFor(0, 0)).toBe(1);
});

test('the middle of a square', () => {
  expect(middle(1, 6)).toBe('translate(5 55)');
});
