// What the dealer does next, as one line and one key: a pure function of what the server says.

import type { BurntView, ConsoleView, Hand, MixView, Sentence, StaffCommand, TableLine, TableView } from '../../lib/protocol';
import { roleTitle } from '../../lib/roles';
import { insurers } from './preview';

export type Tag = StaffCommand['type'];
export type Note = string | Sentence; // ours, or what the server said
export type TableKind = Pick<TableLine, 'mode' | 'shoe' | 'has_reader'>;

/**
 * act: the key gives the command. card: a card is to be entered (or read). misplaced: one was entered for the other hand.
 * decide: an irregularity waits. wait: somebody or something else moves next.
 */
export type StepKind = 'act' | 'card' | 'misplaced' | 'decide' | 'wait';

export interface Step {
  kind: StepKind;
  command: Tag | null;
  line: string; // an English sentence, to be translated
  words?: Record<string, string>; // to be translated and filled in
  numbers?: Record<string, number | string>; // to be filled in as they are
  button?: string; // what its key says, if not the line itself
  note?: Note; // a second, smaller sentence
  hand?: Hand; // whose colour it has
  card?: string; // the one that is next, where it is known: it was drawn before and waits
}

/** The same for as long as the key would do the same, whatever else is news. */
export function meaningOf({ kind, command, line, words, numbers, card }: Step): string {
  return JSON.stringify([kind, command, line, words, numbers, card]);
}

const NTH = ['first', 'second', 'third'];
const HAND: Record<Hand, string> = { player: 'PLAYER', banker: 'BANKER' };
// Of the commands that may be given, the one that moves the round on.
const MOVES: readonly Tag[] = ['close-betting', 'deal', 'open-insurance', 'close-insurance', 'declare', 'settle'];

export function nextStep(view: TableView, console: ConsoleView, table: TableKind): Step {
  const [fault] = Object.values(view.faults);
  if (fault) return faulty(fault);
  const [first] = view.waiting;
  if (first) {
    const words = { rank: roleTitle(first.rank) };
    const count = view.waiting.length;
    if (count > 1) return { kind: 'decide', command: 'decide', line: '{count} irregularities wait: the {rank} decides the first', words, numbers: { count } };
    return { kind: 'decide', command: 'decide', line: 'Irregularity: the {rank} decides', words };
  }
  if (!view.in_play) return between(view, console, table);
  switch (MOVES.find((command) => console.commands.includes(command))) {
    case 'close-betting':
      if (runsByItself(table)) return wait('Betting is open', 'The table closes it by itself.');
      return act('close-betting', 'Close bets');
    case 'deal':
      return dealing(console, table);
    case 'open-insurance':
      if (runsByItself(table)) return wait('Insurance is about to open', 'The table closes it by itself.');
      if (!insurers(console).length) return act('open-insurance', 'Pass insurance: nobody can insure');
      return act('open-insurance', 'Open insurance');
    case 'close-insurance':
      if (runsByItself(table)) return wait('Insurance is open', 'The table closes it by itself.');
      return act('close-insurance', 'Close insurance');
    case 'declare':
      return declaring(view, console, table);
    case 'settle':
      return runsByItself(table) ? wait('The result is declared and settled by itself') : act('settle', 'Settle');
    default:
      return wait('Waiting for the next card');
  }
}

/** A fault holds the table where it is; what may still be done is among the actions. */
function faulty(what: Sentence): Step {
  return { ...act('clear-fault', 'A fault holds the table: a Pit Supervisor or above clears it', what), button: 'Clear the fault' };
}

function act(command: Tag, line: string, note: Note = ''): Step {
  return { kind: 'act', command, line, ...(note ? { note } : {}) };
}

function wait(line: string, note: Note = ''): Step {
  return { kind: 'wait', command: null, line, ...(note ? { note } : {}) };
}

function runsByItself(table: TableKind): boolean {
  return table.mode === 'automatic';
}

