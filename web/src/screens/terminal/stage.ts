// What the table is doing now, in a player's words: one title, one line under it, one tone.

import { burntText, justBurnt } from '../../lib/burnt';
import { t } from '../../lib/i18n.svelte';
import { showCents } from '../../lib/money';
import type { Kind, SeatView, Sentence, TableView } from '../../lib/protocol';
import { ruleName } from '../../lib/rules.svelte';

export type Tone = 'open' | 'calm' | 'player' | 'banker' | 'tie' | 'void' | 'alarm' | 'offer';

export interface Stage {
  tone: Tone;
  title: string;
  detail: string;
  counts: boolean; // whether a countdown belongs to it
}

export const KINDS: Record<Kind, string> = {
  'drawn-together-order-known': 'Two cards were drawn together',
  'drawn-together-order-unknown': 'Two cards were drawn together',
  'excess-or-exposed': 'A card too many was drawn or shown',
  'face-up-in-shoe': 'A card lies face up in the shoe',
  'foreign-card': 'A card that does not belong was found',
  'found-later': 'A mistake was found afterwards',
  'insufficient-cards': 'There are not enough cards left',
  'late-bet': 'A bet came too late',
  'not-covered': 'Something unusual happened',
  'order-altered': 'The order of the cards was changed',
  'shortage-or-excess': 'Cards are missing or too many',
  'table-interruption': 'The table was interrupted',
  'terminal-interruption': 'A terminal was interrupted',
  'unshuffled-cards': 'The cards were not shuffled',
  'withdrawn-bet': 'A bet was withdrawn',
  'wrong-area': 'A card was put in the wrong place',
  'wrong-number-of-cards': 'A hand has the wrong number of cards',
  'wrong-result': 'The result was announced wrongly',
};

const RANKS: Record<string, string> = {
  dealer: 'The dealer decides',
  'pit-supervisor': 'A pit supervisor decides',
  'pit-manager': 'A pit manager decides',
  'shift-manager': 'A shift manager decides',
};

export function stageOf(table: TableView, you: SeatView | null, halted: Sentence | null = null, isLost = false, isMoving = false): Stage {
  if (isLost && isMoving) return stage('alarm', t('One moment, please'), t('Your bets are safe.'));
  if (isLost) return stage('alarm', t('Connection lost'), t('Trying again by itself. Bets that are registered are safe.'));
  if (halted) {
    return stage('alarm', t('This table has stopped'), t('Please call an attendant. Registered bets are safe.'));
  }
  const [first] = table.waiting;
  if (first) {
    if (first.remedies.some((one) => one.remedy === 'confirm-cards')) {
      const looked = t('The table was interrupted: the cards on it are being looked at.');
      return stage('alarm', t('One moment, please'), `${looked} ${t('Your bets are safe.')}`);
    }
    const what = t(KINDS[first.kind] ?? 'Something unusual happened');
    const who = t(RANKS[first.rank] ?? 'A supervisor decides');
    return stage('alarm', t('One moment, please'), `${what}. ${who}. ${t('Your bets are safe.')}`);
  }
  if (Object.keys(table.faults).length) {
    return stage(
      'alarm',
      t('Staff are fixing this table'),
      t('A technical fault. Your credit and your bets are safe.'),
    );
  }
  const now = ofPhase(table, you);
  const burnt = justBurnt(table);
  const told = [now.detail, mixing(table), burnt ? burntText(burnt) : '', away(table)].filter(Boolean).join(' · ');
  return told ? { ...now, detail: told } : now;
}

function mixing(table: TableView): string {
  return table.shoe.mix?.shoe ? t('The players mix shoe {number}', { number: table.shoe.mix.shoe }) : '';
}

function away(table: TableView): string {
  if (table.interrupted_ms === null || table.phase === 'void') return '';
  return t('The table was away for {seconds} s and goes on where it stood', { seconds: Math.ceil(table.interrupted_ms / 1000) });
}

function ofPhase(table: TableView, you: SeatView | null): Stage {
  switch (table.phase) {
    case 'betting-open':
      return stage('open', t('Place your bets'), '', true);
    case 'bets-closed':
      return stage('calm', t('No more bets'));
    case 'initial-deal':
    case 'players-third':
    case 'bankers-third':
      return stage('calm', t('No more bets'), dealing(table));
    case 'four-cards-insurance':
    case 'third-card-insurance':
      return table.window_open
        ? stage('offer', t('Insurance?'), situation(table), true)
        : stage('calm', t('No more bets'), situation(table));
    case 'complete':
    case 'settled':
      return ofResult(table);
    case 'void':
      return ofVoid(table, you);
    case 'no-round':
      return ofPause(table);
    default:
      table.phase satisfies never;
      return stage('calm', '');
  }
}

function stage(tone: Tone, title: string, detail = '', counts = false): Stage {
  return { tone, title, detail, counts };
}

function dealing(table: TableView): string {
  if (table.phase === 'players-third') return t('Player draws a third card');
  if (table.phase === 'bankers-third') return t('Banker draws a third card');
  return t('The cards are dealt');
}

const WINS = { player: 'Player wins', banker: 'Banker wins', tie: 'Tie' } as const;

function ofResult(table: TableView): Stage {
  const result = table.result;
  if (!result) return stage('calm', t('No more bets'), t('The result is being announced'));
  const totals = t('Player {player}, Banker {banker}', { player: result.player_total, banker: result.banker_total });
  const marks = [
    ...(result.natural ? [t('Natural')] : []),
    ...(result.player_pair ? [t('Player pair')] : []),
    ...(result.banker_pair ? [t('Banker pair')] : []),
  ];
  const next = table.status === 'open' ? [] : [t('No more rounds for now')];
  return stage(result.winner, t(WINS[result.winner]), [totals, ...marks, ...next].join(' · '));
}

function ofVoid(table: TableView, you: SeatView | null): Stage {
  const voided = table.voided;
  const why = voided?.why || (voided?.kind ? t(KINDS[voided.kind]) : '');
  const rule = ruleName(voided?.clause || voided?.paragraph || '');
  const back = you?.returned_cents ? [t('{amount} came back to your credit', { amount: showCents(you.returned_cents) })] : [];
  const reason = why && rule ? t('{what} ({rule})', { what: why, rule }) : why || rule;
  return stage('void', t('This round is void'), [...(reason ? [reason] : []), ...back].join(' · '));
}

function ofPause(table: TableView): Stage {
  const why = table.why;
  if (table.status === 'closed') return stage('calm', t('This table is closed'), why);
  if (table.status === 'paused') return stage('calm', t('This table is paused'), why);
  return stage('calm', t('Waiting for the next round'));
}

/** "Banker 6, Player 5, Player draws": the hand that leads stands first. */
export function situation(table: TableView): string {
  const player = table.player_total ?? 0;
  const banker = table.banker_total ?? 0;
  const hands = [t('Player {total}', { total: player }), t('Banker {total}', { total: banker })];
  if (banker > player) hands.reverse();
  const draws = table.draws ? [t(table.draws === 'player' ? 'Player draws' : 'Banker draws')] : [];
  return [...hands, ...draws].join(t(', '));
}

/** When insurance pays, in words. */
export function insuranceWins(winsIf: string): string {
  if (winsIf === 'tie') return t('if the round is a tie');
  return winsIf === 'player wins' ? t('if Player wins') : t('if Banker wins');
}
