// Cards from the dealer's fingers to the table, in the order in which they left the shoe. One that is keyed while an order
// is still on its way waits for it. One that lies in the wrong area is shown first, and can be taken back: it is reported
// only when the dealer says so.

import { tick } from 'svelte';
import type { Orders } from '../../lib/orders.svelte';
import type { Hand } from '../../lib/protocol';
import { keyCard } from './cardkeys';
import type { Step } from './steps';

export interface KeyedCard {
  card: string;
  at: Hand | null; // where it lies, if the dealer said so
}

const TAKES_BACK = new Set(['escape', 'backspace', 'u']);
const REPORTS = 'r'; // as the red key
const HANDS: Record<string, Hand> = { p: 'player', b: 'banker' };

export class CardEntry {
  rank = $state(''); // keyed, while the suit is still to come
  at = $state<Hand | null>(null); // where the next card lies, if the dealer said so
  misplaced = $state.raw<KeyedCard | null>(null); // not where it belongs: neither dealt nor reported yet
  lost = $state.raw<readonly string[]>([]); // keyed, and not registered
  last = $state(''); // the one that was sent last
  #ahead: KeyedCard[] = [];
  #sending = false;

  constructor(
    readonly orders: Pick<Orders, 'busy' | 'act'>,
    readonly due: () => Step | null, // the step that takes a card now
  ) {}

  /** Whether the key meant a card, or where one lies. */
  key(key: string): boolean {
    if (!this.due() && !this.orders.busy) return false;
    const keyed = keyCard(this.rank, key);
    if (this.misplaced) return this.#aboutMisplaced(key) || keyed.taken;
    if (keyed.taken) {
      this.rank = keyed.rank;
      this.lost = [];
      if (keyed.card) this.enter(keyed.card);
      return true;
    }
    const hand = HANDS[key.toLowerCase()];
    if (!hand || !this.due()?.hand) return false;
    this.at = hand;
    return true;
  }

  enter(card: string): void {
    this.#ahead.push({ card, at: this.at });
    this.rank = '';
    this.at = null;
    this.lost = [];
    void this.go();
  }

  /** What waits is sent, card by card; called again whenever an order has come to its end. */
  async go(): Promise<void> {
    if (this.#sending || this.orders.busy) return;
    this.#sending = true;
    try {
      while (this.#ahead.length) await this.#next();
    } finally {
      this.#sending = false;
    }
  }

  /** It lies where it does not belong: an irregularity. */
  report(): void {
    const one = this.misplaced;
    this.misplaced = null;
    if (one?.at && this.due()) void this.#send(one.card, one.at);
  }

  /** It was keyed for the wrong hand, and nobody has heard of it. */
  takeBack(): void {
    this.misplaced = null;
  }

  #aboutMisplaced(key: string): boolean {
    if (TAKES_BACK.has(key.toLowerCase())) this.takeBack();
    else if (key.toLowerCase() === REPORTS) this.report();
    else return false;
    return true;
  }

  async #next(): Promise<void> {
    await tick(); // the last card's effect is on the screen
    const one = this.#ahead.shift();
    const step = this.due();
    if (!one) return;
    if (!step) this.#lose(one.card);
    else if (one.at && step.hand && one.at !== step.hand) {
      this.misplaced = one;
      this.#lose();
    } else await this.#send(one.card);
  }

  async #send(card: string, at: Hand | null = null): Promise<void> {
    this.last = card;
    const command = this.due()?.command === 'burn' ? ({ type: 'burn', card } as const) : ({ type: 'deal', card, ...(at ? { put_at: at } : {}) } as const);
    if (!(await this.orders.act(command))) this.#lose();
  }

  /** A card that cannot be sent takes along those that came after it. */
  #lose(...cards: string[]): void {
    this.lost = [...cards, ...this.#ahead.map((one) => one.card)];
    this.#ahead = [];
  }
}
