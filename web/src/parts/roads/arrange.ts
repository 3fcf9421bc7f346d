// How the five roads share a box: the arrangement with the largest squares. Where not all five can be read, the derived
// ones are left out; the big road always stays.

import { ROWS } from '../../lib/roads';

export type RoadName = 'bead' | 'big' | 'eye' | 'small' | 'cockroach';

export const LEAST_SQUARE = 10; // px: smaller cannot be read
export const LEAST_COLUMNS: Record<RoadName, number> = { bead: 6, big: 12, eye: 6, small: 6, cockroach: 6 };
export const NAME_WIDTH = { one: 4.4, both: 6.8 }; // of the longest name, in heights of its line: in one language or two
const WANTED_COLUMNS: Record<RoadName, number> = { bead: 14, big: 24, eye: 12, small: 12, cockroach: 12 };
export const SHARES: Record<RoadName, number> = { bead: 1, big: 2, eye: 1, small: 1, cockroach: 1 }; // of a row's width

const DERIVED: RoadName[] = ['eye', 'small', 'cockroach'];
const WITH_ALL: RoadName[][][] = [
  [['bead'], ['big'], ['eye'], ['small'], ['cockroach']],
  [['bead'], ['big'], DERIVED],
  [['bead', 'big'], DERIVED],
  [['bead', 'big', ...DERIVED]],
];
const WITHOUT_DERIVED: RoadName[][][] = [[['bead'], ['big']], [['bead', 'big']]];

/** In px: the box, the height of a road's name and the gap between two roads. */
export interface RoadSpace {
  width: number;
  height: number;
  name: number;
  gap: number;
  least?: number; // of a square, where it is read from afar
  named?: keyof typeof NAME_WIDTH;
}

const leastSquare = (space: RoadSpace): number => space.least ?? LEAST_SQUARE;

export function arrange(space: RoadSpace): RoadName[][] {
  return best(WITH_ALL, space) ?? best(WITHOUT_DERIVED, space) ?? [['big']];
}

/** The height that this arrangement needs at least. */
export function leastHeight(rows: number, name: number, gap: number): number {
  return rows * (name + ROWS * LEAST_SQUARE) + (rows - 1) * gap;
}

/** How high each row is, names included: as its roads want, all larger or smaller alike. */
export function rowHeights(rows: readonly RoadName[][], space: RoadSpace): number[] {
  const scale = scaleOf(rows, space);
  return rows.map((row) => space.name + scale * wantedHeight(row, space));
}

function best(choices: readonly RoadName[][][], space: RoadSpace): RoadName[][] | null {
  const legible = choices.filter(
    (rows) =>
      Math.min(...squares(rows, space)) >= leastSquare(space) &&
      rows.every((row) => Math.min(...widths(row, space)) >= NAME_WIDTH[space.named ?? 'one'] * space.name),
  );
  const sized = legible.map((rows) => ({ rows, size: Math.min(1, scaleOf(rows, space)) * Math.min(...rows.map((row) => wantedHeight(row, space))) }));
  return sized.sort((one, other) => other.size - one.size)[0]?.rows ?? null;
}

// So high that every road of the row has the columns that it wants, if they can be read then.
function wantedHeight(row: readonly RoadName[], space: RoadSpace): number {
  return ROWS * Math.max(leastSquare(space), Math.min(...widths(row, space).map((width, place) => width / WANTED_COLUMNS[row[place]!])));
}

function scaleOf(rows: readonly RoadName[][], space: RoadSpace): number {
  const free = space.height - rows.length * space.name - (rows.length - 1) * space.gap;
  return Math.max(0, free) / rows.reduce((sum, row) => sum + wantedHeight(row, space), 0);
}

function squares(rows: readonly RoadName[][], space: RoadSpace): number[] {
  const scale = scaleOf(rows, space);
  return rows.flatMap((row) => [
    (scale * wantedHeight(row, space)) / ROWS,
    ...widths(row, space).map((width, place) => width / LEAST_COLUMNS[row[place]!]),
  ]);
}

function widths(row: readonly RoadName[], { width, gap }: RoadSpace): number[] {
  const shares = row.reduce((sum, road) => sum + SHARES[road], 0);
  return row.map((road) => ((width - (row.length - 1) * gap) * SHARES[road]) / shares);
}
