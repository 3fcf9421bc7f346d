// Everything on the wire of natural9 0.1.0, protocol 1. Generated: `natural9 protocol --typescript`.

export const PROTOCOL_VERSION = 1;
export const PROGRAM_VERSION = "0.1.0";

/** Why a WebSocket was closed. */
export const CLOSE_CODES = {
  1001: "The client did not answer a ping in time: connect again.",
  1002: "The client broke the WebSocket protocol.",
  1003: "Only text messages are understood here.",
  1007: "A message was not UTF-8.",
  1009: "A message was longer than the server takes.",
  1011: "The server made a mistake: connect again, after a pause.",
  1012: "The server restarts: connect again, after a pause.",
  1013: "The client does not read what it is sent: connect again.",
  4001: "This terminal was connected from somewhere else: do not connect again by yourself.",
  4002: "This seat was given to another device: do not connect again, call an attendant.",
  4401: "The session has ended: sign in or enrol again.",
  4429: "Too many frames or bytes of this device or person: connect again, after a pause.",
  4503: "The table goes to another machine: connect again at once.",
} as const;

export const ROLES = ["dealer", "pit-supervisor", "pit-manager", "shift-manager", "cashier", "auditor", "administrator"] as const;

/** The lowest rank of the pit that may; whoever ranks higher may, too. */
export const LOWEST_RANK: Partial<Record<Action, Role>> = {
  "answer-call": "dealer",
  "change-limits": "pit-manager",
  "clear-fault": "pit-supervisor",
  "close-table": "pit-manager",
  "credit-terminal": "pit-supervisor",
  "deal": "dealer",
  "decide-irregularity": "dealer",
  "exclude-player": "pit-supervisor",
  "export-round": "pit-supervisor",
  "freeze-round": "pit-supervisor",
  "hand-pay": "pit-supervisor",
  "keep-drawer": "pit-supervisor",
  "keep-players": "pit-supervisor",
  "lift-exclusion": "shift-manager",
  "lock-terminal": "dealer",
  "open-table": "pit-manager",
  "pause-table": "pit-supervisor",
  "recall-round": "dealer",
  "release-seat": "pit-supervisor",
  "report-irregularity": "dealer",
  "resume-table": "pit-supervisor",
  "rule-on-bet": "shift-manager",
  "search-records": "shift-manager",
  "see-drawer": "shift-manager",
  "see-events": "pit-manager",
  "see-money": "shift-manager",
  "see-players": "pit-supervisor",
  "see-reports": "pit-manager",
  "see-shoe": "pit-manager",
  "see-table": "dealer",
  "sign-appointment": "pit-manager",
  "sign-cash": "pit-manager",
  "sign-on": "dealer",
  "sign-seat-over": "pit-manager",
  "take-alarm": "pit-supervisor",
  "unlock-terminal": "pit-supervisor",
  "verify-journal": "shift-manager",
  "void-round": "pit-supervisor",
  "void-voucher": "pit-manager",
};

/** Of the bill acceptor at one terminal, the oldest first; without one that is in it, bills go back. */
export interface AcceptorBoxes {
  table: string;
  seat: number;
  boxes: CashBoxView[];
}

/** A bill acceptor that somebody must see to: it does not answer, or says so itself. */
export interface AcceptorInTrouble {
  table: string;
  seat: number;
  why: Sentence;
  since_ms: number;
}

export type Action =
  | "answer-call"
  | "change-limits"
  | "clear-fault"
  | "close-table"
  | "credit-terminal"
  | "deal"
  | "decide-irregularity"
  | "exclude-player"
  | "export-round"
  | "freeze-round"
  | "hand-pay"
  | "keep-drawer"
  | "keep-players"
  | "lift-exclusion"
  | "lock-terminal"
  | "manage-devices"
  | "manage-staff"
  | "open-table"
  | "pause-table"
  | "recall-round"
  | "redeem-voucher"
  | "release-seat"
  | "report-irregularity"
  | "resume-table"
  | "rule-on-bet"
  | "search-records"
  | "see-drawer"
  | "see-events"
  | "see-money"
  | "see-people"
  | "see-players"
  | "see-reports"
  | "see-shoe"
  | "see-table"
  | "sign-appointment"
  | "sign-cash"
  | "sign-on"
  | "sign-seat-over"
  | "take-alarm"
  | "unlock-terminal"
  | "verify-journal"
  | "void-round"
  | "void-voucher";

/**
 * A fault, or an irregularity that waits for a decision, since `at_ms`, by the venue's time; `taken_by` is who sees
 * to it, "" for nobody yet.
 */
export interface AlarmView {
  alarm: string;
  at_ms: number;
  taken_by: string;
  fault: Sentence | null;
  kind: Kind | null;
  rank: string;
}

/**
 * Why not; `paragraph` where a rule or requirement says so. `said` is the message as values, where it is ours.
 * `field` is the place of a mistake in the request, for programs.
 */
export interface ApiError {
  code: string;
  message: string;
  paragraph: string;
  said: Sentence | null;
  field: string;
}

/** Lay this much on a spot, on top of what lies there. */
export interface Bet {
  type: "bet";
  /** An id that the sender makes, new for each */
  request: string;
  round: number;
  wager: string;
  cents: number;
}

/**
 * Turn the first card of a new shoe face up and burn as many as its points face down: the card by its name, or
 * without one the shuffler's first. Given again before the first round, with a reason, it corrects the card.
 */
export interface BurnCards {
  type: "burn";
  card?: string | null;
}

/** A device has read one of the cards that are burnt face down. `rest`: all of them lie burnt, read or not. */
export interface BurnFaceDown {
  type: "burn-face-down";
  rest?: boolean;
}

/**
 * The first cards of a shoe, burnt: the one that was shown ("" until it is), how many face down, and how many of
 * those a device has not read yet.
 */
export interface BurntView {
  card: string;
  face_down: number;
  to_come: number;
}

/** Call an attendant to this seat, or take the call back; in any state of the table, locked or not. */
export interface CallAttendant {
  type: "call-attendant";
  /** An id that the sender makes, new for each */
  request: string;
  wanted?: boolean;
}

/** A seat calls an attendant since `at_ms`, by the venue's time; `taken_by` is who goes there, "" for nobody yet. */
export interface CallView {
  seat: number;
  at_ms: number;
  taken_by: string;
}

/** Take the player's card out; only without credit and bets. */
export interface CardOut {
  type: "card-out";
  /** An id that the sender makes, new for each */
  request: string;
}

/** The code on the card, typed or scanned, and the PIN. */
export interface CardShown {
  /** An id that the sender makes, new for each */
  request: string;
  card: string;
  pin: string;
}

/** Who plays at this terminal. Points are in hundredths; None where the venue has none. */
export interface CardedPlayer {
  number: string;
  name: string;
  points: number | null;
}

/** It is durable; the account of a box where it was counted. */
export interface CashBoxDone {
  box: string;
  number: number;
  /** Its number in the venue's journal */
  entry: number;
  receipt: Receipt | null;
  close_out: CloseOut | null;
}

/** One that holds bills which nobody has counted. What it must hold is told by its count, not before. */
export interface CashBoxView {
  box: string;
  number: number;
  since_ms: number;
  in_acceptor: boolean;
}

/**
 * Turn credit into a voucher; without an amount, all of it.
 *
 * `vouchers` is how many the player's terminal had printed: one that comes late can never print another.
 */
