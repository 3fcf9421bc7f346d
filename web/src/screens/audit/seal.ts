// Checking a round's entries in the browser: each hash anew, and that they follow one another. Nobody has to be believed.

import type { EntryExported, RoundExport } from '../../lib/protocol';

export interface SealChecked {
  entries: number;
  links: number; // entries that directly follow another one of this round
  wrong: number | null; // the first entry that does not hold
}

type Digest = (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>;
const FORMAT = 2; // of the envelope
const sha256: Digest = (bytes) => crypto.subtle.digest('SHA-256', bytes);

export async function checkSeal(round: RoundExport, lastHash: string, digest: Digest = sha256): Promise<SealChecked> {
  const hashes = new Map<number, string>();
  let links = 0;
  for (const entry of round.entries) {
    const before = hashes.get(entry.number - 1);
    if (before !== undefined) links += 1;
    const holds = (before === undefined || before === entry.previous_hash) && (await entryHash(entry, digest)) === entry.hash;
    if (!holds) return { entries: hashes.size, links, wrong: entry.seq };
    hashes.set(entry.number, entry.hash);
  }
  const last = round.entries.at(-1);
  return { entries: hashes.size, links, wrong: last && last.hash !== lastHash ? last.seq : null };
}

/** SHA-256 of the hash before it, the envelope's length as eight bytes, the envelope, and the body. */
export async function entryHash(entry: EntryExported, digest: Digest = sha256): Promise<string> {
  const transfers = entry.transfers.map((one) => [one.kind, one.source, one.target, one.cents]);
  const documents = entry.documents.map((one) => [one.key, one.sha256]);
  const { stream, number, kind, at_ms, day, label, request, first_transfer, documents_sum } = entry;
  const text = new TextEncoder();
  const listed = [FORMAT, stream, number, kind, at_ms, day, label, request, first_transfer, transfers, documents, documents_sum];
  const envelope = text.encode(JSON.stringify(listed));
  const body = text.encode(entry.body);
  const bytes = new Uint8Array(32 + 8 + envelope.length + body.length);
  bytes.set(fromHex(entry.previous_hash));
  new DataView(bytes.buffer).setBigUint64(32, BigInt(envelope.length));
  bytes.set(envelope, 40);
  bytes.set(body, 40 + envelope.length);
  return toHex(new Uint8Array(await digest(bytes)));
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
