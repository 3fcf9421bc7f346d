import { expect, test } from 'vitest';
import type { LobbyTable } from '../../../lib/protocol';
import { fitBeside } from '../space';
import { stateOf } from './states';

const ROW: LobbyTable = {
  table: 'b',
  title: 'Tiger 1',
  game: 'Tiger Baccarat',
  takes_visitors: true,
  status: 'open',
  phase: 'no-round',
  takes_bets: false,
  closes_at_ms: null,
  round: 3,
  winner: null,
  results: [],
  least_cents: 100,
  most_cents: 10_000,
  is_out_of_service: false,
};

test.each<[Partial<LobbyTable>, string]>([
  [{}, 'Waiting for the next round'],
  [{ phase: 'betting-open', takes_bets: true }, 'Place your bets'],
  [{ phase: 'players-third' }, 'The cards are dealt'],
  [{ phase: 'settled', winner: 'banker' }, 'Banker wins'],
  [{ phase: 'settled', winner: 'tie' }, 'Tie'],
  [{ phase: 'void' }, 'This round is void'],
  [{ status: 'closed' }, 'This table is closed'],
  [{ status: 'paused' }, 'This table is paused'],
  [{ phase: 'betting-open', is_out_of_service: true }, 'Out of service'],
])('%o is told as %s', (changes, text) => {
  expect(stateOf({ ...ROW, ...changes }).text).toBe(text);
});

test('two tables stand beside each other from 1280 x 800 on, four from 1920 x 1080', () => {
  expect(fitBeside(2, 1280, 800, false)).toBe(true);
  expect(fitBeside(4, 1920, 1080, false)).toBe(true);
  expect(fitBeside(4, 1600, 1000, false)).toBe(true);
  expect(fitBeside(4, 1440, 1200, false)).toBe(true);
  expect(fitBeside(4, 1280, 1024, false)).toBe(false);
  expect(fitBeside(4, 1280, 800, false)).toBe(false);
  expect(fitBeside(2, 1024, 768, false)).toBe(false);
  expect(fitBeside(2, 1080, 1920, false)).toBe(false);
  expect(fitBeside(2, 844, 390, false)).toBe(false);
});
