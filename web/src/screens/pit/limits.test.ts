import { expect, test } from 'vitest';
import type { TableView } from '../../lib/protocol';
import { changed, isNothing, typed } from './limits';

const view = {
  limits: { banker: [500, 500_000], tie: [100, 50_000] },
  betting_unit_cents: 100,
  seat_min_cents: 0,
  seat_max_cents: 1_000_000,
  table_max_cents: null,
} as unknown as TableView;

test('as typed from the limits in force, nothing changes', () => {
  const { change, wrong } = changed(view, typed(view));
  expect([isNothing(change), wrong]).toEqual([true, []]);
});

test('only what differs is sent', () => {
  const now = typed(view);
  now.wagers.tie = { min: '2', max: '500' };
  now.tableMax = '20,000';
  expect(changed(view, now)).toEqual({ change: { limits: { tie: { min_cents: 200, max_cents: 50_000 } }, table_max_cents: 2_000_000 }, wrong: [] });
});

test('what cannot be read is named, and a limit taken away; whether such limits may be is the server’s', () => {
  for (const wager of [{ min: '', max: '5' }, { min: 'x', max: '5' }, { min: '1', max: '' }]) {
    const now = typed(view);
    now.wagers.tie = wager;
    expect(changed(view, now).wrong).toEqual(['tie']);
  }
  const over = typed(view);
  over.wagers.tie = { min: '9', max: '5' };
  expect(changed(view, over)).toEqual({ change: { limits: { tie: { min_cents: 900, max_cents: 500 } } }, wrong: [] });
  expect(changed(view, { ...typed(view), seatMax: '' }).wrong).toEqual(['seatMax']);
  expect(changed(view, { ...typed(view), seatMin: 'x' }).wrong).toEqual(['seatMin']);
});
