import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveFloor } from './floor.svelte';
import type { FloorTable } from './protocol';

class FakeSocket {
  static all: FakeSocket[] = [];
  static readonly OPEN = 1;
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  send(): void {}
  close(): void {}

  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const row = (table: string, round: number): Partial<FloorTable> => ({ table, round });

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('all tables on connecting, afterwards those that changed', () => {
  const floor = new LiveFloor();
  const close = floor.open();
  const socket = FakeSocket.all[0]!;
  expect(socket.address).toMatch(/\/ws\/floor$/);
  socket.says({ type: 'floor', n: 1, now_ms: 0, tables: [row('a', 1), row('b', 1)] });
  socket.says({ type: 'floor', n: 2, now_ms: 0, tables: [row('b', 2)] });
  expect([floor.state, floor.tables.a?.round, floor.tables.b?.round]).toEqual(['live', 1, 2]);
  close();
});

test('a lost connection is said, and comes back by itself', () => {
  const floor = new LiveFloor();
  const close = floor.open();
  FakeSocket.all[0]!.says({ type: 'floor', n: 1, now_ms: 0, tables: [row('a', 1)] });
  FakeSocket.all[0]!.onclose?.({ code: 1006 });
  expect(floor.state).toBe('lost');
  vi.advanceTimersByTime(2_000);
  expect(FakeSocket.all.length).toBe(2);
  FakeSocket.all[1]!.says({ type: 'floor', n: 9, now_ms: 0, tables: [row('a', 5)] });
  expect([floor.state, floor.tables.a?.round]).toEqual(['live', 5]);
  close();
});

test('silence counts as lost', () => {
  const floor = new LiveFloor();
  const close = floor.open();
  FakeSocket.all[0]!.onopen?.();
  vi.advanceTimersByTime(9_000);
  expect(floor.state).toBe('lost');
  close();
});

test('an ended session is final', () => {
  const floor = new LiveFloor();
  const close = floor.open();
  FakeSocket.all[0]!.onclose?.({ code: 4401 });
  vi.advanceTimersByTime(60_000);
  expect([floor.state, FakeSocket.all.length]).toEqual(['ended', 1]);
  close();
});
