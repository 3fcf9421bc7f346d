// The links of the start page to the screens: open or not for whoever is here.

import type { Action, Me } from '../../lib/protocol';

export interface ScreenLink {
  path: string;
  title: string;
  says: string;
  takes: Action[]; // any of these opens it
  device?: 'terminal' | 'display'; // or being this
  open?: boolean; // for everybody
  players?: boolean; // only where players have names
}

export const SCREENS: readonly ScreenLink[] = [
  { path: '/terminal', title: 'Player terminal', says: 'Bet at a seat of a table.', takes: [], device: 'terminal' },
  { path: '/display', title: 'Wall display', says: 'Roads and results, large.', takes: ['see-table'], device: 'display' },
  { path: '/console', title: 'Game console', says: 'Deal, close bets, settle.', takes: ['deal'] },
  { path: '/pit', title: 'Pit', says: 'All tables, alarms, decisions.', takes: ['pause-table', 'see-money'] },
  { path: '/cashier', title: 'Cashier', says: 'Credit, vouchers, the drawer.', takes: ['redeem-voucher', 'credit-terminal'] },
  { path: '/players', title: 'Players', says: 'Accounts, cards, the exclusion list.', takes: ['see-players'], players: true },
  { path: '/audit', title: 'Auditor', says: 'Recall, reports, verification.', takes: ['see-reports', 'recall-round'] },
  { path: '/admin', title: 'Administrator', says: 'People, devices, the program.', takes: ['manage-staff', 'manage-devices'] },
  { path: '/receipt', title: 'Check a receipt', says: 'Of a bet or a voucher, without the house.', takes: [], open: true },
  { path: '/odds', title: 'Odds', says: 'Every edge, card by card.', takes: [], open: true },
];

export type Access = 'open' | 'sign-in' | 'enrol' | 'other';

/** What stands between this browser and a screen. */
export function access(screen: ScreenLink, me: Me | null): Access {
  if (screen.open) return 'open';
  if (screen.device && me?.device?.kind === screen.device) return 'open';
  if (me?.person && screen.takes.some((action) => me.person!.may.includes(action))) return 'open';
  if (screen.takes.length === 0) return 'enrol';
  return me?.person ? 'other' : 'sign-in';
}

// Whoever may do the first of what a screen takes works there; a manager may deal, too, but works in the pit.
const WORK = ['/admin', '/pit', '/cashier', '/console', '/audit', '/display'];

/** Where somebody's work is, by what they may do. */
export function workOf(person: { may: readonly Action[] }): string {
  return WORK.find((path) => person.may.includes(SCREENS.find((one) => one.path === path)!.takes[0]!)) ?? '/';
}
