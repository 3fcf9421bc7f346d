// How the spots of a game are laid out, and which key bets on each.

import type { WagerView } from '../../lib/protocol';

const MAIN = ['player', 'tie', 'banker'];

export interface SpotGroups {
  main: WagerView[]; // Player, Tie, Banker from left to right
  player: WagerView[]; // side bets on the Player's hand, over the Player's spot
  own: WagerView[]; // the game's own
  banker: WagerView[];
}

export function spotGroups(wagers: readonly WagerView[]): SpotGroups {
  const side = wagers.filter((wager) => !MAIN.includes(wager.id));
  const of = (hand: string): WagerView[] => side.filter((wager) => wager.id.startsWith(`${hand}-`));
  return {
    main: MAIN.flatMap((id) => wagers.filter((wager) => wager.id === id)),
    player: of('player').reverse(), // the rarer one outside, so that both hands mirror each other
    own: side.filter((wager) => !/^(player|banker)-/.test(wager.id)).reverse(),
    banker: of('banker'),
  };
}

const LEAST_SPOT_REM = 6.8;
export const MAIN_REM = 1.1; // Player, Tie and Banker are so much higher
export const INSURANCE_REM = 5.4; // of the line of insurance spots, with all that an open window writes there
const ROOMY_SPOT_REM = 9.6; // where its name and its odds need one line each

/** So many spots in rows of equal length, none narrower than can be read; how high each row is at least. */
export function inRows(spots: number, width: number, rem: number): { count: number; each: number; rem: number } {
  const most = Math.max(1, Math.floor(width / (LEAST_SPOT_REM * rem)));
  const count = Math.ceil(spots / most);
  const each = count ? Math.ceil(spots / count) : 1;
  return { count, each, rem: width / each < ROOMY_SPOT_REM * rem ? 6.6 : 5.3 };
}

// Letters that do something else at the terminal.
export const ACTION_KEYS = { double: 'x', undo: 'u', clear: 'c', rebet: 'r', swap: 'v', help: 'h' } as const;

/** A letter for each spot: P, T, B, then the first free letter of its name, then any. */
export function spotKeys(wagers: readonly WagerView[]): Record<string, string> {
  const taken = new Set<string>(Object.values(ACTION_KEYS));
  const keys: Record<string, string> = {};
  const { main, player, own, banker } = spotGroups(wagers);
  for (const wager of [...main, ...own, ...player, ...banker]) {
    const letters = [...wager.title.toLowerCase().replace(/[^a-z]/g, ''), ...'abcdefghijklmnopqrstuvwxyz'];
    const key = letters.find((letter) => !taken.has(letter));
    if (!key) continue;
    taken.add(key);
    keys[wager.id] = key;
  }
  return keys;
}
