// HTTP to our own server. Every refusal is an ApiProblem with a sentence for people.

import { t, tell } from './i18n.svelte';
import type { ApiError, Sentence } from './protocol';
import { answered, asked } from './unanswered';

/** What people read where the server did not answer: whoever only asked, and whoever wanted something done. */
export const NO_ANSWER = 'The server does not answer. Check the connection and try again.';
export const MAY_BE_DONE = 'It is not known whether this was done. Look before you do it again.';

export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly paragraph = '',
    readonly said: Sentence | null = null, // the message as values, where the server made it
    readonly mayBeDone = false, // nobody knows: no answer came, or the server cannot say
  ) {
    super(message);
  }

  /** It is known in a moment: no answer came, or the server does not know, or could not look at it. */
  get isUnknown(): boolean {
    return [0, 502, 503, 504].includes(this.status) || this.code === 'too-many-outstanding';
  }

  /** Whoever asked must first be let in again: of what they asked, nothing is known by that. */
  get isAtTheDoor(): boolean {
    return this.status === 401 || this.code === 'csrf';
  }

  /** In the language chosen. */
  get text(): string {
    return this.said ? tell(this.said) : t(this.message);
  }
}

let csrf = '';
let renew: () => Promise<boolean> = async () => false;

/** Who this browser is, as the page shows it. `again` asks the server: whether that is who it was. */
export function setCsrf(token: string, again: () => Promise<boolean>): void {
  csrf = token;
  renew = again;
}

export function get<T>(path: string, query: Record<string, string | number | undefined> = {}): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return call<T>('GET', text ? `${path}?${text}` : path, undefined, READING_MS);
}

/** Do something. A page that is not let in by its token any more asks who it is, and if that is who it was, once more. */
export async function post<T>(path: string, body: unknown = {}, patienceMs = PATIENCE_MS): Promise<T> {
  const content = JSON.stringify(body);
  try {
    return await call<T>('POST', path, content, patienceMs);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'csrf') throw error;
    if (!(await renew())) throw new ApiProblem(error.status, error.code, 'Somebody else has signed in in this browser. Nothing was done.');
    return await call<T>('POST', path, content, patienceMs);
  }
}

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 8_000;
const PATIENCE_MS = 60_000; // a network that died says nothing for minutes, and somebody waits
const READING_MS = 10 * PATIENCE_MS; // a report over a year takes its time
const PATIENCE_ONCE_MS = 15_000; // for what can be asked again

/** Post what carries a request id of its own, again and again until it is known what became of it: it is done once.
    Whoever was not answered and is then told to wait (429), or to sign in, knows as little as before. */
export async function postOnce<T>(path: string, body: { request: string }, checking: () => void, pauseMs = PAUSE_MS): Promise<T> {
  asked(body.request);
  for (let pause = pauseMs, unanswered = false; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const answer = await post<T>(path, body, PATIENCE_ONCE_MS);
      answered(body.request);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (!error.isUnknown && !(unanswered && error.status === 429)) {
        const { status, code, message, paragraph, said } = error;
        if (unanswered && error.isAtTheDoor) throw new ApiProblem(status, code, message, paragraph, said, true);
        if (!error.mayBeDone) answered(body.request);
        throw error;
      }
      unanswered = true;
      checking();
      await new Promise((after) => setTimeout(after, pause));
    }
  }
}

/** The id of what is asked. The same asked again has the same one, until it is known what became of it. */
export class RequestId {
  #content = '';
  #id = '';

  of(content: string): string {
    if (content !== this.#content) [this.#content, this.#id] = [content, newRequest()];
    return this.#id;
  }

  /** It was answered so. */
  answered(problem: ApiProblem | null): void {
    if (!problem?.mayBeDone && !problem?.isAtTheDoor) this.#content = '';
  }
}

async function call<T>(method: string, path: string, body: string | undefined, patienceMs: number): Promise<T> {
  let response: Response;
  let isJson: boolean;
  let answer: unknown;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json', 'x-csrf-token': csrf },
      signal: AbortSignal.timeout(patienceMs),
      ...(body === undefined ? {} : { body }),
    });
    const type = response.headers.get('content-type') ?? '';
    isJson = type.includes('json');
    const text = await response.text();
    answer = isJson && text ? JSON.parse(text) : text;
    if (type.includes('html') || !(response.ok || isJson)) throw new Error('a page of something between us and the server');
  } catch {
    // An answer that broke off half-way is none.
    throw body === undefined ? new ApiProblem(0, 'no-connection', NO_ANSWER) : new ApiProblem(0, 'unknown', MAY_BE_DONE, '', null, true);
  }
  if (response.ok) return answer as T;
  const { code = '', message = NO_ANSWER, paragraph, said } = answer as Partial<ApiError>;
  if (body !== undefined && (code === 'unknown' || response.status === 500)) throw new ApiProblem(response.status, 'unknown', MAY_BE_DONE, '', null, true);
  throw new ApiProblem(response.status, code, message, paragraph, said);
}

// A new id for each request: the same one sent again is answered the same, and nothing happens twice.
export function newRequest(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID is only there in secure contexts
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
