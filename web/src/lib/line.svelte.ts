// A line to the server that comes back by itself: it pings, notices silence, waits ever longer between tries, and knows
// when there is no coming back.

import { ApiProblem, get } from './api';
import type { FromServer } from './protocol';

export type ConnectionState = 'connecting' | 'live' | 'lost' | 'ended';

const LONGEST_WAIT_MS = 8_000;
const PING_MS = 3_000;
const SILENCE_MS = 8_000; // without a word from the server, the connection counts as lost
const ASK_WHO_AFTER = 3; // failed tries, before we ask whether this browser is still let in
const MOVED = 4503; // the table goes to another machine, which has it in a moment
// Closed for a reason that coming back would not change.
const FINAL: Record<number, string> = {
  4001: 'This terminal was connected from somewhere else.',
  4002: 'This seat was given to another device. Please call an attendant.',
  4401: 'The session has ended. Sign in again.',
};

/** Who uses the line: where it leads to, and what is done with what comes over it. */
export interface Ears {
  path: () => string;
  opened?: () => void;
  heard: (message: FromServer) => void;
  lost?: () => void;
  ended?: () => void;
}

export class Line {
  state = $state<ConnectionState>('connecting');
  ended = $state('');
  moving = $state(false); // lost, and for no longer than the table takes to come back elsewhere

  #ears: Ears;
  #socket: WebSocket | null = null;
  #time = Date.now() - performance.now(); // what the venue's time of day is ahead of ours
  #ahead = 0; // by how many milliseconds the server's clock is ahead of ours, which nobody can set
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #closed = false;

  constructor(ears: Ears) {
    this.#ears = ears;
  }

  open(): () => void {
    this.#connect();
    this.#pinger = setInterval(() => this.#ping(), PING_MS);
    const back = (): void => {
      if (this.state === 'lost') this.#connect();
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
    clearInterval(this.#pinger);
    this.#leave();
    this.#ears.lost?.();
  }

  now(): number {
    return performance.now() + this.#ahead;
  }

  /** The venue's time of day; `now` is for counting down. */
  time(): number {
    return performance.now() + this.#time;
  }

  /** Say something, if anybody is there to hear it: whether anybody is. */
  send(message: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #ping(): void {
    if (!this.#socket) return;
    if (performance.now() - this.#heard > SILENCE_MS) this.#drop();
    else this.send({ type: 'ping', sent: performance.now() });
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

  #connect(): void {
    clearTimeout(this.#timer);
    this.#leave();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${this.#ears.path()}`);
    this.#socket = socket;
    this.#heard = performance.now(); // a handshake that nobody answers is silence, too
    socket.onopen = () => {
      this.#heard = performance.now();
      this.send({ type: 'ping', sent: performance.now() }); // for the server's clock
      this.#ears.opened?.();
    };
    socket.onmessage = (event) => this.#take(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = (event) => this.#lost(event.code);
  }

  #take(message: FromServer): void {
    this.#heard = performance.now();
    this.#tries = 0;
    this.state = 'live';
    this.moving = false;
    if (message.type === 'pong') {
      const ours = (message.sent + performance.now()) / 2;
      this.#ahead = message.now_ms - ours;
      this.#time = message.time_ms - ours;
    } else if (message.type === 'welcome') this.#ahead = message.now_ms - performance.now();
    this.#ears.heard(message);
  }

  #lost(code: number): void {
    this.#socket = null;
    this.#ears.lost?.();
    if (this.#closed) return;
    const final = FINAL[code];
    if (final) {
      this.#end(final);
      return;
    }
    this.state = 'lost';
    this.#tries += 1;
    this.moving = code === MOVED || (this.moving && this.#tries < ASK_WHO_AFTER);
    if (this.#tries % ASK_WHO_AFTER === 0) void this.#askWho();
    const first = code === MOVED && this.#tries === 1; // at once, but not all of a table in one instant
    const wait = first ? 300 * Math.random() : Math.min(LONGEST_WAIT_MS, 250 * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #end(why: string): void {
    clearTimeout(this.#timer);
    this.#leave();
    this.state = 'ended';
    this.ended = why;
    this.#ears.ended?.();
  }

  // A page is not told why a handshake was refused, so we ask over HTTP.
  async #askWho(): Promise<void> {
    try {
      await get('/api/me');
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 401 && this.state === 'lost') this.#end(FINAL[4401]!);
    }
  }
}