export interface CashOut {
  type: "cash-out";
  /** An id that the sender makes, new for each */
  request: string;
  cents?: number | null;
  vouchers?: number | null;
}

export interface ChangeCashBox {
  /** An id that the sender makes, new for each */
  request: string;
  table: string;
  seat: number;
  signature?: SignIn | null;
}

/** Between rounds: the wagers named get new limits; the rest stay as they are. */
export interface ChangeLimits {
  type: "change-limits";
  limits?: Record<string, LimitChange>;
  seat_min_cents?: number | null;
  seat_max_cents?: number | null;
  table_max_cents?: number | null;
}

export interface ChangePassword {
  present: string;
  new: string;
}

export interface ClaimAdministrator {
  /** Case, blanks and dashes do not count. */
  code: string;
  /** The id of a person. */
  id: string;
  name: string;
  password: string;
}

/** Take back all bets. */
export interface Clear {
  type: "clear";
  /** An id that the sender makes, new for each */
  request: string;
  round: number;
}

/** The call of a seat for an attendant is answered. */
export interface ClearCall {
  type: "clear-call";
  seat: number;
}

export interface ClearFault {
  type: "clear-fault";
  fault: string;
}

/** No more bets. */
export interface CloseBetting {
  type: "close-betting";
}

/** Close the open insurance window. */
export interface CloseInsurance {
  type: "close-insurance";
}

/** The account of a shift; `over_cents` is below zero where cash is missing. */
export interface CloseOut {
  opened_at_ms: number;
  carried_cents: number;
  float_cents: number;
  filled_cents: number;
  returned_cents: number;
  taken_in_cents: number;
  hand_paid_cents: number;
  vouchers_paid_cents: number;
  expected_cents: number;
  counted_cents: number;
  over_cents: number;
}

/** One cashier's shift. `over_cents` is below zero where cash was missing. */
export interface CloseOutLine {
  entry: number;
  day: string;
  desk: string;
  opened_at_ms: number;
  closed_at_ms: number;
  carried_cents: number;
  float_cents: number;
  filled_cents: number;
  returned_cents: number;
  taken_in_cents: number;
  hand_paid_cents: number;
  vouchers_paid_cents: number;
  expected_cents: number;
  counted_cents: number;
  over_cents: number;
  signed_by: string;
}

export interface CloseTable {
  type: "close-table";
}

/** Shown once; hand it over and forget it. */
export interface CodeView {
  id: string;
  code: string;
  expires_ms: number;
}

/** How a cell is shown. */
export type ColumnKind =
  | "code"
  | "count"
  | "flag"
  | "money"
  | "paragraph"
  | "percent"
  | "round"
  | "seat"
  | "text"
  | "time"
  | "wager";

/** Fix what this seat mixes into the next shoe: a hash of it. Another one takes its place until the shoe is due. */
export interface CommitNonce {
  type: "commit-nonce";
  /** An id that the sender makes, new for each */
  request: string;
  shoe: number;
  commitment: string;
}

/** RFC 6962, 2.1.2: the tree of the second size begins with the tree of the first. */
export interface ConsistencyShown {
  first: number;
  second: number;
  hashes: string[];
}

export interface Console {
  type: "console";
  n: number;
  console: ConsoleView;
}

export interface ConsoleSeat {
  seat: number;
  home_table: string;
  home_seat: number;
  bets: Record<string, number>;
  insurance: InsuredView[];
  withdrawn: Record<string, number>;
  staked_cents: number;
  may_insure: Record<string, number>;
  paid: Record<string, number> | null;
  locked: string;
}

/** What the dealer is told: what may be done, where the next card goes, who has bet what. */
export interface ConsoleView {
  dealer: string;
  commands: string[];
  table_commands: string[];
  ranks: Record<string, string>;
  due: Hand | null;
  due_card: number | null;
  shows: Winner | null;
  reports: ReportableKind[];
  correction: CorrectionView | null;
  earlier: boolean;
  places: (Hand | null)[];
  held: string[];
  reported: ReportedView[];
  new_shoe: Sentence | null;
  early_shoe: boolean;
  seats: ConsoleSeat[];
  seats_with_bets: number;
  calls: CallView[];
  staked_cents: number;
  worst_cents: number;
}

/** The reality check was seen, or the player is back after a while. */
export interface ContinuePlay {
  type: "continue-play";
  /** An id that the sender makes, new for each */
  request: string;
}

/**
 * Correct one registered card; places count from 1 in dealt order, cards that wait come after those. A card keyed
 * wrong takes no reason until the result is declared. `round`: an earlier one.
 */
export interface CorrectCard {
  type: "correct-card";
  place: number;
  /** A card, as 9H or 10S */
  card: string;
  round?: number | null;
}

/**
 * Correct the registered result, from all the cards as they lie on the table, in dealt order. `round`: an earlier
 * one.
 */
export interface CorrectResult {
  type: "correct-result";
  cards: string[];
  round?: number | null;
}

/** What may be corrected in the cards as registered. */
export interface CorrectionView {
  card: boolean;
  result: boolean;
  reverses: boolean;
  rank: string;
  paragraph: string;
}

/** Whose cosignatures were taken. */
export interface CosignedShown {
  size: number;
  witnesses: string[];
}

/** `cents`: what was counted. */
export interface CountCashBox {
  /** An id that the sender makes, new for each */
  request: string;
  box: string;
  cents: number;
  signature?: SignIn | null;
}

export interface CreditTerminal {
  type: "credit-terminal";
  seat: number;
  cents: number;
}

/**
 * All tables together, from the beginning of the gaming day to this moment. `expected_cents` is what the exact
 * house edge makes of what was staked, `deviation_cents` one standard deviation around it; None where a round was
 * played by rules that are not here.
 */
export interface CurvePoint {
  at_ms: number;
  house_win_cents: number;
  expected_cents: number | null;
  deviation_cents: number | null;
}

/**
 * The next card: by its name, or without one the shuffler's next. `put_at`: the area that it was physically put
 * in, if not the one where it belongs.
 */
export interface DealCard {
  type: "deal";
  card?: string | null;
  put_at?: Hand | null;
}

export interface DealtCard {
  card: string;
  hand: Hand;
  total: number;
}

/** A terminal that owes; what comes to its credit next pays it off. */
export interface DebtLine {
  table: string;
  seat: number;
  owed_cents: number;
  credit_now_cents: number;
}

/**
 * The remedy, by the person whose rank the clause names. `cards`: the order, or the cards as they lie. The number
 * of the report may be left out while one waits.
 */
export interface DecideIrregularity {
  type: "decide";
  remedy: Remedy;
  cards?: string[];
  replace_shoe?: boolean;
  report?: number | null;
}

/** The result as announced; without one, as the cards show it. */
export interface DeclareResult {
  type: "declare";
  winner?: Winner | null;
  player_total?: number | null;
  banker_total?: number | null;
}

/** One drawer on one gaming day: cash taken in and paid out. `drawer_now_cents` counts from an empty drawer. */
export interface DeskLine {
  desk: string;
  day: string;
  taken_in_cents: number;
  taken_in_count: number;
  hand_paid_cents: number;
  vouchers_paid_cents: number;
  paid_out_count: number;
  drawer_now_cents: number;
}

export interface DeviceIdentity {
  id: string;
  kind: "display" | "reader" | "terminal";
  table: string;
  seat: number | null;
}

/** Nothing of its token or its code but until when a code may be used. */
export interface DeviceLine {
  id: string;
  kind: string;
  table: string;
  seat: number | null;
  status: string;
  code_expires_at_ms: number | null;
}

