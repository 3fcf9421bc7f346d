// Everything at the console besides the next step: a button and a key each. No key is a rank of a card.

import type { Action, ConsoleView, TableView } from '../../lib/protocol';

export type ActionId = 'irregularity' | 'undo' | 'correct' | 'waive' | 'cut' | 'shoe' | 'void' | 'freeze' | 'terminals' | 'table' | 'help';

export interface ActionWords {
  id: ActionId;
  key: string;
  says: string;
  takes: Action; // the permission that seeing the button takes; deciding may take another's sign-in
}

const ALL: readonly ActionWords[] = [
  { id: 'undo', key: 'U', says: 'Last card was keyed wrong', takes: 'deal' },
  { id: 'waive', key: 'W', says: 'Squeeze: waive second insurance', takes: 'deal' },
  { id: 'cut', key: 'E', says: 'The cut card came', takes: 'deal' },
  { id: 'shoe', key: 'N', says: 'New shoe', takes: 'deal' },
  { id: 'correct', key: 'X', says: 'Correct the result', takes: 'deal' },
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
    irregularity: view.waiting !== null || given('report'),
    undo: console.correction?.card ?? false,
    correct: console.correction?.result ?? false,
    waive: given('waive-insurance'),
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
