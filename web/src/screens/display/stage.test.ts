import { expect, test } from 'vitest';
import type { TableView } from '../../lib/protocol';
import { said } from '../../lib/testing';
import { finished, wallStage } from './stage';

const table = (changes: Partial<TableView>): TableView =>
  ({ shoe: { next_burnt: null }, faults: {}, waiting: [], interrupted_ms: null, phase: 'no-round', status: 'open', cards: [], result: null, voided: null, ...changes }) as TableView;
const result = {
  round: 7,
  winner: 'banker',
  player_total: 3,
  banker_total: 8,
  natural: true,
  player_pair: false,
  banker_pair: true,
  won: ['banker'],
  rows: {},
} as const;

test('only an open window has a countdown', () => {
  expect(wallStage(table({ phase: 'betting-open' }), null).counts).toBe(true);
  expect(wallStage(table({ phase: 'four-cards-insurance', window_open: true }), null).counts).toBe(true);
  expect(wallStage(table({ phase: 'four-cards-insurance', window_open: false }), null).counts).toBe(false);
  expect(wallStage(table({ phase: 'initial-deal' }), null).counts).toBe(false);
});

test('what was burnt is told in both languages, beside the last result', () => {
  const shoe = { next_burnt: { card: '7H', face_down: 7, to_come: 0 } } as TableView['shoe'];
  const told = '烧牌 7♥，另有盖牌 7 张 Burnt: 7♥ and 7 face down';
  expect(wallStage(table({ shoe }), null).detail).toBe(told);
  expect(wallStage(table({ shoe, phase: 'settled', result: { ...result, won: [] } }), null).detail).toBe(`例牌 Natural · 庄对 Banker pair · ${told}`);
  expect(wallStage(table({ shoe, faults: { reader: said('lost') } }), null).detail).toBe('');
});

test('a result names the winner and its marks in both languages', () => {
  const stage = wallStage(table({ phase: 'settled', result: { ...result, won: [] } }), null);
  expect([stage.tone, stage.zh, stage.en]).toEqual(['banker', '庄赢', 'Banker wins']);
  expect(stage.detail).toBe('例牌 Natural · 庄对 Banker pair');
});

test('trouble comes before everything else', () => {
  expect(wallStage(table({ phase: 'betting-open' }), said('disk full')).tone).toBe('alarm');
  expect(wallStage(table({ phase: 'betting-open', faults: { 'shoe-seal': said('broken') } }), null).tone).toBe('alarm');
});

test('everybody is told that the table was away, in both languages', () => {
  const stage = wallStage(table({ phase: 'betting-open', interrupted_ms: 2_001 }), null);
  expect(stage).toMatchObject({ en: 'Place your bets', counts: true });
  expect(stage.detail).toBe('本桌中断 3 秒，从中断处继续 The table was away for 3 s and goes on where it stood');
  expect(wallStage(table({ phase: 'void', interrupted_ms: 2_001 }), null).detail).toBe('');
});

test('a void round says why', () => {
  const stage = wallStage(table({ phase: 'void', voided: { kind: null, why: 'misdeal', clause: '', paragraph: '' } }), null);
  expect([stage.tone, stage.detail]).toEqual(['void', 'misdeal']);
  const unsaid = wallStage(table({ phase: 'void', voided: { kind: 'late-bet', why: '', clause: '', paragraph: '' } }), null);
  expect(unsaid.detail).toMatch(/^[^a-z]+ A bet came too late$/);
});

test('a finished round keeps its cards, each in its hand', () => {
  const cards = ['9H', 'TS', 'KD', '8C'].map((card, place) => ({ card, hand: place % 2 ? 'banker' : 'player', total: 0 }) as const);
  const ended = finished(table({ phase: 'settled', result: { ...result, won: [] }, cards }));
  expect(ended?.player.cards).toEqual(['9H', 'KD']);
  expect(ended?.banker).toEqual({ cards: ['TS', '8C'], total: 8 });
  expect(finished(table({ phase: 'betting-open' }))).toBeNull();
});
