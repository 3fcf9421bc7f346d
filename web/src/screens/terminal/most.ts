// The most that can be laid on a spot now, and what bounds it: sums of what the server said. The server decides.

import type { SeatView, TableView } from '../../lib/protocol';
import type { Pending } from './sums';

export interface Most {
  cents: number; // 0 where nothing more can be laid
  why: string; // what bounds it
  bound: number; // that limit, in cents
  also: string; // why not even that can be laid
}

type At = Pick<TableView, 'limits' | 'laid' | 'betting_unit_cents' | 'seat_min_cents' | 'seat_max_cents' | 'table_max_cents'>;
type Of = Pick<SeatView, 'bets' | 'credit_cents' | 'staked_cents' | 'session'>;

export function mostOn(wager: string, table: At, you: Of, pending: Pick<Pending, 'added' | 'cents'>): Most {
  const limit = table.limits[wager];
  if (!limit) return { cents: 0, why: 'This spot takes no bets.', bound: 0, also: '' };
  const laid = (you.bets[wager] ?? 0) + (pending.added[wager] ?? 0);
  const staked = you.staked_cents + pending.cents;
  const rooms: [room: number, why: string, bound: number][] = [
    [limit[1] - laid, 'The table’s maximum on this spot is {amount}.', limit[1]],
    [you.credit_cents - pending.cents, 'Your credit is {amount}.', you.credit_cents],
  ];
  const { session } = you;
  const { seat_max_cents: seatMost, table_max_cents: tableMost } = table;
  if (seatMost !== null) rooms.push([seatMost - staked, 'The maximum for a seat is {amount} in all.', seatMost]);
  if (tableMost !== null) {
    const all = Object.values(table.laid).reduce((sum, cents) => sum + cents, 0) + pending.cents;
    rooms.push([tableMost - all, 'The table takes {amount} in all in a round.', tableMost]);
  }
  if (session && session.stake_cents !== null) {
    rooms.push([session.stake_cents - staked, 'Your limit on the stake in a round is {amount}.', session.stake_cents]);
  }
  if (session && session.loss_cents !== null) {
    const room = session.loss_cents + session.net_cents - staked;
    rooms.push([room, 'Your limit on loss is {amount}.', session.loss_cents]);
  }
  const [room, why, bound] = rooms.reduce((least, one) => (one[0] < least[0] ? one : least));
  const cents = Math.max(0, Math.floor(room / table.betting_unit_cents) * table.betting_unit_cents);
  if (cents && laid + cents < limit[0]) return { cents: 0, why, bound, also: 'The least bet here is more.' };
  if (cents && staked + cents < table.seat_min_cents) return { cents: 0, why, bound, also: 'The least that a seat bets is more.' };
  return { cents, why, bound, also: '' };
}
