import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeSocket } from '../../lib/fakesocket';
import type { TableView } from '../../lib/protocol';
import { TURNED_MS } from '../../lib/turning.svelte';
import { SeatClient } from './seatclient.svelte';

// A terminal at a table that leaves time for a squeeze; the server is what the test says over the fake socket.

const CARDS = [
  { card: '9C', hand: 'player', total: 9 },
  { card: '3C', hand: 'banker', total: 3 },
  { card: 'KD', hand: 'player', total: 9 },
  { card: '2D', hand: 'banker', total: 5 },
] as const;
const table = (more: Partial<TableView> = {}): TableView =>
  ({
    table: 't1',
    status: 'open',
    faults: {},
    waiting: [],
    interrupted_ms: null,
    shoe: { next_burnt: null, burnt: null },
    round: 4,
    phase: 'complete',
    cards: [...CARDS],
    squeeze: { opened: 0, ends_at_ms: Date.now() + 8_000 },
    player_total: 9,
    banker_total: 5,
    naturals: ['player'],
    due: null,
    draws: null,
    window: null,
    window_open: false,
    offers: [],
    result: null,
    ...more,
  }) as unknown as TableView;

let client: SeatClient;
let n = 5;
let leave: () => void = () => undefined;
const turned = (): unknown[] => FakeSocket.last.sent.filter((one) => one.type === 'turned');

function load(first: TableView): void {
  client = new SeatClient('t1', 1);
  leave = $effect.root(() => {
    $effect(() => client.live.open());
    client.squeeze.follow();
  });
  flushSync();
  welcome(first);
}

function welcome(first: TableView): void {
  const rest = { version: 1, epoch: 'e1', venue: 'V', currency: 'SGD', outstanding: 256, you: null, console: null };
  FakeSocket.last.opens().says({ type: 'welcome', n, now_ms: Date.now(), table: first, ...rest });
  flushSync();
}

function says(next: TableView): void {
  FakeSocket.last.says({ type: 'table', n: ++n, now_ms: Date.now(), happened: [], table: next });
  flushSync();
}

/** What was turned can be read. */
function seen(): void {
  vi.advanceTimersByTime(TURNED_MS);
  flushSync();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
});
afterEach(() => {
  leave();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('says nothing of cards that lie face down, and all of them once they are turned', () => {
  load(table());
  expect(client.squeeze.down).toEqual([0, 1, 2, 3]);
  expect(client.live.table).toMatchObject({ player_total: null, banker_total: null, naturals: [], phase: 'initial-deal' });
  expect(client.stage?.detail).toBe('The cards are dealt');
  client.squeeze.turn(0, 2);
  flushSync();
  expect(client.live.table?.player_total).toBe(null); // they are still turning
  seen();
  expect(client.live.table).toMatchObject({ player_total: 9, banker_total: null, naturals: ['player'], phase: 'initial-deal' });
  expect(turned()).toEqual([]);
  client.squeeze.turnAll();
  flushSync();
  seen();
  expect(client.live.table).toMatchObject({ player_total: 9, banker_total: 5, phase: 'complete' });
  expect(turned()).toEqual([{ type: 'turned', round: 4, cards: 4 }]);
});

it('opens what is left when the time is over, or when something comes after it', () => {
  load(table());
  vi.advanceTimersByTime(7_999);
  flushSync();
  expect(client.squeeze.down).toHaveLength(4);
  vi.advanceTimersByTime(1);
  flushSync();
  expect(client.squeeze.down).toEqual([]);
  seen();
  says(table({ cards: [...CARDS, { card: '4H', hand: 'player', total: 3 }], squeeze: { opened: 4, ends_at_ms: null } }));
  expect([client.squeeze.down, client.live.table?.player_total]).toEqual([[4], 9]);
  says(table({ cards: [...CARDS, { card: '4H', hand: 'player', total: 3 }], squeeze: null, player_total: 3 }));
  seen();
  expect([client.squeeze.down, client.live.table?.player_total]).toEqual([[], 3]);
});

it('is not in the way of who does not want it: the table is told at once', () => {
  localStorage.setItem('natural9-terminal-squeeze', 'off');
  load(table({ squeeze: { opened: 0, ends_at_ms: null } }));
  expect([client.squeeze.down, turned()]).toEqual([[], []]); // not all are dealt
  says(table());
  expect([client.squeeze.down, turned().length]).toEqual([[], 1]);
  says(table({ laid: { player: 100 } }));
  expect(turned()).toHaveLength(1);
});

it('keeps what was turned when the line is lost, and says so again', () => {
  load(table());
  client.squeeze.turnAll();
  flushSync();
  FakeSocket.last.breaks();
  flushSync();
  vi.advanceTimersByTime(5_000);
  flushSync();
  welcome(table());
  expect([client.squeeze.down, turned().length]).toEqual([[], 1]);
});
