// Why a player's bet was refused, by the refusal's code.

const sentences: Record<string, string> = {
  'refusal bad-amount': '金额不正确。',
  'refusal bad-stake': '投注金额不正确。',
  'refusal betting-not-open': '现在不能下注。',
  'refusal fault': '本桌故障，暂停下注。',
  'refusal insurance-closed': '现在不能买保险。',
  'refusal insurance-over-cap': '保险金额超过上限。',
  'refusal insurance-without-bet': '没有对应的投注，不能买保险。',
  'refusal irregularity-pending': '正在等待裁决，请稍候。',
  'refusal no-more-bets': '已停止下注，这注未登记。',
  'refusal no-such-bet': '这里没有您的投注。',
  'refusal no-such-voucher': '没有这张票券，或验证码不对。',
  'refusal not-enough-credit': '余额不足。',
  'refusal nothing-to-repeat': '没有可重复的投注。',
  'refusal nothing-to-undo': '没有可撤销的投注。',
  'refusal other-round': '那一局已结束，这注未登记。',
  'refusal outside-limits': '投注超出本注位的限额。',
  'refusal over-seat-limit': '超过本座的最高投注总额。',
  'refusal over-table-limit': '超过本桌的最高投注总额。',
  'refusal round-concluded': '本局已结束。',
  'refusal stopped': '本桌已停止。已登记的投注是安全的。',
  'refusal table-not-open': '本桌未开放。',
  'refusal terminal-locked': '本终端已锁定，请叫工作人员。',
  'refusal too-busy': '系统繁忙，请再试一次。',
  'refusal under-seat-limit': '低于本座的最低投注总额。',
  'refusal voucher-expired': '这张票券已过期。',
  'refusal voucher-redeemed': '这张票券已兑现。',
  'refusal wager-not-offered': '本桌不提供此注位。',
};

export default sentences;
