// The terminal of one seat: the live table, the game's rules, the chosen chip, and what can be done with them.
// At a table that it visits, money and whatever else is the player's own belong to `home`, its own seat.
// Money and bets are only ever what the server said; what is asked and not answered is kept apart, in `pending`.

import { get, newRequest } from '../../lib/api';
import { LiveTable, type Answer, type Ask } from '../../lib/live.svelte';
import { Load } from '../../lib/load.svelte';
import { offered } from '../../lib/offered';
import type { CardedPlayer, GameView, Hand, VenueView, VoucherSlip } from '../../lib/protocol';
import { askVenue } from '../../lib/venue';
import { chipsFor, chosenChip, firstChip } from './chips';
import { keep, kept } from './kept';
import { Settings } from './settings.svelte';
import { Sounds, type Tone } from './sounds';
import { spotKeys } from './spots';
import { Squeeze } from './squeeze.svelte';
import { stageOf } from './stage';
import { insuranceResults, insuredCents, pendingBets, spotResults, wonCents, type SpotResult } from './sums';
import {
  forgetCashOut,
  keepCashOut,
  keepSlip,
  keptCashOut,
  keptSlip,
  slipTaken,
  type CashOut,
} from './untaken';

export type View = 'spots' | 'roads' | 'boxes'; // what is large; the others stay, smaller
export type DialogName = 'collect' | 'voucher' | 'help' | 'settings' | 'shoe' | 'recall' | 'pays' | 'statistics' | 'play' | 'card' | 'favourites' | 'chips' | 'most' | 'lobby';
export interface Ghost {
  id: number;
  wager: string;
  cents: number;
}

const GHOST_MS = 700;

/** The one credit of a terminal that shows these tables. */
export function creditOf(clients: readonly SeatClient[]): number {
  const home = clients[0]?.home;
  const seen = new Set([...clients, ...(home ? [home] : [])]);
  return (home?.live.you?.credit_cents ?? 0) - [...seen].reduce((sum, one) => sum + one.notTold, 0);
}

function insuredHand(spot: string): Hand | null {
  return spot === 'player-insurance' ? 'player' : spot === 'banker-insurance' ? 'banker' : null;
}

export class SeatClient {
  readonly live: LiveTable;
  readonly rules: Load<GameView>;
  readonly venue: Load<VenueView>;
  readonly settings: Settings;
  readonly home: SeatClient;
  readonly squeeze: Squeeze;
  readonly #sounds = new Sounds(() => this.settings.sound);

  view = $state<View>('spots');
  #dialog = $state<DialogName | null>(null);
  slip = $state.raw<VoucherSlip | null>(null); // a voucher that waits to be taken
  player = $state.raw<CardedPlayer | null>(null); // whose card is in, as far as this terminal has asked
  ghosts = $state.raw<readonly Ghost[]>([]);
  aiming = $state(false); // MAX was pressed: the next tap on a spot asks how much it takes
  most = $state(''); // the spot that is asked about
  passed = $state(''); // the insurance window that the player let pass
  #kept = $state<number | null>(Number(kept('chip')) || null);
  #ghost = 0;
  #cashOut: CashOut | null; // whose voucher the player has not taken
  #asking = false;

  constructor(
    readonly table: string,
    readonly seat: number,
    home?: SeatClient,
  ) {
    this.home = home ?? this;
    this.settings = home?.settings ?? new Settings();
    this.venue = home?.venue ?? new Load(askVenue);
    this.live = new LiveTable(`/ws/table/${table}`);
    this.squeeze = new Squeeze(this.live, () => this.settings.squeeze);
    this.rules = new Load(() => get<GameView>(`/api/venue/tables/${encodeURIComponent(table)}/rules`));
    this.#cashOut = home ? null : keptCashOut(this.tid);
    this.slip = home ? null : keptSlip(this.tid, Date.now());
    if (this.slip) this.dialog = 'collect';
  }

