// The live connection of the pit to all tables: everything on connecting, afterwards what changed. It reconnects by itself.

import { ApiProblem, get } from './api';
import type { ConnectionState } from './live.svelte';
import type { FloorTable, FromServer } from './protocol';

const LONGEST_WAIT_MS = 8_000;
const PING_MS = 3_000;
const SILENCE_MS = 8_000; // without a word from the server, the connection counts as lost
const ASK_WHO_AFTER = 3; // failed tries, before we ask whether this browser is still let in
const SESSION_ENDED = 4401;

export class LiveFloor {
  tables = $state.raw<Record<string, FloorTable>>({});
  state = $state<ConnectionState>('connecting');

  #socket: WebSocket | null = null;
  #ahead = 0;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #closed = false;

  constructor(readonly path = '/ws/floor') {}

  open(): () => void {
    this.#connect();
    this.#pinger = setInterval(() => this.#ping(), PING_MS);
    const back = (): void => {
      if (this.state === 'lost') this.#connect();
    };
    addEventListener('online', back);
    return () => {
      removeEventListener('online', back);
      this.close();
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pinger);
    this.#leave();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  #ping(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > SILENCE_MS) {
      this.#leave();
      this.#lost(1006);
    } else {
      this.#socket.send(JSON.stringify({ type: 'ping', sent: Date.now() }));
    }
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
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
    };
    socket.onmessage = (event) => {
      this.#heard = Date.now();
      this.#tries = 0;
      this.#take(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = (event) => this.#lost(event.code);
  }

  #take(message: FromServer): void {
    if (message.type === 'pong') {
      this.#ahead = message.now_ms - Math.round((message.sent + Date.now()) / 2);
    } else if (message.type === 'floor') {
      this.tables = { ...this.tables, ...Object.fromEntries(message.tables.map((one) => [one.table, one])) };
    }
    this.state = 'live';
  }

  #lost(code: number): void {
    this.#socket = null;
    if (this.#closed) return;
    if (code === SESSION_ENDED) {
      this.state = 'ended';
      return;
    }
    this.state = 'lost';
    this.#tries += 1;
    if (this.#tries % ASK_WHO_AFTER === 0) void this.#askWho();
    const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  // A page is not told why a handshake was refused, so we ask over HTTP.
  async #askWho(): Promise<void> {
    try {
      await get('/api/me');
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 401 && this.state === 'lost') {
        clearTimeout(this.#timer);
        this.state = 'ended';
      }
    }
  }
}
