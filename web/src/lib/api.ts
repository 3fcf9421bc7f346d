// HTTP to our own server. Every refusal is an ApiProblem with a sentence for people.

import { t, tell } from './i18n.svelte';
import type { ApiError, Sentence } from './protocol';

export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly paragraph = '',
    readonly said: Sentence | null = null, // the message as values, where the server made it
  ) {
    super(message);
  }

  /** Nobody can say yet whether it was done: no answer came, or the server does not know, or could not look at it. */
  get isUnknown(): boolean {
    return [0, 502, 503, 504].includes(this.status) || this.code === 'too-many-outstanding';
  }

  /** In the language chosen. */
  get text(): string {
    return this.said ? tell(this.said) : t(this.message);
  }
}

let csrf = '';

export function setCsrf(token: string): void {
  csrf = token;
}

export function get<T>(path: string, query: Record<string, string | number | undefined> = {}): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return call<T>('GET', text ? `${path}?${text}` : path);
}

export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return call<T>('POST', path, JSON.stringify(body));
}

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 8_000;

/** Post what carries a request id of its own, again and again until it is known what became of it: it is done once.
    Whoever was not answered and is then told to wait (429) knows as little as before. */
export async function postOnce<T>(path: string, body: { request: string }, checking: () => void, pauseMs = PAUSE_MS): Promise<T> {
  for (let pause = pauseMs, unanswered = false; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await post<T>(path, body);
    } catch (error) {
      if (!(error instanceof ApiProblem) || !(error.isUnknown || (unanswered && error.status === 429))) throw error;
      unanswered = true;
      checking();
      await new Promise((after) => setTimeout(after, pause));
    }
  }
}

async function call<T>(method: string, path: string, body?: string): Promise<T> {
  let response: Response;
  let isJson: boolean;
  let answer: unknown;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json', 'x-csrf-token': csrf },
      ...(body === undefined ? {} : { body }),
    });
    isJson = (response.headers.get('content-type') ?? '').includes('json');
    const text = await response.text();
    answer = isJson && text ? JSON.parse(text) : text;
  } catch {
    // An answer that broke off half-way is none: it was perhaps done.
    throw new ApiProblem(0, 'no-connection', 'The server does not answer. Check the connection and try again.');
  }
  if (response.ok) return answer as T;
  const problem = (isJson ? answer : {}) as Partial<ApiError>;
  throw new ApiProblem(
    response.status,
    problem.code ?? 'unknown',
    problem.message ?? `The server answered ${response.status}.`,
    problem.paragraph,
    problem.said,
  );
}

// A new id for each request: the same one sent again is answered the same, and nothing happens twice.
export function newRequest(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID is only there in secure contexts
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
