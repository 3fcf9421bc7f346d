import { describe, expect, it } from 'vitest';
import type { Phase, SeatView, TableView } from '../../lib/protocol';
import { said } from '../../lib/testing';
import { insuranceWins, situation, stageOf } from './stage';

const TABLE = {
  table: 't1',
  title: 'Table 1',
  game: 'rws-nc-insurance',
  status: 'open',
  why: '',
  faults: {},
  phase: 'betting-open',
  round: 4,
  shoe: { number: 1, cards_left: 416, cut_card: false, commitment: '', next_commitment: '', burnt: null, next_burnt: null, mix: null },
  cards: [],
  player_total: null,
  banker_total: null,
  due: null,
  window: null,
  window_open: false,
  result: null,
  voided: null,
  waiting: [],
  interrupted_ms: null,
} as unknown as TableView;

const at = (phase: Phase, more: Partial<TableView> = {}): TableView => ({ ...TABLE, phase, ...more });

describe('what the table is doing', () => {
  it('counts down while bets may be placed, and no longer', () => {
    expect(stageOf(at('betting-open'), null)).toMatchObject({ title: 'Place your bets', counts: true, tone: 'open' });
    expect(stageOf(at('bets-closed'), null)).toMatchObject({ title: 'No more bets', counts: false });
    expect(stageOf(at('players-third'), null).detail).toBe('Player draws a third card');
  });

  it('asks for no bets over a line that is lost', () => {
    const lost = stageOf(at('betting-open'), null, null, true);
    expect(lost).toMatchObject({ title: 'Connection lost', tone: 'alarm', counts: false });
    const moving = stageOf(at('betting-open'), null, null, true, true);
    expect(moving).toMatchObject({ title: 'One moment, please', detail: 'Your bets are safe.', counts: false });
  });

  it('says that the players mix a shoe', () => {
    const mix = { next_shoe: 3, shoe: 2, listed: 4, revealed: 1, ends_at_ms: 5_000 };
    expect(stageOf({ ...TABLE, shoe: { ...TABLE.shoe, mix } }, null).detail).toBe('The players mix shoe 2');
    expect(stageOf({ ...TABLE, shoe: { ...TABLE.shoe, mix: { ...mix, shoe: null } } }, null).detail).toBe('');
  });

  it('says what was burnt, until the first round of the shoe', () => {
    const shoe = { ...TABLE.shoe, next_burnt: { card: 'TH', face_down: 10, to_come: 0 } };
    expect(stageOf(at('no-round', { shoe }), null)).toMatchObject({ title: 'Waiting for the next round', detail: 'Burnt: 10♥ and 10 face down' });
    expect(stageOf(at('void', { shoe, voided: { kind: null, why: 'smoke', clause: '', paragraph: '' } }), null).detail).toBe('smoke · Burnt: 10♥ and 10 face down');
    const unturned = { ...TABLE.shoe, next_burnt: { card: '', face_down: 0, to_come: 0 } };
    expect(stageOf(at('no-round', { shoe: unturned }), null).detail).toBe('');
  });

  it('says who won, with a natural', () => {
    const result = {
      round: 4,
      winner: 'tie' as const,
      player_total: 8,
      banker_total: 8,
      natural: true,
      player_pair: true,
      banker_pair: false,
      won: [], rows: {}
    };
    const stage = stageOf(at('settled', { result, status: 'paused' }), null);
    expect(stage.tone).toBe('tie');
    expect(stage.detail).toBe('Player 8, Banker 8 · Natural · Player pair · No more rounds for now');
  });

  it('says why a round is void, and that the money is back', () => {
    const voided = { kind: null, why: 'Wrong cards', clause: 'mbs 5.8', paragraph: 'mbs 5.10' };
    const stage = stageOf(at('void', { voided }), { returned_cents: 2_500 } as SeatView);
    expect(stage).toMatchObject({ tone: 'void', detail: 'Wrong cards (Rule 5.8) · 25.00 came back to your credit' });
  });

  it('has words for a void that nobody explained', () => {
    const voided = { kind: 'foreign-card', why: '', clause: 'mbs 5.9', paragraph: '' } as const;
    expect(stageOf(at('void', { voided }), null).detail).toBe('A card that does not belong was found (Rule 5.9)');
    const told = { ...voided, kind: 'not-covered', why: 'The lights went out' } as const;
    expect(stageOf(at('void', { voided: told }), null).detail).toBe('The lights went out (Rule 5.9)');
  });

  it('puts trouble before everything else, in a player’s words', () => {
    const waiting = [{ report: 1, kind: 'foreign-card' as const, rank: 'pit-manager', remedies: [], may_replace_shoe: '' }];
    const stage = stageOf(at('players-third', { waiting, faults: { printer: said('out') } }), null);
    expect(stage.detail).toBe('A card that does not belong was found. A pit manager decides. Your bets are safe.');
    expect(stageOf(at('no-round', { faults: { shuffler: said('stuck') } }), null).detail).not.toContain('stuck');
    expect(stageOf(at('betting-open'), null, said('disk full')).title).toBe('This table has stopped');
  });

  it('says that the cards are looked at after a power cut, and that bets are safe', () => {
    const remedies = [{ remedy: 'confirm-cards' as const, paragraph: 'interpretation felt-decides', names: 'cards' as const }];
    const waiting = [{ report: 1, kind: 'table-interruption' as const, rank: 'pit-supervisor', remedies, may_replace_shoe: '' }];
    const stage = stageOf(at('initial-deal', { waiting, interrupted_ms: 2_500 }), null);
    expect(stage.detail).toBe('The table was interrupted: the cards on it are being looked at. Your bets are safe.');
  });

  it('says how long the table was away, until the next round opens', () => {
    expect(stageOf(at('betting-open', { interrupted_ms: 2_400 }), null)).toMatchObject({
      title: 'Place your bets',
      detail: 'The table was away for 3 s and goes on where it stood',
      counts: true,
    });
    expect(stageOf(at('players-third', { interrupted_ms: 400 }), null).detail).toBe(
      'Player draws a third card · The table was away for 1 s and goes on where it stood',
    );
    expect(stageOf(at('void', { interrupted_ms: 400 }), null).detail).not.toContain('goes on');
  });

  it('says why nothing happens', () => {
    expect(stageOf(at('no-round', { status: 'paused', why: 'Shift change' }), null)).toMatchObject({
      title: 'This table is paused',
      detail: 'Shift change',
    });
    expect(stageOf(at('no-round', { status: 'closed' }), null).title).toBe('This table is closed');
    expect(stageOf(at('no-round'), null).title).toBe('Waiting for the next round');
  });
});

describe('insurance', () => {
  it('describes the situation, the better hand first', () => {
    const table = at('four-cards-insurance', {
      player_total: 5,
      banker_total: 6,
      window: 'four-cards',
      window_open: true,
      draws: 'player',
    });
    expect(situation(table)).toBe('Banker 6, Player 5, Player draws');
    expect(stageOf(table, null)).toMatchObject({ title: 'Insurance?', counts: true, tone: 'offer' });
    expect(situation({ ...table, draws: 'banker', player_total: 7, banker_total: 4 })).toBe('Player 7, Banker 4, Banker draws');
    expect(situation({ ...table, draws: null })).toBe('Banker 6, Player 5');
  });

  it('says when it pays', () => {
    expect([insuranceWins('tie'), insuranceWins('player wins'), insuranceWins('banker wins')]).toEqual([
      'if the round is a tie',
      'if Player wins',
      'if Banker wins',
    ]);
  });
});
