import { flushSync, mount, unmount } from 'svelte';
import { expect, it } from 'vitest';
import type { ConsoleSeat, Kind, NotNow, ReportableKind, TableView } from '../../../lib/protocol';
import { TableClient } from '../tableclient.svelte';
import { KINDS, wordsOf } from '../irregularities';
import { aConsole, aTable } from '../testing';
import Irregularity from './Irregularity.svelte';
import { said } from '../../../lib/testing';

const report = (kind: Kind, not_now: NotNow | null = null, seats = false): ReportableKind => ({
  kind,
  not_now,
  cards: 0,
  earlier_round: false,
  may_be_earlier: false,
  in_order: true,
  bet: false,
  amount: false,
  seats,
  rank: 'pit-manager',
  paragraphs: ['mbs 5.2', 'mbs 5.7'],
});

function open(reports: ReportableKind[], view: TableView, look: (drawn: HTMLElement) => void, seats: ConsoleSeat[] = []): void {
  const drawn = document.createElement('div');
  const props = { client: new TableClient('t-1'), view, console: aConsole({ reports, seats }), onreported: () => undefined };
  const made = mount(Irregularity, { target: drawn, props });
  flushSync();
  look(drawn);
  void unmount(made);
}

function called(drawn: HTMLElement, kind: Kind): HTMLButtonElement {
  return [...drawn.querySelectorAll('button')].find((one) => one.querySelector('strong')?.textContent === wordsOf(kind).says)!;
}

it('offers what the server offers: in a four-card window, a shoe that is empty', () => {
  const late = { code: 'betting-still-open', said: said('Bets are still open: there is no {kind} yet', { kind: said('late bet') }), paragraph: '' };
  const reports = KINDS.map(({ kind }) => report(kind, kind === 'late-bet' ? late : null));
  const view = aTable({ phase: 'four-cards-insurance', window: 'four-cards', window_open: true, due: null, in_play: true });
  open(reports, view, (drawn) => {
    expect(drawn.querySelectorAll('button')).toHaveLength(KINDS.length);
    expect(called(drawn, 'insufficient-cards').disabled).toBe(false);
    expect([...drawn.querySelectorAll('button:disabled')]).toEqual([called(drawn, 'late-bet')]);
    expect(called(drawn, 'late-bet').textContent).toContain('Bets are still open: there is no late bet yet');
  });
});

it('asks for the bet that came late, and for how much was taken back', () => {
  const seat = { seat: 4, home_table: '', home_seat: 0, bets: { banker: 2_500 }, insurance: [], withdrawn: { player: 5_000, tie: 0 }, staked_cents: 2_500, may_insure: {}, paid: null, locked: '' };
  const reports = KINDS.map(({ kind }) => ({ ...report(kind), bet: kind === 'late-bet' || kind === 'withdrawn-bet', amount: kind === 'withdrawn-bet' }));
  const options = (drawn: HTMLElement) => [...drawn.querySelectorAll('option:not(:disabled)')].map((one) => one.textContent?.trim());
  for (const [kind, found] of [['late-bet', 'banker 25.00'], ['withdrawn-bet', 'player 50.00']] as const) {
    open(reports, aTable({ in_play: true, round: 2 }), (drawn) => {
      called(drawn, kind).click();
      flushSync();
      expect(options(drawn)).toEqual(['4', found]);
      expect(drawn.querySelector<HTMLButtonElement>('button[type=submit]')!.disabled).toBe(false); // one seat, one bet: nothing to choose
    }, [seat]);
  }
});

it('asks for what the server says a report may name, and says who decides by what', () => {
  const reports = KINDS.map(({ kind }) => report(kind, null, kind === 'foreign-card'));
  open(reports, aTable({ round: 4, in_play: true }), (drawn) => {
    called(drawn, 'foreign-card').click();
    flushSync();
    expect(drawn.textContent).toContain('Seats, as 3, 7');
    expect(drawn.textContent).not.toContain('In which round');
    expect(drawn.textContent).toContain('A Pit Manager or above decides.');
  });
});
