import { expect, it } from 'vitest';
import type { NetView, Offer } from '../../lib/protocol';
import { endsWith } from './nets';

// 100.00 on Banker, which leads with 6 and pays half when it wins with it; insured at 3 to 1.
const NET: NetView = { by_winner: { player: [-10_000], banker: [5_000, 10_000], tie: [0] }, left_out: [] };
const OFFER: Offer = { hand: 'banker', odds: '3:1', wins_if: 'player wins', paragraph: '', net_cents: { player: 300, banker: -100, tie: 0 } };
const texts = (cents: number, net = NET): string[] => endsWith(net, OFFER, cents, 100).map((end) => `${end.title} ${end.text}`);

it('says what lies, and what so much more insurance makes of it', () => {
  expect(texts(0)).toEqual(['Player wins −100.00', 'Banker wins +50.00 or +100.00', 'Tie ±0.00']);
  expect(texts(3_300)).toEqual(['Player wins −1.00', 'Banker wins +17.00 or +67.00', 'Tie ±0.00']);
});

it('leaves out who can no longer win, and joins more than two', () => {
  expect(texts(0, { by_winner: { banker: [-100, 0, 200] }, left_out: [] })).toEqual(['Banker wins −1.00 to +2.00']);
});
