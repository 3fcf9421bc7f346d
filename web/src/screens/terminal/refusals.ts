// A refusal in the player's language.

import { t, tell } from '../../lib/i18n.svelte';
import type { Refused } from '../../lib/protocol';
import { withRule } from '../../lib/rules.svelte';

export function refusalText(refused: Pick<Refused, 'said' | 'paragraph'>): string {
  const said = tell(refused.said);
  return withRule(/[.!?。]$/.test(said) ? said : `${said}${t('.')}`, refused.paragraph);
}
