// The cards that are still on their way or being turned: nobody can read them yet, so nothing on the screen may tell
// what they are. How long each takes is how long its film takes; for whoever wants none, no time at all.

import type { LiveTable } from './live.svelte';

export const DEALT_MS = 600; // it slides in, then turns; and a moment more
export const TURNED_MS = 350; // it lay there, and turns

const isStill = (): boolean => typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Turning {
  #read = $state.raw<ReadonlySet<string>>(new Set());
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #lay = new Set<string>(); // face down before the player

  constructor(
    readonly live: LiveTable,
    readonly down: () => readonly number[],
  ) {}

  /** The places of the cards that cannot be read yet. Those that lie face down are not among them. */
  readonly places = $derived.by<readonly number[]>(() => {
    if (isStill()) return [];
    const down = this.down();
    const cards = this.live.told?.cards ?? [];
    return cards.map((_, place) => place).filter((place) => !down.includes(place) && !this.#read.has(this.#key(place)));
  });

  follow(): void {
    $effect(() => {
      for (const place of this.down()) this.#lay.add(this.#key(place));
      for (const key of this.places.map((place) => this.#key(place))) {
        if (!this.#timers.has(key)) this.#timers.set(key, setTimeout(() => this.#done(key), this.#lay.has(key) ? TURNED_MS : DEALT_MS));
      }
    });
    $effect(() => () => this.#timers.forEach(clearTimeout));
  }

  #done(key: string): void {
    this.#timers.delete(key);
    this.#lay.delete(key);
    this.#read = new Set([key, ...[...this.#read].slice(0, 12)]);
  }

  #key(place: number): string {
    const table = this.live.told;
    return `${table?.round}:${place}:${table?.cards[place]?.card}`;
  }
}
