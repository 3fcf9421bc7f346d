// What happened, in words: the kinds of the journal are written for programs.

import { t } from '../../lib/i18n.svelte';

export function kindText(kind: string): string {
  const said = t(kind);
  if (said !== kind) return said;
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
