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

// The server's own sentence is exact and in English; the others go by its code.
const NOT_NOW: Record<string, string> = {
  'bad-card': '由洗牌机发牌：不能指定牌。',
  'betting-still-open': '仍可下注。',
  'card-too-many': '牌靴内余牌不足。',
  'irregularity-pending': '另一异常正等待裁决。',
  'no-card-due': '未轮到发牌。',
  'no-earlier-round': '没有之前的局。',
  'no-round': '本台尚未开局。',
  'round-concluded': '本局已结束，结果不变。',
};

export function notNowText(refused: NotNow): string {
  return words.language === 'zh' ? (NOT_NOW[refused.code] ?? refused.message) : refused.message;
}

export function sentenceText(one: Sentence): string {
  const singular = one.numbers.seats === 1 ? one.line.replace('{seats} seats', '1 seat') : one.line;
  return t(singular, one.numbers);
}
