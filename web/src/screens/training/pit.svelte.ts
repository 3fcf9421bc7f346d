// Whom a trainee may call to the table, and who is there to sign. At any other table nobody is: there people come themselves.

import type { Training } from './training.svelte';

class Pit {
  #training = $state.raw<Training | null>(null);

  /** While this training is on the screen. */
  serve(training: Training): () => void {
    this.#training = training;
    return () => (this.#training = null);
  }

  get calls(): readonly string[] {
    return this.#training?.view?.calls ?? [];
  }

  get signer(): { id: string; name: string; password: string } | null {
    return this.#training?.view?.signer ?? null;
  }

  get problem(): string {
    return this.#training?.problem ?? '';
  }

  async call(rank: string): Promise<void> {
    await this.#training?.ask('call', { rank });
  }
}

export const pit = new Pit();
