// Checking a revealed shoe in the browser: nobody has to believe the server about it.

import type { ShoeShown } from './protocol';

export interface Check {
  what: 'commitment' | 'cards' | 'mix' | 'dealt';
  holds: boolean;
  found: string;
}

const FACE_DOWN = '-'; // in place of a card that nobody saw, because it was burnt face down

type Digest = (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>;

/** Four lines of ASCII, each ended by one newline; the commitment is their SHA-256. */
export function shoeText(decks: number, salt: string, order: string): string {
  return `natural9 shoe 1\ndecks ${decks}\nsalt ${salt}\norder ${order}\n`;
}

/** Whether this browser can hash: it does so only for pages from this machine or over TLS. */
export function canCheck(): boolean {
  return globalThis.isSecureContext && Boolean(globalThis.crypto?.subtle);
}

const sha256: Digest = (bytes) => crypto.subtle.digest('SHA-256', bytes);

export async function checkShoe(shoe: ShoeShown, promised: string, digest: Digest = sha256): Promise<Check[]> {
  const { decks, salt, order } = shoe;
  if (salt === null || order === null) return [];
  const bytes = new TextEncoder().encode(shoeText(decks, salt, order));
  const hash = [...new Uint8Array(await digest(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const cards = order.split(' ');
  const checks: Check[] = [
    { what: 'commitment', holds: hash === promised.toLowerCase(), found: hash },
    { what: 'cards', holds: isWhole(cards, decks), found: String(cards.length) },
  ];
  let coming = cards;
  if (shoe.mix) {
    const { mixedOrder, mixHolds } = await import('./mixcheck');
    const revealed = shoe.mix.seats.filter((one) => one.nonce !== null);
    checks.push({ what: 'mix', holds: mixHolds(shoe.table, shoe.shoe, shoe.mix), found: `${revealed.length} / ${shoe.mix.seats.length}` });
    coming = mixedOrder(cards, hash, shoe.mix);
  }
  if (shoe.dealt !== null) {
    const dealt = shoe.dealt ? shoe.dealt.split(' ') : [];
    const holds = dealt.every((card, place) => card === FACE_DOWN || card === coming[place]);
    checks.push({ what: 'dealt', holds, found: String(dealt.length) });
  }
  return checks;
}

function isWhole(cards: readonly string[], decks: number): boolean {
  const count = new Map<string, number>();
  for (const card of cards) count.set(card, (count.get(card) ?? 0) + 1);
  const known = [...count.keys()].every((card) => /^([A2-9TJQK]|10)[CDHS]$/.test(card));
  return known && count.size === 52 && [...count.values()].every((many) => many === decks);
}

export function shortHash(hash: string): string {
  return hash.length > 8 ? `${hash.slice(0, 4)}…${hash.slice(-4)}` : hash;
}
