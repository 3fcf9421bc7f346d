// The doors of the start page: one for each role, open or not for whoever is here.

import type { Action, Me } from '../../lib/protocol';

export interface Door {
  path: string;
  title: string;
  says: string;
  takes: Action[]; // any of these opens it
  device?: 'terminal' | 'display'; // or being this
  open?: boolean; // for everybody
}

export const DOORS: readonly Door[] = [
  { path: '/terminal', title: 'Player terminal', says: 'Bet at a seat of a table.', takes: [], device: 'terminal' },
  { path: '/display', title: 'Wall display', says: 'Roads and results, large.', takes: ['see-table'], device: 'display' },
  { path: '/console', title: 'Game console', says: 'Deal, close bets, settle.', takes: ['deal'] },
  { path: '/pit', title: 'Pit', says: 'All tables, alarms, decisions.', takes: ['pause-table', 'see-money'] },
  { path: '/cashier', title: 'Cashier', says: 'Credit, vouchers, the drawer.', takes: ['redeem-voucher', 'credit-terminal'] },
  { path: '/audit', title: 'Auditor', says: 'Recall, reports, verification.', takes: ['see-reports', 'recall-round'] },
  { path: '/admin', title: 'Administrator', says: 'People, devices, the program.', takes: ['manage-staff', 'manage-devices'] },
  { path: '/odds', title: 'Odds', says: 'Every edge, card by card.', takes: [], open: true },
];

export type Access = 'open' | 'sign-in' | 'enrol' | 'other';

/** What stands between this browser and a door. */
export function access(door: Door, me: Me | null): Access {
  if (door.open) return 'open';
  if (door.device && me?.device?.kind === door.device) return 'open';
  if (me?.person && door.takes.some((action) => me.person!.may.includes(action))) return 'open';
  if (door.takes.length === 0) return 'enrol';
  return me?.person ? 'other' : 'sign-in';
}

/** Where each role's work is. */
export const DESK_OF: Record<string, string> = {
  dealer: '/console',
  'pit-supervisor': '/pit',
  'pit-manager': '/pit',
  'shift-manager': '/pit',
  cashier: '/cashier',
  auditor: '/audit',
  administrator: '/admin',
};
