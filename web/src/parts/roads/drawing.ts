// What the drawings of the roads share: a board of squares ten by ten, and which part of it is seen.

import { ROWS } from '../../lib/roads';

export const SQUARE = 10;
export const HEIGHT = ROWS * SQUARE;

/** The lines of the board, as one path. */
export function boardPath(columns: number): string {
  const upright = Array.from({ length: columns + 1 }, (_, at) => `M${at * SQUARE} 0V${HEIGHT}`);
  const across = Array.from({ length: ROWS + 1 }, (_, at) => `M0 ${at * SQUARE}H${columns * SQUARE}`);
  return [...upright, ...across].join('');
}

/** Always the newest: how many columns have left the board on the left. */
export function leftOut(lastColumn: number, columns: number): number {
  return Math.max(0, lastColumn - columns);
}

/** How many columns fill a box of this size, if six squares fill its height. */
export function columnsFor(width: number, height: number): number {
  return width > 0 && height > 0 ? Math.max(1, Math.floor((width * ROWS) / height + 0.001)) : 1;
}

/** Where a square's middle is. Columns and rows count from 1. */
export function middle(column: number, row: number): string {
  return `translate(${column * SQUARE - SQUARE / 2} ${row * SQUARE - SQUARE / 2})`;
}