function between(view: TableView, console: ConsoleView, table: TableKind): Step {
  if (console.table_commands.includes('open-table')) return act('open-table', 'Open the table', view.why);
  if (console.table_commands.includes('resume-table')) return act('resume-table', 'The table is paused: resume', view.why);
  const shuffles = table.shoe === 'shuffler';
  if (view.shoe.mix?.shoe) return mixing(view.shoe.mix, view.shoe.mix.shoe);
  if (view.shoe.next_burnt?.card === '' || view.shoe.next_burnt?.to_come) return burning(view.shoe.next_burnt, table);
  if (console.commands.includes('open-betting')) {
    return runsByItself(table) ? wait('The next round opens by itself') : act('open-betting', 'Open betting');
  }
  if (console.commands.includes('new-shoe')) {
    if (runsByItself(table) && shuffles) return wait('The shuffler loads a new shoe');
    return act('new-shoe', 'Load a new shoe', newShoeNote(view, console));
  }
  return wait('Waiting for the next round');
}

/** The seats reveal what they mix in, and the table goes on by itself when their time is up. */
function mixing({ listed, revealed }: MixView, shoe: number): Step {
  const told = wait('The seats mix shoe {number}: {revealed} of {listed} have revealed', 'The table goes on by itself.');
  return { ...told, numbers: { number: shoe, listed, revealed } };
}

/** The first cards of a new shoe, before its first round. */
function burning(burnt: BurntView, table: TableKind): Step {
  if (burnt.card) return { ...wait('Burn {count} more cards face down', 'The reading shoe counts them.'), numbers: { count: burnt.to_come } };
  if (table.shoe !== 'shuffler') return { kind: 'card', command: 'burn', line: 'Burn: turn the first card face up', note: keyNote(table) };
  return runsByItself(table) ? wait('The first cards of the shoe are burnt') : act('burn', 'Burn the first cards of the shoe');
}

function keyNote(table: TableKind): string {
  return table.has_reader ? 'The reading shoe names it; a card can be keyed in too.' : 'Key in its rank, then its suit.';
}

function newShoeNote(view: TableView, console: ConsoleView): Note {
  if (console.new_shoe) return console.new_shoe;
  return view.shoe.cut_card ? 'The cut card came: the shoe is finished.' : '';
}

function dealing(console: ConsoleView, table: TableKind): Step {
  const hand = console.due;
  if (hand === null) return wait('Waiting for the next card');
  const step = { command: 'deal', hand, ...cardLine(hand, console.due_card ?? 1) } as const;
  const held = console.held[0];
  if (held) {
    return { kind: 'act', ...step, card: held, note: 'This card came out earlier: it is the next card.' };
  }
  if (table.shoe === 'shuffler') {
    if (runsByItself(table)) return { ...step, kind: 'wait', command: null, note: 'The table deals by itself.' };
    return { kind: 'act', ...step };
  }
  return { kind: 'card', ...step, note: keyNote(table) };
}

function cardLine(hand: Hand, card: number): Pick<Step, 'line' | 'words'> {
  if (card === 3) return { line: '{hand} draws a third card', words: { hand: HAND[hand] } };
  return { line: 'Deal to {hand}, {nth} card', words: { hand: HAND[hand], nth: NTH[card - 1] ?? 'next' } };
}

/** A card keyed for the hand that is not due: shown before anybody hears of it. */
export function misplaced(card: string, at: Hand, due: Hand): Step {
  const words = { at: HAND[at], due: HAND[due] };
  return { kind: 'misplaced', command: null, line: '{card} keyed for {at}, {due} is due', words, numbers: { card }, note: 'Nothing is registered or reported yet.' };
}

function declaring(view: TableView, console: ConsoleView, table: TableKind): Step {
  if (runsByItself(table)) return wait('The result is declared and settled by itself');
  const totals = { player: view.player_total ?? 0, banker: view.banker_total ?? 0 };
  const winner = console.shows;
  if (winner === null || winner === 'tie') return { ...act('declare', 'Declare: TIE at {total}'), numbers: { total: totals.player } };
  return {
    ...act('declare', 'Declare: {hand} wins, {high} over {low}'),
    hand: winner,
    words: { hand: HAND[winner] },
    numbers: { high: totals[winner], low: totals[winner === 'player' ? 'banker' : 'player'] },
  };
}
