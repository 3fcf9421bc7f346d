// Commands of the console. One at a time; each under its own request id, which is sent again, the same, if the answer is
// lost: nothing is ever done twice. A command stays on its way until the table has moved, so that a second click in
// between finds the button disabled.

import { ApiProblem, newRequest, post } from '../../lib/api';
import type { LiveTable } from '../../lib/live.svelte';
import type { Done, SignIn, StaffCommand } from '../../lib/protocol';

type WithoutRequest<C> = C extends unknown ? Omit<C, 'request'> : never;
export type Ask = WithoutRequest<StaffCommand>;
export type Outcome = { done: true; by: string } | { done: false; problem: ApiProblem };

const TRIES = 20;
const PAUSE_MS = 1_000;
const TABLE_MOVES_WITHIN_MS = 1_500;

export class Orders {
  busy = $state(false);
  asking = $state(false); // again, because no answer came
  problem = $state.raw<ApiProblem | null>(null); // of the last command given without a dialog
  signedOut = $state(false);

  constructor(
    readonly table: string,
    readonly live: () => LiveTable,
  ) {}

  /** Give a command; with `signIn` it is that person's, this once, and the password is not kept. */
  async give(ask: Ask, signIn: SignIn | null = null): Promise<Outcome> {
    if (this.busy) return { done: false, problem: new ApiProblem(0, 'busy', 'The last command is still on its way.') };
    this.busy = true;
    const before = this.live().table;
    try {
      const order = { command: { ...ask, request: newRequest() }, ...(signIn ? { sign_in: signIn } : {}) };
      const done = await this.#send(order);
      await this.#moved(before);
      return { done: true, by: done.by };
    } catch (error) {
      const problem = error instanceof ApiProblem ? error : new ApiProblem(0, 'unknown', String(error));
      if (problem.status === 401 && !signIn) this.signedOut = true;
      return { done: false, problem };
    } finally {
      this.busy = false;
      this.asking = false;
    }
  }

  /** The same, for a key or a button without a dialog: what is refused is shown on the console. */
  async act(ask: Ask): Promise<void> {
    if (this.busy) return;
    this.problem = null;
    const outcome = await this.give(ask);
    if (!outcome.done) this.problem = outcome.problem;
  }

  async #send(order: unknown): Promise<Done> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await post<Done>(`/api/tables/${encodeURIComponent(this.table)}/commands`, order);
      } catch (error) {
        const unanswered = error instanceof ApiProblem && error.status === 0;
        if (!unanswered || tries === TRIES) throw error;
        this.asking = true;
        await pause(PAUSE_MS);
      }
    }
  }

  async #moved(before: unknown): Promise<void> {
    const until = Date.now() + TABLE_MOVES_WITHIN_MS;
    while (this.live().table === before && Date.now() < until) await pause(20);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((after) => setTimeout(after, ms));
}
