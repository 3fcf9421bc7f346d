// A training table as its trainee sees it: what happens, who asks, how it was handled. The demo's server alone has it.

import { get, post } from '../../lib/api';
import { Load } from '../../lib/load.svelte';
import { sentence } from '../../lib/sentence';
import type { Sentence, SignIn } from '../../lib/protocol';

export type Grade = 'right' | 'late' | 'wrong' | 'missed';

export interface MarkView {
  lesson: string;
  title: Sentence;
  happened: Sentence;
  grade: Grade;
  seconds: number;
  right: Sentence;
  mistakes: Sentence[];
  paragraphs: string[];
}

export interface TrainingView {
  number: number;
  rounds: number;
  says: Sentence;
  hint: Sentence | null;
  card: string;
  happens: boolean;
  waits: boolean;
  calls: string[];
  signer: (SignIn & { name: string }) | null;
  question: { number: number; asks: Sentence; answers: Sentence[] } | null;
  marks: MarkView[];
  clauses: { paragraph: string; right: number; of: number }[];
  ended: boolean;
}

export const GRADES: Record<Grade, string> = { right: 'Right', late: 'Late', wrong: 'Wrong', missed: 'Missed' };

export class Training {
  readonly seen: Load<TrainingView>;
  problem = $state('');
  busy = $state(false);

  constructor(readonly table: string) {
    this.seen = new Load(() => get<TrainingView>(this.#path()));
  }

  get view(): TrainingView | null {
    return this.seen.value;
  }

  /** One thing at a time; what comes of it is shown at once. */
  async ask(what: 'answer' | 'call' | 'pass' | 'finish' | 'again', more: Record<string, unknown> = {}): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = '';
    try {
      await post<TrainingView>(`${this.#path()}/${what}`, more);
      await this.seen.again();
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.busy = false;
    }
  }

  #path(): string {
    return `/api/training/${encodeURIComponent(this.table)}`;
  }
}

/** The lessons to train again, each once: those that were not right. */
export function notRight(marks: readonly MarkView[]): string[] {
  return [...new Set(marks.filter((mark) => mark.grade !== 'right').map((mark) => mark.lesson))];
}
