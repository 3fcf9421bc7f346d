// Everything at the console besides the next step: a button and a key each, always at the same place. No key is a rank of a
// card.

import { LOWEST_RANK, type Action, type ConsoleView, type TableView } from '../../lib/protocol';
import { roleTitle } from '../../lib/roles';
import { session } from '../../lib/session.svelte';

export type ActionId = 'irregularity' | 'undo' | 'burnt' | 'correct' | 'waive' | 'cut' | 'shoe' | 'void' | 'freeze' | 'terminals' | 'table' | 'help' | 'unwaive' | 'burn' | 'earlier' | 'rule';

export interface ActionWords {
  id: ActionId;
  key: string;
  says: string;
  takes: Action; // the permission that seeing the button takes
  signs?: Action; // and that doing it takes: somebody of that rank signs otherwise
}

/** As it is now: whether it would do anything, and whose rank it takes. */
export interface ActionKey extends ActionWords {
  now: boolean;
  rank: string;
}

const ALL: readonly ActionWords[] = [
  { id: 'undo', key: 'U', says: 'Last card was keyed wrong', takes: 'deal' },
  { id: 'correct', key: 'X', says: 'Correct the result', takes: 'deal' },
  { id: 'earlier', key: 'Y', says: 'Correct an earlier round', takes: 'deal' },
  { id: 'waive', key: 'W', says: 'Squeeze: waive second insurance', takes: 'deal' },
  { id: 'unwaive', key: 'O', says: 'Take back the waiver', takes: 'deal' },
  { id: 'cut', key: 'E', says: 'The cut card came', takes: 'deal' },
  { id: 'shoe', key: 'N', says: 'New shoe', takes: 'deal' },
  { id: 'burnt', key: 'G', says: 'Correct what was burnt', takes: 'deal' },
  { id: 'burn', key: '-', says: 'Burn cards that wait', takes: 'deal' },
  { id: 'rule', key: 'I', says: 'Rule on a bet', takes: 'report-irregularity', signs: 'rule-on-bet' },
  { id: 'void', key: 'V', says: 'Void the round', takes: 'report-irregularity', signs: 'void-round' },
  { id: 'freeze', key: 'F', says: 'Freeze a round', takes: 'report-irregularity', signs: 'freeze-round' },
  { id: 'terminals', key: 'L', says: 'Lock a terminal', takes: 'lock-terminal' },
  { id: 'table', key: 'M', says: 'Open, pause or close', takes: 'report-irregularity' },
  { id: 'help', key: '?', says: 'Keys', takes: 'see-table' },
  { id: 'irregularity', key: 'R', says: 'IRREGULARITY', takes: 'report-irregularity' },
];
const STATUS = ['open-table', 'resume-table', 'pause-table', 'close-table'] as const;

export interface Keyboard {
  byHand: boolean; // cards are keyed or read: what is said of a card makes sense
  insurance: boolean;
}

/** All that somebody may do at such a table, in an order that never changes. */
export function actions(view: TableView, console: ConsoleView, may: (action: Action) => boolean, { byHand, insurance }: Keyboard): ActionKey[] {
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
  const here: Partial<Record<ActionId, boolean>> = { undo: byHand, burnt: byHand, cut: byHand, earlier: byHand, waive: insurance && !now.unwaive, unwaive: insurance && now.unwaive };
  const status = STATUS.find((command) => console.table_commands.includes(command));
  return ALL.filter((one) => (here[one.id] ?? true) && may(one.takes)).map((one) => {
    const signs = one.id === 'table' ? status : one.signs;
    return { ...one, now: now[one.id], rank: signs && !may(signs) ? (LOWEST_RANK[signs] ?? '') : '' };
  });
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

/** Who signs what takes a permission of its own. */
export function whoMay(action: Action): string {
  return roleTitle(LOWEST_RANK[action] ?? '');
}
