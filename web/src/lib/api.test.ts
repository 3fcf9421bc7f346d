import { afterEach, expect, test, vi } from 'vitest';
import { ApiProblem, get, postOnce } from './api';

const sent: string[] = []; // the request id of each
const json = { headers: { 'content-type': 'application/json' } };

/** The server dies in the middle of its answer: the browser has its head, and of its body only the beginning. */
function cutOff(): Response {
  const body = new ReadableStream({
    start(answer) {
      answer.enqueue(new TextEncoder().encode('{"cents"'));
      answer.error(new TypeError('Failed to fetch'));
    },
  });
  return new Response(body, json);
}

const torn = (): Response => new Response('{"cents"', json); // what something between us and the server may make of it

function server(...answers: (() => Response)[]): void {
  vi.stubGlobal('fetch', async (_: string, { body = '{}' }: { body?: string } = {}) => {
    sent.push((JSON.parse(body) as { request: string }).request);
    return answers.shift()!();
  });
}

afterEach(() => {
  sent.length = 0;
  vi.unstubAllGlobals();
});

test('an answer that is cut off is no answer: it is asked again under the same request', async () => {
  server(cutOff, torn, () => new Response('{"cents":5}', json));
  expect(await postOnce('/api/x', { request: 'r' }, () => undefined, 0)).toEqual({ cents: 5 });
  expect(sent).toEqual(['r', 'r', 'r']);
});

test.each([cutOff, torn])('a question whose answer is cut off is refused in our words', async (answer) => {
  server(answer);
  const problem = (await get('/api/x').catch((error: unknown) => error)) as ApiProblem;
  expect([problem.isUnknown, problem.text]).toEqual([true, 'The server does not answer. Check the connection and try again.']);
});
