// Who this browser is: a person, a device, or nobody yet.

import { ApiProblem, get, post, setCsrf } from './api';
import type { Action, Me } from './protocol';

class Session {
  me = $state.raw<Me | null>(null);
  known = $state(false); // whether the server has been asked

  async load(): Promise<void> {
    try {
      this.#is(await get<Me>('/api/me'));
    } catch (problem) {
      if (!(problem instanceof ApiProblem) || problem.status !== 401) throw problem;
      this.me = null;
    }
    this.known = true;
  }

  async signIn(id: string, password: string): Promise<void> {
    this.#is(await post<Me>('/api/sign-in', { id, password }));
  }

  async enrol(code: string): Promise<void> {
    await post('/api/enrol', { code });
    await this.load(); // where staff is signed in as well, the page's token stays the person's
  }

  async claim(code: string, id: string, name: string, password: string): Promise<void> {
    this.#is(await post<Me>('/api/claim-administrator', { code, id, name, password }));
  }

  /** Whoever is out already need not be signed out. */
  async signOut(): Promise<void> {
    await post('/api/sign-out').catch((problem: unknown) => {
      if (!(problem instanceof ApiProblem) || !problem.isAtTheDoor) throw problem;
    });
    this.me = null;
    await this.load();
  }

  may(action: Action): boolean {
    return this.me?.person?.may.includes(action) ?? false;
  }

  /** Whether this person holds a rank of the pit, or stands above it. */
  holds(rank: string): boolean {
    return this.me?.person?.ranks.includes(rank) ?? false;
  }

  async #isStill(before: string): Promise<boolean> {
    await this.load();
    return this.me !== null && who(this.me) === before;
  }

  #is(me: Me): void {
    this.me = me;
    this.known = true;
    setCsrf(me.csrf, () => this.#isStill(who(me)));
  }
}

/** A person before the device that they stand at. */
function who(me: Me): string {
  return me.person ? `staff ${me.person.id}` : `device ${me.device?.id ?? ''}`;
}

export const session = new Session();
