// Every sentence of the training screen has its Chinese: a new one without it fails here.

import { expect, test } from 'vitest';
import common from '../../languages/zh/common';
import training from '../../languages/zh/training';
import { GRADES, notRight, type MarkView } from './training.svelte';

const files = import.meta.glob<string>(['./*.svelte', './*.ts', '!./*.test.ts'], { query: '?raw', import: 'default', eager: true });
const known: Record<string, string> = { ...common, ...training };

test('every sentence', () => {
  const said = Object.values(files).flatMap((text) => [...text.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1]!));
  expect(said.length).toBeGreaterThan(15);
  expect([...said, ...Object.values(GRADES)].filter((one) => known[one] === undefined)).toEqual([]);
});

test('what is drilled again is each lesson once that was not right', () => {
  const mark = (lesson: string, grade: MarkView['grade']): MarkView => ({ lesson, grade }) as MarkView;
  expect(notRight([mark('a', 'right'), mark('b', 'wrong'), mark('c', 'late'), mark('b', 'missed')])).toEqual(['b', 'c']);
});
