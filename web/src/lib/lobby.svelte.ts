// The live list of tables that a terminal may play at: everything on connecting, afterwards what changed.

import { Line, type ConnectionState } from './line.svelte';
import type { LobbyTable } from './protocol';

export class LiveLobby {
  tables = $state.raw<Record<string, LobbyTable>>({});
  #line: Line;

  constructor(readonly path = '/ws/lobby') {
    this.#line = new Line({
      path: () => path,
      heard: (message) => {
        if (message.type !== 'lobby') return;
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

  now(): number {
    return this.#line.now();
  }
}
