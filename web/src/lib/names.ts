// What a wager is called: by language, as the game's data have it.

import { tagOf, words } from './i18n.svelte';

interface Named {
  title: string; // in English
  names: Record<string, string>;
}

export function nameOf(one: Named): string {
  return one.names[words.language] ?? one.title;
}

/** What stands beside the English name on every spot, as on the approved layouts: the chosen language's, or else the first. */
export function secondName(one: Named): { lang: string; name: string } {
  const others = Object.keys(one.names).filter((code) => code !== 'en');
  const code = others.includes(words.language) ? words.language : others[0];
  return code ? { lang: tagOf(code), name: one.names[code]! } : { lang: '', name: '' };
}

export function bothNames(one: Named): string {
  return `${secondName(one).name} ${one.title}`.trim();
}
