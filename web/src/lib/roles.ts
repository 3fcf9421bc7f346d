// The people of the house, by role; the first four are the ranks of the pit.

import { t } from './i18n.svelte';

export const ROLE_WORDS: Record<string, string> = {
  dealer: 'Dealer',
  'pit-supervisor': 'Pit Supervisor',
  'pit-manager': 'Pit Manager',
  'shift-manager': 'Shift Manager',
  cashier: 'Cashier',
  auditor: 'Auditor',
  administrator: 'Administrator',
};

/** Somebody by their id and, where they acted in one, their rank. */
export function person(id: string, rank: string): string {
  return rank && id !== 'system' ? `${id} (${t(ROLE_WORDS[rank] ?? rank)})` : id;
}
