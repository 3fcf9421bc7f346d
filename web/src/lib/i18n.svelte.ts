// A language is a folder of `languages`, named by its code: an index with its name, and a list of sentences for each screen.
// What a list does not have is shown in English, so a new sentence is never a hole on the screen. Lists are loaded when a
// screen of that language is opened, so that nobody carries another screen's or another language's.
//
// What the server says comes as a sentence with its gaps and what fills them, and is told from the same lists.

import type { Sentence } from './protocol';

export interface Language {
  name: string; // as its speakers write it
  tag: string; // for `lang`
  dates: string; // the locale that dates are written in
  comma: string; // between the parts of a list
}
type Sentences = Record<string, string>;
type Told = Sentence['values'][string];

const ENGLISH = 'en';
const KEPT = 'natural9-language';
const LISTS = import.meta.glob<Sentences>(['../languages/*/*.ts', '!../languages/*/index.ts', '!../**/*.test.ts'], { import: 'default' });

/** By code, English first. */
export const LANGUAGES: Readonly<Record<string, Language>> = Object.fromEntries(
  Object.entries(import.meta.glob<Language>('../languages/*/index.ts', { eager: true, import: 'language' }))
    .map(([path, language]) => [path.split('/').at(-2)!, language] as const)
    .sort(([one], [other]) => Number(other === ENGLISH) - Number(one === ENGLISH) || one.localeCompare(other)),
);

class Words {
  language = $state(first());
  #sentences = $state.raw<Sentences>({});
  #names = $state.raw<Record<string, Sentences>>({});
  #wanted = this.language;
  #used: readonly string[] = [];
  readonly #loaded = new Map<string, Sentences>();

  /** The lists that the screen about to be shown speaks from, besides the common one; the later ones win. */
  async use(...lists: string[]): Promise<void> {
    this.#used = ['common', ...lists];
    await this.#load(this.language);
    this.#gather();
  }

  async change(language: string): Promise<void> {
    this.#wanted = language;
    await this.#load(language);
    if (this.#wanted !== language) return; // chosen again while this one was on its way
    this.language = language;
    document.documentElement.lang = this.tag;
    this.#gather();
    try {
      localStorage.setItem(KEPT, language);
    } catch {
      // a terminal that keeps nothing still speaks
    }
  }

  /** The sentence in the chosen language, with {name} filled in. */
  t(english: string, values: Record<string, string | number> = {}): string {
    const text = this.#sentences[english] ?? english;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  }

  /** What wagers are called, by their English names, and games, by their ids: each by language, as the games' data have them. */
  learn(names: Record<string, Sentences>): void {
    this.#names = names;
  }

  /** What the server said, in the chosen language; what fills its gaps is told the same way. */
  tell(said: Sentence): string {
    const { template, values } = said;
    const name = this.#names[template];
    const text = name?.[this.language] ?? this.#sentences[name?.en ?? template] ?? this.#sentences[uncapitalised(template)] ?? name?.en ?? template;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? this.#value(values[name]!) : whole));
  }

  #value(value: Told): string {
    if (Array.isArray(value)) return value.map((one) => this.#value(one)).join(this.comma);
    return typeof value === 'object' ? this.tell(value) : String(value);
  }

  /** Whether the chosen language has a sentence for this. English has none: its sentences are their own. */
  has(english: string): boolean {
    return english in this.#sentences;
  }

  get tag(): string {
    return tagOf(this.language);
  }

  get dates(): string {
    return LANGUAGES[this.language]?.dates ?? ENGLISH;
  }

  get comma(): string {
    return LANGUAGES[this.language]?.comma ?? ', ';
  }

  get isEnglish(): boolean {
    return this.language === ENGLISH;
  }

  /** The code of the language that a button changes to. */
  get next(): string {
    const codes = Object.keys(LANGUAGES);
    return codes[(codes.indexOf(this.language) + 1) % codes.length]!;
  }

  async #load(language: string): Promise<void> {
    const paths = this.#used.map((list) => `../languages/${language}/${list}.ts`).filter((path) => LISTS[path] && !this.#loaded.has(path));
    const found = await Promise.allSettled(paths.map((path) => LISTS[path]!()));
    found.forEach((one, place) => one.status === 'fulfilled' && this.#loaded.set(paths[place]!, one.value)); // or it stays English
  }

  #gather(): void {
    this.#sentences = Object.assign({}, ...this.#used.map((list) => this.#loaded.get(`../languages/${this.language}/${list}.ts`)));
  }
}

function first(): string {
  try {
    const kept = localStorage.getItem(KEPT);
    if (kept && kept in LANGUAGES) return kept;
  } catch {
    // no storage: go by the browser
  }
  const browser = navigator.language.split('-')[0]!;
  return browser in LANGUAGES ? browser : ENGLISH;
}

/** A sentence of its own begins with a capital; the same within another does not, and is in the lists so. */
function uncapitalised(template: string): string {
  return template.charAt(0).toLowerCase() + template.slice(1);
}

export function tagOf(language: string): string {
  return LANGUAGES[language]?.tag ?? language;
}

export const words = new Words();
export const t = (english: string, values?: Record<string, string | number>): string => words.t(english, values);
export const tell = (said: Sentence): string => words.tell(said);
