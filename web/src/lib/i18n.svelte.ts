// Two languages. What is not in the Chinese list is shown in English, so a new sentence is never a hole on the screen.

import { chinese } from './chinese';

export type Language = 'en' | 'zh';
const KEPT = 'natural9-language';

class Words {
  language = $state<Language>(first());
  #chinese: Record<string, string> = { ...chinese };

  /** A screen brings its own sentences with it, so that no screen carries another's. */
  add(more: Record<string, string>): void {
    Object.assign(this.#chinese, more);
  }

  change(language: Language): void {
    this.language = language;
    document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
    try {
      localStorage.setItem(KEPT, language);
    } catch {
      // a terminal that keeps nothing still speaks
    }
  }

  /** The sentence in the chosen language, with {name} filled in. */
  t(english: string, values: Record<string, string | number> = {}): string {
    const text = this.language === 'zh' ? (this.#chinese[english] ?? english) : english;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  }
}

function first(): Language {
  try {
    const kept = localStorage.getItem(KEPT);
    if (kept === 'en' || kept === 'zh') return kept;
  } catch {
    // no storage: go by the browser
  }
  return navigator.language.startsWith('zh') ? 'zh' : 'en';
}

export const words = new Words();
export const t = (english: string, values?: Record<string, string | number>): string => words.t(english, values);
