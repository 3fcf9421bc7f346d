// The live connection to one table: what the server says is what we show. After an interruption it asks for what it
// missed, and sends again what was not answered, under the same request id, so that nothing is ever bet twice.

import { newRequest } from './api';
import { Line, type ConnectionState } from './line.svelte';
import type { ConsoleView, FromServer, FromTerminal, Ping, Refused, Registered, SeatView, Sentence, TableView } from './protocol';

export type TerminalCommand = Exclude<FromTerminal, Ping>;
export type Answer = Registered | Refused;
type WithoutRequest<C> = C extends unknown ? Omit<C, 'request'> : never;
export type Ask = WithoutRequest<TerminalCommand>;

interface Waiting {
  command: TerminalCommand;
  answer: (answer: Answer) => void;
}

const GATHER_MS = 100; // what was missed comes in one go, as several messages
const CATCH_UP_MS = 900; // and is then shown in so long, step by step

export class LiveTable {
  table = $state.raw<TableView | null>(null);
  you = $state.raw<SeatView | null>(null);
  console = $state.raw<ConsoleView | null>(null);
  happened = $state.raw<readonly string[]>([]);
  venue = $state('');
  currency = $state('');
  halted = $state.raw<Sentence | null>(null); // why the table has stopped
  waiting = $state.raw<readonly TerminalCommand[]>([]);
  refusals = $state.raw<readonly Refused[]>([]);

  #line: Line;
  #requests = new Map<string, Waiting>();
  #epoch = '';
  #n = -1;
  #shown = -1; // the view that is on the screen: for staff, with the console's part of it
  #waits: { n: number; seen: () => void }[] = [];
  #missed: FromServer[] | null = null; // not null: catching up
  #catchUp: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly path: string) {
    this.#line = new Line({
      path: () => (this.#n >= 0 ? `${path}?after=${this.#epoch}:${this.#n}` : path),
      opened: () => {
        if (this.#n >= 0) this.#missed = [];
        for (const { command } of this.#requests.values()) this.#line.send(command);
      },
      heard: (message) => this.#hear(message),
      lost: () => this.#stopCatchingUp(),
      ended: () => this.#letGo(),
    });
  }

  get state(): ConnectionState {
    return this.#line.state;
  }

  get ended(): string {
    return this.#line.ended;
  }

  open(): () => void {
    const close = this.#line.open();
    return () => {
      close();
      this.#letGo();
    };
  }

  close(): void {
    this.#line.close();
    this.#letGo();
  }

  /** The number of the view on the screen. */
  get n(): number {
    return this.#shown;
  }

  /** Ends once that view or a later one is on the screen, or nobody looks at it any more. */
  seen(n: number): Promise<void> {
    return n <= this.#shown || this.state === 'ended' ? Promise.resolve() : new Promise((seen) => this.#waits.push({ n, seen }));
  }

  #show(n: number): void {
    this.#shown = n;
    this.#letGo(n);
  }

  #letGo(n = Infinity): void {
    const ready = this.#waits.filter((one) => one.n <= n);
    this.#waits = this.#waits.filter((one) => one.n > n);
    ready.forEach((one) => one.seen());
  }

  now(): number {
    return this.#line.now();
  }

  /** Send a command; the promise ends with the server's answer, however often the connection is lost in between. A
      request of its own is given where it may have been asked before: it then gets the same answer. */
  ask(ask: Ask, request = newRequest()): Promise<Answer> {
    const command = { ...ask, request } as TerminalCommand;
    return new Promise((answer) => {
      this.#requests.set(command.request, { command, answer });
      this.#showWaiting();
      this.#line.send(command);
    });
  }

  forget(refused: Refused): void {
    this.refusals = this.refusals.filter((one) => one !== refused);
  }

  #showWaiting(): void {
    this.waiting = [...this.#requests.values()].map((one) => one.command);
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

  #take(message: FromServer): void {
    switch (message.type) {
      case 'welcome':
        if (this.#epoch !== message.epoch) this.#letGo(); // the server has been started since: numbers begin again
        this.#epoch = message.epoch;
        this.#n = message.n;
        this.venue = message.venue;
        this.currency = message.currency;
        this.table = message.table;
        this.you = message.you ?? null;
        this.console = message.console ?? null;
        this.happened = [];
        this.halted = null;
        this.#show(message.n);
        break;
      case 'table':
        this.#n = message.n;
        this.table = message.table;
        this.happened = message.happened;
        if (!this.console) this.#show(message.n);
        break;
      case 'console':
        this.console = message.console;
        this.#show(message.n);
        break;
      case 'seat':
        this.you = message.you;
        break;
      case 'registered':
      case 'refused':
        this.#answered(message);
        break;
      case 'pong':
      case 'unknown': // it is asked again once the line is back
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
    const requests = message.type === 'registered' ? message.requests : [message.request ?? ''];
    const asked = requests.map((request) => this.#requests.get(request));
    requests.forEach((request) => this.#requests.delete(request));
    this.#showWaiting();
    if (message.type === 'refused') this.refusals = [...this.refusals.slice(-2), message];
    asked.forEach((one) => one?.answer(message));
  }
}
