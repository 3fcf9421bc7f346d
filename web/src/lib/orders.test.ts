import { afterEach, expect, test, vi } from 'vitest';
import { Orders, type Followed } from './orders.svelte';
import type { StaffRequest } from './protocol';

const sent: (StaffRequest & { url: string })[] = [];

/** A server that answers so; a status of 200 is done, in the view of this number. */
function server(...answers: (number | 'gone')[]): void {
  vi.stubGlobal('fetch', async (url: string, { body = '{}' }: { body?: string } = {}) => {
    if (!url.includes('/commands')) throw new TypeError('nothing else is asked here');
    sent.push({ url, ...(JSON.parse(body) as StaffRequest) });
    const answer = answers.shift() ?? 200;
    if (answer === 'gone') throw new TypeError('network');
    const code = answer === 503 ? 'unknown' : 'no';
    const json = answer === 200 ? { request: 'x', by: 'cass', n: 7 } : { code, message: 'No.', paragraph: 'mbs 1' };
    return new Response(JSON.stringify(json), { status: answer, headers: { 'content-type': 'application/json' } });
  });
}

/** A table followed live, whose view the test moves on. */
class Live implements Followed {
  #waits: { n: number; seen: () => void }[] = [];
  constructor(public n: number) {}
  seen(n: number): Promise<void> {
    return n <= this.n ? Promise.resolve() : new Promise((seen) => this.#waits.push({ n, seen }));
  }
  show(n: number): void {
    this.n = n;
    this.#waits.filter((one) => one.n <= n).forEach((one) => one.seen());
  }
}

function orders(live: Followed | null = null): Orders {
  return new Orders(() => 't 1', () => live, 0);
}

const requests = (): Set<string> => new Set(sent.map((one) => one.request));
const turn = (): Promise<void> => new Promise((after) => setTimeout(after, 0));

afterEach(() => {
  sessionStorage.clear(); // what had no answer
  sent.length = 0;
  vi.unstubAllGlobals();
});

const credit = { type: 'credit-terminal', seat: 1, cents: 100 } as const;

test('an order is the command in its envelope, at its table', async () => {
  server();
  await orders().give({ type: 'void-round' }, { why: 'a spill', signIn: { id: 'sam', password: 'x' } });
  const [{ url, request, ...rest }] = sent as [(typeof sent)[number]];
  expect(url).toBe('/api/tables/t%201/commands');
  expect(request).toMatch(/^[0-9a-f]{32}$/);
  expect(rest).toEqual({ command: { type: 'void-round' }, why: 'a spill', sign_in: { id: 'sam', password: 'x' } });
});

test('an order without an answer is sent again under the same request', async () => {
  server('gone', 503, 'gone', 503, 200);
  const one = orders();
  const given = one.give(credit);
  await turn();
  expect(one.asking).toBe(true);
  expect(await given).toEqual({ done: true, by: 'cass' });
  expect([sent.length, requests().size, one.asking]).toEqual([5, 1, false]);
});

test('given again by hand after the session ended, it is still the same request; another amount is another', async () => {
  server('gone', 503, 401);
  const one = orders();
  expect(await one.act(credit)).toBe(false);
  expect([one.problem?.status, sent.length]).toEqual([401, 3]);
  expect(await one.act(credit)).toBe(true);
  expect(requests().size).toBe(1);
  await one.act(credit);
  await one.act({ ...credit, cents: 200 });
  expect(requests().size).toBe(3);
});

test('once the table has moved on, the same words are a new order', async () => {
  server('gone', 401, 200);
  const live = new Live(6);
  const one = orders(live);
  expect(await one.act({ type: 'deal' })).toBe(false);
  live.show(7); // the card came after all
  expect(await one.act({ type: 'deal' })).toBe(true);
  expect(requests().size).toBe(2);
});

test('an order that may have been done is asked for until it is known, though too often', async () => {
  server('gone', 429, 429, 200);
  const one = orders();
  expect(await one.give(credit)).toEqual({ done: true, by: 'cass' });
  expect([sent.length, requests().size]).toEqual([4, 1]);
});

test('an order that was never looked at is not sent again by itself', async () => {
  server(429);
  expect(await orders().give(credit)).toMatchObject({ done: false, problem: { status: 429 } });
  expect(sent.length).toBe(1);
});

test('a second click while it is on its way does nothing', async () => {
  server(200);
  const one = orders();
  const first = one.give({ type: 'close-betting' });
  expect(one.busy).toBe(true);
  expect(await one.give({ type: 'close-betting' })).toMatchObject({ done: false, problem: { code: 'busy' } });
  expect(await one.act({ type: 'close-betting' })).toBe(false);
  expect(await first).toEqual({ done: true, by: 'cass' });
  expect([one.busy, sent.length]).toEqual([false, 1]);
});

test('where the table is followed, an order is on its way until its effect has been seen', async () => {
  server(200);
  const live = new Live(5);
  const one = orders(live);
  let done = false;
  const given = one.act({ type: 'settle' }).then(() => (done = true));
  for (const n of [5, 6]) {
    live.show(n);
    await turn();
    expect([sent.length, one.busy, done]).toEqual([1, true, false]);
  }
  live.show(7);
  await given;
  expect(one.busy).toBe(false);
});

test('a refusal is told with its paragraph and not sent again', async () => {
  server(409);
  const one = orders();
  expect(await one.act(credit)).toBe(false);
  expect([one.problem?.message, one.problem?.paragraph, sent.length]).toEqual(['No.', 'mbs 1', 1]);
});

test('an ended session asks for a sign-in, but not when a supervisor mistyped', async () => {
  server(401, 401);
  const one = orders();
  await one.give({ type: 'settle' }, { signIn: { id: 'pat', password: 'x' } });
  expect(one.signedOut).toBe(false);
  await one.give({ type: 'settle' });
  expect(one.signedOut).toBe(true);
});
