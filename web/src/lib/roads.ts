// The five roads from the winners of a shoe, as core/roads.py draws them: a golden file holds the two together.
// Derived roads read the logical columns of the big road (runs of one winner, ties left out), never the bent picture.

export const ROWS = 6;

export type Bead = 'B' | 'P' | 'T';

export interface Cell {
  column: number;
  row: number;
  winner: Bead;
  ties: number;
}

export interface Roads {
  beadPlate: Bead[];
  bigRoad: Cell[];
  bigEyeBoy: string;
  smallRoad: string;
  cockroachRoad: string;
}

export function roads(beads: readonly Bead[]): Roads {
  const depths = runs(beads.filter((bead) => bead !== 'T'));
  const [bigEyeBoy, smallRoad, cockroachRoad] = [1, 2, 3].map((gap) => derived(depths, gap)) as [string, string, string];
  return { beadPlate: [...beads], bigRoad: bigRoad(beads), bigEyeBoy, smallRoad, cockroachRoad };
}

/** What the next round would draw if this hand won: the icon of each derived road, or none where it has none yet. */
export function askRoads(beads: readonly Bead[], winner: 'B' | 'P'): { all: Roads; icons: [eye: string, small: string, cockroach: string] } {
  const [now, all] = [roads(beads), roads([...beads, winner])];
  const icon = (before: string, after: string): string => after.slice(before.length);
  return {
    all,
    icons: [
      icon(now.bigEyeBoy, all.bigEyeBoy),
      icon(now.smallRoad, all.smallRoad),
      icon(now.cockroachRoad, all.cockroachRoad),
    ],
  };
}

function runs(beads: readonly Bead[]): number[] {
  const depths: number[] = [];
  beads.forEach((bead, place) => {
    if (place && bead === beads[place - 1]) depths[depths.length - 1]! += 1;
    else depths.push(1);
  });
  return depths;
}

// Winners in columns; a tie marks the cell before it, or the first cell if none is there yet.
export function bigRoad(beads: readonly Bead[]): Cell[] {
  const cells: Cell[] = [];
  const taken = new Set<string>();
  let start = 0;
  let leadingTies = 0;
  for (const bead of beads) {
    const last = cells.at(-1);
    if (bead === 'T') {
      if (last) last.ties += 1;
      else leadingTies += 1;
      continue;
    }
    let place: [number, number];
    if (last?.winner === bead) {
      place = belowOrRight(last, taken);
    } else {
      do start += 1;
      while (taken.has(`${start},1`)); // a tail along the top row pushes the next column on
      place = [start, 1];
    }
    taken.add(place.join());
    cells.push({ column: place[0], row: place[1], winner: bead, ties: last ? 0 : leadingTies });
  }
  return cells;
}

function belowOrRight(last: Cell, taken: ReadonlySet<string>): [number, number] {
  const isFree = last.row < ROWS && !taken.has(`${last.column},${last.row + 1}`);
  return isFree ? [last.column, last.row + 1] : [last.column + 1, last.row];
}

// Big eye boy (gap 1), small road (2) or cockroach road (3): r and b for each icon of the big road that has one.
export function derived(depths: readonly number[], gap: number): string {
  let icons = '';
  depths.forEach((depth, column) => {
    for (let row = 1; row <= depth; row += 1) {
      const compared = row > 1 ? column - gap : column - gap - 1;
      if (compared < 0) continue;
      const blue = row > 1 ? row === depths[compared]! + 1 : depths[column - 1] !== depths[compared];
      icons += blue ? 'b' : 'r';
    }
  });
  return icons;
}

// A derived road laid out: like the big road, a run down a column, bending at the bottom.
export function layOut(icons: string): { column: number; row: number; icon: string }[] {
  const beads = [...icons].map((icon) => (icon === 'r' ? 'B' : 'P') as Bead);
  return bigRoad(beads).map((cell, place) => ({ column: cell.column, row: cell.row, icon: icons[place]! }));
}

// One round of the shoe as the table view writes it: winner, both totals, then n (natural), p and b (pairs).
export interface ShortResult {
  winner: Bead;
  playerTotal: number;
  bankerTotal: number;
  natural: boolean;
  playerPair: boolean;
  bankerPair: boolean;
}

export function readResult(text: string): ShortResult {
  const marks = text.slice(3);
  return {
    winner: text[0] as Bead,
    playerTotal: Number(text[1]),
    bankerTotal: Number(text[2]),
    natural: marks.includes('n'),
    playerPair: marks.includes('p'),
    bankerPair: marks.includes('b'),
  };
}
