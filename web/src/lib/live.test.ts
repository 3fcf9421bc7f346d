import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeSocket } from './fakesocket';
import { LiveTable, type Answer } from './live.svelte';
import type { ConsoleView, SeatView, TableView } from './protocol';
import { said } from './testing';

const table = (round: number): TableView => ({ table: 't1', round }) as TableView;
const you = (credit_cents: number): SeatView => ({ seat: 1, credit_cents }) as SeatView;
const welcome = (n = 5) =>
  ({
    type: 'welcome',
    version: 1,
    epoch: 'e1',
    n,
    now_ms: Date.now(),
    venue: 'V',
    currency: 'SGD',
    table: table(1),
    you: you(1_000),
    outstanding: 3,
    console: null,
  }) as const;
const news = (n: number, nowMs = Date.now()) => ({
  type: 'table' as const,
  n,
  now_ms: nowMs,
  happened: [],
  table: table(n),
});
const BET = { type: 'bet', round: 1, wager: 'player', cents: 100 } as const;

let live: LiveTable;
let close: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
  live = new LiveTable('/ws/table/t1');
  close = live.open();
});

afterEach(() => {
  close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const connected = (): FakeSocket => FakeSocket.last.opens().says(welcome());

describe('a live table', () => {
  it('shows what the server says', () => {
    connected();
    expect([live.state, live.table?.round, live.you?.credit_cents]).toEqual(['live', 1, 1_000]);
    FakeSocket.last.says(news(6)).says({ type: 'seat', you: you(900) });
    expect([live.table?.round, live.you?.credit_cents]).toEqual([6, 900]);
  });

  it('tells what was not done with a request, until the next answer', () => {
    connected();
    const note = said('Not doubled: {left}', { left: 'Tie' });
    void live.ask({ type: 'double', round: 1 }, 'x2');
    FakeSocket.last.says({ type: 'registered', requests: ['x2'], note });
    expect(live.note).toEqual(note);
    void live.ask(BET, 'b1');
    FakeSocket.last.says({ type: 'registered', requests: ['b1'], note: null });
    expect(live.note).toBeNull();
  });

  it('says when a view is on the screen: for staff, with the console’s part of it', async () => {
    const seen: number[] = [];
    const console = { commands: [] } as unknown as ConsoleView;
    FakeSocket.last.opens().says({ ...welcome(), console });
    for (const n of [5, 6, 7, 99]) void live.seen(n).then(() => seen.push(n));
    await vi.advanceTimersByTimeAsync(0);
    expect([seen, live.n]).toEqual([[5], 5]);
    FakeSocket.last.says(news(6));
    await vi.advanceTimersByTimeAsync(0);
    expect([seen, live.table?.round]).toEqual([[5], 1]); // half of it would say what nobody should do
    FakeSocket.last.says({ type: 'console', n: 6, console });
    expect(live.table?.round).toBe(6);
    FakeSocket.last.says(news(7)).says({ type: 'console', n: 7, console });
    await vi.advanceTimersByTimeAsync(0);
    expect([seen, live.n]).toEqual([[5, 6, 7], 7]);
    FakeSocket.last.says({ ...welcome(0), epoch: 'e2', console }); // started anew: its numbers begin again
    await vi.advanceTimersByTimeAsync(0);
    expect([seen, live.n]).toEqual([[5, 6, 7, 99], 0]);
  });

  it('keeps nobody waiting for a view that nobody looks at any more', async () => {
    connected();
    const seen = live.seen(6);
    close();
    await seen;
  });

  it('has a bet pending at once, and registered when the server says so', async () => {
    connected();
    const asked = live.ask(BET);
    expect(live.waiting).toHaveLength(1);
    const [request] = FakeSocket.last.bets;
    FakeSocket.last.says({ type: 'registered', requests: [request!], you: you(900), voucher: null });
    expect(live.waiting).toHaveLength(0);
    expect((await asked).type).toBe('registered');
    expect(live.you?.credit_cents).toBe(900);
  });

  it('has several registered by one message', async () => {
    connected();
    const asked = [live.ask(BET), live.ask(BET), live.ask(BET)];
    const [first, second] = FakeSocket.last.bets;
    FakeSocket.last.says({ type: 'registered', requests: [first!, second!], you: you(800), voucher: null });
    expect(live.waiting).toHaveLength(1);
    expect((await Promise.all(asked.slice(0, 2))).map((answer) => answer.type)).toEqual(['registered', 'registered']);
  });

  it('keeps a refusal until it has been read', async () => {
    connected();
    const asked = live.ask(BET);
    const request = FakeSocket.last.bets[0]!;
    FakeSocket.last.says({
      type: 'refused',
      request,
      code: 'no-more-bets',
      message: 'Too late',
      paragraph: '',
      you: null,
    });
    expect((await asked).type).toBe('refused');
    expect(live.refusals).toHaveLength(1);
    live.forget(live.refusals[0]!);
    expect(live.refusals).toHaveLength(0);
  });
});

describe('a lost connection', () => {
  it('is told at once, and mended by itself', () => {
    connected().breaks();
    expect(live.state).toBe('lost');
    expect(live.table?.round).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.all).toHaveLength(2);
    expect(FakeSocket.last.url).toContain('?after=e1:5');
  });

  it('is mended at once where the table goes to another machine, and later each time it is not there', () => {
    connected().breaks(4503);
    expect([live.state, live.moving]).toEqual(['lost', true]);
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.opens().breaks(4503);
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(2_000);
    FakeSocket.last.opens().says(welcome());
    expect([live.state, live.moving]).toEqual(['live', false]);
    FakeSocket.last.breaks();
    expect([live.state, live.moving]).toEqual(['lost', false]);
  });

  it('sends an unanswered bet again under the same id, and an answered one never', async () => {
    connected();
    const answers: Answer[] = [];
    void live.ask(BET).then((answer) => answers.push(answer));
    void live.ask(BET).then((answer) => answers.push(answer));
    const [first, second] = FakeSocket.last.bets;
    expect(first).not.toBe(second);
    FakeSocket.last.says({ type: 'registered', requests: [first!], you: null, voucher: null }).breaks();
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.opens();
    expect(FakeSocket.last.bets).toEqual([second]);
    FakeSocket.last.says({ type: 'registered', requests: [second!], you: null, voucher: null });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(answers).toHaveLength(2);
    FakeSocket.last.breaks();
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.opens().bets).toEqual([]);
  });

  it('holds a bet that was laid meanwhile', () => {
    connected().breaks();
    void live.ask(BET);
    expect(live.waiting).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.opens().bets).toHaveLength(1);
  });

  it('replays what was missed step by step, within about a second', () => {
    connected().breaks();
    vi.advanceTimersByTime(1_000);
    const socket = FakeSocket.last.opens();
    for (const n of [6, 7, 8, 9]) {
      socket.says(news(n));
      vi.advanceTimersByTime(5); // each comes as an event of its own
    }
    socket.says({ type: 'seat', you: you(1_500) });
    expect(live.table?.round).toBe(1);
    const seen = new Map<number, number>();
    for (let passed = 0; passed < 1_200; passed += 20) {
      vi.advanceTimersByTime(20);
      seen.set(live.table!.round, (seen.get(live.table!.round) ?? 0) + 1);
      if (live.table!.round < 9) expect(live.you?.credit_cents).toBe(1_000);
    }
    expect([...seen.keys()].filter((round) => round > 1)).toEqual([6, 7, 8, 9]);
    for (const round of [6, 7, 8]) expect(seen.get(round)).toBeGreaterThan(5);
    expect(live.you?.credit_cents).toBe(1_500);
    socket.says(news(10));
    expect(live.table?.round).toBe(10);
  });

  it('does not take the time from messages of the past', () => {
    connected().breaks();
    vi.advanceTimersByTime(1_000);
    const socket = FakeSocket.last.opens();
    socket.says(news(6, Date.now() - 60_000));
    vi.advanceTimersByTime(1_500);
    expect(Math.abs(live.now() - Date.now())).toBeLessThan(50);
    socket.says({ type: 'pong', sent: performance.now(), now_ms: Date.now() + 5_000, time_ms: Date.now() - 7_000 });
    expect(live.now() - Date.now()).toBeCloseTo(5_000);
    expect(live.time() - Date.now()).toBeCloseTo(-7_000);
  });

  it('counts on evenly, and notices silence, though the clock of this machine is set', () => {
    connected();
    const before = live.now();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(live.now()).toBe(before);
    vi.advanceTimersByTime(15_000);
    expect(live.state).toBe('lost');
    vi.setSystemTime(Date.now() + 7_200_000);
    expect(live.now() - before).toBe(15_000);
  });

  it('is noticed when the server falls silent, without waiting for the socket', () => {
    connected();
    vi.advanceTimersByTime(15_000);
    expect(FakeSocket.all[0]!.readyState).toBe(3);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
    expect(live.state).toBe('lost');
  });

  it('is noticed when nobody answers a handshake: another is tried', () => {
    connected();
    FakeSocket.last.breaks();
    vi.advanceTimersByTime(1_000);
    const dead = FakeSocket.last;
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(15_000);
    expect(dead.readyState).toBe(3);
    expect(FakeSocket.all.length).toBeGreaterThan(2);
  });

  it('is noticed when the network goes, and nothing old is heard afterwards', () => {
    const old = connected();
    dispatchEvent(new Event('offline'));
    expect(live.state).toBe('lost');
    expect(old.onmessage).toBeNull();
    dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(2);
  });
});