  readonly tableChips = $derived.by(() => {
    const table = this.live.table;
    return table ? chipsFor(table.betting_unit_cents, table.limits) : [];
  });
  readonly chips = $derived.by(() => {
    const table = this.live.table;
    return table ? chipsFor(table.betting_unit_cents, table.limits, this.settings.rack) : [];
  });
  readonly chip = $derived.by(() =>
    this.home.#kept ? chosenChip(this.chips, this.home.#kept) : firstChip(this.chips, this.live.table?.limits.player?.[0] ?? 0),
  );
  readonly pending = $derived.by(() => pendingBets(this.live.waiting, this.live.you));
  /** Of these it is not known yet whether they are registered: they are asked for again by themselves. */
  readonly checking = $derived.by(() => pendingBets(this.live.checking, this.live.you));
  readonly keys = $derived.by(() => {
    const rules = this.rules.value;
    return spotKeys(rules && this.live.table ? offered(rules, this.live.table).wagers : []);
  });
  readonly stage = $derived.by(() => {
    const table = this.live.table;
    return table ? stageOf(table, this.live.you, this.live.halted, this.live.state === 'lost', this.live.moving) : null;
  });
  /** Registered bets of the round on the table; those of an earlier round are no longer shown once another is open. */
  readonly bets = $derived.by(() =>
    this.live.you?.round === this.live.table?.round ? (this.live.you?.bets ?? {}) : {},
  );
  readonly results = $derived.by(() => (this.isSettled ? spotResults(this.live.you) : {}));
  readonly won = $derived.by(() => (this.isSettled ? wonCents(this.live.you) : 0));
  readonly mayBet = $derived.by(() => {
    const { table, you, state, halted } = this.live;
    if (state !== 'live' || halted || !table || !you || you.locked) return false;
    return table.takes_bets;
  });

  /** What people call the table, also before it has answered. */
  get title(): string {
    return this.live.table?.title ?? this.venue.value?.tables.find((one) => one.table === this.table)?.title ?? '';
  }

  get credit(): number {
    return creditOf([this]);
  }

  /** What the round brought is told with its last card, and not by the credit before. */
  get notTold(): number {
    const { told, table, you } = this.live;
    const early = told?.phase === 'settled' && table?.phase !== 'settled' && you?.round === told.round;
    return early ? (you?.returned_cents ?? 0) : 0;
  }

  /** One for the whole terminal, whatever tables it shows. */
  get dialog(): DialogName | null {
    return this.home.#dialog;
  }

  set dialog(name: DialogName | null) {
    this.home.#dialog = name;
  }

  get isSettled(): boolean {
    return this.live.table?.phase === 'settled' && this.live.you?.round === this.live.table.round;
  }

  get tid(): string {
    return `${this.table}-${this.seat}`;
  }

  insured(hand: Hand): number {
    return this.live.you?.round === this.live.table?.round ? insuredCents(this.live.you, hand) : 0;
  }

  insuranceResults(hand: Hand): SpotResult[] {
    return this.isSettled ? insuranceResults(this.live.you, hand) : [];
  }

  choose(chip: number): void {
    this.home.#kept = chip;
    keep('chip', String(chip));
  }

  swap(): void {
    const views = this.#views;
    this.view = views[(views.indexOf(this.view) + 1) % views.length]!;
  }

  sound(tone: Tone): void {
    this.#sounds.play(tone);
  }

