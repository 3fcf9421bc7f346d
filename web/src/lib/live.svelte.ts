// The live connection to one table: what the server says is what we show. It reconnects by itself, asks for what it
// missed, and sends again what was not answered, under the same request id, so that nothing is ever bet twice.

import { ApiProblem, get, newRequest } from './api';
import type { ConsoleView, FromServer, FromTerminal, Ping, Refused, Registered, SeatView, TableView } from './protocol';

export type TerminalCommand = Exclude<FromTerminal, Ping>;
export type Answer = Registered | Refused;
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'ended';
type WithoutRequest<C> = C extends unknown ? Omit<C, 'request'> : never;
export type Ask = WithoutRequest<TerminalCommand>;

interface Waiting {
  command: TerminalCommand;
  answer: (answer: Answer) => void;
}

const LONGEST_WAIT_MS = 8_000;
const PING_MS = 3_000;
const SILENCE_MS = 8_000; // without a word from the server, the connection counts as lost
const GATHER_MS = 100; // what was missed comes in one go, as several messages
const CATCH_UP_MS = 900; // and is then shown in so long, step by step
const ASK_WHO_AFTER = 3; // failed tries, before we ask whether this browser is still let in
// Closed for a reason that coming back would not change.
const FINAL: Record<number, string> = {
  4001: 'This terminal was connected from somewhere else.',
  4401: 'The session has ended. Sign in again.',
};

export class LiveTable {
  table = $state.raw<TableView | null>(null);
  you = $state.raw<SeatView | null>(null);
  console = $state.raw<ConsoleView | null>(null);
  happened = $state.raw<readonly string[]>([]);
  venue = $state('');
  currency = $state('');
  state = $state<ConnectionState>('connecting');
  ended = $state('');
  halted = $state('');
  waiting = $state.raw<readonly TerminalCommand[]>([]);
  refusals = $state.raw<readonly Refused[]>([]);

  #socket: WebSocket | null = null;
  #requests = new Map<string, Waiting>();
  #epoch = '';
  #n = -1;
  #ahead = 0; // by how many milliseconds the server's clock is ahead of ours
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #closed = false;
  #missed: FromServer[] | null = null; // not null: catching up
  #catchUp: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly path: string) {}

  open(): () => void {
    this.#connect();
    this.#pinger = setInterval(() => this.#ping(), PING_MS);
    const back = (): void => {
      if (this.state === 'lost') this.#connectNow();
    };
    const gone = (): void => {
      if (this.#socket) this.#drop();
    };
    addEventListener('online', back);
    addEventListener('offline', gone);
    return () => {
      removeEventListener('online', back);
      removeEventListener('offline', gone);
      this.close();
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#catchUp);
    clearInterval(this.#pinger);
    this.#leave();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Send a command; the promise ends with the server's answer, however often the connection is lost in between. */
  ask(ask: Ask): Promise<Answer> {
    const command = { ...ask, request: newRequest() } as TerminalCommand;
    return new Promise((answer) => {
      this.#requests.set(command.request, { command, answer });
      this.#show();
      this.#send(command);
    });
  }

  forget(refused: Refused): void {
    this.refusals = this.refusals.filter((one) => one !== refused);
  }

  #show(): void {
    this.waiting = [...this.#requests.values()].map((one) => one.command);
  }

  #send(command: TerminalCommand): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
  }

  #ping(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > SILENCE_MS) this.#drop();
    else this.#sendPing();
  }

  #sendPing(): void {
    this.#socket?.send(JSON.stringify({ type: 'ping', sent: Date.now() }));
  }

  // A dead network closes no socket for minutes: we do not wait for it.
  #drop(): void {
    this.#leave();
    this.#lost(1006);
  }

  // Nothing that an old socket still says may reach us once there is a new one.
  #leave(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(1000);
  }

  #connectNow(): void {
    clearTimeout(this.#timer);
    this.#connect();
  }

  #connect(): void {
    this.#leave();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const after = this.#n >= 0 ? `?after=${this.#epoch}:${this.#n}` : '';
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}${after}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
      this.#sendPing(); // for the server's clock
      if (after) this.#missed = [];
      for (const { command } of this.#requests.values()) this.#send(command);
    };
    socket.onmessage = (event) => {
      this.#heard = Date.now();
      this.#tries = 0;
      this.#hear(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = (event) => this.#lost(event.code);
  }

  // What was missed comes all at once; shown so, cards and money would jump.
  #hear(message: FromServer): void {
    if (message.type === 'welcome') this.#stopCatchingUp();
    if (this.#missed === null || message.type === 'pong' || message.type === 'halted') {
      this.#take(message);
      return;
    }
    if (this.#missed.length === 0 && this.#catchUp === undefined) {
      this.#catchUp = setTimeout(() => this.#nextMissed(Date.now() + CATCH_UP_MS), GATHER_MS);
    }
    this.#missed.push(message);
  }

  #nextMissed(until: number): void {
    const message = this.#missed?.shift();
    if (message) this.#take(message);
    const left = this.#missed?.length ?? 0;
    if (!left) this.#stopCatchingUp();
    else this.#catchUp = setTimeout(() => this.#nextMissed(until), Math.max(0, (until - Date.now()) / left));
  }

  #stopCatchingUp(): void {
    clearTimeout(this.#catchUp);
    this.#catchUp = undefined;
    this.#missed = null;
  }

  #lost(code: number): void {
    this.#socket = null;
    this.#stopCatchingUp();
    if (this.#closed) return;
    const final = FINAL[code];
    if (final) {
      this.#end(final);
      return;
    }
    this.state = 'lost';
    this.#tries += 1;
    if (this.#tries % ASK_WHO_AFTER === 0) void this.#askWho();
    const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #end(why: string): void {
    clearTimeout(this.#timer);
    this.#leave();
    this.state = 'ended';
    this.ended = why;
  }

  // A page is not told why a handshake was refused, so we ask over HTTP.
  async #askWho(): Promise<void> {
    try {
      await get('/api/me');
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 401 && this.state === 'lost') this.#end(FINAL[4401]!);
    }
  }

  #take(message: FromServer): void {
    switch (message.type) {
      case 'welcome':
        this.#epoch = message.epoch;
        this.#n = message.n;
        this.#ahead = message.now_ms - Date.now();
        this.venue = message.venue;
        this.currency = message.currency;
        this.table = message.table;
        this.you = message.you ?? null;
        this.console = message.console ?? null;
        this.happened = [];
        this.halted = '';
        this.state = 'live';
        break;
      case 'table':
        this.#n = message.n;
        this.table = message.table;
        this.happened = message.happened;
        this.state = 'live';
        break;
      case 'console':
        this.console = message.console;
        this.state = 'live';
        break;
      case 'seat':
        this.you = message.you;
        this.state = 'live';
        break;
      case 'registered':
      case 'refused':
        this.#answered(message);
        break;
      case 'pong':
        this.#ahead = message.now_ms - Math.round((message.sent + Date.now()) / 2);
        this.state = 'live';
        break;
      case 'halted':
        this.halted = message.why;
        break;
      case 'floor':
        break;
      default:
        message satisfies never;
    }
  }

  #answered(message: Answer): void {
    if (message.you) this.you = message.you;
    const request = message.request ?? '';
    const asked = this.#requests.get(request);
    this.#requests.delete(request);
    this.#show();
    if (message.type === 'refused') this.refusals = [...this.refusals.slice(-2), message];
    asked?.answer(message);
  }
}
