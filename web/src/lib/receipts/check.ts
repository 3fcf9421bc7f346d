// Checking a receipt in the browser, without the house. A browser hashes and verifies by itself only on pages from this
// machine or over TLS; a receipt is checked on any page, so both are done by a library.

import { hashes, verify } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { EntryReceipt, ReceiptEntry } from '../protocol';

hashes.sha512 = sha512;

export type What = 'entry' | 'tree' | 'signature' | 'key';

/** One thing that was looked at, in order: after one that does not hold nothing more is looked at. */
export interface ReceiptCheck {
  what: What;
  holds: boolean;
}

export interface Checked {
  checks: ReceiptCheck[];
  holds: boolean;
  size: number; // entries that the checkpoint counts
  cosigners: Cosigner[];
}

/** Who else has signed the checkpoint, by name; `holds` is null where no key of that name is known. */
export interface Cosigner {
  name: string;
  holds: boolean | null;
}

interface Note {
  text: string;
  origin: string;
  size: number;
  root: Uint8Array;
  lines: { name: string; id: Uint8Array; signature: Uint8Array }[];
}

/** `known` is the house's key as its papers have it; without it the receipt's own is believed, and shown to be compared.
 * `witnesses` are the keys of those who may have cosigned. */
export function checkReceipt(receipt: EntryReceipt, known = '', witnesses: readonly string[] = []): Checked {
  const checked: Checked = { checks: [], holds: false, size: 0, cosigners: [] };
  const passes = (what: What, holds: () => boolean): boolean => {
    let right = false;
    try {
      right = holds();
    } catch {
      // what cannot be read does not hold
    }
    checked.checks.push({ what, holds: right });
    return right;
  };
  const { entry, proof } = receipt;
  let note: Note | null = null;
  checked.holds =
    passes('entry', () => entryHash(entry) === entry.hash) &&
    passes('tree', () => {
      const [page, after] = cut(proof, '\n\n');
      const [first, index, ...path] = page.split('\n');
      note = readNote(after);
      checked.size = note.size;
      if (first !== 'c2sp.org/tlog-proof@v1' || index !== `index ${entry.seq - 1}`) return false;
      const leaf = sha256(joined(Uint8Array.of(0), bytes(entry.hash)));
      return same(climb(leaf, entry.seq - 1, note.size, path.map(base64)), note.root);
    }) &&
    passes('signature', () => isSigned(note!, receipt.key)) &&
    (!known.trim() || passes('key', () => known.trim() === receipt.key));
  if (note) checked.cosigners = cosigners(note, witnesses);
  return checked;
}

/** SHA-256 of the hash before it, the length of the envelope, the envelope, and the body. */
export function entryHash(entry: ReceiptEntry): string {
  const envelope = utf8(
    JSON.stringify([
      2,
      entry.stream,
      entry.number,
      entry.kind,
      entry.at_ms,
      entry.day,
      entry.label,
      entry.request,
      entry.first_transfer,
      entry.transfers,
      entry.documents,
      entry.documents_sum,
    ]),
  );
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(envelope.length));
  return hex(sha256(joined(bytes(entry.previous_hash), length, envelope, utf8(entry.body))));
}

/** RFC 6962: the root that the way from this leaf leads to. */
function climb(leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): Uint8Array {
  if (index < 0 || index >= size) throw new Error('no such leaf');
  if (size === 1) {
    if (path.length) throw new Error('too many hashes');
    return leaf;
  }
  let left = 1;
  while (2 * left < size) left *= 2;
  const beside = path.at(-1)!;
  const rest = path.slice(0, -1);
  if (beside?.length !== 32) throw new Error('too few hashes');
  return index < left
    ? node(climb(leaf, index, left, rest), beside)
    : node(beside, climb(leaf, index - left, size - left, rest));
}

function node(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(joined(Uint8Array.of(1), left, right));
}

function readNote(written: string): Note {
  const at = written.lastIndexOf('\n\n');
  const text = written.slice(0, at + 1);
  const [origin, size, root, ...rest] = text.split('\n');
  if (at < 0 || !origin || !/^(0|[1-9]\d{0,15})$/.test(size ?? '') || rest.at(-1) !== '' || !written.endsWith('\n')) {
    throw new Error('no checkpoint');
  }
  const lines = written.slice(at + 2, -1).split('\n').map((line) => {
    const [dash, name, signed, ...more] = line.split(' ');
    if (dash !== '—' || !name || !signed || more.length) throw new Error('no signature');
    const all = base64(signed);
    return { name, id: all.slice(0, 4), signature: all.slice(4) };
  });
  const found = { text, origin, size: Number(size), root: base64(root!), lines };
  if (found.root.length !== 32) throw new Error('no root');
  return found;
}

function isSigned(note: Note, vkey: string): boolean {
  const key = readKey(vkey);
  const line = note.lines.find((one) => one.name === key.name && same(one.id, key.id));
  if (key.kind !== 1 || note.origin !== key.name || !line) return false;
  return verify(line.signature, utf8(note.text), key.public, { zip215: false });
}

/** Each line that is not the house's own, held against the key of that name and id (c2sp.org/tlog-cosignature). */
function cosigners(note: Note, witnesses: readonly string[]): Cosigner[] {
  const keys = witnesses.flatMap((one) => {
    try {
      return [readKey(one)];
    } catch {
      return []; // no key that anything could be checked with
    }
  });
  return note.lines
    .filter((line) => line.name !== note.origin)
    .map((line) => {
      const key = keys.find((one) => one.kind === 4 && one.name === line.name && same(one.id, line.id));
      if (!key) return { name: line.name, holds: null };
      const [time, signature] = [line.signature.slice(0, 8), line.signature.slice(8)];
      if (signature.length !== 64) return { name: line.name, holds: false };
      const at = new DataView(time.buffer).getBigUint64(0);
      const said = utf8(`cosignature/v1\ntime ${at}\n${note.text}`);
      return { name: line.name, holds: verify(signature, said, key.public, { zip215: false }) };
    });
}

/** NAME+ID+KEY, where the id is made of name and key: a wrong character is found. */
function readKey(vkey: string): { name: string; id: Uint8Array; kind: number; public: Uint8Array } {
  const [name, afterName] = cut(vkey, '+');
  const [id, encoded] = cut(afterName, '+');
  const key = base64(encoded);
  const made = sha256(joined(utf8(`${name}\n`), key)).slice(0, 4);
  if (key.length !== 33 || hex(made) !== id) throw new Error('no key');
  return { name, id: made, kind: key[0]!, public: key.slice(1) };
}

function cut(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  if (at < 0) throw new Error(`no ${by}`);
  return [text.slice(0, at), text.slice(at + by.length)];
}

const encoder = new TextEncoder();
const utf8 = (text: string): Uint8Array => encoder.encode(text);
const hex = (all: Uint8Array): string => [...all].map((one) => one.toString(16).padStart(2, '0')).join('');
const same = (one: Uint8Array, other: Uint8Array): boolean => hex(one) === hex(other);

function bytes(digits: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(digits)) throw new Error('no hash');
  return Uint8Array.from(digits.match(/../g)!, (pair) => parseInt(pair, 16));
}

/** In the one way to write it. */
function base64(text: string): Uint8Array {
  const all = atob(text);
  if (btoa(all) !== text) throw new Error('not base64');
  return Uint8Array.from(all, (one) => one.charCodeAt(0));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
