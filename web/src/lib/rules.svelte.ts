// What people call a rule. A program knows it as "mbs 4.8" or "interpretation pair-is-rank"; a person reads "Rule 4.8" or a title.
// The program's own pages in English do the same (natural9/games/citations.py).

import { t, words } from './i18n.svelte';

type Titles = Record<string, Record<string, string>>;

class Interpretations {
  #titles = $state.raw<Titles>({});

  /** Their titles by id and language, as the venue tells them. */
  learn(titles: Titles): void {
    this.#titles = titles;
  }

  title(id: string): string {
    const titles = this.#titles[id];
    return titles?.[words.language] ?? titles?.en ?? t('An interpretation of the rules');
  }
}

export const interpretations = new Interpretations();

/** '' where there is none that a person should read. */
export function ruleName(paragraph: string): string {
  const [document = '', number = ''] = paragraph.split(' ');
  if (document === 'interpretation') return interpretations.title(number);
  if (!number || document === 'requirement') return '';
  return t('Rule {number}', { number: number.split(':')[0]! }); // the definitions of section 1 have words for numbers
}

export function withRule(what: string, paragraph: string): string {
  const rule = ruleName(paragraph);
  return rule ? t('{what} ({rule})', { what, rule }) : what;
}