export interface DeviceView {
  id: string;
  kind: "display" | "reader" | "terminal";
  table: string;
  seat: number | null;
  status: "enrolled" | "revoked" | "waiting";
}

/** Burn cards that wait to be played first. */
export interface DiscardHeld {
  type: "discard-held";
  cards: string[];
}

/** Written beside an entry, such as a table's snapshot; no `sha256` where it was taken away. */
export interface DocumentExported {
  key: string;
  sha256: string | null;
}

/**
 * It is durable. `by` is who did it, `entry` the number in the table's journal of the first entry that it led to,
 * `n` the number of the `table` message that first shows it. There is a `receipt` where cash moved.
 */
export interface Done {
  request: string;
  by: string;
  entry: number;
  n: number;
  receipt: Receipt | null;
}

/** Lay as much again on every spot where limits and credit allow it; the answer says which stay as they are. */
export interface Double {
  type: "double";
  /** An id that the sender makes, new for each */
  request: string;
  round: number;
}

/** It is durable. There is a receipt where cash moved, and the account of the shift where the drawer is closed. */
export interface DrawerDone {
  desk: string;
  /** Its number in the venue's journal */
  entry: number;
  receipt: Receipt | null;
  close_out: CloseOut | null;
}

/** `cents` is the float, what comes or goes, or what was counted. */
export interface DrawerRequest {
  /** An id that the sender makes, new for each */
  request: string;
  cents: number;
  signature?: SignIn | null;
}

/** An open drawer. What it must come to is told by its closing, not before the count. */
export interface DrawerView {
  opened_at_ms: number;
  carried_cents: number;
  float_cents: number;
  filled_cents: number;
  returned_cents: number;
}

/** Only without credit and bets. */
export interface EndSession {
  type: "end-session";
  /** An id that the sender makes, new for each */
  request: string;
}

export interface Enrol {
  /** Case, blanks and dashes do not count. */
  code: string;
}

/**
 * `hash` is the SHA-256 of the bytes of `previous_hash`, that of the entry before it in its stream, the length of
 * the envelope as eight bytes, the envelope (a JSON list of 2, stream, number, kind, at_ms, day, label, request,
 * first_transfer, the transfers, the documents and documents_sum), and `body` as it is.
 */
export interface EntryExported {
  seq: number;
  stream: string;
  number: number;
  kind: string;
  body: string;
  at_ms: number;
  day: string;
  label: string;
  request: string;
  first_transfer: number;
  transfers: TransferExported[];
  documents: DocumentExported[];
  documents_sum: string;
  previous_hash: string;
  hash: string;
}

export interface EntryPage {
  found: FoundEntry;
  entry: EntryExported;
}

/** Whoever has it needs nobody else but for the house's public key: to compare it with the one in here. */
export interface EntryReceipt {
  natural9: "receipt";
  format: 1;
  entry: ReceiptEntry;
  proof: string;
  key: string;
}

/** `round` is the one that was open or had just ended; 0 before the first and outside any table. */
export interface EventLine {
  entry: number;
  at_ms: number;
  day: string;
  table: string;
  round: number;
  kind: string;
  by: string;
  rank: string;
  why: string;
  paragraph: string;
  says: string;
  said: Record<string, Sentence>;
}

/**
 * How far it is; `result` is of the last one that ended, and its `fault` names the first line that does not
 * follow.
 */
export interface ExaminationView {
  state: "done" | "failed" | "never" | "running";
  started_at_ms: number | null;
  ended_at_ms: number | null;
  why: string;
  holds: boolean | null;
  result: Verified | null;
}

export interface ExclusionView {
  until_day: string;
  own: boolean;
}

/** The first entry that does not follow; `entry` is 0 where it is no single one. */
export interface Fault {
  entry: number;
  stream: string;
  number: number;
  round: number;
  kind: string;
  says: string;
  should: string;
}

/** How it is chosen on a screen. */
export type FilterKind = "count" | "days" | "page" | "table" | "text";

/** All tables, on connecting; afterwards those that changed. */
export interface Floor {
  type: "floor";
  n: number;
  now_ms: number;
  tables: FloorTable[];
}

export interface FloorDay {
  day: string;
  at_ms: number;
  curve: CurvePoint[];
  hours: HourLine[];
  pace: Record<string, number | null>;
}

/** A table in the pit's list. */
export interface FloorTable {
  table: string;
  title: string;
  game: string;
  mode: string;
  dealer: string;
  calls: CallView[];
  status: Status;
  phase: Phase;
  in_play: boolean;
  round: number;
  staked_cents: number;
  seated: number;
  waiting: number;
  waiting_kind: string;
  waiting_rank: string;
  faults: Record<string, Sentence>;
  halted: Sentence | null;
  halted_at_ms: number | null;
  alarms: AlarmView[];
  cards: DealtCard[];
  player_total: number | null;
  banker_total: number | null;
  result: Shown | null;
  results: string[];
  closes_at_ms: number | null;
  node: string;
}

/** `round` is the one that was open or had just ended; 0 before the first and outside any table. */
export interface FoundEntry {
  entry: number;
  at_ms: number;
  day: string;
  table: string;
  round: number;
  result: RoundEnd | null;
  seat: number | null;
  kind: string;
  by: string;
  by_said: Sentence;
  rank: string;
  cents: number | null;
  voucher: string;
  says: string;
  said: Sentence;
}

/** A dispute: the round's history is marked to be kept, and can be exported. */
export interface FreezeRound {
  type: "freeze-round";
  round: number;
}

export type FromServer =
  | Welcome
  | TableMessage
  | Console
  | SeatMessage
  | Registered
  | Refused
  | Unknown
  | Pong
  | Halted
  | Floor
  | Lobby;

export type FromTerminal =
  | Bet
  | TakeBack
  | Clear
  | Undo
  | Double
  | ReBet
  | LayBets
  | Insure
  | CashOut
  | InsertVoucher
  | SetPlayLimits
  | TakeBreak
  | ContinuePlay
  | EndSession
  | CardOut
  | CommitNonce
  | RevealNonce
  | CallAttendant
  | Ping
  | Turned;

export interface GamePriced {
  game: string;
  decks: number;
  cards_left: number;
  wagers: WagerPriced[];
  insurance: InsurancePriced[];
}

/** The rules of a table, to be read without staking anything. */
export interface GameView {
  id: string;
  title: string;
  operator: string;
  document: string;
  effective: string;
  rules_sha256: string;
  decks: number;
  layout: string;
  boxes: number | null;
  wagers: WagerView[];
  insurance: InsuranceRowView[];
  interpretations: InterpretationView[];
  notice: string;
}

/** The table can no longer write its journal, and has stopped. What was registered is safe. */
export interface Halted {
  type: "halted";
  why: Sentence;
}

/** The two hands. */
export type Hand = "banker" | "player";

/** Credit paid out by a person; without an amount, all of it. */
export interface HandPay {
  type: "hand-pay";
  seat: number;
  cents?: number | null;
}

/**
 * One wager of a table on a gaming day; `wager` is empty for all of them together.
 *
 * `theoretical_cents` is what a fresh shoe's exact house edge makes of the turnover, `deviation_cents` the standard
 * deviation around it. Insurance is priced at the points that lay when it was taken, and so is what it has in common
 * with the bets of its round: it moves against the very ones that it insures.
 */
