// The start page in simplified Chinese; the names of roles and permissions here serve the other staff screens too.

import { words } from '../../lib/i18n.svelte';

export const chinese: Record<string, string> = {
  // Roles

  // The gate of every staff screen
  'Not done.': '未执行。',
  'Not for this role': '此职级无权使用',
  '{name} is signed in, and this screen is another role’s work.': '{name} 已登录，但此页面属于其他职级的工作。',
  'Sign in as somebody else': '换人登录',
  'The session has ended. Whatever was done is kept.': '登录已过期。已完成的操作均已保存。',
  'Start page': '首页',
  'Your id': '员工编号',
  Password: '密码',
  'On its way …': '发送中…',
  'The server does not answer.': '服务器没有回应。',
  'The server does not answer. Check the connection and try again.': '服务器没有回应。请检查连接后重试。',

  // What is running
  'Gaming day {day}': '营业日 {day}',
  'Running now': '正在进行',
  'This venue has no table yet.': '本场还没有牌桌。',
  '{seats} seats': '{seats} 个座位',
  open: '开放',
  closed: '已关台',
  paused: '暂停',
  'a dealer deals': '荷官发牌',
  'plays by itself': '自动进行',
  shuffler: '洗牌机',
  'reading shoe': '读牌靴',
  'cards by hand': '手工输入牌',

  // Doors
  Doors: '入口',
  'Player terminal': '玩家终端',
  'Bet at a seat of a table.': '在座位上下注。',
  'Wall display': '墙面显示屏',
  'Roads and results, large.': '大字路单与结果。',
  'Game console': '荷官台',
  'Deal, close bets, settle.': '发牌、停止下注、派彩。',
  Pit: '监场台',
  'All tables, alarms, decisions.': '所有牌桌、警报、裁决。',
  'Credit, vouchers, the drawer.': '充值、兑票、钱箱。',
  'Recall, reports, verification.': '回看、报表、核验。',
  'People, devices, the program.': '人员、设备、程序。',
  Odds: '赔率',
  'Every edge, card by card.': '逐张牌计算的优势。',
  'Sign in first': '请先登录',
  'Enrol this browser first': '请先登记本浏览器',
  'Another role’s work': '其他职级的工作',

  // Who am I
  'Who this browser is': '本浏览器的身份',
  'Go to work': '开始工作',
  'Go there': '前往',
  'What you may do': '您的权限',
  'Unattended, the session ends at {time}.': '若无人操作，登录将于 {time} 失效。',
  'This browser is the terminal of seat {seat} at table {table}.': '本浏览器是牌桌 {table} 第 {seat} 号座位的终端。',
  'This browser is a display of table {table}.': '本浏览器是牌桌 {table} 的显示屏。',
  'This browser is a display of all tables.': '本浏览器是所有牌桌的显示屏。',
  'This browser is a card reader of table {table}.': '本浏览器是牌桌 {table} 的读牌器。',

  // Ways in
  'Ways in': '进入方式',
  'Other ways in': '其他进入方式',
  'Set a password': '设置密码',
  'Enrol this browser': '登记本浏览器',
  'New venue': '新场所',
  'The two passwords are not the same.': '两次输入的密码不一致。',
  'You are in. This link was good once. To come back, or to sign a decision at another console:': '您已进入。此链接只能用一次。再次登录或在其他台签核时请使用：',
  'I have noted it': '我已记下',
  'A link of the demo: one press, and you are in.': '演示链接：一按即入。',
  'The administrator gave you a code. It is good once.': '管理员给您的代码只能用一次。',
  'Come in': '进入',
  'Set it and sign in': '设置并登录',
  'One-time code': '一次性代码',
  'New password': '新密码',
  'The same again': '再输一次',
  'This browser becomes the terminal or display that the code stands for.': '本浏览器将成为该代码对应的终端或显示屏。',
  'Enrolment code': '登记代码',
  'A venue without an administrator prints a code when it starts. Who has it makes the first account.':
    '没有管理员的场所启动时会打印一个代码，持有者可建立第一个账户。',
  'Make my account': '建立我的账户',
  'The code that the server printed': '服务器打印的代码',
  'Your id, such as mei.tan': '员工编号，如 mei.tan',
  'Your name': '姓名',

  // Demo
  'Take a look: one click each': '随意看看：一按即入',
  'A demonstration: no money here is real. A browser is one player and one member of staff at a time; open another window in private for more.':
    '演示系统：此处没有真钱。一个浏览器同时只能是一位玩家和一名员工；需要更多请开无痕窗口。',
  'Play at a table': '入座玩牌',
  'Work on the floor': '场内工作',

  // Permissions
  'see-table': '查看牌桌',
  deal: '发牌',
  'report-irregularity': '报告异常',
  'decide-irregularity': '裁决异常',
  'void-round': '作废一局',
  'freeze-round': '留存争议局',
  'export-round': '导出一局的记录',
  'open-table': '开台',
  'pause-table': '暂停牌桌',
  'resume-table': '恢复牌桌',
  'close-table': '关台',
  'change-limits': '更改限额',
  'lock-terminal': '锁定终端',
  'unlock-terminal': '解锁终端',
  'clear-fault': '清除故障',
  'credit-terminal': '为终端充值',
  'redeem-voucher': '兑付票据',
  'void-voucher': '作废票据',
  'hand-pay': '人工派付',
  'see-drawer': '查看钱箱',
  'see-money': '查看账目',
  'recall-round': '回看牌局',
  'see-reports': '查看报表',
  'see-events': '查看重要事件',
  'verify-journal': '核验日志',
  'manage-staff': '管理人员',
  'manage-devices': '管理设备',
  backup: '备份',
};

words.add(chinese);
