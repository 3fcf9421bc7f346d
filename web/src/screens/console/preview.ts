// What a command would do to the money, as sentences; and who is paid what at a glance.

import { post } from '../../lib/api';
import { showCents } from '../../lib/money';
import type { ConsoleView, Hand, Preview, PreviewRequest } from '../../lib/protocol';

const HANDS: readonly Hand[] = ['player', 'banker'];

export interface Sentence {
  line: string;
  numbers: Record<string, string | number>;
}

export type Previewed = PreviewRequest['command'];

export function preview(table: string, command: Previewed): Promise<Preview> {
  return post<Preview>(`/api/tables/${encodeURIComponent(table)}/preview`, { command });
}

export function inWords(what: Preview): Sentence[] {
  const said: Sentence[] = [];
  const say = (line: string, cents: number, seats = 0): void => {
    if (cents) said.push({ line, numbers: { cents: showCents(cents), seats } });
  };
  say('Takes back {cents} from {seats} seats.', what.reversed_cents, what.reversed_seats);
  say('Returns {cents} to {seats} seats.', what.returned_cents, what.returned_seats);
  say('Puts back {cents} of {seats} seats.', what.staked_cents, what.staked_seats);
  say('Pays {cents} to {seats} seats, stakes included.', what.paid_cents, what.paid_seats);
  say('Keeps {cents} of losing bets.', what.collected_cents);
  return said.length ? said : [{ line: 'No money moves.', numbers: {} }];
}

/** Each box's bets with its insurance, as the layout draws them. */
export function betsByBox(console: ConsoleView): Record<string, Record<string, number>> {
  return Object.fromEntries(
    console.seats.map((seat) => {
      const all: Record<string, number> = { ...seat.bets };
      for (const one of seat.insurance) {
        const wager = `${one.hand}-insurance`;
        all[wager] = (all[wager] ?? 0) + one.cents;
      }
      return [seat.seat, all];
    }),
  );
}

/** What settlement brought each seat, stakes included; nothing before it. */
export function paid(console: ConsoleView): { seat: number; cents: number }[] {
  return console.seats.flatMap(({ seat, paid }) => (paid ? [{ seat, cents: Object.values(paid).reduce((sum, cents) => sum + cents, 0) }] : []));
}

/** What each box has insured, both windows together. */
export function insured(console: ConsoleView): { seat: number; hand: Hand; cents: number }[] {
  return console.seats.flatMap((seat) =>
    HANDS.flatMap((hand) => {
      const cents = seat.insurance.reduce((sum, one) => sum + (one.hand === hand ? one.cents : 0), 0);
      return cents ? [{ seat: seat.seat, hand, cents }] : [];
    }),
  );
}

/** How much may be insured on each hand by all seats together, and by which. */
export function insurers(console: ConsoleView): { seat: number; hand: string; cents: number }[] {
  return console.seats.flatMap((seat) =>
    Object.entries(seat.may_insure).map(([hand, cents]) => ({ seat: seat.seat, hand, cents })),
  );
}
