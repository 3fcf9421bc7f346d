// The key of the next step does what its line said when the finger came down. Guarded is what it means, not the time
// since the last news: bets may arrive all the while, and the line says the same.

export const QUICK_MS = 250; // no eye reads a new line and no finger means a second press so soon

export class QuickFinger {
  #meaning = '';
  #rests = -Infinity; // since then: its meaning changed, or was carried out

  /** What the line on the screen says from this moment on. */
  says(meaning: string, at: number): void {
    if (meaning === this.#meaning) return;
    this.#meaning = meaning;
    this.#rests = at;
  }

  /** Whether a finger that came down then was quicker than the eye; or sooner than the line. */
  tooQuick(at: number): boolean {
    return at - this.#rests < QUICK_MS;
  }

  /** Whether a press counts; if so, another one does not for a moment. */
  takes(at: number): boolean {
    if (this.tooQuick(at)) return false;
    this.#rests = at;
    return true;
  }
}
