// This terminal's part in mixing shoes: it makes its nonce, commits to it, and reveals it when it is asked. What it has
// committed to is kept over a reload of the page; loaded only at tables whose seats mix.

import type { Answer, Ask } from '../../lib/live.svelte';
import { cleanWords, newNonce, nonceCommitment, wordsOf } from '../../lib/mixing';
import type { Refused, SeatView, TableView } from '../../lib/protocol';
import { keep, kept } from './kept';

/** What is needed of the line to a table. */
export interface MixingLine {
  readonly told: TableView | null;
  readonly you: SeatView | null;
  ask(ask: Ask): Promise<Answer>;
  forget(refused: Refused): void;
}

const MOST_KEPT = 40; // four tables, each with all that a seat may commit to for a shoe, and for the next
const nonces = new Map<string, string>(); // by what was committed to
const asked = new Set<string>(); // on this page, so that nothing is asked twice

function remembered(): Map<string, string> {
  try {
    const stored = JSON.parse(kept('nonces') ?? '[]') as [string, string][];
    for (const [commitment, nonce] of stored) if (!nonces.has(commitment)) nonces.set(commitment, String(nonce));
  } catch {
    // what cannot be read is not revealed: this seat is left out of one shoe
  }
  return nonces;
}

/** The words that this seat mixes into the next shoe; '' where it takes part without any, null where it does not. */
export function ownWords(you: SeatView | null): string | null {
  const nonce = you?.nonce ? remembered().get(you.nonce) : undefined;
  return nonce === undefined ? null : wordsOf(nonce);
}

/** Whatever this seat has to do now. Refusals are nobody's business: a seat that comes too late is left out once. */
export async function takePart(line: MixingLine): Promise<void> {
  const [mix, you] = [line.told?.shoe.mix, line.you];
  if (!line.told || !mix || !you) return;
  const nonce = remembered().get(you.to_reveal);
  if (nonce && mix.shoe !== null && once(`reveal ${you.to_reveal}`)) {
    const answer = await line.ask({ type: 'reveal-nonce', shoe: mix.shoe, nonce });
    if (answer.type === 'refused') line.forget(answer);
  }
  const next = `commit ${line.told.table} ${you.seat} ${mix.next_shoe}`;
  if (!remembered().has(you.nonce) && once(next)) {
    const answer = await commit(line, line.told.table, you.seat, mix.next_shoe, newNonce());
    if (answer.type === 'refused') line.forget(answer);
  }
}

/** The player's own words, in place of what the terminal has committed to for the next shoe. */
export async function mixWords(line: MixingLine, typed: string): Promise<Answer | null> {
  const [mix, you, words] = [line.told?.shoe.mix, line.you, cleanWords(typed)];
  if (!line.told || !mix || !you || !words) return null;
  return commit(line, line.told.table, you.seat, mix.next_shoe, newNonce(words));
}

function once(what: string): boolean {
  const first = !asked.has(what);
  asked.add(what);
  return first;
}

// Kept before it is sent: whatever the table has, this terminal can reveal.
async function commit(line: MixingLine, table: string, seat: number, shoe: number, nonce: string): Promise<Answer> {
  const commitment = nonceCommitment(table, shoe, seat, nonce);
  remembered().set(commitment, nonce);
  keepNewest();
  const answer = await line.ask({ type: 'commit-nonce', shoe, commitment });
  if (answer.type === 'refused') {
    nonces.delete(commitment); // or one refusal after another would push out what the table has
    keepNewest();
  }
  return answer;
}

function keepNewest(): void {
  const newest = [...nonces].slice(-MOST_KEPT);
  nonces.clear();
  for (const [one, other] of newest) nonces.set(one, other);
  keep('nonces', JSON.stringify(newest));
}

/** For tests: as if the page were loaded anew. */
export function forgetPage(): void {
  nonces.clear();
  asked.clear();
}
