import { describe, expect, it } from 'vitest';
import type { DealtCard, Phase, TableView } from '../../lib/protocol';
import { nextStep, type TableKind } from './steps';
import { aConsole, aTable, AUTOMATIC, BY_HAND, SHUFFLER } from './testing';

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
const DEALING: Phase[] = ['bets-closed', 'initial-deal', 'players-third', 'bankers-third'];
const BETWEEN: Phase[] = ['no-round', 'settled', 'void'];

function dealt(text: string): DealtCard[] {
  return text.split(' ').map((card, place) => ({ card, hand: place % 2 ? 'banker' : 'player' }));
}

function line(view: Partial<TableView>, table: TableKind = BY_HAND, commands: string[] = ['open-betting']): string {
  const step = nextStep(aTable(view), aConsole({ commands, due: view.due ?? null }), table);
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
    const console = aConsole({ commands: ['new-shoe'], new_shoe: 'the last round was void for foreign-card' });
    expect(nextStep(aTable({ phase }), console, BY_HAND)).toMatchObject({
      command: 'new-shoe',
      note: 'the last round was void for foreign-card',
    });
    const shoe = { ...aTable().shoe, cut_card: true };
    expect(nextStep(aTable({ phase, shoe }), aConsole({ commands: ['new-shoe'] }), BY_HAND).note).toContain('cut card');
  });

  it.each(BETWEEN)('at %s a closed table is opened, a paused one resumed, whatever else may be done', (phase) => {
    const console = aConsole({ commands: ['open-betting', 'new-shoe'] });
    expect(nextStep(aTable({ phase, status: 'closed' }), console, BY_HAND).command).toBe('open-table');
    expect(nextStep(aTable({ phase, status: 'paused' }), console, AUTOMATIC).command).toBe('resume-table');
  });

  it('a fault stops play, and is said', () => {
    const view = aTable({ faults: { 'reading-shoe': 'lost' } });
    expect(nextStep(view, aConsole({ commands: ['open-betting'] }), BY_HAND)).toEqual({
      kind: 'wait',
      command: null,
      line: 'Fault: no round begins',
      note: 'lost',
    });
  });

  it('a paused table plays its round to the end', () => {
    expect(line({ phase: 'betting-open', status: 'paused' })).toBe('Close bets');
  });
});

describe('cards', () => {
  it('says whose card is due and which it is', () => {
    expect(line({ phase: 'bets-closed', due: 'player' })).toBe('Deal to PLAYER, first card');
    expect(line({ phase: 'initial-deal', due: 'banker', cards: dealt('9H') })).toBe('Deal to BANKER, first card');
    expect(line({ phase: 'initial-deal', due: 'player', cards: dealt('9H 2C') })).toBe('Deal to PLAYER, second card');
    expect(line({ phase: 'initial-deal', due: 'banker', cards: dealt('9H 2C KD') })).toBe('Deal to BANKER, second card');
    expect(line({ phase: 'players-third', due: 'player', cards: dealt('4H 2C KD 5S') })).toBe('PLAYER draws a third card');
    expect(line({ phase: 'bankers-third', due: 'banker', cards: dealt('7H 2C KD 5S') })).toBe('BANKER draws a third card');
  });

  it.each(DEALING)('at %s a card is entered, dealt by the shuffler, or comes by itself', (phase) => {
    const at = (table: TableKind) => nextStep(aTable({ phase, due: 'player' }), aConsole({ due: 'player' }), table);
    expect(at(BY_HAND)).toMatchObject({ kind: 'card', command: 'deal', hand: 'player' });
    expect(at(SHUFFLER)).toMatchObject({ kind: 'act', command: 'deal' });
    expect(at(AUTOMATIC)).toMatchObject({ kind: 'wait', command: null });
    expect(at({ ...BY_HAND, has_reader: true }).note).toContain('reading shoe');
    expect(at({ mode: 'automatic', shoe: 'read', has_reader: true })).toMatchObject({ kind: 'card' });
  });

  it('a card that was drawn before comes next, by one key', () => {
    const console = aConsole({ due: 'banker', held: ['5H', '6D'] });
    const step = nextStep(aTable({ phase: 'bankers-third', due: 'banker' }), console, BY_HAND);
    expect(step).toMatchObject({ kind: 'act', command: 'deal', card: '5H' });
  });
});

describe('insurance', () => {
  it.each(['four-cards-insurance', 'third-card-insurance'] as const)('at %s it is opened, then closed', (phase) => {
    expect(nextStep(aTable({ phase }), aConsole(), BY_HAND).command).toBe('open-insurance');
    expect(nextStep(aTable({ phase, window_open: true }), aConsole(), BY_HAND).command).toBe('close-insurance');
    expect(nextStep(aTable({ phase, window_open: true }), aConsole(), AUTOMATIC).kind).toBe('wait');
  });
});

describe('the end of a round', () => {
  const complete = { phase: 'complete', player_total: 4, banker_total: 7 } as const;

  it('declares what the cards show', () => {
    expect(line(complete)).toBe('Declare: BANKER wins, 7 over 4');
    expect(line({ ...complete, player_total: 9 })).toBe('Declare: PLAYER wins, 9 over 7');
    expect(line({ ...complete, player_total: 7 })).toBe('Declare: TIE at 7');
    expect(nextStep(aTable(complete), aConsole(), BY_HAND).hand).toBe('banker');
  });

  it('settles once it is declared', () => {
    const result = {
      round: 1,
      winner: 'banker',
      player_total: 4,
      banker_total: 7,
      natural: false,
      player_pair: false,
      banker_pair: false,
      won: [],
    } as const;
    const view = aTable({ ...complete, result: { ...result, won: [] } });
    expect(nextStep(view, aConsole(), BY_HAND)).toEqual({ kind: 'act', command: 'settle', line: 'Settle' });
  });
});

describe('in every phase', () => {
  it.each(PHASES)('at %s what waits for a decision comes before everything', (phase) => {
    const waiting = { kind: 'foreign-card', rank: 'pit-manager', remedies: [], may_replace_shoe: '' } as const;
    const step = nextStep(aTable({ phase, waiting: { ...waiting, remedies: [] } }), aConsole(), BY_HAND);
    expect(step).toMatchObject({ kind: 'decide', words: { rank: 'Pit Manager' } });
  });

  it.each(PHASES)('at %s there is a line, and only an automatic shuffler table has no command', (phase) => {
    for (const table of [BY_HAND, SHUFFLER, AUTOMATIC]) {
      const step = nextStep(aTable({ phase, due: 'player' }), aConsole({ due: 'player', commands: ['open-betting'] }), table);
      expect(step.line).not.toBe('');
      expect(step.command === null).toBe(table === AUTOMATIC);
    }
  });
});
