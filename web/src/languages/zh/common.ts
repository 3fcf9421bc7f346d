// What every screen says, in simplified Chinese and the words of the approved layouts; in alphabetical order within each part.

const sentences: Record<string, string> = {
  'Training table': '训练桌',
  ': ': '：',
  // The table
  Banker: '庄',
  'Banker pair': '庄对',
  'Bets are being settled': '正在派彩',
  'Betting is open': '请下注',
  'Burnt: {card} and {count} face down': '烧牌：{card}，另有盖牌 {count} 张',
  Natural: '例牌',
  'No more bets': '停止下注',
  'Place your bets': '请下注',
  Player: '闲',
  'Player pair': '闲对',
  Roads: '路单',
  'Ask Banker': '庄问路',
  'Ask Player': '闲问路',
  'Ask the roads': '问路',
  'Bead plate': '珠盘路',
  'Big road': '大路',
  'Big eye boy': '大眼仔',
  'Small road': '小路',
  Cockroach: '蟑螂路',
  'No round of this shoe yet': '本靴尚未开局',
  Tie: '和',
  'Waiting for the next round': '等待下一局',

  // What is asked of the server
  'On its way …': '发送中…',
  'Not done.': '未执行。',
  'Being checked …': '核对中…',
  'The server does not answer. Check the connection and try again.': '服务器没有回应。请检查连接后重试。',
  'It is not known whether this was done. Look before you do it again.': '尚不知这项操作是否已完成。请先查看，再决定是否重做。',
  'It is not known yet whether this was done. It is asked again by itself, and done only once.': '尚不知这项操作是否已完成。系统正在自动再问，只会执行一次。',
  'The last command is still on its way.': '上一个指令仍在发送中。',
  'Somebody else has signed in in this browser. Nothing was done.': '此浏览器已由另一人登录。未执行任何操作。',
  'This screen has a fault. Load it again.': '此页面出现故障，请重新载入。',

  // People
  Administrator: '系统管理员',
  Auditor: '稽核员',
  Cashier: '账房',
  Dealer: '荷官',
  'Pit Manager': '场务经理',
  'Pit Supervisor': '监场',
  'Shift Manager': '值班经理',

  // Cards
  '{rank} of {suit}': '{suit}{rank}',
  ace: 'A',
  clubs: '梅花',
  diamonds: '方块',
  'Calls for an attendant': '叫工作人员',
  'Seat {seat}': '{seat} 号座位',
  Take: '我去',
  Done: '已处理',
  'face down': '牌面朝下',
  hearts: '红心',
  jack: 'J',
  king: 'K',
  queen: 'Q',
  spades: '黑桃',
  ten: '10',

  // Rules
  'An interpretation of the rules': '规则释义',
  'In our words: the approved document decides.': '此为我们的说法，以获批准的规则书为准。',
  'Rule {number}': '规则 {number}',
  '{what} ({rule})': '{what}（{rule}）',

  // The games
  'Fortune Six No Commission Baccarat': '幸运六免佣百家乐',
  'No Commission Baccarat': '免佣百家乐',
  'Non-Commission Baccarat': '免佣百家乐',
  'Non-Commission Baccarat with Insurance': '免佣百家乐（保险）',
  'Non-Commission Baccarat with Super Six Plus': '免佣百家乐（超级六加）',
  'Super 6 No Commission Baccarat': '超级6免佣百家乐',
  'Super Six No Commission Baccarat': '超级六免佣百家乐',
  'Tiger Baccarat': '老虎百家乐',
  'Tiger No Commission Baccarat': '老虎免佣百家乐',

  // Common
  RECALL: '回看',
  Cancel: '取消',
  Close: '关闭',
  'Loading …': '载入中…',
  'Sign in': '登录',
  'A Pit Manager or above signs here': '由场务经理或以上职级在此签核',
  'Id of who signs': '签核人编号',
  Delete: '删除',
  'Keys on the screen': '屏幕按键',
  'Sign out': '退出',
  'You are perhaps still signed in: press again.': '您可能仍处于登录状态，请再按一次。',
  'Try again': '重试',
};

export default sentences;
