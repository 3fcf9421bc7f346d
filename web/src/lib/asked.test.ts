import { afterEach, expect, test, vi } from 'vitest';
import { post } from './api';
import { Asked } from './asked.svelte';

const sent: string[] = []; // the request id of each
const turn = (): Promise<void> => new Promise((after) => setTimeout(after, 0));

/** A server that answers so. */
function server(...answers: (number | 'gone')[]): void {
  vi.stubGlobal('fetch', async (url: string, { body = '{}' }: { body?: string } = {}) => {
    if (url === '/api/me') return new Response('{}', { status: 401 });
    sent.push((JSON.parse(body) as { request: string }).request);
    const answer = answers.shift() ?? 200;
    if (answer === 'gone') throw new TypeError('network');
    const json = answer === 200 ? { cents: 5 } : { code: 'no', message: 'No.' };
    return new Response(JSON.stringify(json), { status: answer, headers: { 'content-type': 'application/json' } });
  });
}

afterEach(() => {
  sessionStorage.clear(); // what had no answer
  sent.length = 0;
  vi.unstubAllGlobals();
});

test('what is refused is kept until the next is asked', async () => {
  server(409, 200);
  const asked = new Asked();
  expect(await asked.ask(() => post('/api/x'))).toBeNull();
  expect([asked.problem?.text, asked.busy]).toEqual(['No.', false]);
  expect(await asked.ask(() => post('/api/x'))).toEqual({ cents: 5 });
  expect(asked.problem).toBeNull();
});

test('a second click finds the first on its way', async () => {
  server();
  const asked = new Asked();
  const first = asked.once('/api/x', {});
  expect(asked.busy).toBe(true);
  expect(await asked.once('/api/x', {})).toBeNull();
  expect(await first).toEqual({ cents: 5 });
  expect(sent.length).toBe(1);
});

test('without an answer it is sent again under the same id, and says so', async () => {
  server('gone', 503, 'gone', 503, 200);
  const asked = new Asked(0);
  const answer = asked.once('/api/x', {});
  await turn();
  expect(asked.asking).toBe(true);
  expect(await answer).toEqual({ cents: 5 });
  expect([new Set(sent).size, sent.length, asked.asking]).toEqual([1, 5, false]);
});

test('a new id only once it is known what became of the last: not after a session that has ended', async () => {
  server(401, 200, 409, 200);
  const asked = new Asked(0);
  for (let time = 0; time < 4; time++) await asked.once('/api/x', {});
  expect(sent[0]).toBe(sent[1]);
  expect(new Set(sent).size).toBe(3);
});
