// The limits of a table as its wall says them: the main bets, and the side bets together where they are alike.

import { shortCents } from '../../lib/money';
import type { GameView, TableView } from '../../lib/protocol';

export interface LimitLine {
  zh: string;
  en: string;
  range: string; // 5–5K
}

const BANKER = { id: 'banker', zh: '庄', en: 'Banker' };
const PLAYER = { id: 'player', zh: '闲', en: 'Player' };
const TIE = { id: 'tie', zh: '和', en: 'Tie' };

const MOST_NAMED = 2; // in one line: a wall has no room for more

/** Without the rules, in a small place: side bets that have different limits are left to the table. */
export function limitLines(table: Pick<TableView, 'limits' | 'seat_min_cents'>, rules?: GameView | null): LimitLine[] {
  const range = (id: string): string => rangeOf(table.limits[id]);
  const both = range('banker') && range('banker') === range('player');
  const main = both ? [{ id: 'banker', zh: '庄 闲', en: 'Banker Player' }, TIE] : [BANKER, PLAYER, TIE];
  const lines = main.filter(({ id }) => id in table.limits).map(({ id, zh, en }) => ({ zh, en, range: range(id) }));
  const seat = table.seat_min_cents ? [{ zh: '每座最低', en: 'Seat minimum', range: shortCents(table.seat_min_cents) }] : [];
  return [...lines, ...sideLines(table, rules), ...seat];
}

function sideLines(table: Pick<TableView, 'limits'>, rules: GameView | null | undefined): LimitLine[] {
  const by = new Map<string, string[]>(); // the side bets that have the same limits
  for (const id of Object.keys(table.limits).filter((one) => ![BANKER.id, PLAYER.id, TIE.id].includes(one))) {
    const range = rangeOf(table.limits[id]);
    by.set(range, [...(by.get(range) ?? []), id]);
  }
  if (by.size === 1) return [...by.keys()].map((range) => ({ zh: '边注', en: 'Side bets', range }));
  if (!rules) return [];
  const named = (id: string) => rules.wagers.find((wager) => wager.id === id);
  const groups = [...by].sort(([, one], [, other]) => one.length - other.length);
  return groups.map(([range, ids], place) =>
    ids.length > MOST_NAMED && place === groups.length - 1
      ? { zh: '其他边注', en: 'Other side bets', range }
      : { zh: ids.map((id) => named(id)?.names.zh ?? '').join(' '), en: ids.map((id) => named(id)?.title ?? '').join(', '), range },
  );
}

function rangeOf(limit: readonly [number, number] | undefined): string {
  return limit ? `${shortCents(limit[0])}–${shortCents(limit[1])}` : '';
}