export interface HoldLine {
  table: string;
  day: string;
  game: string;
  decks: number;
  wager: string;
  rounds: number;
  turnover_cents: number;
  house_win_cents: number;
  hold_percent: number;
  theoretical_cents: number | null;
  theoretical_percent: number | null;
  deviation_cents: number | null;
}

/** One table in one hour; the money is None for whoever may not see the reports. */
export interface HourLine {
  table: string;
  from_ms: number;
  rounds: number;
  staked_cents: number | null;
  house_win_cents: number | null;
}

/**
 * What the house's checkpoints are called, and the public keys that sign them, oldest first: each vouched for by
 * the one before it.
 */
export interface HouseKeysShown {
  origin: string;
  keys: KeyKept[];
}

/** RFC 6962, 2.1.1: the way from an entry to the root of the tree of this size. `leaf` is the entry's own hash. */
export interface InclusionShown {
  entry: number;
  size: number;
  leaf: string;
  hashes: string[];
}

export interface InsertVoucher {
  type: "insert-voucher";
  /** An id that the sender makes, new for each */
  request: string;
  number: string;
  code: string;
}

/** How insurance ended, and in which window it was taken. */
export interface InsuranceLine {
  wager: string;
  stake_cents: number;
  result: Result;
  odds: string | null;
  returned_cents: number;
  net_cents: number;
  paragraph: string;
  window: Window;
}

/** One situation in which insurance is offered; `arises` is how likely it comes up in a round. */
export interface InsurancePriced {
  window: string;
  hand: string;
  player_total: number;
  banker_total: number;
  odds: string;
  arises: string;
  arises_float: number;
  win: string;
  win_float: number;
  push: string;
  push_float: number;
  lose: string;
  lose_float: number;
  expected: string;
  expected_float: number;
  paragraph: string;
}

export interface InsuranceRowView {
  window: string;
  hand: string;
  player: string;
  banker: string;
  odds: string;
  wins_if: string;
  paragraph: string;
}

export interface InsuranceTaken {
  window: Window;
  hand: Hand;
  cents: number;
}

export interface Insure {
  type: "insure";
  /** An id that the sender makes, new for each */
  request: string;
  round: number;
  hand: Hand;
  cents: number;
}

export interface InsuredView {
  window: Window;
  hand: Hand;
  cents: number;
}

export interface InterpretationView {
  id: string;
  paragraphs: string[];
  languages: Record<string, ReadingView>;
}

/** A card or a PIN to be handed over, shown once; "" for what is as it was. */
export interface IssuedCardView {
  number: string;
  name: string;
  card: string;
  pin: string;
  /** An inline SVG picture of the card's code */
  qr: string;
}

/** One key as the document keeps it. */
export interface KeyKept {
  key: string;
  signature: string;
  signature_before: string;
}

/** What happened, as the floor would say it. */
export type Kind =
  | "drawn-together-order-known"
  | "drawn-together-order-unknown"
  | "excess-or-exposed"
  | "face-up-in-shoe"
  | "foreign-card"
  | "found-later"
  | "insufficient-cards"
  | "late-bet"
  | "not-covered"
  | "order-altered"
  | "shortage-or-excess"
  | "table-interruption"
  | "terminal-interruption"
  | "unshuffled-cards"
  | "withdrawn-bet"
  | "wrong-area"
  | "wrong-number-of-cards"
  | "wrong-result";

/** Lay all of these, each on top of what lies on its spot; or none of them. */
export interface LayBets {
  type: "lay-bets";
  /** An id that the sender makes, new for each */
  request: string;
  round: number;
  bets: Record<string, number>;
}

export interface LiftExclusion {
  why: string;
}

/** The least and the most that may lie on one wager at one seat, in cents. */
export type Limit = [number, number];

export interface LimitChange {
  min_cents: number;
  max_cents: number;
}

/** How one bet ended. `returned` is what goes to the bettor, stake included; `net` is that less the stake. */
export interface Line {
  wager: string;
  stake_cents: number;
  result: Result;
  odds: string | null;
  returned_cents: number;
  net_cents: number;
  paragraph: string;
}

/**
 * Load the next shoe, with the decks and the optional wagers of the venue file. Cards that wait to be played first
 * stay so, but for those that are burnt here by name.
 */
export interface LoadNewShoe {
  type: "new-shoe";
  discard?: string[];
}

/** All tables, on connecting; afterwards those that changed. */
export interface Lobby {
  type: "lobby";
  now_ms: number;
  tables: LobbyTable[];
}

/** A table as a player chooses it: what it is, how it goes, and its roads. */
export interface LobbyTable {
  table: string;
  title: string;
  game: string;
  takes_visitors: boolean;
  status: Status;
  phase: Phase;
  takes_bets: boolean;
  closes_at_ms: number | null;
  round: number;
  winner: Winner | null;
  results: string[];
  least_cents: number;
  most_cents: number;
  is_out_of_service: boolean;
}

export interface LockTerminal {
  type: "lock-terminal";
  seat: number;
}

/** Where an account is locked after wrong passwords: an address, a network of them, or "device/ID". */
export interface LockView {
  place: string;
  until_ms: number | null;
}

export interface LookAtVoucher {
  number: string;
  code?: string;
}

/** Who this browser is; `csrf` goes into the header x-csrf-token of everything that changes something. */
export interface Me {
  csrf: string;
  expires_ms: number | null;
  person: PersonView | null;
  device: DeviceIdentity | null;
}

/** What went through one terminal, or through all of a table's (`seat` 0). */
export interface MeterLine {
  table: string;
  seat: number;
  in_cents: number;
  out_cents: number;
  wagered_cents: number;
  won_cents: number;
  stakes_returned_cents: number;
  cancelled_cents: number;
  moved_cents: number;
  bought_cents: number;
  hand_paid_cents: number;
  vouchers_in: number;
  vouchers_in_cents: number;
  vouchers_out: number;
  vouchers_out_cents: number;
  owed_cents: number;
  credit_now_cents: number;
}

/** How a shoe was mixed, as anybody may check it. */
export interface MixShown {
  rule: string;
  checkpoint: string;
  seats: MixedSeat[];
}

/**
 * The seats mix the shoes of this table. `ends_at_ms`: when those who were listed must have revealed; None while
 * nothing is revealed.
 */
export interface MixView {
  next_shoe: number;
  shoe: number | null;
  listed: number;
  revealed: number;
  ends_at_ms: number | null;
}

/** What a seat committed to, and what it revealed; None where it was left out. */
export interface MixedSeat {
  seat: number;
  commitment: string;
  nonce: string | null;
}

/** The cards that a decision names. */
export type Names = "" | "cards" | "order";

/**
 * What the seat ends with by each winner that is still possible, all that lies together. There are several, the
 * least first, where a main bet pays by how the hand wins. `left_out` are side bets that are still open.
 */
export interface NetView {
  by_winner: Record<string, number[]>;
  left_out: string[];
}

export interface NewCode {
  signature?: SignIn | null;
}

/**
 * One display or reader, or a terminal for each seat from the first to the last. A seat that holds money takes the
 * signature of a Pit Manager or above, for this request alone.
 */
export interface NewDevices {
  kind: "display" | "reader" | "terminal";
  /** Empty only for a display of all tables. */
  table?: string;
  first_seat?: number | null;
  last_seat?: number | null;
  signature?: SignIn | null;
}

/** `until_day` is the gaming day from which it may be lifted, "" for ever; `own` where the player asked for it. */
export interface NewExclusion {
  why: string;
  until_day?: string;
  own?: boolean;
}

