// What is asked of the server, with an eye on the session: one that has ended shows on the next thing asked.

import { ApiProblem } from './api';
import { session } from './session.svelte';

export function asProblem(error: unknown): ApiProblem {
  return error instanceof ApiProblem ? error : new ApiProblem(0, 'unknown', error instanceof Error ? error.message : String(error));
}

/** Then the screen asks to sign in. */
export function noticeEnd(problem: ApiProblem): void {
  if (problem.status === 401) void session.load().catch(() => undefined);
}

export async function watched<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    noticeEnd(asProblem(error));
    throw error;
  }
}
