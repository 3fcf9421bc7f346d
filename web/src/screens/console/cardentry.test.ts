import { beforeEach, describe, expect, it } from 'vitest';
import type { StaffCommand } from '../../lib/protocol';
import { CardEntry } from './cardentry.svelte';
import type { Step } from './steps';

/** A table that takes a card for each hand in turn, when its test says that it has. */
class Table {
  sent: StaffCommand[] = [];
  due: Step | null = null;
  busy = false;
  #done: (done: boolean) => void = () => undefined;

  constructor(readonly hands: ('player' | 'banker')[]) {
    this.#turn();
  }

  #turn(): void {
    const hand = this.hands[0];
    this.due = hand ? { kind: 'card', command: 'deal', line: '', hand } : null;
  }

  act = (command: StaffCommand): Promise<boolean> => {
    this.busy = true;
    this.sent.push(command);
    return new Promise((done) => (this.#done = done));
  };

  async answer(done = true): Promise<void> {
    if (done) this.hands.shift();
    this.#turn();
    this.busy = false;
    this.#done(done);
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

let table: Table;
let entry: CardEntry;
beforeEach(() => {
  table = new Table(['player', 'banker', 'player', 'banker']);
  entry = new CardEntry(table, () => table.due);
});

async function type(keys: string): Promise<void> {
  for (const key of keys) entry.key(key);
  await settled();
}

describe('cards', () => {
  it('keyed faster than the table answers are dealt one after the other', async () => {
    await type('9h0dks');
    expect(table.sent).toEqual([{ type: 'deal', card: '9H' }]);
    await table.answer();
    await table.answer();
    await table.answer();
    expect(table.sent).toEqual(['9H', 'TD', 'KS'].map((card) => ({ type: 'deal', card })));
    expect(entry.lost).toEqual([]);
  });

  it('keyed while another order is on its way wait for it', async () => {
    const { due } = table;
    Object.assign(table, { busy: true, due: null });
    await type('9h');
    expect(table.sent).toEqual([]);
    Object.assign(table, { busy: false, due });
    void entry.go();
    await settled();
    expect(table.sent).toEqual([{ type: 'deal', card: '9H' }]);
  });

  it('that came after a refused one are not dealt in its place, and it is said', async () => {
    await type('9h0dks');
    await table.answer(false);
    expect(table.sent).toHaveLength(1);
    expect(entry.lost).toEqual(['TD', 'KS']);
    await type('9');
    expect(entry.lost).toEqual([]);
  });

  it('for which no hand is due any more are not dealt, and it is said', async () => {
    table.hands.splice(1);
    await type('9h0d');
    await table.answer();
    expect(table.sent).toHaveLength(1);
    expect(entry.lost).toEqual(['TD']);
  });

  it('mean nothing where none is due', () => {
    table.due = null;
    expect(entry.key('9')).toBe(false);
    expect(entry.rank).toBe('');
  });
});

describe('a card in the wrong area', () => {
  it('is shown first: nobody hears of it, and it can be taken back', async () => {
    await type('b9h');
    expect(table.sent).toEqual([]);
    expect(entry.misplaced).toEqual({ card: '9H', at: 'banker' });
    await type('ks'); // keyed without a look at the line: it is dealt in nobody's place
    expect(table.sent).toEqual([]);
    entry.key('Escape');
    expect(entry.misplaced).toBeNull();
    await type('9h');
    expect(table.sent).toEqual([{ type: 'deal', card: '9H' }]);
  });

  it('is reported when the dealer says so, once', async () => {
    await type('b9h');
    await type('rr');
    expect(table.sent).toEqual([{ type: 'deal', card: '9H', put_at: 'banker' }]);
  });

  it('is none where the hand named is the one due, even if it was named a card too soon', async () => {
    await type('p9h');
    await type('b0d');
    await table.answer();
    expect(table.sent).toEqual(['9H', 'TD'].map((card) => ({ type: 'deal', card })));
    expect(entry.misplaced).toBeNull();
  });
});
