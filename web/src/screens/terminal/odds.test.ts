import { describe, expect, it } from 'vitest';
import type { WagerView } from '../../lib/protocol';
import { shortOdds, whenWords } from './odds';

function wager(id: string, ...rows: [when: string, odds: string][]): WagerView {
  const pays = rows.map(([when, odds]) => ({ names: {}, when, odds, paragraph: 'mbs 4.8' }));
  return { id, title: id, names: {}, optional: false, pays, paragraph: 'mbs 3.9' };
}

const BANKER = wager('banker', ['banker wins, banker total 6', '1:2'], ['banker wins', '1:1'], ['tie', 'push']);
const TIGER = wager(
  'tiger',
  ['banker wins, banker total 6, banker cards 2', '12:1'],
  ['banker wins, banker total 6, banker cards 3', '20:1'],
);
const TIGER_PAIR = wager('tiger-pair', ['same pair', '100:1'], ['paired hands 2', '20:1'], ['paired hands 1', '4:1']);
const DRAGON = wager(
  'player-dragon-bonus',
  ...([9, 8, 7, 6, 5, 4].map((margin, place) => [
    `player wins, margin ${margin}, no player natural`,
    `${[30, 10, 6, 4, 2, 1][place]}:1`,
  ]) as [string, string][]),
  ['player wins, player natural', '1:1'],
  ['tie, natural', 'push'],
);

describe('odds on a spot', () => {
  it.each([
    [wager('tie', ['tie', '8:1']), '8:1'],
    [wager('player', ['player wins', '1:1'], ['tie', 'push']), '1:1'],
    [wager('banker', ['banker wins', '0.95:1'], ['tie', 'push']), '0.95:1'],
    [BANKER, '1:1 (6 pays 1:2)'],
    [TIGER, '12/20:1'],
    [TIGER_PAIR, '4/20/100:1'],
    [DRAGON, '1–30:1'],
  ])('%#', (one, text) => expect(shortOdds(one)).toBe(text));

  it('puts conditions in words, and leaves what it does not know', () => {
    expect(whenWords('banker wins, banker total 6, banker cards 2')).toBe('Banker wins with 6 (2 cards)');
    expect(whenWords('player wins, margin 9, no player natural')).toBe('Player wins by 9, not a natural');
    expect(whenWords('tie, red moon')).toBe('Tie, red moon');
  });
});
