import { afterEach, expect, test } from 'vitest';
import { words } from '../../lib/i18n.svelte';
import './chinese';
import { kindText } from './kinds';

afterEach(() => words.change('en'));

test('a kind is read as words in both languages', () => {
  expect(kindText('bet-taken-back')).toBe('Bet taken back');
  words.change('zh');
  expect(kindText('bet-taken-back')).toBe('收回投注');
  expect(kindText('never-heard-of')).toBe('Never heard of');
});
