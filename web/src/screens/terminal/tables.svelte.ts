// The tables that a terminal plays at: its own, and those that it visits. Which are shown is kept over a reload.

import { keep, kept } from './kept';
import { SeatClient } from './seatclient.svelte';

export class Tables {
  readonly home: SeatClient;
  shown = $state.raw<readonly SeatClient[]>([]);
  #active = $state.raw<SeatClient | null>(null);
  readonly #left = new Map<SeatClient, () => void>(); // how each that is visited is left

  constructor(table: string, seat: number) {
    this.home = new SeatClient(table, seat);
    this.shown = [this.home];
  }

  /** The one that keys are for, and that is seen where there is room for one. */
  readonly active = $derived.by(() => this.shown.find((one) => one === this.#active) ?? this.shown[0]!);

  /** At so many a terminal may play at a time; its own is always one of them. */
  get most(): number {
    return this.home.live.lobby;
  }

  isShown(table: string): boolean {
    return this.shown.some((one) => one.table === table);
  }

  mayAdd(table: string): boolean {
    if (this.isShown(table) || this.shown.length >= this.most) return false;
    return table === this.home.table || this.#visited.length < this.most - 1;
  }

  /** Play at this table alone. */
  play(table: string): void {
    this.#show([this.#client(table)]);
  }

  /** Play at this one as well. */
  add(table: string): void {
    if (!this.mayAdd(table)) return;
    const added = this.#client(table);
    this.#show([...this.shown, added]);
    this.#active = added;
  }

  /** Bets that lie there are settled without it, and what they bring comes home. */
  leave(table: string): void {
    const others = this.shown.filter((one) => one.table !== table);
    this.#show(others.length ? others : [this.home]);
  }

  choose(client: SeatClient): void {
    this.#active = client;
  }

  /** Those that were shown when the page was left; until the own table has answered nobody knows how many may be. */
  restore(): void {
    const tables = (kept(this.#name) ?? '').split(' ').filter(Boolean).slice(0, this.most);
    if (this.most === 1 || !tables.length) return;
    const visited = tables.filter((one) => one !== this.home.table).slice(0, this.most - 1);
    this.#show(tables.filter((one) => one === this.home.table || visited.includes(one)).map((one) => this.#client(one)));
  }

  /** The venue may allow fewer once the server has been started anew. */
  keepWithin(most: number): void {
    const tooMany = this.#visited.slice(Math.max(0, most - 1));
    if (!tooMany.length) return;
    const left = this.shown.filter((one) => !tooMany.includes(one));
    this.#show(left.length ? left : [this.home]);
  }

  close(): void {
    this.#left.forEach((leave) => leave());
    this.#left.clear();
  }

  get #visited(): readonly SeatClient[] {
    return this.shown.filter((one) => one !== this.home);
  }

  get #name(): string {
    return `tables-${this.home.tid}`;
  }

  #client(table: string): SeatClient {
    const open = this.shown.find((one) => one.table === table);
    if (open) return open;
    return table === this.home.table ? this.home : new SeatClient(table, 0, this.home);
  }

  // Those that are left first: the server counts how many there are.
  #show(next: readonly SeatClient[]): void {
    for (const [client, leave] of this.#left) {
      if (next.includes(client)) continue;
      leave();
      this.#left.delete(client);
    }
    for (const client of next) {
      if (client !== this.home && !this.#left.has(client)) this.#left.set(client, client.live.open());
    }
    this.shown = next;
    keep(this.#name, next.map((one) => one.table).join(' '));
  }
}
