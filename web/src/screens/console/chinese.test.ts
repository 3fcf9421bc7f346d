import { expect, it } from 'vitest';
import common from '../../languages/zh/common';
import chinese from '../../languages/zh/console';
import play from '../../languages/zh/play';
import start from '../../languages/zh/start';

const files = import.meta.glob<string>(['./**/*.svelte', './*.ts', '!./*.test.ts', '!./testing.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
// What is said outright, or stands in a list whose sentences are shown later.
const SAID = [
  /\bt\(\s*'([^']+)'/g,
  /\b(?:says|explains|title|line|note): '([^']+)'/g,
  /\b(?:act|wait)\('(?:[\w-]+', ')?([^']+)'/g,
  /\bwait\('[^']+', '([^']+)'/g,
  /\bsay\('([^']+)'/g,
  /[?:]\s*'([A-Z][^']+)'/g,
  /return '([A-Z][^']+)'/g,
  /^ {4}\['[^']+', '([^']+)'\],/gm,
  /^ {4}[\w'-]+: '([A-Z][^']+)',$/gm,
];
const NOT_SENTENCES = /^(HTTP|GET|Escape|Backspace|Arrow|Enter|Tab|Array)/;

function sentences(): Set<string> {
  const found = new Set<string>();
  for (const text of Object.values(files)) {
    for (const pattern of SAID) for (const match of text.matchAll(pattern)) found.add(match[1]!);
  }
  return new Set([...found].filter((one) => /[a-zA-Z]{2}/.test(one) && !NOT_SENTENCES.test(one)));
}

it('every sentence of the console has its Chinese', () => {
  const all = sentences();
  expect(all.size).toBeGreaterThan(150);
  const known = { ...common, ...play, ...start, ...chinese }; // as it is loaded with them
  expect([...all].filter((one) => !(one in known)).sort()).toEqual([]);
});
