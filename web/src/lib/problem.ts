// What went wrong, as a problem to show; a session that has ended is noticed by it.

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
