import { afterEach, expect, test, vi } from 'vitest';
import { Order } from './order.svelte';

const sent: { request: string; cents: number }[] = [];

function server(...answers: (number | 'gone')[]): void {
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body).command);
    const answer = answers.shift() ?? 200;
    if (answer === 'gone') throw new TypeError('network');
    const json = answer === 200 ? { request: 'x', by: 'cass' } : { code: 'no', message: 'No.', paragraph: 'mbs 1' };
    return new Response(JSON.stringify(json), { status: answer, headers: { 'content-type': 'application/json' } });
  });
}

afterEach(() => {
  sent.length = 0;
  vi.unstubAllGlobals();
});

const credit = { type: 'credit-terminal', seat: 1, cents: 100 } as const;

test('an order without an answer is sent again under the same request', async () => {
  server('gone', 'gone', 200);
  expect(await new Order(0).give('a', credit)).toBe(true);
  expect(sent.length).toBe(3);
  expect(new Set(sent.map((one) => one.request)).size).toBe(1);
});

test('given again by hand after no answer, it is still the same request; another amount is another', async () => {
  server('gone', 'gone', 'gone', 'gone', 'gone', 200, 200, 200);
  const order = new Order(0);
  expect(await order.give('a', credit)).toBe(false);
  expect(order.problem?.code).toBe('no-connection');
  expect(await order.give('a', credit)).toBe(true);
  expect(new Set(sent.map((one) => one.request)).size).toBe(1);
  await order.give('a', credit);
  await order.give('a', { ...credit, cents: 200 });
  expect(new Set(sent.map((one) => one.request)).size).toBe(3);
});

test('a second click while it is on its way does nothing', async () => {
  server(200);
  const order = new Order(0);
  const both = await Promise.all([order.give('a', credit), order.give('a', credit)]);
  expect(both).toEqual([true, false]);
  expect(sent.length).toBe(1);
});

test('a refusal is told with its paragraph and not sent again', async () => {
  server(409);
  const order = new Order(0);
  expect(await order.give('a', credit)).toBe(false);
  expect([order.problem?.message, order.problem?.paragraph, sent.length]).toEqual(['No.', 'mbs 1', 1]);
});
