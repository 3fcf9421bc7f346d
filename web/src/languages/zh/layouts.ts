// The drawn layouts.

const sentences: Record<string, string> = {
  'Box {box}': '{box} 号位',
  'Table layout': '台面',
  DEALER: '荷官',
  locked: '已锁',
  yours: '您的',
  'no bet': '无注',
  'Player Pair': '闲对',
  'Banker Pair': '庄对',
  'Your box, {spot}: {bet}': '您的投注格，{spot}：{bet}',
  'Player Insurance': '闲保险',
  'Banker Insurance': '庄保险',
};

export default sentences;