export interface NewPin {
  present: string;
  new: string;
}

/** `name` is what the player wants to be called. */
export interface NewPlayer {
  name: string;
}

export interface NewRole {
  role: Role;
  signature?: SignIn | null;
}

/** Who becomes one who signs for money is signed for by another who does: so it takes two people. */
export interface NewStaff {
  /** The id of a person. */
  id: string;
  name: string;
  role: Role;
  signature?: SignIn | null;
}

/** A round whose rules this program does not have: its money and chain are checked, its settlement is not. */
export interface NotDerived {
  table: string;
  round: number;
  why: string;
}

/** Why something cannot be done: a permanent code, a sentence, and the paragraph, if one says so. */
export interface NotNow {
  code: string;
  said: Sentence;
  paragraph: string;
}

/** A game that can be priced, and the shoes it is played from. */
export interface OddsGame {
  id: string;
  title: string;
  operator: string;
  least_decks: number;
  most_decks: number;
  decks_paragraph: string;
  has_insurance: boolean;
  wagers: OddsWager[];
}

export interface OddsWager {
  id: string;
  title: string;
  names: Record<string, string>;
}

export interface Offer {
  hand: Hand;
  odds: string;
  wins_if: string;
  paragraph: string;
  net_cents: Record<string, number>;
}

/** Open the insurance window that the round stands in. */
export interface OpenInsurance {
  type: "open-insurance";
}

export interface OpenTable {
  type: "open-table";
}

export interface PaidVoucher {
  number: string;
  cents: number;
  desk: string;
  /** Its number in the venue's journal */
  entry: number;
  receipt: Receipt | null;
}

export interface PasswordSet {
  id: string;
}

/** Finish the round, start no other. */
export interface PauseTable {
  type: "pause-table";
}

export interface PayOdds {
  odds: string;
  probability: string;
  probability_float: number;
  paragraph: string;
}

export interface PayRowView {
  names: Record<string, string>;
  when: string;
  odds: string;
  paragraph: string;
}

export interface PayVoucher {
  /** An id that the sender makes, new for each */
  request: string;
  number: string;
  code: string;
  signature?: SignIn | null;
}

/** One line of the table of permissions: "may {says}". */
export interface PermissionView {
  action: Action;
  says: string;
  roles: Role[];
  changes: boolean;
  paragraph: string;
}

export interface PersonView {
  id: string;
  name: string;
  role: Role;
  may: Action[];
  ranks: string[];
}

/** Where a round stands. */
export type Phase =
  | "bankers-third"
  | "bets-closed"
  | "betting-open"
  | "complete"
  | "four-cards-insurance"
  | "initial-deal"
  | "no-round"
  | "players-third"
  | "settled"
  | "third-card-insurance"
  | "void";

/** For a page that wants to know how long the way is, and what the server's clocks say. */
export interface Ping {
  type: "ping";
  /** Given back as it came */
  sent?: number;
}

/**
 * The card in this terminal. Points are in hundredths; None where the venue has none. What is told here is since
 * the card is in.
 */
export interface PlayerCardView {
  number: string;
  is_barred: boolean;
  rounds: number;
  staked_cents: number;
  returned_cents: number;
  points: number | null;
}

/** Nothing that a card or a PIN could be tried against. */
export interface PlayerLine {
  number: string;
  name: string;
  closed: boolean;
  excluded: boolean;
  until_day: string;
  own: boolean;
}

/**
 * One session, of the gaming day that it began. Until it has ended, what was staked, paid in and out is not known
 * here.
 */
export interface PlayerSessionLine {
  entry: number;
  day: string;
  table: string;
  seat: number;
  player: string;
  started_at_ms: number;
  ended_at_ms: number | null;
  minutes: number | null;
  rounds: number | null;
  staked_cents: number | null;
  in_cents: number | null;
  out_cents: number | null;
  net_cents: number | null;
  checks: number;
  breaks: number;
  limit_changes: number;
  time_limit_minutes: number | null;
  loss_limit_cents: number | null;
  stake_limit_cents: number | null;
  pauses: number;
}

export interface PlayerView {
  number: string;
  name: string;
  status: "closed" | "excluded" | "locked" | "open";
  exclusion: ExclusionView | null;
}

/** One visit, of the gaming day that it began. */
export interface PlayerVisitLine {
  entry: number;
  day: string;
  player: string;
  table: string;
  seat: number;
  card_in_at_ms: number;
  card_out_at_ms: number | null;
  rounds: number;
  staked_cents: number;
  returned_cents: number;
  net_cents: number;
  points: number;
}

/** `now_ms` is what `closes_at_ms` is counted down by, `time_ms` the venue's time of day. */
export interface Pong {
  type: "pong";
  sent: number;
  now_ms: number;
  time_ms: number;
}

/**
 * `reversed` is taken back from seats, `returned` are stakes that go back, `paid` is what settlement gives,
 * `staked` what is put back on the table.
 */
export interface Preview {
  reversed_cents: number;
  reversed_seats: number;
  returned_cents: number;
  returned_seats: number;
  staked_cents: number;
  staked_seats: number;
  paid_cents: number;
  paid_seats: number;
  collected_cents: number;
}

/** A command that is thought about, not given. */
export interface PreviewRequest {
  command: Settle | DecideIrregularity | VoidRound | CorrectCard | CorrectResult | RuleOnBet;
}

/** The receipt of an entry, at the terminal that asks for it; by the checkpoint of this size, else by the newest. */
export interface PrintReceipt {
  table: string;
  entry: number;
  size?: number | null;
}

/** A copy, at the terminal that issued it. */
export interface PrintVoucher {
  number: string;
  why: string;
}

/** A printer that takes nothing: of which terminal, why, and how many slips wait or were given up. */
export interface PrinterAway {
  table: string;
  seat: number;
  why: Sentence;
  since_ms: number;
  waiting: number;
  given_up: number;
}

/** Files that are not as they were when the program started; any such stops play. */
export interface ProgramCheck {
  program_sha256: string;
  changed: string[];
}

/** A limit (time, loss or stake) that may be raised to this, or removed, from a moment of the play clock on. */
export interface RaiseView {
  limit: string;
  value: number | null;
  from_ms: number;
}

/** Lay the bets of the last round that this terminal played. */
export interface ReBet {
  type: "re-bet";
  /** An id that the sender makes, new for each */
  request: string;
  round: number;
}

export interface ReadingView {
  title: string;
  reading: string;
  rejected: string;
  why: string;
}

export interface Recalled {
  label: string;
  table: string;
  round: number;
  shoe: number;
  game: string;
  rules_sha256: string;
  day: string;
  opened_at_ms: number;
  status: Phase;
  cards: string;
  player_cards: string;
  banker_cards: string;
  winner: Winner | null;
  player_total: number | null;
  banker_total: number | null;
  staked_cents: number;
  returned_cents: number;
  void_why: Sentence | null;
  dealers: string[];
  frozen: string[];
  first_entry: number;
  last_entry: number;
  last_hash: string;
  steps: Step[];
  first_step: number;
  all_steps: number;
  seats: SeatRecalled[];
}

/** Of one movement of cash: numbered through the whole venue without gaps. */
export interface Receipt {
  number: number;
  at_ms: number;
  day: string;
}

/** An entry as it is exported, and the hash before it in its stream. */
export interface ReceiptEntry {
  seq: number;
  stream: string;
  number: number;
  kind: string;
  at_ms: number;
  day: string;
  label: string;
  request: string;
  first_transfer: number;
  transfers: Transfer[];
  documents: ([string, string | null])[];
  documents_sum: string;
  body: string;
  hash: string;
  previous_hash: string;
}

