// A receipt as it is written (docs/journal.md): read with care, for it comes from a file, a scanner or somebody's clipboard.

import { tell } from '../i18n.svelte';
import { showCents } from '../money';
import type { EntryReceipt, ReceiptEntry, Sentence } from '../protocol';

/** Why a text is no receipt, as a sentence to be translated. */
export class NoReceipt extends Error {}

const TEXTS = ['stream', 'kind', 'day', 'label', 'request', 'documents_sum', 'body', 'hash', 'previous_hash'] as const;
const COUNTS = ['seq', 'number', 'at_ms', 'first_transfer'] as const;

export function readReceipt(text: string): EntryReceipt {
  if (!text.trim()) throw new NoReceipt('There is nothing here yet.');
  let told: unknown;
  try {
    told = JSON.parse(text);
  } catch {
    throw new NoReceipt('This is no receipt: it is not written like one, or a part of it is missing.');
  }
  if (!isObject(told) || told.natural9 !== 'receipt') throw new NoReceipt('This is no receipt: it is something else.');
  if (told.format !== 1) throw new NoReceipt('This receipt is of a later program: check it there.');
  const { entry, proof, key } = told;
  const whole = isObject(entry) && typeof proof === 'string' && typeof key === 'string' && isEntry(entry);
  if (!whole) throw new NoReceipt('This is no receipt: it is not written like one, or a part of it is missing.');
  return told as unknown as EntryReceipt;
}

function isEntry(entry: Record<string, unknown>): boolean {
  const { transfers, documents } = entry;
  return (
    TEXTS.every((name) => typeof entry[name] === 'string') &&
    COUNTS.every((name) => isCount(entry[name])) &&
    isList(transfers, (one) => one.length === 4 && one.slice(0, 3).every(isText) && isCount(one[3])) &&
    isList(documents, (one) => one.length === 2 && isText(one[0]) && (isText(one[1]) || one[1] === null))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown, holds: (one: unknown[]) => boolean): boolean =>
  Array.isArray(value) && value.every((one) => Array.isArray(one) && holds(one));

/** The table that it is of; nothing for the cash desk's. */
export function tableOf(entry: ReceiptEntry): string {
  return entry.stream.startsWith('table/') ? entry.stream.slice('table/'.length) : '';
}

/** What the entry says, in words; null for one that players never ask for. */
export function wordsOf(entry: ReceiptEntry): string | null {
  try {
    const { record } = JSON.parse(entry.body) as { record: Record<string, string | number> };
    const template = SAYS[entry.kind];
    if (!template) return null;
    const values: Sentence['values'] = { seat: record.seat ?? '', amount: showCents(Number(record.cents)) };
    if (record.number !== undefined) values.number = record.number;
    if (record.odds !== undefined) values.odds = record.odds;
    if (record.wager !== undefined) values.wager = name(String(record.wager));
    if (record.hand !== undefined) values.hand = name(String(record.hand));
    return tell({ template, values });
  } catch {
    return null;
  }
}

/** The number of the round, where it is of one. */
export function roundOf(entry: ReceiptEntry): number | null {
  try {
    const { command } = JSON.parse(entry.body) as { command?: { round?: number } };
    return command?.round ?? null;
  } catch {
    return null;
  }
}

// As the server says it, so that the same lists translate it.
const SAYS: Record<string, string> = {
  'bet-placed': 'Seat {seat} bets {amount} on {wager}',
  'bet-taken-back': 'Seat {seat} takes back {amount} from {wager}',
  'bets-cleared': 'Seat {seat} takes back all bets, {amount}',
  'insurance-placed': 'Seat {seat} insures {hand} with {amount} at {odds}',
  'voucher-issued': 'Seat {seat}: voucher {number} for {amount}',
  'voucher-inserted': 'Seat {seat}: voucher {number} inserted, {amount}',
};

function name(tag: string): Sentence {
  const template = tag.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return { template, values: {} };
}

const LONGEST_QR = 2953; // bytes that the largest QR code holds

export function fitsQr(receipt: EntryReceipt): boolean {
  return new TextEncoder().encode(JSON.stringify(receipt)).length <= LONGEST_QR;
}

/** How many entries its checkpoint counts, as it says itself. */
export function sizeOf(receipt: EntryReceipt): number {
  return Number(receipt.proof.split('\n\n')[1]?.split('\n')[1]);
}
