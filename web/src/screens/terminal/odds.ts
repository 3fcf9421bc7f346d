// Odds as they stand on a spot, and the conditions of a pay-table row in words.

import { t } from '../../lib/i18n.svelte';
import type { PayRowView, WagerView } from '../../lib/protocol';

function paying(wager: WagerView): PayRowView[] {
  return wager.pays.filter((row) => row.odds !== 'push');
}

function value(odds: string): number {
  const [pays, each] = odds.split(':').map(Number);
  return (pays ?? 0) / (each || 1);
}

/** "8:1", "12/20:1", "1–30:1", or "1:1 (6 pays 1:2)" where one total is the exception. */
export function shortOdds(wager: WagerView): string {
  const rows = paying(wager);
  const usual = rows.at(-1);
  const exception = rows[0];
  const total = /total (\d)$/.exec(exception?.when ?? '')?.[1];
  if (rows.length === 2 && usual && exception && total && exception.when.startsWith(usual.when)) {
    return `${usual.odds} (${t('{total} pays {odds}', { total, odds: exception.odds })})`;
  }
  const all = [...new Set(rows.map((row) => row.odds))].sort((a, b) => value(a) - value(b));
  const parts = all.map((odds) => odds.split(':'));
  const each = parts[0]?.[1];
  if (all.length < 2 || parts.some((part) => part[1] !== each)) return all.join(' / ');
  const pays = parts.map((part) => part[0]);
  return `${pays.length > 3 ? `${pays[0]}–${pays.at(-1)}` : pays.join('/')}:${each}`;
}

// The clauses that pay tables are written in; a clause that is new here is shown as it came. One that begins with a space
// goes on with what was said, without a comma.
const CLAUSES: readonly [RegExp, string][] = [
  [/^player wins$/, 'Player wins'],
  [/^banker wins$/, 'Banker wins'],
  [/^tie$/, 'Tie'],
  [/^(?:player|banker) total (\d)$/, ' with {n}'],
  [/^total (\d)$/, ' with {n}'],
  [/^(?:player|banker) cards (\d)$/, ' ({n} cards)'],
  [/^margin (\d)$/, ' by {n}'],
  [/^no (?:player |banker )?natural$/, 'not a natural'],
  [/^(?:player |banker )?natural$/, 'natural'],
  [/^player pair$/, 'Player pair'],
  [/^banker pair$/, 'Banker pair'],
  [/^same pair$/, 'the same pair in both hands'],
  [/^paired hands 2$/, 'a pair in both hands'],
  [/^paired hands 1$/, 'a pair in one hand'],
];

/** "Banker wins with 6 (2 cards)" */
export function whenWords(when: string): string {
  return when.split(', ').reduce((said, clause) => {
    const [shape, words] = CLAUSES.find(([one]) => one.test(clause)) ?? [/$/, clause];
    return said + (said && !words.startsWith(' ') ? t(', ') : '') + t(words, { n: shape.exec(clause)?.[1] ?? '' });
  }, '');
}

export function oddsWords(odds: string): string {
  return odds === 'push' ? t('stake back') : odds;
}
