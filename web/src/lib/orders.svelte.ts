// Orders of staff at a table, over HTTP: the one way in which console, pit and cashier give one. One at a time: a second
// click finds the first on its way. Whatever was not answered keeps its request id, so that it is done once, however often
// it is sent. Where the table is followed live, an order is on its way until its effect has been seen.

import { ApiProblem, postOnce, RequestId } from './api';
import type { Done, Receipt, SignIn, StaffCommand, StaffRequest } from './protocol';
import { asProblem, noticeEnd } from './problem';

export type Outcome = { done: true; by: string; receipt: Receipt | null } | { done: false; problem: ApiProblem };

/** The number of the view on the screen, and when a later one is there: a `LiveTable` is one. */
export interface Followed {
  readonly n: number;
  seen(n: number): Promise<void>;
}

interface More {
  why?: string;
  signIn?: SignIn | null; // then it is that person's, this once, and the password is not kept
  signature?: SignIn | null; // that person signs besides
}

export class Orders {
  busy = $state(false);
  asking = $state(false); // again: it is being checked whether it was done
  problem = $state.raw<ApiProblem | null>(null); // of the last order given without a dialog of its own
  signedOut = $state(false);
  #id = new RequestId();

  constructor(
    readonly at: () => string,
    readonly live: () => Followed | null = () => null,
    readonly pauseMs?: number,
  ) {}

  get table(): string {
    return this.at();
  }

  /** Done means durable, and seen where the table is followed. */
  async give(command: StaffCommand, { why = '', signIn = null, signature = null }: More = {}): Promise<Outcome> {
    if (this.busy) return { done: false, problem: new ApiProblem(0, 'busy', 'The last command is still on its way.') };
    this.busy = true;
    try {
      const order = { command, ...(why ? { why } : {}), ...(signIn ? { sign_in: signIn } : {}), ...(signature ? { signature } : {}) };
      const done = await this.#send(this.table, order);
      await this.live()?.seen(done.n);
      return { done: true, by: done.by, receipt: done.receipt };
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 401 && !signIn) {
        this.signedOut = true;
        noticeEnd(problem);
      }
      return { done: false, problem };
    } finally {
      this.busy = false;
      this.asking = false;
    }
  }

  /** The same, where what is refused is shown from here: whether it is done. */
  async act(command: StaffCommand, why = ''): Promise<boolean> {
    if (this.busy) return false;
    this.problem = null;
    const outcome = await this.give(command, { why });
    if (!outcome.done) this.problem = outcome.problem;
    return outcome.done;
  }

  async #send(table: string, order: Omit<StaffRequest, 'request'>): Promise<Done> {
    // Once the table has moved on, the same words are another order: the next card.
    const content = JSON.stringify([table, this.live()?.n, order.command, order.why, order.sign_in?.id, order.signature?.id]);
    const body: StaffRequest = { request: this.#id.of(content), ...order };
    try {
      const path = `/api/tables/${encodeURIComponent(table)}/commands`;
      const done = await postOnce<Done>(path, body, () => (this.asking = true), this.pauseMs);
      this.#id.answered(null);
      return done;
    } catch (error) {
      this.#id.answered(asProblem(error)); // whoever must sign in first gives the same order again
      throw error;
    }
  }
}
