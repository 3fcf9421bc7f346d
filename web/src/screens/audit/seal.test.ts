// @vitest-environment node
// The entries are those of a real journal, with the hashes that the store gave them.

import { expect, test } from 'vitest';
import type { RoundExport } from '../../lib/protocol';
import exported from './golden/export-2.json';
import recalled from './golden/recalled-2.json';
import { checkSeal, entryHash } from './seal';

const round = exported as RoundExport;
const digest = (bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', bytes);

test('every hash of the journal is found again', async () => {
  for (const entry of round.entries) expect(await entryHash(entry, digest)).toBe(entry.hash);
  const checked = await checkSeal(round, recalled.last_hash, digest);
  expect(checked).toEqual({ entries: round.entries.length, links: round.entries.length - 1, wrong: null });
});

test('a changed amount, a changed body and a missing link are found', async () => {
  const change = (place: number, changes: object): RoundExport => ({
    ...round,
    entries: round.entries.map((entry, at) => (at === place ? { ...entry, ...changes } : entry)),
  });
  const paid = round.entries.findIndex((entry) => entry.transfers.length > 0);
  const more = round.entries[paid]!.transfers.map((one) => ({ ...one, cents: one.cents + 1 }));
  expect((await checkSeal(change(paid, { transfers: more }), recalled.last_hash, digest)).wrong).toBe(round.entries[paid]!.seq);
  expect((await checkSeal(change(3, { body: '{}' }), recalled.last_hash, digest)).wrong).toBe(round.entries[3]!.seq);
  expect((await checkSeal(change(4, { previous_hash: '00'.repeat(32) }), recalled.last_hash, digest)).wrong).toBe(round.entries[4]!.seq);
  expect((await checkSeal(round, '00'.repeat(32), digest)).wrong).toBe(round.entries.at(-1)!.seq);
});
