// Something asked of the server once or now and then: loading, there, or failed with a sentence and a way to try again.

import { sentence } from './sentence';
import { asProblem, noticeEnd } from './problem';

export class Load<T> {
  value = $state.raw<T | null>(null);
  problem = $state('');
  busy = $state(false);
  #turn = 0;

  constructor(readonly ask: () => Promise<T>) {}

  async again(): Promise<void> {
    const turn = ++this.#turn;
    this.busy = true;
    try {
      const value = await this.ask();
      if (turn === this.#turn) {
        this.value = value;
        this.problem = '';
      }
    } catch (error) {
      const refused = asProblem(error);
      noticeEnd(refused);
      if (turn === this.#turn) this.problem = sentence(refused);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }
}
