// A language is one folder: what is in it is a language of the screens, and nothing else has to know.

import { afterAll, expect, it } from 'vitest';
import { LANGUAGES, t, tell, words } from '../lib/i18n.svelte';
import { bothNames, nameOf, secondName } from '../lib/names';
import { said } from '../lib/testing';

const LISTS = import.meta.glob<Record<string, string>>(['./*/*.ts', '!./*/index.ts'], { import: 'default', eager: true });
const FOLDERS = [...new Set(Object.keys(import.meta.glob('./*/*.ts')).map((path) => path.split('/')[1]!))];
const SOURCES = import.meta.glob<string>(['../**/*.{svelte,ts}', '!./**', '!../**/*.test.ts'], { query: '?raw', import: 'default', eager: true });

afterAll(async () => {
  await words.use();
  await words.change('en');
});

it('has a language for every folder, by the folder’s name', () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual(FOLDERS.sort());
  expect(Object.keys(LANGUAGES)[0]).toBe('en');
  for (const [code, { name, tag, dates }] of Object.entries(LANGUAGES)) {
    expect(name).not.toBe('');
    expect(tag.startsWith(code)).toBe(true);
    expect(Intl.DateTimeFormat.supportedLocalesOf([dates])).toEqual([dates]);
  }
});

it('is named nowhere else', () => {
  const codes = Object.keys(LANGUAGES).filter((code) => code !== 'en');
  const named = Object.entries(SOURCES).filter(([, text]) => codes.some((code) => text.includes(`languages/${code}`) || text.includes(`=== '${code}'`)));
  expect(named.map(([path]) => path)).toEqual([]);
});

it.each(Object.keys(LISTS))('%s translates, and keeps every blank that is filled in', (path) => {
  const blanks = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
  const list = Object.entries(LISTS[path]!);
  expect(list.length).toBeGreaterThan(0);
  for (const [english, said] of list) expect(blanks(said), english).toEqual(blanks(english));
});

it('has the same lists in every language but English, which needs none', () => {
  const listsOf = (code: string): string[] => Object.keys(LISTS).filter((path) => path.startsWith(`./${code}/`)).map((path) => path.split('/')[2]!);
  const others = FOLDERS.filter((code) => code !== 'en');
  for (const code of others) expect(listsOf(code)).toEqual(listsOf(others[0]!));
  expect(listsOf('en')).toEqual([]);
});

it('speaks from the lists that a screen uses, the later ones first, and else in English', async () => {
  await words.use('cashier', 'audit');
  await words.change('zh');
  expect(document.documentElement.lang).toBe('zh-Hans');
  expect([t('Table'), t('Find'), t('Sign in')]).toEqual([LISTS['./zh/audit.ts']!.Table, LISTS['./zh/cashier.ts']!.Find, LISTS['./zh/common.ts']!['Sign in']]);
  expect([t('Never said before {n}', { n: 1 }), words.has('Never said before {n}')]).toEqual(['Never said before 1', false]);
  await words.use('cashier');
  expect(t('Table')).toBe(LISTS['./zh/cashier.ts']!.Table);
  await words.change('en');
  expect([t('Table'), words.has('Table')]).toEqual(['Table', false]);
});

it('tells what the server said, gap by gap', async () => {
  const bet = said('Seat {seat} bets {amount} on {wager}', { seat: 3, amount: '5.00', wager: said('Dragon 7') });
  const offered = said('{wager} is not offered at this table: it offers {offered}', { wager: said('Tie'), offered: [said('Player'), said('Banker')] });
  const late = said('{what}: {why}', { what: said('Round void'), why: 'Player shouted' });
  words.learn({ 'Dragon 7': { en: 'Dragon Seven', zh: '龙七' } });
  expect([bet, offered, late].map(tell)).toEqual([
    'Seat 3 bets 5.00 on Dragon Seven',
    'Tie is not offered at this table: it offers Player, Banker',
    'Round void: Player shouted',
  ]);
  await words.use('play');
  await words.change('zh');
  expect([bet, offered, late].map(tell)).toEqual(['3 号座位在龙七下注 5.00', '本桌不提供和：本桌有闲、庄', '本局作废：Player shouted']);
  expect(tell(said('There is no bet on {hand} to insure', { hand: said('Banker') }))).toBe('庄没有投注可买保险'); // begins a sentence
  expect(tell(said('Said for the first time by {who}', { who: 'dora' }))).toBe('Said for the first time by dora');
  words.learn({});
  await words.change('en');
});

it('takes the last language that was chosen, however the lists arrive', async () => {
  await Promise.all([words.change('zh'), words.change('en')]);
  expect(words.language).toBe('en');
});

it('goes round all languages', async () => {
  const seen = [];
  do {
    seen.push(words.language);
    await words.change(words.next);
  } while (words.language !== 'en');
  expect(seen).toEqual(Object.keys(LANGUAGES));
});

it('calls a wager by the chosen language, and beside the English name', async () => {
  const tie = { title: 'Tie', names: { en: 'Tie', zh: '和', pt: 'Empate' } };
  expect([nameOf(tie), bothNames(tie), secondName(tie).lang]).toEqual(['Tie', '和 Tie', 'zh-Hans']);
  await words.change('zh');
  expect([nameOf(tie), bothNames(tie)]).toEqual(['和', '和 Tie']);
  await words.change('en');
  expect([nameOf({ title: 'x', names: {} }), bothNames({ title: 'x', names: {} })]).toEqual(['x', 'x']);
});
