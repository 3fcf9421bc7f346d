// A refusal in the player's language. The server's own sentence is exact and in English; the others go by its code.

import { words } from '../../lib/i18n.svelte';
import type { Refused } from '../../lib/protocol';

export function refusalText(refused: Pick<Refused, 'code' | 'message' | 'paragraph'>): string {
  const said = words.has(`refusal ${refused.code}`) ? words.t(`refusal ${refused.code}`) : refused.message;
  const sentence = /[.!?。]$/.test(said) ? said : `${said}.`;
  return refused.paragraph ? `${sentence} (${refused.paragraph})` : sentence;
}
