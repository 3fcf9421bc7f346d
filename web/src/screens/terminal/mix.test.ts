import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Ask } from '../../lib/live.svelte';
import { nonceCommitment } from '../../lib/mixing';
import type { SeatView, TableView } from '../../lib/protocol';
import { forgetPage, mixWords, ownWords, takePart, type MixingLine } from './mix';

// A table that the test speaks for: what the terminal asks is what it hears.
class Table implements MixingLine {
  heard: Ask[] = [];
  forgotten = 0;
  told = table();
  you = { seat: 7, nonce: '', to_reveal: '' } as SeatView;
  refuses = false;

  ask(ask: Ask): Promise<Answer> {
    this.heard.push(ask);
    if (ask.type === 'commit-nonce' && !this.refuses) this.you = { ...this.you, nonce: ask.commitment };
    return Promise.resolve({ type: this.refuses ? 'refused' : 'registered' } as Answer);
  }
  forget(): void {
    this.forgotten += 1;
  }
  /** The shoe is due: this seat's commitment is listed. */
  lists(): void {
    this.you = { ...this.you, nonce: '', to_reveal: this.you.nonce };
    this.told = table(3, 2);
  }
}
const table = (next_shoe = 2, shoe: number | null = null): TableView =>
  ({ table: 'nc-1', shoe: { mix: { next_shoe, shoe, listed: 1, revealed: 0, ends_at_ms: null } } }) as TableView;

beforeEach(forgetPage);
afterEach(() => localStorage.clear());

describe('a terminal at a table whose seats mix', () => {
  it('commits once, and reveals once what it has committed to', async () => {
    const line = new Table();
    await takePart(line);
    await takePart(line);
    const [commit] = line.heard;
    line.lists();
    await Promise.all([takePart(line), takePart(line)]);
    const reveal = line.heard.find((one) => one.type === 'reveal-nonce');
    expect(line.heard.map((one) => one.type)).toEqual(['commit-nonce', 'reveal-nonce', 'commit-nonce']);
    expect(reveal?.shoe).toBe(2);
    expect(commit).toMatchObject({ shoe: 2, commitment: nonceCommitment('nc-1', 2, 7, reveal?.nonce ?? '') });
  });

  it('reveals after a reload of the page', async () => {
    const line = new Table();
    await takePart(line);
    forgetPage();
    await takePart(line);
    expect(line.heard).toHaveLength(1); // what it has committed to is still known
    line.lists();
    forgetPage();
    await takePart(line);
    expect(line.heard.map((one) => one.type)).toEqual(['commit-nonce', 'reveal-nonce', 'commit-nonce']);
  });

  it('commits anew where the browser has forgotten, and reveals nothing that it does not know', async () => {
    const line = new Table();
    line.you = { ...line.you, nonce: 'ab'.repeat(32), to_reveal: 'cd'.repeat(32) };
    line.told = table(3, 2);
    await takePart(line);
    expect(line.heard.map((one) => one.type)).toEqual(['commit-nonce']);
  });

  it('still knows what the table has, however often another one is refused', async () => {
    const line = new Table();
    await mixWords(line, 'lucky');
    line.refuses = true;
    for (let more = 0; more < 50; more += 1) await mixWords(line, `again ${more}`);
    forgetPage();
    expect(ownWords(line.you)).toBe('lucky');
  });

  it('mixes in a player’s own words, and knows them again', async () => {
    const line = new Table();
    await takePart(line);
    expect(ownWords(line.you)).toBe('');
    expect(await mixWords(line, '  ')).toBeNull();
    await mixWords(line, ' 八 lucky ');
    expect(ownWords(line.you)).toBe('八 lucky');
    forgetPage();
    expect(ownWords(line.you)).toBe('八 lucky');
    line.lists();
    await takePart(line);
    expect(line.heard.find((one) => one.type === 'reveal-nonce')?.nonce).toMatch(/ 八 lucky$/);
  });

  it('does nothing where the house alone shuffles, and tells the player of no refusal', async () => {
    const line = new Table();
    line.told = { ...table(), shoe: { mix: null } } as TableView;
    await takePart(line);
    expect(line.heard).toEqual([]);
    expect(ownWords(line.you)).toBeNull();
    line.told = table();
    line.refuses = true;
    await takePart(line);
    expect([line.heard.length, line.forgotten]).toEqual([1, 1]);
  });
});
