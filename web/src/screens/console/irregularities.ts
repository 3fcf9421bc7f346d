// What can go wrong at a table, in the words of the floor. What may be reported now, and what a report needs, the server says.

import type { Kind, Remedy } from '../../lib/protocol';

export interface KindWords {
  kind: Kind;
  says: string;
  explains: string;
}

export const GROUPS: readonly { title: string; kinds: readonly KindWords[] }[] = [
  {
    title: 'A card was dealt wrong',
    kinds: [
      { kind: 'wrong-area', says: 'Card in the wrong area', explains: 'A Player card was put to the Banker, or the other way round.' },
      { kind: 'wrong-number-of-cards', says: 'A hand has too many or too few cards', explains: 'A third card was given or left out against the Table of Play.' },
      { kind: 'excess-or-exposed', says: 'A card too many was drawn or shown', explains: 'A card left the shoe, or was seen, while none was due.' },
      { kind: 'drawn-together-order-known', says: 'Two cards came out together, order known', explains: 'It is clear which of them was on top.' },
      { kind: 'drawn-together-order-unknown', says: 'Two cards came out together, order not known', explains: 'Nobody can say which of them was on top.' },
      { kind: 'order-altered', says: 'The order of the cards was changed', explains: 'Cards came out of the shoe in another order than they lay in it.' },
    ],
  },
  {
    title: 'Something is wrong with the shoe',
    kinds: [
      { kind: 'foreign-card', says: 'Foreign card', explains: 'A card that does not belong to this set of cards.' },
      { kind: 'shortage-or-excess', says: 'Too many or too few of a card', explains: 'The shoe is not complete: a card is missing, or there is one too many.' },
      { kind: 'insufficient-cards', says: 'The shoe is empty', explains: 'A card is due and there is none left.' },
      { kind: 'unshuffled-cards', says: 'Cards not shuffled', explains: 'The cards come out in the order of a new deck.' },
      { kind: 'face-up-in-shoe', says: 'Card face up in the shoe', explains: 'A card was turned the wrong way round.' },
    ],
  },
  {
    title: 'The result or a bet',
    kinds: [
      { kind: 'wrong-result', says: 'Wrong result announced', explains: 'The announced result is not what the cards show.' },
      { kind: 'found-later', says: 'Error found in an earlier round', explains: 'A later round has begun since.' },
      { kind: 'late-bet', says: 'Late bet', explains: 'A bet was laid or raised after “No more bets”.' },
      { kind: 'withdrawn-bet', says: 'Withdrawn bet', explains: 'A bet was taken back after “No more bets”.' },
    ],
  },
  {
    title: 'Equipment, or anything else',
    kinds: [
      { kind: 'table-interruption', says: 'The table was interrupted', explains: 'Power, fire alarm, a machine that stopped: play cannot go on.' },
      { kind: 'terminal-interruption', says: 'A terminal was interrupted', explains: 'One player’s screen failed while the table played on.' },
      { kind: 'not-covered', says: 'Something else', explains: 'No clause covers it: the highest rank named in the rules decides.' },
    ],
  },
];

export const KINDS: readonly KindWords[] = GROUPS.flatMap((group) => group.kinds);

export function wordsOf(kind: Kind): KindWords {
  return KINDS.find((one) => one.kind === kind) ?? { kind, says: kind, explains: '' };
}

export const REMEDIES: Record<Remedy, { says: string; explains: string }> = {
  void: { says: 'Void the round', explains: 'Every bet of the round goes back to its seat.' },
  continue: { says: 'Play on', explains: 'The cards stay as they lie.' },
  reconstruct: { says: 'Reconstruct', explains: 'The cards go back to the order in which they should have come.' },
  'decide-order': { says: 'Decide the order', explains: 'You say which card came first.' },
  'use-in-next-round': { says: 'Use in the next round', explains: 'The excess cards open the next round, in this order.' },
  discard: { says: 'Burn the cards', explains: 'The cards drawn are burnt, and played in no round.' },
  'settle-by-cards': { says: 'Settle by the cards', explains: 'The cards on the table are the result, whatever was said.' },
  'refuse-bet': { says: 'Refuse the bet', explains: 'The late bet goes back to its seat.' },
  'bet-stands': { says: 'The bet stands', explains: 'The withdrawn bet is put back, and plays.' },
  'confirm-cards': { says: 'These are the cards as they lie', explains: 'After the interruption, what lies on the felt counts, not what was keyed.' },
  'no-effect': { says: 'No effect', explains: 'Neither this round nor the earlier one changes.' },
};

/** What reaches into money or cards is kept with a reason: the form asks for it before the server does. */
export const NEEDS_REASON: ReadonlySet<Remedy> = new Set<Remedy>(['void', 'settle-by-cards', 'refuse-bet', 'bet-stands', 'discard', 'confirm-cards']);