describe('what is not known', () => {
  const unknown = (...requests: string[]) => ({ type: 'unknown' as const, requests, why: said('It is not known yet') });

  it('is asked again by itself, after ever longer pauses, until it is', async () => {
    connected();
    const asked = live.ask(BET);
    const [request] = FakeSocket.last.bets;
    for (const pause of [1_000, 2_000, 4_000]) {
      const before = FakeSocket.last.bets.length;
      FakeSocket.last.says(unknown(request!));
      expect(live.checking.map((one) => one.request)).toEqual([request]);
      vi.advanceTimersByTime(pause - 1);
      FakeSocket.last.says({ type: 'pong', sent: 0, now_ms: Date.now() });
      expect(FakeSocket.last.bets).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.last.bets).toHaveLength(before + 1);
    }
    expect(new Set(FakeSocket.last.bets)).toEqual(new Set([request]));
    FakeSocket.last.says({ type: 'registered', requests: [request!], you: null, voucher: null });
    expect((await asked).type).toBe('registered');
    expect(live.checking).toEqual([]);
  });

  it('holds up nothing else, and is asked again at once over another line', () => {
    connected();
    void live.ask(BET);
    const [first] = FakeSocket.last.bets;
    FakeSocket.last.says(unknown(first!));
    void live.ask(BET);
    expect(FakeSocket.last.bets).toHaveLength(2);
    const second = FakeSocket.last.bets[1]!;
    FakeSocket.last.breaks();
    expect(live.checking.map((one) => one.request)).toEqual([first, second]);
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.opens().bets).toEqual([first, second]);
  });

  it('is what a busy table could not look at, too', () => {
    connected();
    void live.ask(BET);
    const request = FakeSocket.last.bets[0]!;
    FakeSocket.last.says({ type: 'refused', request, code: 'too-busy', message: '', said: said('Busy'), again: true });
    expect([live.refusals, live.checking.length]).toEqual([[], 1]);
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.bets).toEqual([request, request]);
  });

  it('and what is on its way are no more than the server takes at once', () => {
    connected();
    for (let bets = 0; bets < 5; bets += 1) void live.ask(BET);
    expect([FakeSocket.last.bets.length, live.waiting.length]).toEqual([3, 5]);
    const [first, second] = FakeSocket.last.bets;
    FakeSocket.last.says({ type: 'registered', requests: [first!, second!], you: null, voucher: null });
    expect(FakeSocket.last.bets).toHaveLength(5);
    FakeSocket.last.breaks();
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.last.opens().bets).toHaveLength(3);
  });
});

describe('an end', () => {
  it.each([
    [4001, 'somewhere else'],
    [4002, 'given to another device'],
    [4401, 'session has ended'],
  ])('by %i is not tried again', (code, words) => {
    connected().breaks(code);
    expect(live.state).toBe('ended');
    expect(live.ended).toContain(words);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('is found out over HTTP when the handshake is refused again and again', async () => {
    vi.stubGlobal(
      'fetch',
      async () =>
        new Response('{"code":"sign-in-first","message":"Sign in"}', {
          status: 401,
          headers: { 'content-type': 'application/json' },
        }),
    );
    for (let tries = 0; tries < 3; tries += 1) {
      FakeSocket.last.breaks();
      await vi.advanceTimersByTimeAsync(tries < 2 ? 2_000 : 10);
    }
    expect(live.state).toBe('ended');
  });

  it('of a halt comes with the next welcome', () => {
    connected().says({ type: 'halted', why: said('disk full') });
    expect(live.halted).toEqual(said('disk full'));
    FakeSocket.last.says(welcome());
    expect(live.halted).toBe(null);
  });
});
