import { said } from '../../lib/testing';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeSocket } from '../../lib/fakesocket';
import type { Refused, Registered, SeatView, TableView } from '../../lib/protocol';
import { SeatClient } from './seatclient.svelte';

// A terminal whose page is loaded, and loaded anew; the server is what the test says over the fake socket.

const SLIP = { number: 'cash-1-4', code: 'K7QM-2ABC-DEFG-HJKL', cents: 25_000, expires_at_ms: 4e12, entry: 12, qr: '<svg/>' };
const seat = (vouchers: number, credit_cents = 25_000): SeatView => ({ seat: 1, credit_cents, vouchers }) as SeatView;
const welcome = (you: SeatView) =>
  ({
    type: 'welcome',
    version: 1,
    epoch: 'e1',
    n: 5,
    now_ms: Date.now(),
    venue: 'V',
    currency: 'SGD',
    table: { table: 'cash', round: 1 } as TableView,
    outstanding: 256,
    you,
    console: null,
  }) as const;

interface CashOutSent {
  type: string;
  request: string;
  vouchers: number;
}
const cashOuts = (socket = FakeSocket.last): CashOutSent[] =>
  (socket.sent as CashOutSent[]).filter((one) => one.type === 'cash-out');
const printed = (request: string): Registered => ({
  type: 'registered',
  requests: [request],
  entries: [SLIP.entry],
  you: seat(4, 0),
  voucher: SLIP,
  note: null,
});
const refused = (request: string, code: string): Refused => ({
  type: 'refused',
  code,
  message: 'No.',
  said: said('No.'),
  paragraph: '',
  request,
  again: false,
  you: null,
});
const remembered = (): string[] => Object.keys({ ...localStorage }).filter((name) => name.includes('cash-out'));

let client: SeatClient;
let leave: () => void = () => undefined;

/** The page is loaded, anew if it was before; the server shows this seat. */
function load(you: SeatView | null): FakeSocket {
  leave();
  client = new SeatClient('cash', 1);
  const stop = $effect.root(() => {
    $effect(() => client.live.open());
    $effect(() => void client.fetchSlip());
  });
  leave = stop;
  flushSync();
  FakeSocket.last.opens();
  if (you) says(welcome(you));
  return FakeSocket.last;
}

function says(message: Parameters<FakeSocket['says']>[0]): void {
  FakeSocket.last.says(message);
  flushSync();
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
});

afterEach(() => {
  leave();
  leave = () => undefined;
  vi.unstubAllGlobals();
  vi.useRealTimers();
  sessionStorage.clear();
  localStorage.clear();
});

it('shows the slip of a cash-out, and forgets it when it is taken', async () => {
  load(seat(3));
  void client.collect();
  const [sent] = cashOuts();
  expect(sent!.vouchers).toBe(3);
  expect(JSON.stringify({ ...localStorage })).toContain(sent!.request);
  says(printed(sent!.request));
  await settled();
  expect(client.slip).toEqual(SLIP);
  expect(cashOuts()).toHaveLength(1);
  expect(JSON.stringify({ ...localStorage })).not.toContain(SLIP.code);
  client.slipTaken();
  load(seat(4, 0));
  expect([client.slip, client.dialog, cashOuts()]).toEqual([null, null, []]);
  expect([remembered(), sessionStorage.length]).toEqual([[], 0]);
});

it.each([1, 2, 3])('asks again after %i reloads between asking and the answer', async (times) => {
  load(seat(3));
  void client.collect();
  const [sent] = cashOuts();
  for (let again = 1; again < times; again += 1) load(null);
  load(seat(4, 0)); // it was done, and nobody told
  expect(cashOuts()).toEqual([sent]);
  FakeSocket.last.breaks(); // and a lost connection on top
  await vi.advanceTimersByTimeAsync(1_000);
  FakeSocket.last.opens();
  expect(cashOuts()).toEqual([sent]);
  says(printed(sent!.request));
  await vi.advanceTimersByTimeAsync(2_000); // what was missed is shown step by step
  expect([client.slip, client.dialog]).toEqual([SLIP, 'collect']);
  load(seat(4, 0)); // and once more while it is shown
  expect([client.slip, client.dialog, cashOuts()]).toEqual([SLIP, 'collect', []]);
});

it('gets the slip back even when the browser was started anew', async () => {
  load(seat(3));
  void client.collect();
  const [sent] = cashOuts();
  says(printed(sent!.request));
  await settled();
  sessionStorage.clear();
  load(seat(4, 0));
  expect(cashOuts()).toEqual([sent]);
  says(printed(sent!.request));
  await settled();
  expect(client.slip).toEqual(SLIP);
});

it('does not collect by itself what was never done', () => {
  load(seat(3));
  void client.collect();
  load(seat(3));
  says({ type: 'seat', you: seat(3, 26_000) });
  expect([client.slip, client.dialog, cashOuts()]).toEqual([null, null, []]);
});

