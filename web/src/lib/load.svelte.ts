// Something asked of the server once or now and then: loading, there, or failed with a sentence and a way to try again.

import { ApiProblem } from './api';
import { withRule } from './rules.svelte';

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
    } catch (problem) {
      if (turn === this.#turn) this.problem = sentence(problem);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }
}

/** What to show of anything that went wrong. */
export function sentence(problem: unknown): string {
  if (problem instanceof ApiProblem) return withRule(problem.text, problem.paragraph);
  return problem instanceof Error ? problem.message : String(problem);
}
