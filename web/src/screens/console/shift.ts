// Who deals at a table, and the one key about it for whoever looks: a pure function of what the server says.

import type { TableView } from '../../lib/protocol';
import type { TableKind } from './steps';

export type ShiftCommand = 'sign-on' | 'sign-off';

export interface ShiftKey {
  command: ShiftCommand;
  label: string; // an English word, to be translated
}

/** A table that plays by itself has no dealer, and no line about one until somebody signs on. */
export function hasDealer(table: TableKind, dealer: string): boolean {
  return table.mode !== 'automatic' || table.shoe !== 'shuffler' || dealer !== '';
}

export function shiftKey(view: Pick<TableView, 'status'>, dealer: string, me: string): ShiftKey | null {
  if (view.status === 'closed') return null;
  if (dealer === me) return { command: 'sign-off', label: 'Sign off' };
  return { command: 'sign-on', label: dealer ? 'Relieve' : 'Sign on' };
}