/**
 * It was not done, and nothing has changed. Without a request, the message itself could not be understood.
 *
 * With `again`, nothing was decided: the same request may be sent again, and its answer then counts.
 */
export interface Refused {
  type: "refused";
  code: string;
  message: string;
  said: Sentence;
  request: string;
  paragraph: string;
  again: boolean;
  you: SeatView | null;
}

/**
 * These are durable: what came together is answered together. A cash-out brings its voucher with it,
 * and x2 a note where some bets could not be doubled.
 */
export interface Registered {
  type: "registered";
  requests: string[];
  /** For each, the number in the table's journal of the first entry that it led to */
  entries: number[];
  you: SeatView | null;
  voucher: VoucherSlip | null;
  note: Sentence | null;
}

/** End the session of an empty seat, with the limits that its player had set, for whoever comes next. */
export interface ReleaseSeat {
  type: "release-seat";
  seat: number;
}

/** What is done about it. */
export type Remedy =
  | "bet-stands"
  | "confirm-cards"
  | "continue"
  | "decide-order"
  | "discard"
  | "no-effect"
  | "reconstruct"
  | "refuse-bet"
  | "settle-by-cards"
  | "use-in-next-round"
  | "void";

export interface RemedyView {
  remedy: Remedy;
  paragraph: string;
  names: Names;
}

export interface ReportColumn {
  name: string;
  title: string;
  kind: ColumnKind;
  on_screen: boolean;
  wide: boolean;
  summed: boolean;
}

/** The cut card has come. */
export interface ReportCutCard {
  type: "cut-card";
}

export interface ReportFilter {
  name: string;
  title: string;
  kind: FilterKind;
  says: string;
  goes_on_from: string;
}

/**
 * What happened, not what to do: the governing clause answers with the remedy and who decides. `cards` are those
 * drawn but not registered; `about_round` an earlier round that it concerns; `seat` and `wager` a bet that came late
 * or was taken away, with the amount if it is not all of it; `seats` the terminals that were interrupted.
 */
export interface ReportIrregularity {
  type: "report";
  kind: Kind;
  detail?: string;
  cards?: string[];
  seats?: number[];
  about_round?: number | null;
  seat?: number | null;
  wager?: string;
  cents?: number | null;
}

/** All that a screen needs to draw it. */
export interface ReportView {
  name: string;
  title: string;
  says: string;
  adds_up: boolean;
  heavy: boolean;
  columns: ReportColumn[];
  filters: ReportFilter[];
}

/** One kind of irregularity: whether it can be reported now, what a report names, who decides by what. */
export interface ReportableKind {
  kind: Kind;
  not_now: NotNow | null;
  cards: number;
  in_order: boolean;
  earlier_round: boolean;
  may_be_earlier: boolean;
  bet: boolean;
  amount: boolean;
  seats: boolean;
  rank: string;
  paragraphs: string[];
}

/** What a report that waits is about, and who may withdraw it. */
export interface ReportedView {
  report: number;
  cards: string[];
  seat: number | null;
  wager: string;
  cents: number | null;
  about_round: number | null;
  confirm: boolean;
  withdraw_rank: string;
}

/** How a bet ended. */
export type Result = "lose" | "push" | "win";

export interface ResumeTable {
  type: "resume-table";
}

/** Reveal what this seat has committed to, once all commitments are listed. */
export interface RevealNonce {
  type: "reveal-nonce";
  /** An id that the sender makes, new for each */
  request: string;
  shoe: number;
  nonce: string;
}

export type Role =
  | "administrator"
  | "auditor"
  | "cashier"
  | "dealer"
  | "pit-manager"
  | "pit-supervisor"
  | "shift-manager";

/** How a round ended. */
export type RoundEnd = "banker" | "player" | "tie" | "void";

export interface RoundExport {
  table: string;
  round: number;
  dealers: string[];
  exported_at_ms: number;
  entries: EntryExported[];
  more_after: number | null;
}

export interface RoundSummary {
  label: string;
  table: string;
  round: number;
  shoe: number;
  day: string;
  opened_at_ms: number;
  status: Phase;
  cards: string;
  winner: Winner | null;
  player_total: number | null;
  banker_total: number | null;
  staked_cents: number;
  returned_cents: number;
}

/**
 * The shift manager's ruling on a single bet of a seat: what it returns in all; without an amount the bet is void,
 * and its stake goes back. `round`: an earlier one. Insurance is named player-insurance or banker-insurance.
 */
export interface RuleOnBet {
  type: "rule-on-bet";
  seat: number;
  wager: string;
  returned_cents?: number | null;
  round?: number | null;
}

export interface RuleText {
  documents: string[];
  says: Record<string, string>;
}

/**
 * `count` is of all that was found, on the first page only. A search that took too long is not `complete`: it has
 * read back to `back_to_ms`, and goes on before `more_before` when it is asked to.
 */
export interface SearchFound {
  rows: FoundEntry[];
  count: number | null;
  complete: boolean;
  back_to_ms: number | null;
  more_before: number | null;
}

/** Your own bets and credit have changed. */
export interface SeatMessage {
  type: "seat";
  you: SeatView;
}

/** One seat in the round. Credit is as it stood when betting opened, and when the next round's did (or now). */
export interface SeatRecalled {
  seat: number;
  credit_before_cents: number;
  credit_after_cents: number;
  bets: Record<string, number>;
  insurance: InsuranceTaken[];
  lines: Line[];
  insurance_lines: InsuranceLine[];
  staked_cents: number;
  returned_cents: number;
  void_returned_cents: number;
  bought_cents: number;
  cashed_out_cents: number;
}

export interface SeatView {
  seat: number;
  credit_cents: number;
  round: number;
  bets: Record<string, number>;
  insurance: InsuredView[];
  staked_cents: number;
  may_insure: Record<string, number>;
  net: NetView | null;
  lines: Line[];
  insurance_lines: InsuranceLine[];
  returned_cents: number | null;
  can_undo: boolean;
  last_bets: Record<string, number>;
  locked: string;
  owed_cents: number;
  vouchers: number;
  card: PlayerCardView | null;
  session: SessionView | null;
  nonce: string;
  to_reveal: string;
  calls: boolean;
  call_taken: boolean;
}

/** English with gaps such as {seat}, and what fills each: text and numbers, other sentences, or lists of these. */
export interface Sentence {
  template: string;
  values: Record<string, string | number | (string | number | Sentence)[] | Sentence>;
}

/** Moments are by the play clock, as `now_ms`. A limit of time is in minutes, None where there is none. */
export interface SessionView {
  number: number;
  started_ms: number;
  net_cents: number;
  in_cents: number;
  out_cents: number;
  staked_cents: number;
  rounds: number;
  waits_for: string;
  checks_at_ms: number | null;
  break_until_ms: number | null;
  time_min: number | null;
  loss_cents: number | null;
  stake_cents: number | null;
  waiting: RaiseView[];
  most_time_min: number | null;
  most_loss_cents: number | null;
  most_stake_cents: number | null;
  longest_break_min: number;
  cooling_off_min: number;
  may_end: boolean;
}

export interface SetPassword {
  /** Case, blanks and dashes do not count. */
  code: string;
  password: string;
}

/**
 * All own limits; None is no limit. A lower one holds at once. A higher one is noted, and holds when it is asked
 * for again after the cooling-off.
 */
