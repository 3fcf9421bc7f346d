// What a table is doing, in a few words for whoever chooses one.

import { t } from '../../../lib/i18n.svelte';
import type { LobbyTable, TableView } from '../../../lib/protocol';

export type LobbyTone = 'open' | 'calm' | 'player' | 'banker' | 'tie' | 'alarm';

const WINS = { player: 'Player wins', banker: 'Banker wins', tie: 'Tie' } as const;

export function stateOf(row: LobbyTable): { text: string; tone: LobbyTone } {
  if (row.is_out_of_service) return { text: t('Out of service'), tone: 'alarm' };
  if (row.takes_bets) return { text: t('Place your bets'), tone: 'open' };
  if (row.winner) return { text: t(WINS[row.winner]), tone: row.winner };
  if (row.phase === 'void') return { text: t('This round is void'), tone: 'calm' };
  if (row.phase !== 'no-round' && row.phase !== 'settled') return { text: t('The cards are dealt'), tone: 'calm' };
  if (row.status === 'closed') return { text: t('This table is closed'), tone: 'calm' };
  return { text: row.status === 'paused' ? t('This table is paused') : t('Waiting for the next round'), tone: 'calm' };
}

/** Whether a tab is marked: bets are open there. */
export function isCalling(table: TableView | null): boolean {
  return table?.takes_bets ?? false;
}
