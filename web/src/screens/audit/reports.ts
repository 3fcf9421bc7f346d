// What is done with the rows of any report, and what the drawings of some are made from.

import { tell } from '../../lib/i18n.svelte';
import type { ReportFilter, ReportView, Sentence } from '../../lib/protocol';

export type Row = Record<string, string | number | boolean | null>;
export type Given = Record<string, string>; // what was asked for, by the names of the server's parameters
export const PAGE = 200;
const LONGEST_SHEET = 10_000;

/** What was given, of all that this report can be asked for. */
export function queryOf(report: ReportView, given: Given): Given {
  const names = report.filters.flatMap((one) => (one.kind === 'days' ? ['first_day', 'last_day'] : [one.name]));
  return Object.fromEntries(names.filter((name) => given[name]).map((name) => [name, given[name]!]));
}

/** The filter that goes on from the last row, where a report comes in pages. */
export function pageOf(report: ReportView): ReportFilter | undefined {
  return report.filters.find((one) => one.kind === 'page');
}

export function sheetOf(report: ReportView, given: Given): string {
  const whole: Given = pageOf(report) ? { limit: String(LONGEST_SHEET) } : {};
  return `/api/reports/${report.name}?${new URLSearchParams({ ...queryOf(report, given), ...whole, format: 'csv' })}`;
}

/** A row that is itself a sum: of all seats, or of all wagers. */
export function isTotal(report: ReportView, row: Row): boolean {
  return report.columns.some(({ name, kind }) => (kind === 'seat' && row[name] === 0) || (kind === 'wager' && row[name] === ''));
}

/** What the program said in a cell is told in the chosen language; all else is shown as it is. */
export function cellText(row: Row, name: string): string {
  const said = (row as unknown as { said?: Record<string, Sentence> }).said?.[name];
  return said ? tell(said) : String(row[name] ?? '');
}

/** Lines that hold every word that was typed, whatever the column; and are of this kind, if one is chosen. */
export function filtered(rows: readonly Row[], words: string, kind: string): Row[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (kind && row.kind !== kind) return false;
    const text = Object.keys(row).map((name) => (name === 'said' ? '' : cellText(row, name))).join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Sums of the columns that add up, by name; none where the report says that its rows do not. */
export function sums(report: ReportView, rows: readonly Row[]): Row | null {
  if (!report.adds_up || rows.length < 2) return null;
  const adding = report.columns.filter((one) => one.summed);
  return Object.fromEntries(adding.map(({ name }) => [name, rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)]));
}

/** The gaming day so many days before this one. */
export function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - days);
  return date.toISOString().slice(0, 10);
}

export interface HoldBar {
  id: string;
  turnover: number;
  win: number;
  expected: number;
  deviation: number;
}

/** By table or by day: what was won against what was to be expected. Lines of single wagers are left out. */
export function holdBars(rows: readonly Row[], by: 'table' | 'day'): HoldBar[] {
  const bars = new Map<string, HoldBar>();
  for (const row of rows) {
    if (row.wager !== '' || row.theoretical_cents === null) continue;
    const id = String(row[by]);
    const bar = bars.get(id) ?? { id, turnover: 0, win: 0, expected: 0, deviation: 0 };
    bar.turnover += Number(row.turnover_cents);
    bar.win += Number(row.house_win_cents);
    bar.expected += Number(row.theoretical_cents);
    // Tables and days are independent: their variances add up, not their deviations.
    bar.deviation = Math.hypot(bar.deviation, Number(row.deviation_cents));
    bars.set(id, bar);
  }
  return [...bars.values()].sort((one, other) => one.id.localeCompare(other.id));
}

export const BAND = 1.96; // 95 % of a normal distribution

/** Outside the band: worth a look. */
export function isOutside(bar: HoldBar): boolean {
  return bar.deviation > 0 && Math.abs(bar.win - bar.expected) > BAND * bar.deviation;
}

export function winBy(rows: readonly Row[], by: 'table' | 'day'): { id: string; win: number; turnover: number }[] {
  const found = new Map<string, { id: string; win: number; turnover: number }>();
  for (const row of rows) {
    const id = String(row[by]);
    const one = found.get(id) ?? { id, win: 0, turnover: 0 };
    one.win += Number(row.house_win_cents);
    one.turnover += Number(row.turnover_cents);
    found.set(id, one);
  }
  return [...found.values()].sort((one, other) => one.id.localeCompare(other.id));
}
