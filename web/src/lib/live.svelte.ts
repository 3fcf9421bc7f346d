// The live connection to one table: what the server says is what we show. After an interruption it asks for what it
// missed, and sends again what was not answered, under the same request id, so that nothing is ever bet twice. What the
// server does not know is asked again, too, until it does; and no more is on its way at once than the server takes.

import { newRequest } from './api';
import { Line, type ConnectionState } from './line.svelte';
import type { ConsoleView, FromServer, FromTerminal, Ping, Refused, Registered, SeatView, Sentence, TableMessage, TableView, Turned } from './protocol';

export type TerminalCommand = Exclude<FromTerminal, Ping | Turned>;
export type Answer = Registered | Refused;
type WithoutRequest<C> = C extends unknown ? Omit<C, 'request'> : never;
export type Ask = WithoutRequest<TerminalCommand>;

interface Waiting {
  command: TerminalCommand;
  answer: (answer: Answer) => void;
  sent: boolean; // over this line, and without an answer
  checking: boolean; // it may have been done: nobody has said yet
  pausing: boolean; // before it is asked again
}

const AGAIN_MS = 1_000; // before what is not known is asked again, and ever longer ...
const LONGEST_AGAIN_MS = 8_000; // ... up to this
const BUSY = new Set(['too-busy', 'too-many-outstanding']); // nothing was decided

const GATHER_MS = 100; // what was missed comes in one go, as several messages
const CATCH_UP_MS = 900; // and is then shown in so long, step by step

export class LiveTable {
  told = $state.raw<TableView | null>(null); // all that the server says of the table
  cover = $state.raw<(told: TableView) => TableView>((told) => told); // what this screen may show of it by now
  readonly table = $derived.by(() => (this.told ? this.cover(this.told) : null));
  you = $state.raw<SeatView | null>(null);
  console = $state.raw<ConsoleView | null>(null);
  happened = $state.raw<readonly string[]>([]);
  venue = $state('');
  currency = $state('');
  lobby = $state(1); // at so many tables a terminal may play at a time, its own among them
  halted = $state.raw<Sentence | null>(null); // why the table has stopped
  waiting = $state.raw<readonly TerminalCommand[]>([]);
  checking = $state.raw<readonly TerminalCommand[]>([]); // those of them that may have been done
  refusals = $state.raw<readonly Refused[]>([]);
  epoch = $state(''); // of the table at the server: another once either has been started anew
  note = $state.raw<Sentence | null>(null); // what was not done with the last request, and why

