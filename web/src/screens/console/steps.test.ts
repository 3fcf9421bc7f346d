import { describe, expect, it } from 'vitest';
import type { ConsoleView, Phase, TableView, Waiting } from '../../lib/protocol';
import { meaningOf, misplaced, nextStep, type TableKind } from './steps';
import { aConsole, aTable, AUTOMATIC, BY_HAND, SHUFFLER } from './testing';
import { said } from '../../lib/testing';

const NEW_SHOE = said('the last round was void, {kind}', { kind: said('foreign card') });

const PHASES: Phase[] = [
  'no-round',
  'betting-open',
  'bets-closed',
  'initial-deal',
  'four-cards-insurance',
  'players-third',
  'third-card-insurance',
  'bankers-third',
  'complete',
  'settled',
  'void',
];
const BETWEEN: Phase[] = ['no-round', 'settled', 'void'];

function line(view: Partial<TableView>, console: Partial<ConsoleView>, table: TableKind = BY_HAND): string {
  const step = nextStep(aTable({ in_play: true, ...view }), aConsole(console), table);
  const values: Record<string, unknown> = { ...step.words, ...step.numbers };
  return step.line.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

describe('between rounds', () => {
  it.each(BETWEEN)('at %s betting is opened', (phase) => {
    expect(nextStep(aTable({ phase }), aConsole({ commands: ['open-betting', 'new-shoe'] }), BY_HAND)).toMatchObject({
      kind: 'act',
      command: 'open-betting',
    });
  });

  it.each(BETWEEN)('at %s a spent shoe is replaced first, and it says why', (phase) => {
    const console = aConsole({ commands: ['new-shoe'], new_shoe: NEW_SHOE });
    expect(nextStep(aTable({ phase }), console, BY_HAND)).toMatchObject({
      command: 'new-shoe',
      note: NEW_SHOE,
    });
    const shoe = { ...aTable().shoe, cut_card: true };
    expect(nextStep(aTable({ phase, shoe }), aConsole({ commands: ['new-shoe'] }), BY_HAND).note).toContain('cut card');
  });

  it.each(BETWEEN)('at %s a closed table is opened, a paused one resumed, whatever else may be done', (phase) => {
    const console = (...table_commands: string[]) => aConsole({ commands: ['open-betting', 'new-shoe'], table_commands });
    expect(nextStep(aTable({ phase, status: 'closed' }), console('open-table'), BY_HAND).command).toBe('open-table');
    expect(nextStep(aTable({ phase, status: 'paused' }), console('resume-table', 'close-table'), AUTOMATIC).command).toBe('resume-table');
  });

  it('waits while the seats mix a new shoe, also at a dealer’s table', () => {
    const mix = { next_shoe: 3, shoe: 2, listed: 4, revealed: 1, ends_at_ms: 5_000 };
    const burnt = { card: '', face_down: 0, to_come: 0 };
    const mixing = aTable({ shoe: { ...aTable().shoe, mix, next_burnt: burnt } });
    const step = nextStep(mixing, aConsole({ commands: ['burn'] }), SHUFFLER);
    expect([step.kind, step.command, step.numbers]).toEqual(['wait', null, { number: 2, listed: 4, revealed: 1 }]);
  });

  it('the first cards of a new shoe are burnt before its first round', () => {
    const due = aTable({ shoe: { ...aTable().shoe, next_burnt: { card: '', face_down: 0, to_come: 0 } } });
    const console = aConsole({ commands: ['burn'] });
    expect(nextStep(due, console, SHUFFLER)).toMatchObject({ kind: 'act', command: 'burn' });
    expect(nextStep(due, console, AUTOMATIC)).toMatchObject({ kind: 'wait', command: null });
    expect(nextStep(due, console, BY_HAND)).toMatchObject({ kind: 'card', command: 'burn', note: 'Key in its rank, then its suit.' });
    const reads = { ...BY_HAND, has_reader: true };
    const counting = aTable({ shoe: { ...aTable().shoe, next_burnt: { card: '7H', face_down: 7, to_come: 3 } } });
    expect(nextStep(counting, aConsole({ commands: ['burn', 'burn-face-down'] }), reads)).toMatchObject({ kind: 'wait', command: null, numbers: { count: 3 } });
    const done = aTable({ shoe: { ...aTable().shoe, next_burnt: { card: '7H', face_down: 7, to_come: 0 } } });
    expect(nextStep(done, aConsole({ commands: ['burn', 'open-betting'] }), BY_HAND).command).toBe('open-betting');
  });

  it('a fault stops play, and is said', () => {
    const view = aTable({ faults: { 'reading-shoe': said('lost') } });
    const step = nextStep(view, aConsole({ commands: ['open-betting'] }), BY_HAND);
    expect(step).toMatchObject({ kind: 'act', command: 'clear-fault', button: 'Clear the fault' });
    expect(step.note).toEqual(said('lost'));
    expect(line({ faults: { 'reading-shoe': said('lost') } }, { commands: ['deal'] })).toBe('A fault holds the table: a Pit Supervisor or above clears it');
  });

  it('a paused table plays its round to the end', () => {
    expect(line({ status: 'paused' }, { commands: ['close-betting'], table_commands: ['resume-table'] })).toBe('Close bets');
  });
});

describe('cards', () => {
  const commands = ['deal', 'cut-card'];

  it('says whose card is due and which it is, as the server does', () => {
    expect(line({}, { commands, due: 'player', due_card: 1 })).toBe('Deal to PLAYER, first card');
    expect(line({}, { commands, due: 'banker', due_card: 1 })).toBe('Deal to BANKER, first card');
    expect(line({}, { commands, due: 'player', due_card: 2 })).toBe('Deal to PLAYER, second card');
    expect(line({}, { commands, due: 'player', due_card: 3 })).toBe('PLAYER draws a third card');
    expect(line({}, { commands, due: 'banker', due_card: 3 })).toBe('BANKER draws a third card');
  });

  it('is entered, dealt by the shuffler, or comes by itself', () => {
    const at = (table: TableKind) => nextStep(aTable({ in_play: true }), aConsole({ commands, due: 'player', due_card: 1 }), table);
    expect(at(BY_HAND)).toMatchObject({ kind: 'card', command: 'deal', hand: 'player' });
    expect(at(SHUFFLER)).toMatchObject({ kind: 'act', command: 'deal' });
    expect(at(AUTOMATIC)).toMatchObject({ kind: 'wait', command: null });
    expect(at({ ...BY_HAND, has_reader: true }).note).toContain('reading shoe');
    expect(at({ mode: 'automatic', shoe: 'read', has_reader: true })).toMatchObject({ kind: 'card' });
  });

  it('that was drawn before comes next, by one key', () => {
    const console = aConsole({ commands, due: 'banker', due_card: 3, held: ['5H', '6D'] });
    expect(nextStep(aTable({ in_play: true }), console, BY_HAND)).toMatchObject({ kind: 'act', command: 'deal', card: '5H' });
  });
});

describe('what a step means', () => {
  const close = aConsole({ commands: ['close-betting'] });
  const at = (view: Partial<TableView>, console: ConsoleView): string => meaningOf(nextStep(aTable({ in_play: true, ...view }), console, BY_HAND));

  it('is the same whatever is bet meanwhile', () => {
    expect(at({ laid: { tie: 500 } }, { ...close, staked_cents: 500 })).toBe(at({}, close));
  });

  it('is another for another card, hand or total', () => {
    const due = (due_card: number) => at({}, aConsole({ commands: ['deal'], due: 'player', due_card }));
    expect(due(1)).not.toBe(due(2));
    const shows = (player_total: number) => at({ player_total }, aConsole({ commands: ['declare'], shows: 'player' }));
    expect(shows(8)).not.toBe(shows(9));
  });

  it('is none that Space does, where a card was keyed for the other hand', () => {
    expect(misplaced('9♥', 'banker', 'player')).toMatchObject({ kind: 'misplaced', command: null, words: { at: 'BANKER', due: 'PLAYER' } });
  });
});

describe('insurance', () => {
  it('that nobody can take is passed, and says so', () => {
    const seat = { seat: 2, home_table: '', home_seat: 0, bets: { banker: 500 }, insurance: [], withdrawn: {}, staked_cents: 500, paid: null, locked: '' };
    const passed = { commands: ['open-insurance'], seats: [{ ...seat, may_insure: {} }] };
    expect(line({}, passed)).toBe('Pass insurance: nobody can insure');
    expect(line({}, { ...passed, seats: [{ ...seat, may_insure: { banker: 100 } }] })).toBe('Open insurance');
  });

  it.each(['open-insurance', 'close-insurance'] as const)('%s is the step while the server offers it', (command) => {
    const console = aConsole({ commands: ['waive-insurance', command] });
    expect(nextStep(aTable({ in_play: true }), console, BY_HAND)).toMatchObject({ kind: 'act', command });
    expect(nextStep(aTable({ in_play: true }), console, AUTOMATIC).kind).toBe('wait');
  });
});

describe('the end of a round', () => {
  const complete = { phase: 'complete', player_total: 4, banker_total: 7 } as const;
  const commands = ['declare', 'cut-card'];

  it('declares what the cards show', () => {
    expect(line(complete, { commands, shows: 'banker' })).toBe('Declare: BANKER wins, 7 over 4');
    expect(line({ ...complete, player_total: 9 }, { commands, shows: 'player' })).toBe('Declare: PLAYER wins, 9 over 7');
    expect(line({ ...complete, player_total: 7 }, { commands, shows: 'tie' })).toBe('Declare: TIE at 7');
    expect(nextStep(aTable({ ...complete, in_play: true }), aConsole({ commands, shows: 'banker' }), BY_HAND).hand).toBe('banker');
  });

  it('settles once it is declared', () => {
    const step = nextStep(aTable({ ...complete, in_play: true }), aConsole({ commands: ['settle', 'cut-card'] }), BY_HAND);
    expect(step).toEqual({ kind: 'act', command: 'settle', line: 'Settle' });
  });
});

describe('in every phase', () => {
  it.each(PHASES)('at %s what waits for a decision comes before everything', (phase) => {
    const waiting: Waiting = { report: 1, kind: 'foreign-card', rank: 'pit-manager', remedies: [], may_replace_shoe: '' };
    const step = nextStep(aTable({ phase, waiting: [waiting] }), aConsole(), BY_HAND);
    expect(step).toMatchObject({ kind: 'decide', words: { rank: 'Pit Manager' } });
    const two = nextStep(aTable({ phase, waiting: [waiting, { ...waiting, report: 2 }] }), aConsole(), BY_HAND);
    expect(two).toMatchObject({ kind: 'decide', words: { rank: 'Pit Manager' }, numbers: { count: 2 } });
  });

  it.each(['close-betting', 'deal', 'open-insurance', 'close-insurance', 'declare', 'settle'])(
    'at %s there is a line, and only an automatic shuffler table has no command',
    (command) => {
      for (const table of [BY_HAND, SHUFFLER, AUTOMATIC]) {
        const step = nextStep(aTable({ in_play: true }), aConsole({ due: 'player', due_card: 1, commands: [command] }), table);
        expect(step.line).not.toBe('');
        expect(step.command).toBe(table === AUTOMATIC ? null : command);
      }
    },
  );
});
