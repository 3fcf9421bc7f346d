import { flushSync, mount, unmount } from 'svelte';
import { expect, it } from 'vitest';
import type { Kind, NotNow, ReportableKind, TableView } from '../../../lib/protocol';
import { TableClient } from '../tableclient.svelte';
import { KINDS, wordsOf } from '../irregularities';
import { aConsole, aTable } from '../testing';
import Irregularity from './Irregularity.svelte';

const report = (kind: Kind, not_now: NotNow | null = null, seats = false): ReportableKind => ({
  kind,
  not_now,
  cards: 0,
  earlier_round: false,
  seats,
  rank: 'pit-manager',
  paragraphs: ['mbs 5.2', 'mbs 5.7'],
});

function open(reports: ReportableKind[], view: TableView, look: (drawn: HTMLElement) => void): void {
  const drawn = document.createElement('div');
  const props = { client: new TableClient('t-1'), view, console: aConsole({ reports }), onreported: () => undefined };
  const made = mount(Irregularity, { target: drawn, props });
  flushSync();
  look(drawn);
  void unmount(made);
}

function called(drawn: HTMLElement, kind: Kind): HTMLButtonElement {
  return [...drawn.querySelectorAll('button')].find((one) => one.querySelector('strong')?.textContent === wordsOf(kind).says)!;
}

it('offers what the server offers: in a four-card window, a shoe that is empty', () => {
  const late = { code: 'betting-still-open', message: 'Bets are still open: there is no late bet yet', paragraph: '' };
  const reports = KINDS.map(({ kind }) => report(kind, kind === 'late-bet' ? late : null));
  const view = aTable({ phase: 'four-cards-insurance', window: 'four-cards', window_open: true, due: null, in_play: true });
  open(reports, view, (drawn) => {
    expect(drawn.querySelectorAll('button')).toHaveLength(KINDS.length);
    expect(called(drawn, 'insufficient-cards').disabled).toBe(false);
    expect([...drawn.querySelectorAll('button:disabled')]).toEqual([called(drawn, 'late-bet')]);
    expect(called(drawn, 'late-bet').textContent).toContain(late.message);
  });
});

it('asks for what the server says a report may name, and says who decides by what', () => {
  const reports = KINDS.map(({ kind }) => report(kind, null, kind === 'foreign-card'));
  open(reports, aTable({ round: 4, in_play: true }), (drawn) => {
    called(drawn, 'foreign-card').click();
    flushSync();
    expect(drawn.textContent).toContain('Seats, as 3, 7');
    expect(drawn.textContent).not.toContain('In which round');
    expect(drawn.textContent).toContain('A Pit Manager or above decides. (mbs 5.2, mbs 5.7)');
  });
});
