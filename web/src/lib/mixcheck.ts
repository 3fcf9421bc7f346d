// A mixed shoe once more in the browser, which believes nobody: what each seat committed to, and the order that follows.

import { nonceCommitment, utf8 } from './mixing';
import type { MixShown } from './protocol';
import { shake256 } from './shake256';

export const RULE = 'natural9 mix 1';
const NONCE = /^[0-9a-f]{64}( \P{Cc}{1,64})?$/u;

function number(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

function sized(text: string): Uint8Array[] {
  const bytes = utf8(text);
  return [number(bytes.length), bytes];
}

/** All that the order follows from, besides the house's own. */
function message(house: string, mix: MixShown): Uint8Array {
  const revealed = mix.seats.filter((one) => one.nonce !== null).sort((one, other) => one.seat - other.seat);
  const parts = [...sized(RULE), ...sized(house), ...sized(mix.checkpoint), number(revealed.length)];
  for (const one of revealed) parts.push(number(one.seat), ...sized(one.nonce ?? ''));
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** The order in which the cards come, by the house's own that was promised. */
export function mixedOrder(cards: readonly string[], house: string, mix: MixShown): string[] {
  const stream = shake256(message(house.toLowerCase(), mix));
  const below = (n: number): number => {
    for (;;) {
      const word = 256 * stream.next().value + stream.next().value;
      if (word < 65536 - (65536 % n)) return word % n;
    }
  };
  const order = [...cards];
  for (let place = order.length - 1; place > 0; place--) {
    const other = below(place + 1);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order;
}

/** Whether each seat revealed what it had committed to. */
export function mixHolds(table: string, shoe: number, mix: MixShown): boolean {
  const seats = mix.seats.map((one) => one.seat);
  const inOrder = seats.every((seat, place) => place === 0 || seat > seats[place - 1]!);
  const kept = mix.seats.every(
    ({ seat, commitment, nonce }) =>
      nonce === null || (NONCE.test(nonce) && nonceCommitment(table, shoe, seat, nonce) === commitment.toLowerCase()),
  );
  return mix.rule === RULE && inOrder && kept;
}