  #line: Line;
  #requests = new Map<string, Waiting>();
  #most = 256; // requests on their way at once
  #pause = AGAIN_MS;
  #again: ReturnType<typeof setTimeout> | undefined;
  #n = -1;
  #shown = -1; // the view that is on the screen: for staff, with the console's part of it
  #half: TableMessage | null = null; // for staff, shown once the console's part of it is here: half of it would mislead
  #waits: { n: number; seen: () => void }[] = [];
  #missed: FromServer[] | null = null; // not null: catching up
  #catchUp: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly path: string) {
    this.#line = new Line({
      path: () => (this.#n >= 0 ? `${path}?after=${this.epoch}:${this.#n}` : path),
      opened: () => {
        if (this.#n >= 0) this.#missed = [];
        this.#sendAll();
      },
      heard: (message) => this.#hear(message),
      lost: () => {
        this.#stopCatchingUp();
        this.#notKnown([...this.#requests.values()].filter((one) => one.sent), false);
      },
      ended: () => this.#letGo(),
    });
  }

  get state(): ConnectionState {
    return this.#line.state;
  }

  get moving(): boolean {
    return this.#line.moving;
  }

  get ended(): string {
    return this.#line.ended;
  }

  open(): () => void {
    const close = this.#line.open();
    return () => {
      close();
      this.#letGo();
      clearTimeout(this.#again);
    };
  }

  close(): void {
    this.#line.close();
    this.#letGo();
    clearTimeout(this.#again);
  }

  /** The number of the view on the screen. */
  get n(): number {
    return this.#shown;
  }

  /** Ends once that view or a later one is on the screen, or nobody looks at it any more. */
  seen(n: number): Promise<void> {
    return n <= this.#shown || this.state === 'ended' ? Promise.resolve() : new Promise((seen) => this.#waits.push({ n, seen }));
  }

  #showTable(message: TableMessage): void {
    this.told = message.table;
    this.happened = message.happened;
    if (!this.console) this.#show(message.n);
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

  time(): number {
    return this.#line.time();
  }

  /** Tell the table something that has no answer; on a lost line it is not told. */
  tell(message: Turned): void {
    this.#line.send(message);
  }

  /** Send a command; the promise ends with the server's answer, however often the connection is lost in between. A
      request of its own is given where it may have been asked before: it then gets the same answer. */
  ask(ask: Ask, request = newRequest()): Promise<Answer> {
    const command = { ...ask, request } as TerminalCommand;
    return new Promise((answer) => {
      this.#requests.set(command.request, { command, answer, sent: false, checking: false, pausing: false });
      this.#showWaiting();
      this.#sendMore();
    });
  }

  #sendMore(): void {
    const asked = [...this.#requests.values()];
    const room = this.#most - asked.filter((one) => one.sent).length;
    const next = asked.filter((one) => !one.sent && !one.pausing).slice(0, Math.max(0, room));
    for (const one of next) one.sent = this.#line.send(one.command);
  }

  #sendAll(): void {
    for (const one of this.#requests.values()) one.pausing = false;
    this.#sendMore();
  }

  #notKnown(asked: readonly Waiting[], pausing: boolean): void {
    for (const one of asked) Object.assign(one, { sent: false, checking: true, pausing });
    this.#showWaiting();
  }

  #askAgain(requests: readonly string[]): void {
    this.#notKnown(requests.flatMap((request) => this.#requests.get(request) ?? []), true);
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#sendAll(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_AGAIN_MS);
  }

  forget(refused: Refused): void {
    this.refusals = this.refusals.filter((one) => one !== refused);
  }

  #showWaiting(): void {
    const asked = [...this.#requests.values()];
    this.waiting = asked.map((one) => one.command);
    this.checking = asked.filter((one) => one.checking).map((one) => one.command);
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
        if (this.epoch !== message.epoch) this.#letGo(); // the server has been started since: numbers begin again
        this.epoch = message.epoch;
        this.#n = message.n;
        this.#most = message.outstanding;
        this.venue = message.venue;
        this.currency = message.currency;
        this.lobby = message.lobby;
        this.told = message.table;
        this.you = message.you ?? null;
        this.console = message.console ?? null;
        this.happened = [];
        this.#half = null;
        this.halted = null;
        this.#show(message.n);
        break;
      case 'table':
        this.#n = message.n;
        if (this.console) this.#half = message;
        else this.#showTable(message);
        break;
      case 'console':
        if (this.#half) this.#showTable(this.#half);
        this.#half = null;
        this.console = message.console;
        this.#show(message.n);
        break;
      case 'seat':
        this.you = message.you;
        break;
      case 'registered':
        this.#answered(message);
        break;
      case 'refused':
        if (BUSY.has(message.code) && message.request) this.#askAgain([message.request]);
        else this.#answered(message);
        break;
      case 'unknown':
        this.#askAgain(message.requests);
        break;
      case 'pong':
        break;
      case 'halted':
        this.halted = message.why;
        break;
      case 'floor':
      case 'lobby':
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
    this.#pause = AGAIN_MS;
    this.#showWaiting();
    this.#sendMore();
    this.note = message.type === 'registered' ? message.note : null;
    if (message.type === 'refused') this.refusals = [...this.refusals.slice(-2), message];
    asked.forEach((one) => one?.answer(message));
  }
}
