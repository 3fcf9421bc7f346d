// Steps and sentences as they are shown, in the language chosen.

import { cardName } from '../../lib/cards';
import { t, tell } from '../../lib/i18n.svelte';
import { showCents } from '../../lib/money';
import type { NotNow, ReportedView, Voided } from '../../lib/protocol';
import type { Sentence } from './preview';
import { wordsOf } from './irregularities';
import type { Note, Step } from './steps';

export function stepText(step: Step): string {
  const translated = Object.fromEntries(Object.entries(step.words ?? {}).map(([name, word]) => [name, t(word)]));
  return t(step.line, { ...translated, ...step.numbers });
}

const MOST_NAMED = 9; // the boxes of a table; more seats stand in their list

/** What each box is paid, or, of a hall, how many. */
export function paidText(all: readonly { seat: number; cents: number }[]): string {
  if (all.length <= MOST_NAMED) return all.map(({ seat, cents }) => t('Box {seat} is paid {cents}', { seat, cents: showCents(cents) })).join(' · ');
  const won = all.filter((one) => one.cents);
  return t('Paid {cents} to {seats} of {all} seats', { cents: showCents(won.reduce((sum, one) => sum + one.cents, 0)), seats: won.length, all: all.length });
}

/** Why a round is void: the irregularity in the words of the floor, and what the person wrote who voided it. */
export function voidText(voided: Pick<Voided, 'kind' | 'why'>): string {
  return [...(voided.kind ? [t(wordsOf(voided.kind).says)] : []), ...(voided.why ? [voided.why] : [])].join('. ');
}

/** What a report is about: its bet, its round, its cards. */
export function aboutText(reported: ReportedView, wager: (id: string) => string): string {
  const { seat, cents, about_round, cards } = reported;
  return [
    ...(seat === null ? [] : [t('Seat {seat}', { seat }), wager(reported.wager)]),
    ...(cents === null ? [] : [showCents(cents)]),
    ...(about_round === null ? [] : [t('Round {round}', { round: about_round })]),
    ...cards.map(cardName),
  ].join(' · ');
}

/** How long a table was away, as everybody is told. */
export function awayText(ms: number): string {
  return t('The table was away for {seconds} s and goes on where it stood.', { seconds: Math.ceil(ms / 1000) });
}

/** A note of ours, or what the server said. */
export function noteText(note: Note): string {
  return typeof note === 'string' ? t(note) : tell(note);
}

export function notNowText(refused: NotNow): string {
  return tell(refused.said);
}

export function sentenceText(one: Sentence): string {
  const singular = one.numbers.seats === 1 ? one.line.replace('{seats} seats', '1 seat') : one.line;
  return t(singular, one.numbers);
}
