// The people of the house, by role.

import { t } from './i18n.svelte';

/** Pit Manager, for pit-manager: in English, to be translated. */
export function roleTitle(role: string): string {
  return role.replace(/(^|-)(\w)/g, (_, dash: string, letter: string) => (dash ? ' ' : '') + letter.toUpperCase());
}

/** Who did it and, where they acted in one, their rank. */
export function person(who: string, rank: string): string {
  return rank ? `${who} (${t(roleTitle(rank))})` : who;
}
