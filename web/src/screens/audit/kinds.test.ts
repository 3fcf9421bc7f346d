import { afterEach, beforeAll, expect, test } from 'vitest';
import { words } from '../../lib/i18n.svelte';
import { headingOf, kindText } from './kinds';

beforeAll(() => words.use('audit'));
afterEach(() => words.change('en'));

test('a kind is read as words in both languages', async () => {
  expect(kindText('bet-taken-back')).toBe('Bet taken back');
  await words.change('zh');
  expect(kindText('bet-taken-back')).toBe('收回投注');
  expect(kindText('never-heard-of')).toBe('Never heard of');
});

test('nothing is said twice: a sentence that begins with what it is needs no heading', async () => {
  expect(headingOf('limits-changed', 'Limits changed: Player 5.00 to 500.00')).toBe('');
  expect(headingOf('card-dealt', '6D to the Banker hand')).toBe('Card dealt');
  await words.change('zh');
  expect(headingOf('limits-changed', '更改限额：闲 5.00 至 500.00')).toBe('');
});
