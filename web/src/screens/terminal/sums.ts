// What lies on the spots but is not registered yet, and what the round brought. Only sums of what the server said.

import type { TerminalCommand } from '../../lib/live.svelte';
import { showCents } from '../../lib/money';
import type { Hand, InsuranceLine, Line, SeatView } from '../../lib/protocol';
import { ruleName } from '../../lib/rules.svelte';

export interface Pending {
  added: Record<string, number>; // by spot, in cents
  cents: number;
  leaving: boolean; // a clear or an undo is under way
  insured: number;
}

export function pendingBets(waiting: readonly TerminalCommand[], you: SeatView | null): Pending {
  const added: Record<string, number> = {};
  const lay = (bets: Readonly<Record<string, number>>): void => {
    for (const [wager, cents] of Object.entries(bets)) added[wager] = (added[wager] ?? 0) + cents;
  };
  let leaving = false;
  let insured = 0;
  for (const command of waiting) {
    if (command.type === 'bet') lay({ [command.wager]: command.cents });
    else if (command.type === 'double') lay(you?.bets ?? {});
    else if (command.type === 're-bet') lay(you?.last_bets ?? {});
    else if (command.type === 'lay-bets') lay(command.bets);
    else if (command.type === 'insure') insured += command.cents;
    else if (command.type === 'clear' || command.type === 'undo' || command.type === 'take-back') leaving = true;
  }
  return { added, cents: Object.values(added).reduce((sum, one) => sum + one, 0), leaving, insured };
}

export interface SpotResult {
  result: Line['result'];
  text: string; // "+50.00 · 1:2 · Rule 4.8"
}

export function resultText(line: Line | InsuranceLine): string {
  const amount = line.net_cents > 0 ? `+${showCents(line.net_cents)}` : line.net_cents < 0 ? showCents(line.net_cents) : `±${showCents(0)}`;
  const odds = line.result === 'win' && line.odds ? [line.odds] : [];
  return [amount, ...odds, ruleName(line.paragraph)].join(' · ');
}

export function spotResults(you: SeatView | null): Record<string, SpotResult> {
  const lines = you?.lines ?? [];
  return Object.fromEntries(lines.map((line) => [line.wager, { result: line.result, text: resultText(line) }]));
}

/** What insurance of a hand brought, one text a window that was insured. */
export function insuranceResults(you: SeatView | null, hand: Hand): SpotResult[] {
  const lines = (you?.insurance_lines ?? []).filter((line) => line.wager === `${hand}-insurance`);
  return lines.map((line) => ({ result: line.result, text: resultText(line) }));
}

export function insuredCents(you: SeatView | null, hand: Hand): number {
  return (you?.insurance ?? []).filter((one) => one.hand === hand).reduce((sum, one) => sum + one.cents, 0);
}

/** Won on top of the stakes, over all bets of the round that won. */
export function wonCents(you: SeatView | null): number {
  return [...(you?.lines ?? []), ...(you?.insurance_lines ?? [])].reduce((sum, line) => sum + Math.max(0, line.net_cents), 0);
}
