// A recalled round as a film: what lay on the table after each step. Everything comes from the steps themselves.

import type { Recalled, Step } from '../../lib/protocol';

export interface Hands {
  player: string[];
  banker: string[];
}

export interface Frame {
  step: Step;
  place: number;
  hands: Hands;
  totals: { player: number | null; banker: number | null };
  bets: Record<string, Record<string, number>>; // by seat
  insured: ReadonlySet<number>; // seats with insurance at this moment
  settled: ReadonlySet<number>; // seats whose settlement stands at this moment
  winner: Step['winner']; // of the result that stands at this moment
  ending: '' | 'settled' | 'void';
}

const LEAST_MS = 120;
const MOST_MS = 1_400;
// What a viewer jumps to: everything but single bets and single seats.
const CHAPTERS = new Set([
  'betting-opened',
  'betting-closed',
  'card-dealt',
  'insurance-opened',
  'insurance-closed',
  'insurance-waived',
  'result-declared',
  'round-settled',
  'round-voided',
]);

/** Where the film stands when it is opened: at the entry that the address names (#entry-1042), else at the end. */
export function placeOf(steps: readonly Step[], hash: string): number {
  const named = steps.findIndex((step) => `#entry-${step.entry}` === hash);
  return named >= 0 ? named : Math.max(0, steps.length - 1);
}

/** Whether the round came to its end: before that, nothing has been won. */
export function isOver(status: Recalled['status']): status is 'settled' | 'void' {
  return status === 'settled' || status === 'void';
}

export function frameAt(round: Recalled, place: number): Frame {
  const last = Math.max(0, Math.min(place, round.steps.length - 1));
  const bets: Record<string, Record<string, number>> = {};
  const insured = new Set<number>();
  const settled = new Set<number>();
  for (const step of round.steps.slice(0, last + 1)) {
    if (step.seat !== null && step.bets) bets[step.seat] = step.bets;
    if (step.kind === 'insurance-placed' && step.seat !== null) insured.add(step.seat);
    if (step.kind === 'insurance-returned' && step.seat !== null) insured.delete(step.seat);
    if (step.kind === 'seat-settled' && step.seat !== null) settled.add(step.seat);
    if ((step.kind === 'settlement-reversed' || step.kind === 'bets-returned') && step.seat !== null) settled.delete(step.seat);
  }
  const step = round.steps[last]!;
  return {
    step,
    place: last,
    hands: { player: step.player_cards, banker: step.banker_cards },
    totals: { player: step.player_total, banker: step.banker_total },
    bets,
    insured,
    settled,
    winner: step.winner,
    ending: isOver(step.phase) ? step.phase : '',
  };
}

/** How long this step is shown before the next: as it was, but nobody waits for long. */
export function pauseMs(steps: readonly Step[], place: number): number {
  const [now, next] = [steps[place], steps[place + 1]];
  return now && next ? Math.min(MOST_MS, Math.max(LEAST_MS, next.at_ms - now.at_ms)) : 0;
}

export function chapters(steps: readonly Step[]): { place: number; step: Step }[] {
  return steps.map((step, place) => ({ place, step })).filter(({ step }) => step.correction || CHAPTERS.has(step.kind));
}

/** Where an arrow key leads: one step, or with shift one chapter. */
export function moved(steps: readonly Step[], place: number, by: 1 | -1, chapter: boolean): number {
  if (!chapter) return Math.max(0, Math.min(steps.length - 1, place + by));
  const places = chapters(steps).map((one) => one.place);
  const found = by > 0 ? places.find((one) => one > place) : places.findLast((one) => one < place);
  return found ?? (by > 0 ? steps.length - 1 : 0);
}