export interface SetPlayLimits {
  type: "set-play-limits";
  /** An id that the sender makes, new for each */
  request: string;
  time_min?: number | null;
  loss_cents?: number | null;
  stake_cents?: number | null;
}

/** Pay and collect. */
export interface Settle {
  type: "settle";
}

/** One dealer at one table, of the gaming day that they signed on; `rounds` are those that opened meanwhile. */
export interface ShiftLine {
  entry: number;
  day: string;
  table: string;
  dealer: string;
  on_at_ms: number;
  off_at_ms: number | null;
  rounds: number;
}

/** `left` counts, by rank, the cards that nobody has seen; `face_down` of them were burnt, nobody knows which. */
export interface ShoeSeen {
  table: string;
  shoe: number;
  decks: number;
  round: number;
  in_play: boolean;
  left: Record<string, number>;
  face_down: number;
  waiting: string[];
}

/** What `natural9 verify-shoe` takes, once it is revealed; before that, the promise alone. */
export interface ShoeShown {
  table: string;
  shoe: number;
  decks: number;
  commitment: string;
  committed_at_ms: number;
  revealed: boolean;
  salt: string | null;
  order: string | null;
  dealt: string | null;
  mix: MixShown | null;
  commitments: string[];
}

/** A shuffler's order is promised by `commitment`; `next_` is that of a shoe loaded already. */
export interface ShoeView {
  number: number;
  cards_left: number;
  cut_card: boolean;
  commitment: string;
  next_commitment: string;
  burnt: BurntView | null;
  next_burnt: BurntView | null;
  mix: MixView | null;
}

/** A result, with the wagers that it paid. */
export interface Shown {
  round: number;
  winner: Winner;
  player_total: number;
  banker_total: number;
  natural: boolean;
  player_pair: boolean;
  banker_pair: boolean;
  won: string[];
  rows: Record<string, number>;
}

export interface SignIn {
  /** The id as it was typed. */
  id: string;
  password: string;
}

/** Off the table; without a name, whoever asks. A supervisor names a dealer who left. */
export interface SignOff {
  type: "sign-off";
  dealer?: string | null;
}

/** Whoever asks deals from now on, and relieves whoever was on. Play does not stop. */
export interface SignOn {
  type: "sign-on";
}

/** The cards lie for the players to turn. All are open to all by `ends_at_ms`; None while the first are dealt. */
export interface SqueezeView {
  opened: number;
  ends_at_ms: number | null;
}

export type StaffCommand =
  | LoadNewShoe
  | BurnCards
  | BurnFaceDown
  | StartRound
  | CloseBetting
  | DealCard
  | ReportCutCard
  | OpenInsurance
  | CloseInsurance
  | WaiveInsurance
  | TakeBackWaiver
  | DeclareResult
  | Settle
  | ReportIrregularity
  | WithdrawReport
  | DecideIrregularity
  | DiscardHeld
  | VoidRound
  | CorrectCard
  | CorrectResult
  | RuleOnBet
  | OpenTable
  | PauseTable
  | ResumeTable
  | CloseTable
  | SignOn
  | SignOff
  | ChangeLimits
  | LockTerminal
  | UnlockTerminal
  | ReleaseSeat
  | TakeCall
  | ClearCall
  | TakeAlarm
  | ClearFault
  | FreezeRound
  | CreditTerminal
  | HandPay
  | VoidVoucher;

/** Nothing that a password or a code could be tried against. */
export interface StaffLine {
  id: string;
  name: string;
  role: string;
  status: string;
  locked_from: string;
  code_expires_at_ms: number | null;
}

/**
 * A command at a table. With `sign_in` it is given by that person, at somebody else's console, this once; with
 * `signature` that person signs besides whoever gives it, where so much cash takes two.
 */
export interface StaffRequest {
  /** An id that the sender makes, new for each */
  request: string;
  command: StaffCommand;
  /** The reason, where the command takes one */
  why?: string;
  sign_in?: SignIn | null;
  signature?: SignIn | null;
}

export interface StaffTable {
  table: TableView;
  console: ConsoleView;
}

export interface StaffView {
  id: string;
  name: string;
  role: Role;
  status: "active" | "disabled" | "locked" | "no-password";
  locked: LockView[];
}

/**
 * A checkpoint that the authority has stamped: when, by its clock, and for which closed gaming days. Somebody asked
 * for one without days.
 */
export interface StampShown {
  size: number;
  stamped_at_ms: number;
  first_day: string | null;
  last_day: string | null;
  authority: string;
}

/**
 * Time stamps, newest first; the closed gaming days that still lack one, if any, and why the last try failed.
 * No authority: none is named in the venue file.
 */
export interface StampsShown {
  authority: string | null;
  stamps: StampShown[];
  missing_first_day: string | null;
  missing_last_day: string | null;
  problem: Sentence | null;
}

/** Open betting on the next round, under the table's limits. */
export interface StartRound {
  type: "open-betting";
}

export type Status = "closed" | "open" | "paused";

/** One thing that happened, as it was seen then. */
export interface Step {
  entry: number;
  number: number;
  at_ms: number;
  kind: string;
  by: string;
  by_said: Sentence;
  rank: string;
  says: string;
  said: Sentence;
  public: Sentence | null;
  paragraph: string;
  seat: number | null;
  cards: string;
  player_cards: string[];
  banker_cards: string[];
  player_total: number | null;
  banker_total: number | null;
  winner: Winner | null;
  phase: Phase;
  bets: Record<string, number> | null;
  correction: boolean;
}

export interface TableLine {
  table: string;
  title: string;
  game: string;
  game_title: string;
  mode: string;
  shoe: string;
  has_reader: boolean;
  seats: number;
  status: Status;
  training: boolean;
}

/** The table has changed; `happened` are the tags of the events, for whoever animates them. */
export interface TableMessage {
  type: "table";
  n: number;
  now_ms: number;
  happened: string[];
  table: TableView;
}

/**
 * `priced` is for the next round from what is left, `full` for a fresh shoe; neither where too few cards are left,
 * and nothing before the first shoe.
 */
export interface TableShoe {
  game: OddsGame;
  seen: ShoeSeen | null;
  priced: GamePriced | null;
  full: GamePriced | null;
}

export interface TableView {
  table: string;
  title: string;
  game: string;
  status: Status;
  why: string;
  faults: Record<string, Sentence>;
  phase: Phase;
  in_play: boolean;
  takes_bets: boolean;
  round: number;
  shoe: ShoeView;
  cards: DealtCard[];
  squeeze: SqueezeView | null;
  player_total: number | null;
  banker_total: number | null;
  naturals: Hand[];
  due: Hand | null;
  draws: Hand | null;
  closes_at_ms: number | null;
  window: Window | null;
  window_open: boolean;
  waived: boolean;
  interrupted_ms: number | null;
  offers: Offer[];
  result: Shown | null;
  voided: Voided | null;
  waiting: Waiting[];
  laid: Record<string, number>;
  boxes: Record<string, Record<string, number>>;
  results: string[];
  tallies: Record<string, number>;
  betting_unit_cents: number;
  limits: Record<string, Limit>;
  seat_min_cents: number;
  seat_max_cents: number | null;
  table_max_cents: number | null;
}

/** A fault, or an irregularity that waits, is in hand: whoever asks sees to it. */
export interface TakeAlarm {
  type: "take-alarm";
  alarm: string;
}

