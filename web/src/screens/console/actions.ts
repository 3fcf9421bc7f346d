// Everything at the console besides the next step: a button and a key each. No key is a rank of a card.

import type { Action, ConsoleView, TableView } from '../../lib/protocol';
import { roleTitle } from '../../lib/roles';
import { session } from '../../lib/session.svelte';

export type ActionId = 'irregularity' | 'undo' | 'burnt' | 'correct' | 'waive' | 'cut' | 'shoe' | 'void' | 'freeze' | 'terminals' | 'table' | 'help' | 'unwaive' | 'burn' | 'earlier' | 'rule';

export interface ActionWords {
  id: ActionId;
  key: string;
  says: string;
  takes: Action; // the permission that seeing the button takes; deciding may take another's sign-in
}

const ALL: readonly ActionWords[] = [
  { id: 'undo', key: 'U', says: 'Last card was keyed wrong', takes: 'deal' },
  { id: 'burnt', key: 'G', says: 'Correct what was burnt', takes: 'deal' },
  { id: 'waive', key: 'W', says: 'Squeeze: waive second insurance', takes: 'deal' },
  { id: 'unwaive', key: 'O', says: 'Take back the waiver', takes: 'deal' },
  { id: 'burn', key: '-', says: 'Burn cards that wait', takes: 'deal' },
  { id: 'cut', key: 'E', says: 'The cut card came', takes: 'deal' },
  { id: 'shoe', key: 'N', says: 'New shoe', takes: 'deal' },
  { id: 'correct', key: 'X', says: 'Correct the result', takes: 'deal' },
  { id: 'earlier', key: 'Y', says: 'Correct an earlier round', takes: 'deal' },
  { id: 'rule', key: 'I', says: 'Rule on a bet', takes: 'report-irregularity' },
  { id: 'void', key: 'V', says: 'Void the round', takes: 'report-irregularity' },
  { id: 'freeze', key: 'F', says: 'Keep a round for a dispute', takes: 'report-irregularity' },
  { id: 'terminals', key: 'L', says: 'Lock a terminal', takes: 'lock-terminal' },
  { id: 'table', key: 'M', says: 'Open, pause or close the table', takes: 'report-irregularity' },
  { id: 'irregularity', key: 'R', says: 'IRREGULARITY', takes: 'report-irregularity' },
  { id: 'help', key: '?', says: 'Keys', takes: 'see-table' },
];

/** Those that make sense now, for somebody who may do this. */
export function actions(view: TableView, console: ConsoleView, may: (action: Action) => boolean): ActionWords[] {
  const given = (command: string): boolean => console.commands.includes(command);
  const now: Record<ActionId, boolean> = {
    irregularity: view.waiting.length > 0 || given('report'),
    undo: console.correction?.card ?? false,
    burnt: Boolean(view.shoe.next_burnt?.card) && (given('burn') || given('burn-face-down')),
    correct: console.correction?.result ?? false,
    waive: given('waive-insurance'),
    unwaive: given('take-back-waiver'),
    burn: given('discard-held'),
    earlier: console.earlier,
    rule: given('rule-on-bet'),
    cut: given('cut-card'),
    shoe: given('new-shoe'),
    void: given('void-round'),
    freeze: view.round > 0,
    terminals: true,
    table: true,
    help: true,
  };
  return ALL.filter((action) => now[action.id] && may(action.takes));
}

/** Whether whoever is signed in here holds the rank that the server says a command of the dealer's takes now. */
export function mayGive(console: ConsoleView, command: string): boolean {
  const rank = console.ranks[command];
  return session.may('deal') && (!rank || session.holds(rank));
}

/** Who signs it otherwise. */
export function whoGives(console: ConsoleView, command: string): string {
  const rank = console.ranks[command];
  return rank ? roleTitle(rank) : '';
}
