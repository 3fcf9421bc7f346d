// The people of the house, by role.

import { t } from './i18n.svelte';

/** Pit Manager, for pit-manager: in English, to be translated. */
export function roleTitle(role: string): string {
  return role.replace(/(^|-)(\w)/g, (_, dash: string, letter: string) => (dash ? ' ' : '') + letter.toUpperCase());
}

/** Somebody by their id and, where they acted in one, their rank. */
export function person(id: string, rank: string): string {
  return rank && id !== 'system' ? `${id} (${t(roleTitle(rank))})` : id;
}
