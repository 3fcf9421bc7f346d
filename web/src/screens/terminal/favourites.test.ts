import { afterEach, expect, it } from 'vitest';
import type { SeatView } from '../../lib/protocol';
import { favourites, isSame, keepFavourites, MOST_FAVOURITES } from './favourites';

const sits = (session: number | null, vouchers = 0): SeatView => ({ session: session === null ? null : { number: session }, vouchers }) as SeatView;
const kept = (): string[] => Object.keys({ ...localStorage }).filter((name) => name.includes('favourites'));

afterEach(() => localStorage.clear());

it('keeps a few patterns for whoever sits here', () => {
  const many = Array.from({ length: 9 }, (_, place) => ({ banker: 100 * (place + 1) }));
  keepFavourites('a-1', sits(7), many);
  expect(favourites('a-1', sits(7))).toEqual(many.slice(0, MOST_FAVOURITES));
  expect(favourites('a-2', sits(7))).toEqual([]);
});

it('forgets them when another player sits down', () => {
  keepFavourites('a-1', sits(7), [{ tie: 500 }]);
  expect(favourites('a-1', null)).toEqual([]); // not known yet who sits here
  expect(kept()).toHaveLength(1);
  expect(favourites('a-1', sits(8))).toEqual([]);
  expect(kept()).toEqual([]);
  keepFavourites('a-1', sits(null, 3), [{ tie: 500 }]); // a venue without sessions
  expect(favourites('a-1', sits(null, 3))).toHaveLength(1);
  expect(favourites('a-1', sits(null, 4))).toEqual([]);
});

it('reads nothing from what is damaged', () => {
  for (const text of ['no JSON', '{"by":"session 7","patterns":[{"tie":-5},{},[null],{"tie":"x"}]}', '{"by":"session 7","patterns":5}', 'null']) {
    localStorage.setItem('natural9-terminal-favourites-a-1', text);
    expect(favourites('a-1', sits(7)), text).toEqual([]);
  }
});

it('knows the same bets in another order', () => {
  expect(isSame({ tie: 100, banker: 200 }, { banker: 200, tie: 100 })).toBe(true);
  expect(isSame({ tie: 100 }, { tie: 100, banker: 200 })).toBe(false);
  expect(isSame({ tie: 100 }, { tie: 200 })).toBe(false);
});
