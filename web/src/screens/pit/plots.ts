// The gaming day in plots: what the house has won against its band, and what each table did in each hour.

import type { CurvePoint, FloorDay, HourLine } from '../../lib/protocol';

export const MEASURES = ['house_win_cents', 'rounds', 'staked_cents'] as const;
export type Measure = (typeof MEASURES)[number];
export const TITLES: Record<Measure, string> = { house_win_cents: 'House win', rounds: 'Rounds', staked_cents: 'Staked' };

const HOUR_MS = 3_600_000;
const DEVIATIONS = 2; // on each side: 95 days of 100 end within

export interface Band {
  low: number;
  expected: number;
  high: number;
}

/** Where chance may carry the win; null where nobody can say. */
export function bandOf(point: CurvePoint): Band | null {
  const { expected_cents: expected, deviation_cents: deviation } = point;
  if (expected === null || deviation === null) return null;
  return { low: expected - DEVIATIONS * deviation, expected, high: expected + DEVIATIONS * deviation };
}

export type Verdict = 'within' | 'above' | 'below' | 'unknown';

export function verdict(point: CurvePoint): Verdict {
  const band = bandOf(point);
  if (!band) return 'unknown';
  return point.house_win_cents > band.high ? 'above' : point.house_win_cents < band.low ? 'below' : 'within';
}

/** From the first hour with anything in it to this one, without a gap. */
export function hoursOf(day: FloorDay): number[] {
  const first = Math.min(...day.hours.map((line) => line.from_ms));
  const last = Math.max(day.at_ms - (day.at_ms % HOUR_MS), ...day.hours.map((line) => line.from_ms));
  return day.hours.length ? Array.from({ length: (last - first) / HOUR_MS + 1 }, (_, at) => first + at * HOUR_MS) : [];
}

/** One value an hour of these tables together. */
export function series(lines: readonly HourLine[], hours: readonly number[], tables: readonly string[], measure: Measure): number[] {
  const sums = new Map<number, number>();
  for (const line of lines) {
    if (tables.includes(line.table)) sums.set(line.from_ms, (sums.get(line.from_ms) ?? 0) + (line[measure] ?? 0));
  }
  return hours.map((hour) => sums.get(hour) ?? 0);
}
