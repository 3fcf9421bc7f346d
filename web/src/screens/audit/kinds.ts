// What happened, in words: the kinds of the journal are written for programs.

import { t } from '../../lib/i18n.svelte';

export function kindText(kind: string): string {
  const said = t(kind);
  if (said !== kind) return said;
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What stands before the sentence of an entry: nothing where the sentence begins with the same words. */
export function headingOf(kind: string, sentence: string): string {
  const heading = kindText(kind);
  return sentence.startsWith(heading) ? '' : heading;
}
