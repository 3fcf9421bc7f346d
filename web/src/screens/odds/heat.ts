// The insurance table as a map: by the points of Player and Banker, what each offer is worth.

import type { InsurancePriced } from '../../lib/protocol';

export interface HeatMap {
  window: string;
  players: number[]; // the rows
  bankers: number[]; // the columns
  at: (player: number, banker: number) => InsurancePriced[]; // mostly one or none
}

/** One map for each moment at which insurance is offered, in the order of the game. */
export function mapsOf(lines: readonly InsurancePriced[]): HeatMap[] {
  const windows = [...new Set(lines.map((line) => line.window))];
  return windows.map((window) => {
    const own = lines.filter((line) => line.window === window);
    const numbers = (of: (line: InsurancePriced) => number): number[] => [...new Set(own.map(of))].sort((one, other) => one - other);
    return {
      window,
      players: numbers((line) => line.player_total),
      bankers: numbers((line) => line.banker_total),
      at: (player, banker) => own.filter((line) => line.player_total === player && line.banker_total === banker),
    };
  });
}

// Few steps, so that a legend can name each and every number is legible on its colour.
export const STEPS = [0.02, 0.05, 0.1] as const;

/** Whom it favours, and how much: 0 to 3. */
export function heatOf(expected: number): { favours: 'bettor' | 'house'; step: number } {
  return { favours: expected > 0 ? 'bettor' : 'house', step: STEPS.filter((least) => Math.abs(expected) >= least).length };
}

/** +1.23% for the bettor, −4.56% for the house. */
export function signed(expected: number): string {
  const text = (Math.abs(expected) * 100).toFixed(2);
  return `${expected > 0 ? '+' : expected < 0 ? '−' : ''}${text}%`;
}

/** The steps as the legend names them: 0–2%, 2–5%, 5–10%, 10% and more. */
export function stepName(step: number): string {
  const [from, to] = [step === 0 ? 0 : STEPS[step - 1]! * 100, step < STEPS.length ? STEPS[step]! * 100 : null];
  return to === null ? `≥ ${from}%` : `${from}–${to}%`;
}
