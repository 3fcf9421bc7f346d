// The console at one table: its connection, its rules, what was last seen of it, and its commands.

import { ApiProblem, get } from '../../lib/api';
import { LiveTable } from '../../lib/live.svelte';
import { Orders } from '../../lib/orders.svelte';
import { Load } from '../../lib/load.svelte';
import type { ConsoleView, GameView, TableLine, TableView } from '../../lib/protocol';
import { askVenue } from '../../lib/venue';
import { session } from '../../lib/session.svelte';
import { words } from '../../lib/i18n.svelte';
import { nameOf } from '../../lib/names';

// Insurance is no wager of its own in the rules' list.
const INSURANCE: Record<string, string> = { 'player-insurance': 'Player insurance', 'banker-insurance': 'Banker insurance' };

export interface Facts {
  line: TableLine;
  rules: GameView;
}

export class TableClient {
  live = $state.raw<LiveTable>(new LiveTable(''));
  view = $state.raw<TableView | null>(null);
  console = $state.raw<ConsoleView | null>(null);
  readonly facts: Load<Facts>;
  readonly orders: Orders;

  constructor(readonly table: string) {
    this.connectAgain();
    this.orders = new Orders(() => table, () => this.live);
    this.facts = new Load(() => this.#ask());
  }

  /** After a new sign-in; what was seen last stays on the screen until the server speaks. */
  connectAgain(): void {
    this.live = new LiveTable(`/ws/table/${encodeURIComponent(this.table)}`);
  }

  /** The connection's two halves arrive one after the other: both are taken over here. */
  take(): void {
    if (this.live.table) this.view = this.live.table;
    if (this.live.console) this.console = this.live.console;
  }

  get kind(): TableLine | null {
    return this.facts.value?.line ?? null;
  }

  wager(id: string): string {
    const one = this.facts.value?.rules.wagers.find((wager) => wager.id === id);
    if (!one) return words.t(INSURANCE[id] ?? id);
    return nameOf(one);
  }

  get mayDeal(): boolean {
    return session.may('deal');
  }

  async #ask(): Promise<Facts> {
    const id = encodeURIComponent(this.table);
    const rules = await get<GameView>(`/api/venue/tables/${id}/rules`);
    const venue = await askVenue();
    const line = venue.tables.find((one) => one.table === this.table);
    if (!line) throw new ApiProblem(404, 'unknown-table', '', '', { template: 'There is no table {table}.', values: { table: this.table } });
    return { line, rules };
  }
}
