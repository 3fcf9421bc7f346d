// The floor as the pit reads it: what needs somebody comes first.

import type { AlarmView, FloorTable, Phase, Sentence, TableView, WinLine } from '../../lib/protocol';

export type Level = 'halted' | 'fault' | 'waiting' | 'paused' | 'open' | 'closed';
const LEVELS: readonly Level[] = ['halted', 'fault', 'waiting', 'paused', 'open', 'closed'];

export function levelOf(row: FloorTable): Level {
  if (row.halted) return 'halted';
  if (Object.keys(row.faults).length) return 'fault';
  if (row.waiting) return 'waiting';
  return row.status;
}

export function isAlarm(row: FloorTable): boolean {
  return LEVELS.indexOf(levelOf(row)) <= LEVELS.indexOf('waiting');
}

/** Alarms first, then by the order of the venue file. */
export function inOrder(rows: Record<string, FloorTable>, tables: readonly string[]): FloorTable[] {
  const places = new Map(tables.map((table, place) => [table, place]));
  const place = (row: FloorTable): number => places.get(row.table) ?? tables.length;
  const urgency = (row: FloorTable): number => (isAlarm(row) ? LEVELS.indexOf(levelOf(row)) : LEVELS.length);
  return Object.values(rows).sort((a, b) => urgency(a) - urgency(b) || place(a) - place(b) || a.table.localeCompare(b.table));
}

export type FloorAlarm = AlarmView & { table: string; title: string; halted: Sentence | null };

/** Of all tables, the oldest first. A table that has stopped can write nothing: nobody can take that alarm. */
export function allAlarms(rows: readonly FloorTable[]): FloorAlarm[] {
  const found = rows.flatMap(({ table, title, halted, halted_at_ms, alarms }) => [
    ...(halted ? [{ alarm: 'halted', at_ms: halted_at_ms ?? 0, taken_by: '', fault: null, kind: null, rank: '', table, title, halted }] : []),
    ...alarms.map((one) => ({ ...one, table, title, halted: null })),
  ]);
  return found.sort((one, other) => one.at_ms - other.at_ms);
}

const MINUTE_MS = 60_000;

/** How an alarm that nobody has looks, by its age. */
export function urgency(alarm: Pick<AlarmView, 'at_ms'>, nowMs: number): 'new' | 'waits' | 'late' {
  const minutes = (nowMs - alarm.at_ms) / MINUTE_MS;
  return minutes < 1 ? 'new' : minutes < 5 ? 'waits' : 'late';
}

/** Decisions that these ranks can take, and those that wait for somebody else. Where several wait, each is shown in full. */
export function decisions(rows: readonly FloorTable[], ranks: readonly string[]): { mine: FloorTable[]; others: FloorTable[] } {
  const waiting = rows.filter((row) => row.waiting);
  const isMine = (row: FloorTable): boolean => row.waiting > 1 || ranks.includes(row.waiting_rank);
  return {
    mine: ranks.length ? waiting.filter(isMine) : [],
    others: ranks.length ? waiting.filter((row) => !isMine(row)) : waiting,
  };
}

export const MARKS: Record<Level, string> = { halted: '✕', fault: '!', waiting: '?', paused: '‖', open: '●', closed: '○' };

const PHASES: Record<Phase, string> = {
  'no-round': 'Between rounds',
  'betting-open': 'Betting is open',
  'bets-closed': 'No more bets',
  'initial-deal': 'Dealing',
  'four-cards-insurance': 'Insurance',
  'players-third': 'Player’s third card',
  'third-card-insurance': 'Insurance',
  'bankers-third': 'Banker’s third card',
  complete: 'Result',
  settled: 'Settled',
  void: 'Void',
};

export function phaseWords(phase: Phase): string {
  return PHASES[phase];
}

/** Another text whenever the books of a table have something new: a round begun, ended or corrected, or a decision due. */
export function movement(view: Pick<TableView, 'round' | 'in_play' | 'result' | 'results' | 'waiting'>): string {
  return JSON.stringify([view.round, view.in_play, view.result, view.results, view.waiting.map((one) => one.report)]);
}

/** What lies on the felt; once a round is settled or void, nothing is at stake any more. */
export function atStake(row: Pick<FloorTable, 'in_play' | 'staked_cents'>): number {
  return row.in_play ? row.staked_cents : 0;
}

export interface Sums {
  staked: number;
  seated: number;
  win: number | null; // null where it is not ours to see
  alarms: number;
}

export function sums(rows: readonly FloorTable[], wins: readonly WinLine[] | null): Sums {
  return {
    staked: rows.reduce((sum, row) => sum + atStake(row), 0),
    seated: rows.reduce((sum, row) => sum + row.seated, 0),
    win: wins ? wins.reduce((sum, line) => sum + line.house_win_cents, 0) : null,
    alarms: rows.filter(isAlarm).length,
  };
}
