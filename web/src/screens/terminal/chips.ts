// Which chips a table lies ready: its least bet first, then the usual denominations that its limits can take.

const USUAL = [
  5, 10, 25, 50, 100, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 2_500_000, 10_000_000,
];
const SPARSE = new Set([100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 2_500_000, 10_000_000]);
export const MOST_CHIPS = 6;

export type Limits = Readonly<Record<string, readonly [least: number, most: number]>>;

/** In cents, ascending, each a multiple of the betting unit: the player's own as far as the table takes them, or the table's. */
export function chipsFor(unitCents: number, limits: Limits, own: readonly number[] = []): number[] {
  const all = Object.values(limits);
  if (!all.length) return [unitCents];
  const taken = own.filter((chip) => isChip(chip, unitCents, limits)).slice(0, MOST_CHIPS);
  if (taken.length) return [...new Set(taken)].sort((a, b) => a - b);
  const least = roundUp(Math.min(...all.map(([min]) => min)), unitCents);
  const most = Math.max(...all.map(([, max]) => max));
  const fitting = USUAL.filter((chip) => chip > least && chip <= most && chip % unitCents === 0);
  const sparse = fitting.filter((chip) => SPARSE.has(chip));
  const chosen = fitting.length < MOST_CHIPS ? fitting : sparse;
  return [least, ...chosen].slice(0, MOST_CHIPS);
}

/** Whether a chip of this amount can be bet at all. */
export function isChip(cents: number, unitCents: number, limits: Limits): boolean {
  return cents > 0 && cents % unitCents === 0 && Object.values(limits).some(([, most]) => cents <= most);
}

/** All that a player may choose from: the usual denominations that the limits take, and the table's own chips. */
export function denominations(unitCents: number, limits: Limits): number[] {
  const usual = USUAL.filter((chip) => isChip(chip, unitCents, limits));
  return [...new Set([...usual, ...chipsFor(unitCents, limits)])].sort((a, b) => a - b);
}

function roundUp(cents: number, unit: number): number {
  return Math.max(unit, Math.ceil(cents / unit) * unit);
}

/** The chip that was chosen last time, or the nearest below it that this table has. */
export function chosenChip(chips: readonly number[], kept: number | null): number {
  const below = chips.filter((chip) => kept !== null && chip <= kept);
  return below.at(-1) ?? chips[0] ?? 0;
}

/** What a player starts with: the least chip that is a bet by itself. */
export function firstChip(chips: readonly number[], leastBet: number): number {
  return chips.find((chip) => chip >= leastBet) ?? chips.at(-1) ?? 0;
}

/** An amount as a small pile: which chips, the largest at the bottom; at most five are drawn. */
export function pile(chips: readonly number[], cents: number): number[] {
  const drawn: number[] = [];
  let left = cents;
  for (const chip of [...chips].sort((a, b) => b - a)) {
    while (left >= chip && drawn.length < 5) {
      drawn.push(chip);
      left -= chip;
    }
  }
  return drawn.length ? drawn : [chips[0] ?? cents];
}
