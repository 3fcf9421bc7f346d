// A table and its console as the server would send them, for tests.

import type { ConsoleView, TableView } from '../../lib/protocol';
import type { TableKind } from './steps';

export const BY_HAND: TableKind = { mode: 'dealer', shoe: 'read', has_reader: false };
export const SHUFFLER: TableKind = { mode: 'dealer', shoe: 'shuffler', has_reader: false };
export const AUTOMATIC: TableKind = { mode: 'automatic', shoe: 'shuffler', has_reader: false };

export function aTable(part: Partial<TableView> = {}): TableView {
  return {
    table: 't-1',
    title: 'Table 1',
    game: 'rws-nc-insurance',
    status: 'open',
    why: '',
    faults: {},
    phase: 'no-round',
    in_play: false,
    takes_bets: false,
    round: 0,
    shoe: { number: 1, cards_left: 416, cut_card: false, commitment: '', next_commitment: '', burnt: null, next_burnt: null, mix: null },
    cards: [],
    squeeze: null,
    player_total: null,
    banker_total: null,
    naturals: [],
    due: null,
    draws: null,
    closes_at_ms: null,
    window: null,
    window_open: false,
    waived: false,
    interrupted_ms: null,
    offers: [],
    result: null,
    voided: null,
    waiting: [],
    laid: {},
    boxes: {},
    results: [],
    tallies: {},
    betting_unit_cents: 100,
    limits: {},
    seat_min_cents: 0,
    seat_max_cents: null,
    table_max_cents: null,
    ...part,
  };
}

export function aConsole(part: Partial<ConsoleView> = {}): ConsoleView {
  return {
    dealer: '',
    commands: [],
    table_commands: [],
    ranks: {},
    due: null,
    due_card: null,
    shows: null,
    reports: [],
    correction: null,
    earlier: false,
    places: [],
    held: [],
    reported: [],
    new_shoe: null,
    early_shoe: false,
    seats: [],
    calls: [],
    seats_with_bets: 0,
    staked_cents: 0,
    worst_cents: 0,
    ...part,
  };
}
