// The wall's own sentences; what stands on the wall itself is always in both languages.

const sentences: Record<string, string> = {
  'Choose a table': '选择牌桌',
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
