// A refusal in the player's language. The server's own sentence is exact and in English; the others go by its code.

import { words } from '../../lib/i18n.svelte';
import type { Refused } from '../../lib/protocol';

const CHINESE: Record<string, string> = {
  'bad-amount': '金额不正确。',
  'bad-stake': '投注金额不正确。',
  'betting-not-open': '现在不能下注。',
  fault: '本桌故障，暂停下注。',
  'insurance-closed': '现在不能买保险。',
  'insurance-over-cap': '保险金额超过上限。',
  'insurance-without-bet': '没有对应的投注，不能买保险。',
  'irregularity-pending': '正在等待裁决，请稍候。',
  'no-more-bets': '已停止下注，这注未登记。',
  'no-such-bet': '这里没有您的投注。',
  'no-such-voucher': '没有这张票券，或验证码不对。',
  'not-enough-credit': '余额不足。',
  'nothing-to-repeat': '没有可重复的投注。',
  'nothing-to-undo': '没有可撤销的投注。',
  'other-round': '那一局已结束，这注未登记。',
  'outside-limits': '投注超出本注位的限额。',
  'over-seat-limit': '超过本座的最高投注总额。',
  'over-table-limit': '超过本桌的最高投注总额。',
  'round-concluded': '本局已结束。',
  stopped: '本桌已停止。已登记的投注是安全的。',
  'table-not-open': '本桌未开放。',
  'terminal-locked': '本终端已锁定，请叫工作人员。',
  'too-busy': '系统繁忙，请再试一次。',
  'under-seat-limit': '低于本座的最低投注总额。',
  'voucher-expired': '这张票券已过期。',
  'voucher-redeemed': '这张票券已兑现。',
  'wager-not-offered': '本桌不提供此注位。',
};

export function refusalText(refused: Pick<Refused, 'code' | 'message' | 'paragraph'>): string {
  const said = words.language === 'zh' ? (CHINESE[refused.code] ?? refused.message) : refused.message;
  const sentence = /[.!?。]$/.test(said) ? said : `${said}.`;
  return refused.paragraph ? `${sentence} (${refused.paragraph})` : sentence;
}
