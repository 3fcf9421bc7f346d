// A player's own session in words: how long, how much, and what may be chosen as a limit.

import { t } from '../../lib/i18n.svelte';
import { showCents } from '../../lib/money';
import type { SessionView } from '../../lib/protocol';

const MINUTE_MS = 60_000;

/** Whole minutes, as 42 min or 1 h 30 min. */
export function lengthText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  if (hours && minutes % 60 === 0) return t('{hours} h', { hours });
  return hours ? t('{hours} h {minutes} min', { hours, minutes: minutes % 60 }) : t('{minutes} min', { minutes });
}

export function playedMinutes(session: SessionView, now: number): number {
  return Math.max(0, Math.floor((now - session.started_ms) / MINUTE_MS));
}

/** Minutes until a moment, the last one counted whole; 0 once it has come. */
export function minutesUntil(momentMs: number | null, now: number): number {
  return momentMs === null ? 0 : Math.max(0, Math.ceil((momentMs - now) / MINUTE_MS));
}

/** With its sign, so that colour is never alone. */
export function netText(cents: number): string {
  return cents > 0 ? `+${showCents(cents)}` : showCents(cents);
}

export type LimitName = 'time' | 'loss' | 'stake';
export interface Limit {
  name: LimitName;
  title: string;
  now: number | null; // minutes or cents; null is none
  waiting: { value: number | null; from_ms: number } | null;
  choices: readonly (number | null)[];
}

const CHOICES: Record<LimitName, readonly number[]> = {
  time: [30, 60, 120, 240, 480],
  loss: [5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000],
  stake: [1_000, 2_500, 5_000, 10_000, 50_000, 100_000],
};

/** The three limits: what holds, what waits, and what may be chosen. No house limit is offered to be passed. */
export function limitsOf(session: SessionView): Limit[] {
  const of = (name: LimitName, title: string, now: number | null, most: number | null): Limit => {
    const waits = session.waiting.find((one) => one.limit === name) ?? null;
    const values = [...CHOICES[name], now, waits?.value ?? null, most].filter((value) => value !== null);
    const within = [...new Set(values)].filter((value) => most === null || value <= most).sort((a, b) => a - b);
    return { name, title, now, waiting: waits, choices: most === null ? [null, ...within] : within };
  };
  return [
    of('time', t('Time'), session.time_min, session.most_time_min),
    of('loss', t('Loss'), session.loss_cents, session.most_loss_cents),
    of('stake', t('Stake in a round'), session.stake_cents, session.most_stake_cents),
  ];
}

export function limitText(name: LimitName, value: number | null): string {
  if (value === null) return t('No limit');
  return name === 'time' ? lengthText(value) : showCents(value);
}

export function isHigher(value: number | null, than: number | null): boolean {
  return than !== null && (value === null || value > than);
}