  async bet(wager: string): Promise<void> {
    const cents = this.chip;
    if (this.aiming) return this.askMost(wager);
    if (!cents || !this.#mayStill()) return;
    this.sound('chip');
    const answer = await this.live.ask({ type: 'bet', round: this.#round, wager, cents });
    if (answer.type === 'refused') this.#slideBack(wager, cents);
  }

  act(type: 'double' | 'undo' | 'clear' | 're-bet'): void {
    if (!this.#mayStill()) return;
    this.sound('chip');
    void this.ask({ type, round: this.#round });
  }

  /** A pattern of bets, all of it or nothing. */
  layAll(bets: Readonly<Record<string, number>>): void {
    if (!this.#mayStill()) return;
    this.sound('chip');
    void this.ask({ type: 'lay-bets', round: this.#round, bets });
  }

  /** MAX: the next spot that is tapped is asked about, and nothing is laid by that tap. */
  aim(on = !this.aiming): void {
    this.aiming = on && this.#mayStill();
    if (this.aiming) this.live.note = { template: 'MAX: tap a spot. You see how much it takes before anything is laid.', values: {} };
    else if (on === false) this.live.note = null;
  }

  askMost(wager: string): void {
    this.aiming = false;
    this.live.note = null;
    if (!this.#mayStill()) return;
    this.most = wager;
    this.dialog = 'most';
  }

  async layMost(wager: string, cents: number): Promise<void> {
    if (!this.#mayStill()) return;
    this.sound('chip');
    const answer = await this.live.ask({ type: 'bet', round: this.#round, wager, cents });
    if (answer.type === 'refused') this.#slideBack(wager, cents);
  }

  insure(hand: Hand, cents: number): void {
    void this.ask({ type: 'insure', round: this.#round, hand, cents });
  }

  mayInsure(hand: Hand): number {
    const { table, you, state, halted } = this.live;
    if (state !== 'live' || halted || !table?.window_open || table.waiting.length || you?.locked) return 0;
    return Math.max(0, (you?.may_insure[hand] ?? 0) - this.pending.insured);
  }

  /** What a tap on a hand's insurance stakes: the chosen chip, or less where less may be insured. */
  nextInsurance(hand: Hand): number {
    return Math.min(this.chip, this.mayInsure(hand));
  }

  insureChip(hand: Hand): void {
    const cents = this.nextInsurance(hand);
    if (cents) this.insure(hand, cents);
    else this.live.note = { template: 'Nothing can be insured on this hand now. Nothing was bet.', values: {} };
    this.sound(cents ? 'chip' : 'refused');
  }

  /** A tap on a spot of the own box: insurance lies beside the hand that it insures. */
  layOn(spot: string): void {
    const hand = insuredHand(spot);
    if (hand) this.insureChip(hand);
    else void this.bet(spot);
  }

  mayLayOn(spot: string): boolean {
    const hand = insuredHand(spot);
    return hand ? this.nextInsurance(hand) > 0 : this.mayBet;
  }

  /** Whether a tap on the layout still counts; if not, it says why: silence would look like a bet. */
  #mayStill(): boolean {
    if (this.mayBet) return true;
    this.live.note = { template: this.#whyNot(), values: {} };
    this.sound('refused');
    return false;
  }

  #whyNot(): string {
    const { table, you, state, halted } = this.live;
    if (state !== 'live') return 'No connection: nothing was bet.';
    if (halted || table?.waiting.length) return 'The table is stopped: nothing was bet.';
    if (you?.locked) return 'This terminal is locked: nothing was bet.';
    return table?.in_play ? 'Too late: bets are closed. Nothing was bet.' : 'Bets are not open yet. Nothing was bet.';
  }

  /** All credit into a voucher. What was asked before and perhaps never heard is asked again: it is done once. */
  collect(): Promise<Answer> {
    const vouchers = this.live.you?.vouchers ?? 0;
    const asked = this.#cashOut?.vouchers === vouchers ? this.#cashOut : { request: newRequest(), vouchers };
    keepCashOut(this.tid, asked);
    return this.#cashOutAs(asked);
  }

  /** The voucher that was printed while nobody was told: the page was loaded anew between asking and the answer. */
  async fetchSlip(): Promise<void> {
    const asked = this.#cashOut;
    const printed = this.live.you?.vouchers ?? 0;
    if (!asked || this.slip || this.#asking || printed <= asked.vouchers) return;
    const answer = await this.#cashOutAs(asked);
    if (answer.type === 'registered') return;
    this.#cashOut = null; // it was redeemed long ago
    this.live.forget(answer);
  }

  slipTaken(): void {
    slipTaken(this.tid);
    forgetCashOut(this.tid);
    this.#cashOut = null;
    this.slip = null;
  }

  async #cashOutAs(asked: CashOut): Promise<Answer> {
    this.#cashOut = asked;
    this.#asking = true;
    const answer = await this.ask({ type: 'cash-out', vouchers: asked.vouchers }, asked.request);
    this.#asking = false;
    if (answer.type === 'registered' && answer.voucher) {
      keepSlip(this.tid, answer.voucher);
      this.slip = answer.voucher;
      this.dialog = 'collect';
    } else {
      forgetCashOut(this.tid);
      this.#cashOut = null;
    }
    return answer;
  }

  /** Who plays here: the table knows a number alone. */
  async askPlayer(): Promise<void> {
    try {
      this.player = await get<CardedPlayer>('/api/card');
    } catch {
      // The card is in all the same, and its number is shown.
    }
  }

  async ask(ask: Ask, request?: string): Promise<Answer> {
    const answer = await this.live.ask(ask, request);
    if (answer.type === 'refused') this.sound('refused');
    return answer;
  }

  // At a table with boxes everybody sees everybody's bets.
  get #views(): readonly View[] {
    return this.rules.value?.boxes ? ['spots', 'roads', 'boxes'] : ['spots', 'roads'];
  }

  get #round(): number {
    return this.live.table?.round ?? 0;
  }

  #slideBack(wager: string, cents: number): void {
    this.sound('refused');
    const ghost = { id: ++this.#ghost, wager, cents };
    this.ghosts = [...this.ghosts, ghost];
    setTimeout(() => (this.ghosts = this.ghosts.filter((one) => one !== ghost)), GHOST_MS);
  }
}
