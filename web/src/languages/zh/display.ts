// The wall's own sentences; what stands on the wall itself is always in both languages.

const sentences: Record<string, string> = {
  'Choose a table': '选择牌桌',
  'Choose tables': '选择牌桌',
  'Several tables on one display': '一屏显示多桌',
  'Up to six stand side by side; more take turns.': '最多六桌并列，更多则轮流显示。',
  'Choose at least two': '请至少选两桌',
  'Show {count} tables together': '并列显示 {count} 桌',
  'Show the whole floor': '显示全场',
  'Code from the administrator': '管理员给的登记码',
  Enrol: '登记',
  'Enrol this display': '登记此显示屏',
  'Or sign in as staff': '或以员工身份登录',
  'The session has ended. Sign in again.': '登录已过期，请重新登录。',
  'This venue has no table yet.': '本场所还没有牌桌。',
  'Wall display': '路单显示屏',
  closed: '关闭',
  open: '开放',
  paused: '暂停',
};

export default sentences;
