import { expect, test } from 'vitest';
import type { TableView } from '../../lib/protocol';
import { finished, wallStage } from './stage';

const table = (changes: Partial<TableView>): TableView =>
  ({ faults: {}, waiting: null, phase: 'no-round', status: 'open', cards: [], result: null, voided: null, ...changes }) as TableView;
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
  expect(wallStage(table({ phase: 'betting-open' }), '').counts).toBe(true);
  expect(wallStage(table({ phase: 'four-cards-insurance', window_open: true }), '').counts).toBe(true);
  expect(wallStage(table({ phase: 'four-cards-insurance', window_open: false }), '').counts).toBe(false);
  expect(wallStage(table({ phase: 'initial-deal' }), '').counts).toBe(false);
});

test('a result names the winner and its marks in both languages', () => {
  const stage = wallStage(table({ phase: 'settled', result: { ...result, won: [] } }), '');
  expect([stage.tone, stage.zh, stage.en]).toEqual(['banker', '庄赢', 'Banker wins']);
  expect(stage.detail).toBe('例牌 Natural · 庄对 Banker pair');
});

test('trouble comes before everything else', () => {
  expect(wallStage(table({ phase: 'betting-open' }), 'disk full').tone).toBe('alarm');
  expect(wallStage(table({ phase: 'betting-open', faults: { 'shoe-seal': 'broken' } }), '').tone).toBe('alarm');
});

test('a void round says why', () => {
  const stage = wallStage(table({ phase: 'void', voided: { kind: null, why: 'misdeal', clause: '', paragraph: '' } }), '');
  expect([stage.tone, stage.detail]).toEqual(['void', 'misdeal']);
  const unsaid = wallStage(table({ phase: 'void', voided: { kind: 'late-bet', why: '', clause: '', paragraph: '' } }), '');
  expect(unsaid.detail).toMatch(/^[^a-z]+ A bet came too late$/);
});

test('a finished round keeps its cards, each in its hand', () => {
  const cards = ['9H', 'TS', 'KD', '8C'].map((card, place) => ({ card, hand: place % 2 ? 'banker' : 'player' }) as const);
  const ended = finished(table({ phase: 'settled', result: { ...result, won: [] }, cards }));
  expect(ended?.player.cards).toEqual(['9H', 'KD']);
  expect(ended?.banker).toEqual({ cards: ['TS', '8C'], total: 8 });
  expect(finished(table({ phase: 'betting-open' }))).toBeNull();
});
