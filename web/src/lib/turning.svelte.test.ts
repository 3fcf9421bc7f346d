import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveTable } from './live.svelte';
import type { TableView } from './protocol';
import { DEALT_MS, Turning, TURNED_MS } from './turning.svelte';

class Table {
  told = $state.raw<TableView | null>(null);
  down = $state.raw<readonly number[]>([]);
  readonly turning = new Turning(this as unknown as LiveTable, () => this.down);

  deal(...cards: string[]): void {
    this.told = { round: 4, cards: cards.map((card) => ({ card })) } as unknown as TableView;
    flushSync();
  }
}

let table: Table;
let leave: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  table = new Table();
  leave = $effect.root(() => table.turning.follow());
});
afterEach(() => {
  leave();
  vi.useRealTimers();
});

it('has no card read before it has turned', () => {
  table.deal('9C');
  expect(table.turning.places).toEqual([0]);
  vi.advanceTimersByTime(DEALT_MS - 1);
  table.deal('9C', '3C');
  expect(table.turning.places).toEqual([0, 1]);
  vi.advanceTimersByTime(1);
  expect(table.turning.places).toEqual([1]);
  vi.advanceTimersByTime(DEALT_MS);
  expect(table.turning.places).toEqual([]);
});

it('leaves alone what the player has yet to turn, and takes no slide for it then', () => {
  table.down = [0];
  table.deal('9C');
  vi.advanceTimersByTime(10 * DEALT_MS);
  expect(table.turning.places).toEqual([]);
  table.down = [];
  flushSync();
  expect(table.turning.places).toEqual([0]);
  vi.advanceTimersByTime(TURNED_MS);
  expect(table.turning.places).toEqual([]);
});
