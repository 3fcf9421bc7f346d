// Steps and sentences as they are shown, in the language chosen.

import { t, words } from '../../lib/i18n.svelte';
import type { NotNow, Voided } from '../../lib/protocol';
import type { Sentence } from './consequences';
import { wordsOf } from './irregularities';
import type { Step } from './steps';

export function stepText(step: Step): string {
  const translated = Object.fromEntries(Object.entries(step.words ?? {}).map(([name, word]) => [name, t(word)]));
  return t(step.line, { ...translated, ...step.numbers });
}

/** Why a round is void: the irregularity in the words of the floor, and what the person wrote who voided it. */
export function voidText(voided: Pick<Voided, 'kind' | 'why'>): string {
  return [...(voided.kind ? [t(wordsOf(voided.kind).says)] : []), ...(voided.why ? [voided.why] : [])].join('. ');
}

/** The server's own sentence is exact and in English; another language goes by its code. */
export function notNowText(refused: NotNow): string {
  const byCode = `not-now:${refused.code}`;
  return words.has(byCode) ? t(byCode) : refused.message;
}

export function sentenceText(one: Sentence): string {
  const singular = one.numbers.seats === 1 ? one.line.replace('{seats} seats', '1 seat') : one.line;
  return t(singular, one.numbers);
}
