// The live connection of the pit to all tables: everything on connecting, afterwards what changed.

import { Line, type ConnectionState } from './line.svelte';
import type { FloorTable } from './protocol';

export class LiveFloor {
  tables = $state.raw<Record<string, FloorTable>>({});
  #line: Line;

  constructor(readonly path = '/ws/floor') {
    this.#line = new Line({
      path: () => path,
      heard: (message) => {
        if (message.type !== 'floor') return;
        this.tables = { ...this.tables, ...Object.fromEntries(message.tables.map((one) => [one.table, one])) };
      },
    });
  }

  get state(): ConnectionState {
    return this.#line.state;
  }

  open(): () => void {
    return this.#line.open();
  }

  close(): void {
    this.#line.close();
  }

  now(): number {
    return this.#line.now();
  }

  /** The venue's time of day. */
  time(): number {
    return this.#line.time();
  }
}
