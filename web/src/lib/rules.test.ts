// Nobody reads an id: whatever the rules cite is called "Rule 4.7" or by a title, in every language.

import { afterEach, beforeAll, expect, it } from 'vitest';
import { words } from './i18n.svelte';
import { interpretations, ruleName, withRule } from './rules.svelte';

// Each form that a citation has (tests/games/test_citations.py walks through all of them).
const CITED = ['mbs 4.8', 'mbs 1.1.19.3', 'rws-nc 5.12', 'rws-nc-insurance 4.1.2', 'rws-nc-insurance 1:tie', 'rws-nc-super-six-plus 1:super-six-plus', 'interpretation spent-shoe'];

beforeAll(() => words.use());

afterEach(async () => {
  interpretations.learn({});
  await words.change('en');
});

it('calls a rule by its number, and a reading by its title', async () => {
  interpretations.learn({ 'spent-shoe': { en: 'A title', zh: '标题' } });
  expect(CITED.filter((one) => !/^(Rule \d+(\.\d+)*|A title)$/.test(ruleName(one)))).toEqual([]);
  await words.change('zh');
  expect(CITED.filter((one) => !/^(规则 \d+(\.\d+)*|标题)$/.test(ruleName(one)))).toEqual([]);
});

it('shows no id while the titles are not known, or of one that there is no more', () => {
  expect(ruleName('interpretation pair-is-rank')).toBe('An interpretation of the rules');
});

it('leaves out what is for those who build the program', () => {
  expect([ruleName('requirement 46'), ruleName(''), withRule('No', 'requirement 46')]).toEqual(['', '', 'No']);
  expect(withRule('No', 'rws-nc-super-six-plus 1:tie')).toBe('No (Rule 1)');
});
