import { afterEach, expect, it, vi } from 'vitest';
import type { LiveTable } from '../../lib/live.svelte';
import { Orders } from './orders.svelte';

let live = { table: { n: 0 } };
const orders = (): Orders => new Orders('t 1', () => live as unknown as LiveTable);

function answers(...all: (() => Response | Promise<Response>)[]): ReturnType<typeof vi.fn> {
  const fetch = vi.fn(() => {
    live = { table: { n: live.table.n + 1 } };
    return Promise.resolve().then(all.shift()!);
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

function json(status: number, body: unknown): () => Response {
  return () => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

function bodyOf(fetch: ReturnType<typeof vi.fn>, call: number): { command: { request: string } } {
  return JSON.parse((fetch.mock.calls[call]![1] as { body: string }).body) as { command: { request: string } };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('two clicks give one command', async () => {
  const fetch = answers(json(200, { request: 'r', by: 'dora' }));
  const one = orders();
  const first = one.give({ type: 'close-betting' });
  expect(one.busy).toBe(true);
  expect(await one.give({ type: 'close-betting' })).toMatchObject({ done: false, problem: { code: 'busy' } });
  expect(await first).toEqual({ done: true, by: 'dora' });
  expect(one.busy).toBe(false);
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(fetch.mock.calls[0]![0]).toBe('/api/tables/t%201/commands');
});

it('a lost answer is asked for again under the same request', async () => {
  vi.useFakeTimers();
  const lost = (): never => {
    throw new TypeError('network');
  };
  const fetch = answers(lost, json(200, { request: 'r', by: 'dora' }));
  const answer = orders().give({ type: 'settle' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await answer).toEqual({ done: true, by: 'dora' });
  expect(bodyOf(fetch, 0).command.request).toBe(bodyOf(fetch, 1).command.request);
});

it('a refusal is kept in words, with its paragraph', async () => {
  answers(json(409, { code: 'no-card-due', message: 'No card is due', paragraph: 'mbs 3.8' }));
  const one = orders();
  await one.act({ type: 'deal' });
  expect(one.problem).toMatchObject({ message: 'No card is due', paragraph: 'mbs 3.8' });
});

it('an ended session asks for a sign-in, but not when a supervisor mistyped', async () => {
  answers(json(401, { code: 'wrong', message: 'no' }), json(401, { code: 'sign-in-first', message: 'no' }));
  const one = orders();
  await one.give({ type: 'settle' }, { id: 'pat', password: 'x' });
  expect(one.signedOut).toBe(false);
  await one.give({ type: 'settle' });
  expect(one.signedOut).toBe(true);
});
