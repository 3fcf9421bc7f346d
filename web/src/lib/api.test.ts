import { afterEach, expect, test, vi } from 'vitest';
import { ApiProblem, get, MAY_BE_DONE, NO_ANSWER, post, postOnce, RequestId, setCsrf } from './api';
import { answered, unanswered } from './unanswered';

const sent: string[] = []; // the request id of each
type Answer = () => Response;

function answer(body: string, { status = 200, type = 'application/json' } = {}): Answer {
  return () => new Response(body, { status, headers: { 'content-type': type } });
}

/** The server dies in the middle of its answer: the browser has its head, and of its body only the beginning. */
function cutOff(): Response {
  const body = new ReadableStream({
    start(half) {
      half.enqueue(new TextEncoder().encode('{"cents"'));
      half.error(new TypeError('Failed to fetch'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

const done = answer('{"cents":5}');
// What stands between a screen and the server may make of an answer, or says while the server is away.
const NONE: [string, Answer][] = [
  ['cut off', cutOff],
  ['torn', answer('{"cents"')],
  ['a page to sign in to the network', answer('<html>', { type: 'text/html' })],
  ['a page of the proxy', answer('<html>', { status: 404, type: 'text/html; charset=utf-8' })],
  ['the words of a server that stops', answer('Internal Server Error', { status: 500, type: 'text/plain' })],
];
const refusal = (code: string, status: number): Answer => answer(JSON.stringify({ code, message: 'No.' }), { status });

function server(...answers: Answer[]): void {
  vi.stubGlobal('fetch', async (_: string, { body = '{}' }: { body?: string } = {}) => {
    sent.push((JSON.parse(body) as { request: string }).request);
    return answers.shift()!();
  });
}

const once = (): Promise<unknown> => postOnce('/api/x', { request: 'r' }, () => undefined, 0);
const problemOf = (asked: Promise<unknown>): Promise<ApiProblem> => asked.then(
  () => expect.unreachable(),
  (error: unknown) => error as ApiProblem,
);

afterEach(() => {
  sessionStorage.clear();
  sent.length = 0;
  setCsrf('', async () => false);
  vi.unstubAllGlobals();
});

test.each(NONE)('%s is no answer: it is asked again under the same request', async (_, none) => {
  server(none, none, done);
  expect(await once()).toEqual({ cents: 5 });
  expect(sent).toEqual(['r', 'r', 'r']);
});

test.each(NONE)('%s: whoever asked a question reads so, and whoever did something that it may be done', async (_, none) => {
  server(none, none);
  const asked = await problemOf(get('/api/x'));
  expect([asked.mayBeDone, asked.text]).toEqual([false, NO_ANSWER]);
  const did = await problemOf(post('/api/x'));
  expect([did.mayBeDone, did.text]).toEqual([true, MAY_BE_DONE]);
});

test.each([refusal('internal', 500), refusal('unknown', 503)])('a server that failed, or does not know, says nothing of what was done', async (failed) => {
  server(failed);
  const did = await problemOf(post('/api/x'));
  expect([did.mayBeDone, did.text]).toEqual([true, MAY_BE_DONE]);
});

test('what was not answered, and then not let in, may be done; what was never let in is not', async () => {
  server(cutOff, refusal('sign-in-first', 401), refusal('sign-in-first', 401));
  expect([(await problemOf(once())).mayBeDone, (await problemOf(once())).mayBeDone]).toEqual([true, false]);
});

test('a page that is loaded anew knows what had no answer, and forgets what had', async () => {
  const left = (): string[] => Object.keys(unanswered());
  server(() => {
    expect(left()).toEqual(['r']); // while it is on its way
    return done();
  });
  await once();
  expect(left()).toEqual([]);
  server(refusal('no', 409), cutOff, refusal('sign-in-first', 401), refusal('internal', 500));
  await problemOf(once());
  expect(left()).toEqual([]);
  await problemOf(once());
  expect(left()).toEqual(['r']);
  answered('r');
  await problemOf(once());
  expect(left()).toEqual(['r']);
});

test('a network that died without a word is given up, and asked again', async () => {
  const patience: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (patience.push(ms), patience.length === 1 ? AbortSignal.abort() : new AbortController().signal));
  vi.stubGlobal('fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
    signal.throwIfAborted();
    return done();
  });
  expect(await once()).toEqual({ cents: 5 });
  expect(patience.every((ms) => ms <= 15_000)).toBe(true);
  vi.restoreAllMocks();
});

test('a page whose token is stale asks who it is, and once more if that is who it was', async () => {
  const stale = refusal('csrf', 403);
  setCsrf('old', async () => true);
  server(stale, done, stale, stale);
  expect(await post('/api/x')).toEqual({ cents: 5 });
  expect((await problemOf(post('/api/x'))).code).toBe('csrf'); // and not for ever
  setCsrf('old', async () => false);
  server(stale);
  expect((await problemOf(post('/api/x'))).text).toBe('Somebody else has signed in in this browser. Nothing was done.');
  expect(sent.length).toBe(5);
});

test('the same asked again has the same id, until it is known what became of it', () => {
  const ids = new RequestId();
  const first = ids.of('5.00');
  const unknown = [new ApiProblem(401, 'sign-in-first', ''), new ApiProblem(403, 'csrf', ''), new ApiProblem(0, 'unknown', '', '', null, true)];
  for (const problem of unknown) {
    ids.answered(problem);
    expect(ids.of('5.00')).toBe(first);
  }
  expect(ids.of('6.00')).not.toBe(first);
  const second = ids.of('6.00');
  ids.answered(new ApiProblem(409, 'no', ''));
  expect(ids.of('6.00')).not.toBe(second);
});
