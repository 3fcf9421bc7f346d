import { afterEach, beforeAll, expect, test } from 'vitest';
import { words } from '../../lib/i18n.svelte';
import { kindText } from './kinds';

beforeAll(() => words.use('audit'));
afterEach(() => words.change('en'));

test('a kind is read as words in both languages', async () => {
  expect(kindText('bet-taken-back')).toBe('Bet taken back');
  await words.change('zh');
  expect(kindText('bet-taken-back')).toBe('收回投注');
  expect(kindText('never-heard-of')).toBe('Never heard of');
});
