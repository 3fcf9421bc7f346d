// Several tables on one wall: how many at a time, and in which rows and columns.

export const MOST = 6; // at a time: more could not be read from across the room
export const WHOLE_FLOOR = '*'; // in the address of a wall, for all tables that there are

/** The tables in turns of at most six, as even as can be. */
export function turns(tables: readonly string[]): string[][] {
  const count = Math.max(1, Math.ceil(tables.length / MOST));
  const size = Math.ceil(tables.length / count);
  return Array.from({ length: count }, (_, turn) => tables.slice(turn * size, (turn + 1) * size));
}

/** Columns on a wall that lies; one that stands upright has them as rows. */
export function columnsFor(count: number): number {
  return count <= 1 ? 1 : count <= 4 ? 2 : 3;
}

const KEPT = 'natural9-wall';

/** What this display showed last: after a power cut nobody stands beside it to choose. */
export const kept = {
  read(): string[] {
    try {
      const tables: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
      return Array.isArray(tables) ? tables.filter((one) => typeof one === 'string') : [];
    } catch {
      return [];
    }
  },
  write(tables: readonly string[]): void {
    try {
      localStorage.setItem(KEPT, JSON.stringify(tables));
    } catch {
      // a display that keeps nothing is told again
    }
  },
};

export function addressOf(tables: readonly string[]): string {
  return `/display/${tables.map(encodeURIComponent).join('/')}`;
}
