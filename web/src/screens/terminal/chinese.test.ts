import { afterAll, beforeAll, expect, it } from 'vitest';
import { t, words } from '../../lib/i18n.svelte';
import type { Kind, TableView } from '../../lib/protocol';
import { whenWords } from './odds';
import { stageOf } from './stage';

const SOURCES: Record<string, string> = {
  ...import.meta.glob<string>(['./*.svelte', './*.ts', '!./*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../parts/{Banner,Countdown,DealtCard,Hand,Dialog,Loading,roads/AskKeys,roads/RoadBoard,squeeze/SqueezedCard}.svelte', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
};
beforeAll(async () => {
  await words.use('play', 'layouts', 'terminal', 'receipt');
  await words.change('zh');
});
afterAll(() => words.change('en'));

const SAME = new Set(['x2']);

it('has every sentence of the terminal in Chinese', () => {
  const sentences = Object.values(SOURCES).flatMap((text) =>
    [...text.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)+)'/g)].map((match) => match[1]!),
  );
  const missing = [...new Set(sentences)].filter((sentence) => t(sentence) === sentence && !SAME.has(sentence));
  expect(sentences.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

it('says in Chinese what goes wrong at a table, and what is paid when', () => {
  const kinds: Kind[] = ['foreign-card', 'late-bet', 'wrong-result', 'not-covered', 'drawn-together-order-unknown'];
  for (const kind of kinds) {
    for (const rank of ['dealer', 'pit-supervisor', 'pit-manager', 'shift-manager']) {
      const table = { waiting: [{ report: 1, kind, rank, remedies: [], may_replace_shoe: '' }], faults: {} } as unknown as TableView;
      expect(stageOf(table, null).detail).not.toMatch(/[a-z]/i);
    }
  }
  const rows = [
    'banker wins, banker total 6, banker cards 2',
    'player wins, margin 9, no player natural',
    'tie, natural',
  ];
  for (const row of [...rows, 'same pair', 'paired hands 2', 'paired hands 1', 'player pair', 'banker pair']) {
    expect(whenWords(row)).not.toMatch(/[a-z]/i);
  }
});
