// What the dealer does next, as one line and one key: a pure function of what the server says.

import type { ConsoleView, Hand, StaffCommand, TableLine, TableView } from '../../lib/protocol';
import { roleTitle } from '../../lib/roles';

export type Tag = StaffCommand['type'];
export type TableKind = Pick<TableLine, 'mode' | 'shoe' | 'has_reader'>;

/**
 * act: the key gives the command. card: a card is to be entered (or read). decide: an irregularity waits.
 * wait: somebody or something else moves next.
 */
export type StepKind = 'act' | 'card' | 'decide' | 'wait';

export interface Step {
  kind: StepKind;
  command: Tag | null;
  line: string; // an English sentence, to be translated
  words?: Record<string, string>; // to be translated and filled in
  numbers?: Record<string, number | string>; // to be filled in as they are
  note?: string; // a second, smaller sentence
  hand?: Hand; // whose colour it has
  card?: string; // the one that is next, where it is known: it was drawn before and waits
}

const NTH = ['first', 'second', 'third'];
const HAND: Record<Hand, string> = { player: 'PLAYER', banker: 'BANKER' };

export function nextStep(view: TableView, console: ConsoleView, table: TableKind): Step {
  if (view.waiting) {
    const words = { rank: roleTitle(view.waiting.rank) };
    return { kind: 'decide', command: 'decide', line: 'Irregularity: the {rank} decides', words };
  }
  switch (view.phase) {
    case 'no-round':
    case 'settled':
    case 'void':
      return between(view, console, table);
    case 'betting-open':
      if (runsByItself(table)) return wait('Betting is open', 'The table closes it by itself.');
      return act('close-betting', 'Close bets');
    case 'bets-closed':
    case 'initial-deal':
    case 'players-third':
    case 'bankers-third':
      return dealing(view, console, table);
    case 'four-cards-insurance':
    case 'third-card-insurance':
      return insurance(view, table);
    case 'complete':
      return ending(view, table);
    default:
      return view.phase satisfies never;
  }
}

function act(command: Tag, line: string, note = ''): Step {
  return { kind: 'act', command, line, ...(note ? { note } : {}) };
}

function wait(line: string, note = ''): Step {
  return { kind: 'wait', command: null, line, ...(note ? { note } : {}) };
}

function runsByItself(table: TableKind): boolean {
  return table.mode === 'automatic';
}

function between(view: TableView, console: ConsoleView, table: TableKind): Step {
  if (view.status === 'closed') return act('open-table', 'Open the table', view.why);
  if (Object.keys(view.faults).length > 0) {
    return wait('Fault: no round begins', Object.values(view.faults)[0] ?? '');
  }
  if (view.status === 'paused') return act('resume-table', 'The table is paused: resume', view.why);
  const shuffles = table.shoe === 'shuffler';
  if (console.commands.includes('open-betting')) {
    return runsByItself(table) ? wait('The next round opens by itself') : act('open-betting', 'Open betting');
  }
  if (console.commands.includes('new-shoe')) {
    if (runsByItself(table) && shuffles) return wait('The shuffler loads a new shoe');
    return act('new-shoe', 'Load a new shoe', newShoeNote(view, console));
  }
  return wait('Waiting for the next round');
}

function newShoeNote(view: TableView, console: ConsoleView): string {
  if (console.new_shoe) return console.new_shoe;
  return view.shoe.cut_card ? 'The cut card came: the shoe is finished.' : '';
}

function dealing(view: TableView, console: ConsoleView, table: TableKind): Step {
  const hand = console.due ?? view.due;
  if (hand === null) return wait('Waiting for the next card');
  const step = { command: 'deal', hand, ...cardLine(view, hand) } as const;
  const held = console.held[0];
  if (held) {
    return { kind: 'act', ...step, card: held, note: 'This card was drawn before and comes next.' };
  }
  if (table.shoe === 'shuffler') {
    if (runsByItself(table)) return { ...step, kind: 'wait', command: null, note: 'The table deals by itself.' };
    return { kind: 'act', ...step };
  }
  const note = table.has_reader ? 'The reading shoe names it; a card can be keyed in too.' : 'Key in its rank, then its suit.';
  return { kind: 'card', ...step, note };
}

function cardLine(view: TableView, hand: Hand): Pick<Step, 'line' | 'words'> {
  const lying = view.cards.filter((card) => card.hand === hand).length;
  if (lying >= 2) return { line: '{hand} draws a third card', words: { hand: HAND[hand] } };
  return { line: 'Deal to {hand}, {nth} card', words: { hand: HAND[hand], nth: NTH[lying] ?? 'next' } };
}

function insurance(view: TableView, table: TableKind): Step {
  if (runsByItself(table)) {
    return wait(view.window_open ? 'Insurance is open' : 'Insurance is about to open', 'The table closes it by itself.');
  }
  if (view.window_open) return act('close-insurance', 'Close insurance');
  return act('open-insurance', 'Open insurance');
}

function ending(view: TableView, table: TableKind): Step {
  if (runsByItself(table)) return wait('The result is declared and settled by itself');
  if (view.result) return act('settle', 'Settle');
  const [player, banker] = [view.player_total ?? 0, view.banker_total ?? 0];
  if (player === banker) {
    return { ...act('declare', 'Declare: TIE at {total}'), numbers: { total: player } };
  }
  const hand: Hand = player > banker ? 'player' : 'banker';
  return {
    ...act('declare', 'Declare: {hand} wins, {high} over {low}'),
    hand,
    words: { hand: HAND[hand] },
    numbers: { high: Math.max(player, banker), low: Math.min(player, banker) },
  };
}
