// Something that a form or a key asks of the server: one at a time, and why it was refused is kept to be shown.

import { postOnce, RequestId, type ApiProblem } from './api';
import { asProblem, noticeEnd } from './problem';

/** What the end of a form shows: `Asked` is one, `Orders` another. */
export interface OnItsWay {
  readonly busy: boolean;
  readonly asking: boolean; // again: it is being checked whether it was done
  readonly problem: ApiProblem | null;
}

export class Asked implements OnItsWay {
  busy = $state(false);
  asking = $state(false);
  problem = $state.raw<ApiProblem | null>(null);
  #id = new RequestId();

  constructor(readonly pauseMs?: number) {}

  /** What came of it; null if it was refused, or the last one is still on its way. */
  async ask<T>(what: () => Promise<T>): Promise<T | null> {
    if (this.busy) return null;
    this.busy = true;
    this.problem = null;
    try {
      return await what();
    } catch (error) {
      this.problem = asProblem(error);
      noticeEnd(this.problem);
      return null;
    } finally {
      this.busy = false;
      this.asking = false;
    }
  }

  /** Sent until it is known what became of it, under one id: it is done once. Whoever must sign in first asks for the same again. */
  async once<T>(path: string, body: object): Promise<T | null> {
    if (this.busy) return null;
    const request = this.#id.of(JSON.stringify([path, body]));
    const answer = await this.ask(() => postOnce<T>(path, { ...body, request }, () => (this.asking = true), this.pauseMs));
    this.#id.answered(this.problem);
    return answer;
  }
}