it('shows a slip that is printed after the page was loaded anew', async () => {
  load(seat(3));
  void client.collect();
  const [sent] = cashOuts();
  load(seat(3)); // what the old page sent is still on its way
  says({ type: 'seat', you: seat(4, 0) });
  expect(cashOuts()).toEqual([sent]);
  says(printed(sent!.request));
  await settled();
  expect(client.slip).toEqual(SLIP);
});

it('collects once when the player taps again what may be on its way', () => {
  load(seat(3));
  void client.collect();
  const [sent] = cashOuts();
  load(seat(3));
  void client.collect();
  expect(cashOuts()).toEqual([sent]);
});

it('asks anew after a refusal', async () => {
  load(seat(3));
  const first = client.collect();
  const [sent] = cashOuts();
  says(refused(sent!.request, 'not-enough-credit'));
  expect((await first).type).toBe('refused');
  expect(remembered()).toEqual([]);
  void client.collect();
  expect(cashOuts()[1]!.request).not.toBe(sent!.request);
});

it('lets go of a voucher that was redeemed long ago, and says nothing of it', async () => {
  load(seat(3));
  void client.collect();
  const [sent] = cashOuts();
  load(seat(9));
  says(refused(sent!.request, 'other-voucher'));
  await settled();
  expect([client.slip, client.live.refusals, remembered()]).toEqual([null, [], []]);
  says({ type: 'seat', you: seat(9, 100) });
  expect(cashOuts()).toHaveLength(1);
});

it('asks again for what a stopped table does not know, also when its page is loaded anew', async () => {
  load(seat(3));
  void client.collect();
  const [sent] = cashOuts();
  says({ type: 'unknown', requests: [sent!.request], why: said('It is not known yet') });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cashOuts()).toEqual([sent, sent]);
  expect(client.live.checking).toHaveLength(1);
  load(seat(4, 0));
  expect(cashOuts()).toEqual([sent]);
  says(printed(sent!.request));
  await settled();
  expect([client.slip, client.live.checking]).toEqual([SLIP, []]);
});

it('shows which bets are being checked', () => {
  load(seat(3));
  for (const wager of ['tie', 'banker']) void client.live.ask({ type: 'bet', round: 1, wager, cents: 500 });
  const [first] = FakeSocket.last.bets;
  says({ type: 'unknown', requests: [first!], why: said('It is not known yet') });
  expect([client.pending.added, client.checking.added]).toEqual([{ tie: 500, banker: 500 }, { tie: 500 }]);
});

it('says why a tap on the layout does not count, and sends nothing', () => {
  const table = { table: 'cash', round: 1, waiting: [], limits: { player: [100, 10_000] }, betting_unit_cents: 100 };
  const tap = (more: object, you: object = {}): string | undefined => {
    load({ ...seat(0), ...you });
    says({ type: 'table', n: 6, now_ms: Date.now(), happened: [], table: { ...table, ...more } as unknown as TableView });
    void client.bet('player');
    return client.live.note?.template;
  };
  expect(tap({ takes_bets: false, in_play: true })).toBe('Too late: bets are closed. Nothing was bet.');
  expect(tap({ takes_bets: false, in_play: false })).toBe('Bets are not open yet. Nothing was bet.');
  expect(tap({ takes_bets: true }, { locked: 'Spilt tea' })).toBe('This terminal is locked: nothing was bet.');
  expect(FakeSocket.last.bets).toEqual([]);
  expect(tap({ takes_bets: true, in_play: true })).toBeUndefined();
  expect(FakeSocket.last.bets).toHaveLength(1);
  FakeSocket.last.breaks();
  flushSync();
  void client.bet('player');
  expect(client.live.note?.template).toBe('No connection: nothing was bet.');
});

const tells = (table: object, you: object): void => {
  says({ type: 'table', n: 6, now_ms: Date.now(), happened: [], table: { table: 'cash', round: 1, waiting: [], ...table } as unknown as TableView });
  says({ type: 'seat', you: { ...seat(0), ...you } });
};

it('offers no more insurance than is left once what is on its way counts, and none where it cannot be taken', () => {
  load(seat(0));
  const open = { window_open: true, limits: {}, betting_unit_cents: 100 };
  const may = { may_insure: { banker: 5_000 } };
  tells(open, may);
  expect(client.mayInsure('banker')).toBe(5_000);
  client.insure('banker', 3_000);
  expect(client.mayInsure('banker')).toBe(2_000);
  tells(open, { ...may, locked: 'Spilt tea' });
  expect(client.mayInsure('banker')).toBe(0);
  tells({ ...open, window_open: false }, may);
  expect(client.mayInsure('banker')).toBe(0);
});

it('does not tell by the credit what the last card has not told yet', () => {
  load(seat(0));
  client.live.cover = (told) => ({ ...told, phase: 'initial-deal' }); // its last card still lies face down here
  tells({ phase: 'settled' }, { credit_cents: 30_000, returned_cents: 5_000, round: 1 });
  expect(client.credit).toBe(25_000);
  client.live.cover = (told) => told;
  flushSync();
  expect(client.credit).toBe(30_000);
});
