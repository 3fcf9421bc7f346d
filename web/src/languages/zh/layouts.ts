// The drawn layouts.

const sentences: Record<string, string> = {
  'Box {box}': '{box} 号位',
  'Table layout': '台面',
  DEALER: '荷官',
  locked: '已锁',
  yours: '您的',
  'no bet': '无注',
  player: '闲',
  banker: '庄',
  tie: '和',
  'player-pair': '闲对',
  'banker-pair': '庄对',
  'player-insurance': '闲保险',
  'banker-insurance': '庄保险',
};

export default sentences;
