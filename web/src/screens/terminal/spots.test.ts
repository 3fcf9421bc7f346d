import { describe, expect, it } from 'vitest';
import type { WagerView } from '../../lib/protocol';
import { ACTION_KEYS, spotGroups, spotKeys } from './spots';

const named = (id: string): WagerView => ({
  id,
  title: id
    .split('-')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join(' '),
  names: {},
  optional: false,
  pays: [],
  paragraph: '',
});
const SUPER_6 = [
  'player',
  'banker',
  'tie',
  'player-pair',
  'banker-pair',
  'super-6',
  'player-dragon-bonus',
  'banker-dragon-bonus',
];
const TIGER = ['player', 'banker', 'tie', 'tiger', 'small-tiger', 'big-tiger', 'tiger-tie', 'tiger-pair'];

describe('spots', () => {
  it('mirror each other around the tie', () => {
    const groups = spotGroups(SUPER_6.map(named));
    const ids = (of: WagerView[]): string[] => of.map((wager) => wager.id);
    expect(ids(groups.main)).toEqual(['player', 'tie', 'banker']);
    expect(ids(groups.player)).toEqual(['player-dragon-bonus', 'player-pair']);
    expect(ids(groups.own)).toEqual(['super-6']);
    expect(ids(groups.banker)).toEqual(['banker-pair', 'banker-dragon-bonus']);
  });

  it.each([SUPER_6, TIGER])('have a key each, and none that is an action', (...ids) => {
    const keys = spotKeys(ids.map(named));
    expect(Object.keys(keys)).toHaveLength(ids.length);
    expect(new Set(Object.values(keys)).size).toBe(ids.length);
    for (const action of Object.values(ACTION_KEYS)) expect(Object.values(keys)).not.toContain(action);
    expect([keys.player, keys.tie, keys.banker]).toEqual(['p', 't', 'b']);
  });
});
