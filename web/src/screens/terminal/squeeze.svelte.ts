// The cards that this terminal has turned. Each terminal squeezes its own view; the table waits for those with a bet,
// so it is told when the last card lies open here.

import { covered, notOpen } from '../../lib/covered';
import type { LiveTable } from '../../lib/live.svelte';
import { Turning } from '../../lib/turning.svelte';

export class Squeeze {
  #turned = $state.raw<ReadonlySet<string>>(new Set());
  readonly #turning: Turning;

  constructor(
    readonly live: LiveTable,
    readonly isWanted: () => boolean, // else the cards turn by themselves
  ) {
    this.#turning = new Turning(live, () => this.down);
    live.cover = (told) => covered(told, [...this.down, ...this.#turning.places]);
  }

  /** The places of the cards that lie face down here. */
  readonly down = $derived.by<readonly number[]>(() => {
    const table = this.live.told;
    return table && this.isWanted() ? notOpen(table).filter((place) => !this.#turned.has(this.#key(place))) : [];
  });
  readonly endsAtMs = $derived.by(() => this.live.told?.squeeze?.ends_at_ms ?? null);

  turn(...places: readonly number[]): void {
    this.#turned = new Set([...places.map((place) => this.#key(place)), ...[...this.#turned].slice(0, 12)]);
  }

  turnAll(): void {
    this.turn(...this.down);
  }

  /** Say once that all are turned, after every loss of the line again; and open what is left when the time is over. */
  follow(): void {
    this.#turning.follow();
    const round = $derived(this.live.told?.round ?? 0);
    const cards = $derived(this.live.told?.cards.length ?? 0);
    const areOpen = $derived(this.live.state === 'live' && !this.down.length);
    $effect(() => {
      if (this.endsAtMs !== null && areOpen) this.live.tell({ type: 'turned', round, cards });
    });
    $effect(() => {
      if (this.endsAtMs === null) return;
      const timer = setTimeout(() => this.turnAll(), Math.max(0, this.endsAtMs - this.live.now()));
      return () => clearTimeout(timer);
    });
  }

  #key(place: number): string {
    const table = this.live.told;
    return `${table?.round}:${place}:${table?.cards[place]?.card}`;
  }
}
