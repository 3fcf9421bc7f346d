// What stands of a player's account, in words.

import { t } from '../../lib/i18n.svelte';
import type { PlayerView } from '../../lib/protocol';

const STATUS = { open: 'Open', locked: 'Locked after wrong PINs', closed: 'Closed', excluded: 'Excluded' } as const;

export function statusText(player: Pick<PlayerView, 'status'>): string {
  return t(STATUS[player.status]);
}

/** From when an exclusion may be lifted, and who asked for it. */
export function exclusionText(exclusion: { until_day: string; own: boolean }): string {
  const { until_day: day, own } = exclusion;
  if (own) return day ? t('The player asked for it: it is not lifted before {day}.', { day }) : t('The player asked for it, permanently: it is not lifted.');
  return day ? t('Until {day}, or until a Shift Manager lifts it.', { day }) : t('Until a Shift Manager lifts it.');
}
