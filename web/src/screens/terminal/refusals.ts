// A refusal in the player's language.

import { t, tell } from '../../lib/i18n.svelte';
import type { Refused } from '../../lib/protocol';

export function refusalText(refused: Pick<Refused, 'said' | 'paragraph'>): string {
  const said = tell(refused.said);
  const sentence = /[.!?。]$/.test(said) ? said : `${said}${t('.')}`;
  return refused.paragraph ? `${sentence} (${refused.paragraph})` : sentence;
}
