// One-time codes that were made and not yet handed over. They outlast a change of page, and each goes when it is taken: by the
// person or device that it is for, or by the administrator who has handed it over.

import type { CodeView } from '../../lib/protocol';

export class Handout {
  #codes = $state.raw<CodeView[]>([]);
  #owner = $state(''); // who made them: nobody else who signs in on this page sees them
  #unused = new Set<string>(); // seen waiting for its code, so that it can be seen to have taken it

  of(person: string): CodeView[] {
    return person === this.#owner ? this.#codes : [];
  }

  /** A newer code for the same takes the place of the former one, which is worth nothing by now. */
  add(codes: readonly CodeView[], by: string): void {
    if (by !== this.#owner) this.takeAll();
    this.#owner = by;
    const now = new Set(codes.map((one) => one.id));
    for (const id of now) this.#unused.delete(id);
    this.#codes = [...this.#codes.filter((one) => !now.has(one.id)), ...codes];
  }

  /** Whom the server says to wait for a code still: whoever waited before and does not now has taken it. */
  seen(all: readonly { id: string; waits: boolean }[]): void {
    for (const { id, waits } of all) {
      if (waits) this.#unused.add(id);
      else if (this.#unused.has(id)) this.take(id);
    }
  }

  take(id: string): void {
    this.#unused.delete(id);
    this.#codes = this.#codes.filter((one) => one.id !== id);
  }

  takeAll(): void {
    this.#codes = [];
    this.#unused.clear();
  }
}

export const staffCodes = new Handout();
export const deviceCodes = new Handout();
