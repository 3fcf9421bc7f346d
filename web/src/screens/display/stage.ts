// What a table is doing, for the wall: always in both languages, because everybody looks at the same screen.

import { justBurnt } from '../../lib/burnt';
import { cardSigns } from '../../lib/cards';
import type { Kind, Sentence, Shown, TableView, Voided, Winner } from '../../lib/protocol';
import { KINDS } from '../terminal/stage';

export type Tone = 'open' | 'calm' | 'player' | 'banker' | 'tie' | 'void' | 'alarm';

export interface WallStage {
  tone: Tone;
  zh: string;
  en: string;
  detail: string;
  counts: boolean; // whether a countdown belongs to it
}

const WINS: Record<Winner, readonly [string, string]> = {
  banker: ['庄赢', 'Banker wins'],
  player: ['闲赢', 'Player wins'],
  tie: ['和', 'Tie'],
};

const VOID_FOR: Record<Kind, string> = {
  'drawn-together-order-known': '两张牌同时抽出',
  'drawn-together-order-unknown': '两张牌同时抽出',
  'excess-or-exposed': '多抽或误露了一张牌',
  'face-up-in-shoe': '牌靴内有牌面朝上',
  'foreign-card': '发现不属于本牌靴的牌',
  'found-later': '事后发现错误',
  'insufficient-cards': '余牌不足',
  'late-bet': '有投注过迟',
  'not-covered': '发生特殊情况',
  'order-altered': '牌的次序被改动',
  'shortage-or-excess': '牌数短缺或多余',
  'table-interruption': '本桌中断',
  'terminal-interruption': '有终端中断',
  'unshuffled-cards': '牌未洗',
  'withdrawn-bet': '有投注被取走',
  'wrong-area': '有牌放错位置',
  'wrong-number-of-cards': '一方牌数不对',
  'wrong-result': '结果宣布有误',
};

export function wallStage(table: TableView, halted: Sentence | null, isLost = false, isMoving = false): WallStage {
  if (isLost && isMoving) return stage('alarm', '请稍候', 'One moment, please');
  if (isLost) return stage('alarm', '连接中断，正在重连', 'Connection lost, coming back');
  const now = ofTable(table, halted);
  const told = [now.detail, burntLine(table), awayLine(table)].filter(Boolean).join(' · ');
  return now.tone === 'alarm' || !told ? now : { ...now, detail: told };
}

function burntLine(table: TableView): string {
  const burnt = justBurnt(table);
  if (!burnt) return '';
  const [card, count] = [cardSigns(burnt.card), burnt.face_down];
  return `烧牌 ${card}，另有盖牌 ${count} 张 Burnt: ${card} and ${count} face down`;
}

function awayLine(table: TableView): string {
  if (table.interrupted_ms === null || table.phase === 'void') return '';
  const seconds = Math.ceil(table.interrupted_ms / 1000);
  return `本桌中断 ${seconds} 秒，从中断处继续 The table was away for ${seconds} s and goes on where it stood`;
}

function ofTable(table: TableView, halted: Sentence | null): WallStage {
  if (halted || Object.keys(table.faults).length) return stage('alarm', '牌桌维护中', 'Staff are fixing this table');
  if (table.waiting.length) return stage('alarm', '请稍候', 'One moment, please');
  switch (table.phase) {
    case 'betting-open':
      return { ...stage('open', '请下注', 'Place your bets'), counts: true };
    case 'four-cards-insurance':
    case 'third-card-insurance':
      return table.window_open
        ? { ...stage('open', '买保险吗？', 'Insurance?'), counts: true }
        : stage('calm', '停止下注', 'No more bets');
    case 'initial-deal':
      if (table.squeeze?.ends_at_ms) return { ...stage('calm', '眯牌', 'The players turn the cards'), counts: true };
      return stage('calm', '停止下注', 'No more bets');
    case 'bets-closed':
    case 'players-third':
    case 'bankers-third':
      return stage('calm', '停止下注', 'No more bets');
    case 'complete':
    case 'settled':
      return table.result ? ofResult(table.result) : stage('calm', '停止下注', 'No more bets');
    case 'void':
      return stage('void', '本局作废', 'This round is void', ofVoid(table.voided));
    case 'no-round':
      if (table.status === 'closed') return stage('calm', '牌桌关闭', 'This table is closed');
      if (table.status === 'paused') return stage('calm', '牌桌暂停', 'This table is paused');
      return stage('calm', '等待下一局', 'Waiting for the next round');
    default:
      table.phase satisfies never;
      return stage('calm', '', '');
  }
}

/** What was said about it; where nobody said anything, the irregularity. */
function ofVoid(voided: Voided | null): string {
  if (!voided?.kind || voided.why) return voided?.why ?? '';
  return `${VOID_FOR[voided.kind]} ${KINDS[voided.kind]}`;
}

function ofResult(result: Shown): WallStage {
  const [zh, en] = WINS[result.winner];
  const marks = [
    ...(result.natural ? ['例牌 Natural'] : []),
    ...(result.player_pair ? ['闲对 Player pair'] : []),
    ...(result.banker_pair ? ['庄对 Banker pair'] : []),
  ];
  return stage(result.winner, zh, en, marks.join(' · '));
}

function stage(tone: Tone, zh: string, en: string, detail = ''): WallStage {
  return { tone, zh, en, detail, counts: false };
}

/** A finished round with its cards, to be seen until the next one is dealt. */
export interface Finished {
  round: number;
  winner: Winner;
  player: { cards: string[]; total: number };
  banker: { cards: string[]; total: number };
}

export function finished(table: TableView): Finished | null {
  if (!table.result || !table.cards.length) return null;
  const of = (hand: 'player' | 'banker'): string[] =>
    table.cards.filter((dealt) => dealt.hand === hand).map((dealt) => dealt.card);
  return {
    round: table.result.round,
    winner: table.result.winner,
    player: { cards: of('player'), total: table.result.player_total },
    banker: { cards: of('banker'), total: table.result.banker_total },
  };
}
