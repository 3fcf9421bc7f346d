// Steps and sentences as they are shown, in the language chosen.

import { t } from '../../lib/i18n.svelte';
import type { Sentence } from './preview';
import { KINDS } from './irregularities';
import type { Step } from './steps';

export function stepText(step: Step): string {
  const translated = Object.fromEntries(Object.entries(step.words ?? {}).map(([name, word]) => [name, t(word)]));
  return t(step.line, { ...translated, ...step.numbers });
}

/** Why a round is void: the server begins with the kind of irregularity, which the floor has words for. */
export function voidText(why: string): string {
  const [kind, ...rest] = why.split('. ');
  const known = KINDS.find((one) => one.kind === kind?.replace(/\.$/, ''));
  return known ? [t(known.says), ...rest].join('. ') : why;
}

export function sentenceText(one: Sentence): string {
  const singular = one.numbers.seats === 1 ? one.line.replace('{seats} seats', '1 seat') : one.line;
  return t(singular, one.numbers);
}
