// What is asked of the server, with an eye on the session: one that has ended shows on the next thing asked.

import { ApiProblem } from './api';
import { sentence } from './sentence';
import { session } from './session.svelte';

export function asProblem(error: unknown): ApiProblem {
  return error instanceof ApiProblem ? error : new ApiProblem(0, 'fault', sentence(error));
}

/** Then the screen asks to sign in, or is whoever's is signed in now. */
export function noticeEnd(problem: ApiProblem): void {
  if (problem.isAtTheDoor) void session.load().catch(() => undefined);
}
