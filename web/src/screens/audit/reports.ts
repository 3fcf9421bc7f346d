// The reports: which columns each has, how it is filtered, and how one goes further back.

import type { Action } from '../../lib/protocol';

export type Kind = 'text' | 'count' | 'money' | 'percent' | 'moment' | 'round' | 'seat' | 'yes' | 'what' | 'paragraph';

export interface Column {
  name: string;
  title: string;
  kind: Kind;
}

export interface Report {
  id: string;
  title: string;
  takes: Action;
  columns: Column[];
  byDay: boolean;
  byTable: boolean;
  pages: 'before' | 'after' | null; // which number of the last line asks for the next page
  key: string; // that number
}

export type Row = Record<string, string | number | boolean | null>;
export const PAGE = 200;

const column = (name: string, title: string, kind: Kind = 'money'): Column => ({ name, title, kind });
const PLACE = [column('table', 'Table', 'text'), column('day', 'Gaming day', 'text')];
const EVENTS = [
  column('at_ms', 'Time', 'moment'),
  column('table', 'Table', 'text'),
  column('round', 'Round', 'round'),
  column('kind', 'Kind', 'what'),
  column('says', 'What happened', 'text'),
  column('by', 'Who', 'text'),
  column('why', 'Why', 'text'),
  column('paragraph', 'Paragraph', 'paragraph'),
];

export const REPORTS: readonly Report[] = [
  {
    id: 'win',
    title: 'Win',
    takes: 'see-reports',
    byDay: true,
    byTable: true,
    pages: null,
    key: '',
    columns: [
      ...PLACE,
      column('rounds', 'Rounds', 'count'),
      column('voids', 'Voids', 'count'),
      column('drop_cents', 'Drop'),
      column('turnover_cents', 'Turnover'),
      column('returned_cents', 'Returned'),
      column('house_win_cents', 'House win'),
      column('hold_percent', 'Hold', 'percent'),
    ],
  },
  {
    id: 'hold',
    title: 'Hold against theoretical',
    takes: 'see-reports',
    byDay: true,
    byTable: true,
    pages: null,
    key: '',
    columns: [
      ...PLACE,
      column('game', 'Game', 'text'),
      column('wager', 'Wager', 'text'),
      column('rounds', 'Rounds', 'count'),
      column('turnover_cents', 'Turnover'),
      column('house_win_cents', 'House win'),
      column('theoretical_cents', 'Theoretical'),
      column('deviation_cents', 'Standard deviation'),
      column('hold_percent', 'Hold', 'percent'),
      column('theoretical_percent', 'Edge', 'percent'),
    ],
  },
  {
    id: 'meters',
    title: 'Meters',
    takes: 'see-money',
    byDay: true,
    byTable: true,
    pages: null,
    key: '',
    columns: [
      column('table', 'Table', 'text'),
      column('seat', 'Seat', 'seat'),
      column('in_cents', 'In'),
      column('out_cents', 'Out'),
      column('wagered_cents', 'Wagered'),
      column('won_cents', 'Won'),
      column('stakes_returned_cents', 'Stakes returned'),
      column('cancelled_cents', 'Cancelled'),
      column('hand_paid_cents', 'Paid by hand'),
      column('vouchers_in_cents', 'Vouchers in'),
      column('vouchers_out_cents', 'Vouchers out'),
      column('owed_cents', 'Owed'),
      column('credit_now_cents', 'Credit now'),
    ],
  },
  {
    id: 'vouchers',
    title: 'Vouchers outstanding',
    takes: 'see-money',
    byDay: false,
    byTable: true,
    pages: null,
    key: '',
    columns: [
      column('number', 'Number', 'text'),
      column('table', 'Table', 'text'),
      column('seat', 'Seat', 'seat'),
      column('cents', 'Amount'),
      column('issued_at_ms', 'Issued', 'moment'),
      column('age_days', 'Days old', 'count'),
      column('expires_at_ms', 'Expires', 'moment'),
      column('expired', 'Expired', 'yes'),
    ],
  },
  { id: 'corrections', title: 'Corrections', takes: 'see-reports', byDay: true, byTable: true, pages: 'before', key: 'entry', columns: EVENTS },
  { id: 'events', title: 'Significant events', takes: 'see-events', byDay: true, byTable: true, pages: 'before', key: 'entry', columns: EVENTS },
  {
    id: 'transactions',
    title: 'Transactions',
    takes: 'see-money',
    byDay: true,
    byTable: true,
    pages: 'before',
    key: 'number',
    columns: [
      column('number', 'Number', 'count'),
      column('at_ms', 'Time', 'moment'),
      column('day', 'Gaming day', 'text'),
      column('kind', 'Kind', 'what'),
      column('source', 'From', 'text'),
      column('target', 'To', 'text'),
      column('cents', 'Amount'),
      column('entry', 'Entry', 'count'),
    ],
  },
  {
    id: 'desks',
    title: 'Desks',
    takes: 'see-drawer',
    byDay: true,
    byTable: false,
    pages: null,
    key: '',
    columns: [
      column('desk', 'Desk', 'text'),
      column('day', 'Gaming day', 'text'),
      column('taken_in_cents', 'Taken in'),
      column('taken_in_count', 'Times', 'count'),
      column('hand_paid_cents', 'Paid by hand'),
      column('vouchers_paid_cents', 'Vouchers paid'),
      column('paid_out_count', 'Times', 'count'),
      column('drawer_now_cents', 'Drawer now'),
    ],
  },
];

/** Lines that hold every word that was typed, whatever the column; and are of this kind, if one is chosen. */
export function filtered(rows: readonly Row[], words: string, kind: string): Row[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (kind && row.kind !== kind) return false;
    const text = Object.values(row).join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Sums of the money columns, for reports whose lines add up. */
export function sums(report: Report, rows: readonly Row[]): Record<string, number> {
  const adding = report.columns.filter((one) => ['money', 'count'].includes(one.kind));
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
