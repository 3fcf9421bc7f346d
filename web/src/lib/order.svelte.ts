// One order of staff at a table, over HTTP. A second click finds it on its way. Whatever was not answered keeps its request
// id: the same order given again is the same request, and is done once.

import { ApiProblem, newRequest, post } from './api';
import type { Done, StaffCommand } from './protocol';
import { session } from './session.svelte';

type WithoutRequest<C> = C extends unknown ? Omit<C, 'request'> : never;
export type Command = WithoutRequest<StaffCommand>;

const TRIES = 5;
const PAUSE_MS = 800;

export class Order {
  busy = $state(false);
  problem = $state.raw<ApiProblem | null>(null);
  #unanswered = { content: '', request: '' };

  constructor(readonly pauseMs = PAUSE_MS) {}

  /** Whether it is done, which means durable. If not, `problem` says why. */
  async give(table: string, command: Command): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = null;
    try {
      await this.#send(table, command);
      return true;
    } catch (error) {
      this.problem = asProblem(error);
      noticeEnd(this.problem);
      return false;
    } finally {
      this.busy = false;
    }
  }

  async #send(table: string, command: Command): Promise<Done> {
    const content = JSON.stringify([table, command]);
    if (this.#unanswered.content !== content) this.#unanswered = { content, request: newRequest() };
    const order = { command: { ...command, request: this.#unanswered.request } };
    for (let tries = 1; ; tries += 1) {
      try {
        const done = await post<Done>(`/api/tables/${encodeURIComponent(table)}/commands`, order);
        this.#unanswered = { content: '', request: '' };
        return done;
      } catch (error) {
        const unanswered = error instanceof ApiProblem && error.status === 0;
        if (!unanswered) this.#unanswered = { content: '', request: '' };
        if (!unanswered || tries === TRIES) throw error;
        await new Promise((after) => setTimeout(after, this.pauseMs));
      }
    }
  }
}

export function asProblem(error: unknown): ApiProblem {
  return error instanceof ApiProblem ? error : new ApiProblem(0, 'unknown', error instanceof Error ? error.message : String(error));
}

/** A session that has ended shows on the next thing asked: then the screen asks to sign in. */
export function noticeEnd(problem: ApiProblem): void {
  if (problem.status === 401) void session.load().catch(() => undefined);
}

/** What is asked of the server, with an eye on the session. */
export async function watched<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    noticeEnd(asProblem(error));
    throw error;
  }
}