/** Take back part of a bet; without an amount, all of it. */
export interface TakeBack {
  type: "take-back";
  /** An id that the sender makes, new for each */
  request: string;
  round: number;
  wager: string;
  cents?: number | null;
}

/** It was pressed by mistake, or the player asks no longer. */
export interface TakeBackWaiver {
  type: "take-back-waiver";
}

/** Lock own betting for so long. */
export interface TakeBreak {
  type: "take-break";
  /** An id that the sender makes, new for each */
  request: string;
  minutes: number;
}

/** The call of a seat for an attendant is in hand: whoever asks goes there. */
export interface TakeCall {
  type: "take-call";
  seat: number;
}

/** A terminal as the pit and the desk see it. */
export interface TerminalLine {
  seat: number;
  home_table: string;
  home_seat: number;
  connected: boolean;
  credit_cents: number;
  staked_cents: number;
  owed_cents: number;
  locked: string;
  kept: boolean;
}

/** Numbered without gaps from the first cent. */
export interface TransactionLine {
  number: number;
  entry: number;
  at_ms: number;
  day: string;
  kind: TransferKind;
  source: string;
  target: string;
  cents: number;
}

/** Cents, at least one, that leave one account for another; `kind` says why, and meters count by it. */
export type Transfer = [string, string, string, number];

export interface TransferExported {
  kind: string;
  source: string;
  target: string;
  cents: number;
}

/** Why money moves. These words stand in the journal for ever. */
export type TransferKind =
  | "bet"
  | "bet-restored"
  | "bet-returned"
  | "bet-taken-back"
  | "buy-in"
  | "credit-received"
  | "credit-sent"
  | "drawer-closed"
  | "drawer-fill"
  | "drawer-float"
  | "drawer-over"
  | "drawer-return"
  | "drawer-short"
  | "hand-pay"
  | "owed"
  | "owed-repaid"
  | "ruling"
  | "stake-lost"
  | "stake-lost-reversed"
  | "stake-returned"
  | "stake-returned-reversed"
  | "voucher-in"
  | "voucher-out"
  | "voucher-paid"
  | "voucher-voided"
  | "winnings"
  | "winnings-reversed";

/**
 * This terminal has turned the cards that lie: a table that waits for the squeeze need not wait for it. No answer
 * comes; say it again after connecting anew.
 */
export interface Turned {
  type: "turned";
  round: number;
  /** So many lie */
  cards: number;
}

/** Take back the last change of bets in this round. */
export interface Undo {
  type: "undo";
  /** An id that the sender makes, new for each */
  request: string;
  round: number;
}

/** Nobody can say yet whether these were done: send each again, after a pause, until it is registered or refused. */
export interface Unknown {
  type: "unknown";
  requests: string[];
  why: Sentence;
}

export interface UnlockTerminal {
  type: "unlock-terminal";
  seat: number;
}

export interface VenueView {
  name: string;
  currency: string;
  zone: string;
  day: string;
  version: string;
  demo: boolean;
  players: boolean;
  prints: boolean;
  takes_bills: boolean;
  needs_administrator: boolean;
  tables: TableLine[];
  names: Record<string, Record<string, string>>;
  interpretations: Record<string, Record<string, string>>;
}

/**
 * What was checked, up to the first fault if there is one. `root` is over all entries: to note down for the next
 * time, with their number.
 */
export interface Verified {
  entries: number;
  transfers: number;
  tables: number;
  rounds: number;
  bets: number;
  cards: number;
  seats_settled: number;
  shoes_revealed: number;
  vouchers_outstanding: number;
  balances: number;
  meters: number;
  documents: number;
  index_rows: number;
  checkpoints: number;
  time_stamps: number;
  stamps_vouched_for: number | null;
  keys: string[];
  root: string;
  noted_size: number | null;
  not_derived: number;
  not_derived_first: NotDerived[];
  fault: Fault | null;
}

/** Void by authority, for what no clause covers. */
export interface VoidRound {
  type: "void-round";
}

/** Take a voucher that this table issued out of circulation; its money goes back to the terminal. */
export interface VoidVoucher {
  type: "void-voucher";
  number: string;
}

/** `kind` is the irregularity that a clause voided it for; `why` what the person wrote who voided it. */
export interface Voided {
  kind: Kind | null;
  why: string;
  clause: string;
  paragraph: string;
}

export interface VoucherLine {
  number: string;
  table: string;
  seat: number;
  cents: number;
  issued_at_ms: number;
  age_days: number;
  expires_at_ms: number;
  expired: boolean;
}

/** A voucher that is good to be paid. */
export interface VoucherSeen {
  number: string;
  cents: number;
  table: string;
  seat: number;
  issued_at_ms: number;
  expires_at_ms: number;
}

/** A voucher to be handed out. Who holds its code holds its money. */
export interface VoucherSlip {
  number: string;
  code: string;
  cents: number;
  expires_at_ms: number;
  /** Its number in the journal of the table that printed it */
  entry: number;
  /** An inline SVG picture of natural9:NUMBER:CODE */
  qr: string;
}

/** For each unit staked. `pays` are the rows of the pay table, each with its own chance. */
export interface WagerPriced {
  id: string;
  win: string;
  win_float: number;
  push: string;
  push_float: number;
  lose: string;
  lose_float: number;
  expected: string;
  expected_float: number;
  house_edge: string;
  house_edge_float: number;
  variance: string;
  variance_float: number;
  standard_deviation: number;
  pays: PayOdds[];
}

export interface WagerView {
  id: string;
  title: string;
  names: Record<string, string>;
  optional: boolean;
  pays: PayRowView[];
  paragraph: string;
}

/** An irregularity that waits for a decision, and whose. */
export interface Waiting {
  report: number;
  kind: Kind;
  rank: string;
  remedies: RemedyView[];
  may_replace_shoe: string;
}

/** The house lets the player of this seat see or squeeze the Banker's third card first. */
export interface WaiveInsurance {
  type: "waive-insurance";
  seat: number;
}

/** Everything as it is now: `you` for a terminal, `console` for staff. */
export interface Welcome {
  type: "welcome";
  version: number;
  epoch: string;
  n: number;
  now_ms: number;
  venue: string;
  currency: string;
  table: TableView;
  /** So many requests may be on their way at once */
  outstanding: number;
  /** At so many tables a terminal may play at a time, its own among them */
  lobby: number;
  you: SeatView | null;
  console: ConsoleView | null;
}

/**
 * One table on one gaming day, settled rounds only, corrections taken into account.
 *
 * `drop` is the money that came to the table's terminals; `turnover` what was staked and settled; the house has won
 * what of it did not go back. `hold` is that win over the turnover, exact.
 */
export interface WinLine {
  table: string;
  day: string;
  rounds: number;
  voids: number;
  drop_cents: number;
  wagered_cents: number;
  void_returned_cents: number;
  turnover_cents: number;
  returned_cents: number;
  won_by_players_cents: number;
  house_win_cents: number;
  hold: string;
  hold_percent: number;
}

/** When insurance is offered: after four cards, or after the Player's third. */
export type Window = "four-cards" | "third-card";

/** Who won. */
export type Winner = "banker" | "player" | "tie";

/** It was a mistake: the table is as before. The number may be left out while one report waits. */
export interface WithdrawReport {
  type: "withdraw-report";
  report?: number | null;
}

/** A witness that the house knows, and the last checkpoint that it has cosigned; none yet has no size. */
export interface WitnessShown {
  name: string;
  key: string;
  size: number | null;
  at_s: number | null;
}
