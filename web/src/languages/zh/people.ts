// What the server says about people, devices and who may do what.

const sentences: Record<string, string> = {
  // Signing in
  'this id and password were not accepted; {locks}': '编号或密码不正确；{locks}',
  '{times} wrong passwords in a row from one place lock the account there for {minutes} minutes':
    '在同一处连续输错 {times} 次密码，账户在该处将锁定 {minutes} 分钟',
  '{times} wrong passwords in a row from one place lock the account there until it is unlocked':
    '在同一处连续输错 {times} 次密码，账户在该处将锁定，直到由管理员解锁',
  'this is not the present password; {locks}': '当前密码不正确；{locks}',
  'the account is locked here: {locks}; an administrator can unlock it at once': '账户在此处已锁定：{locks}；管理员可立即解锁',
  'this account has no password yet: ask an administrator for a one-time code': '此账户还没有密码：请向管理员索取一次性代码',
  'the new password is the present one: choose another': '新密码与当前密码相同：请另选一个',
  'the session has ended: sign in and try again': '登录已过期：请登录后再试',
  'this code is wrong, used or expired: {instead}': '代码错误、已用或过期：{instead}',
  'the server prints a new one when it starts without an administrator': '没有管理员时，服务器启动会打印新代码',
  'ask an administrator for a new one': '请向管理员索取新代码',
  'a password has at least {least} characters; a few words will do': '密码至少 {least} 个字符；几个词即可',
  'a password has at most {most} characters': '密码最多 {most} 个字符',
  "the password is the person's own id or name: choose one that nobody knows": '密码与本人的编号或姓名相同：请选一个无人知道的',
  'the password repeats a few characters: choose one that is harder to guess': '密码只重复几个字符：请选一个更难猜的',

  // Accounts and devices
  'nobody has the id {id}': '没有编号 {id} 的人员',
  '{id} is disabled: enable the account first': '{id} 已停用：请先启用账户',
  '{id} is taken: an id stays with one person, even after they leave': '{id} 已被使用：编号属于同一人，离职后也不再给他人',
  '{id} is the only administrator who can sign in: let another one set a password first':
    '{id} 是唯一能登录的管理员：请先让另一位设置密码',
  '{id} is not a staff id: 2 to 31 small letters, digits, dots and dashes, a letter first':
    '{id} 不是员工编号：2 至 31 个小写字母、数字、点或横线，以字母开头',
  '{name} is not a name: 1 to 60 characters that can be printed': '{name} 不是姓名：1 至 60 个可打印的字符',
  'there is no role {role}; there are {roles}': '没有职级 {role}；现有 {roles}',
  'there is no device {id}': '没有设备 {id}',
  '1 to {most} devices are added at a time, not {count}': '每次可新增 1 至 {most} 台设备，不能是 {count} 台',
  '{table} is not the id of a table': '{table} 不是牌桌编号',
  'a {kind} belongs to a table: say which': '{kind}须属于一张牌桌：请说明哪一张',
  'a {kind} has no seat': '{kind}没有座位',
  'a terminal belongs to a seat, numbered from 1; {seat} is none': '终端须属于一个座位，从 1 起编号；{seat} 不是座位',
  'a terminal belongs to a seat: give first_seat, and last_seat for several':
    '终端须属于一个座位：请给出 first_seat，多个座位再给 last_seat',
  'seats {first} to {last}: 1 to 10,000 of them, in this order': '座位 {first} 至 {last}：须为 1 至 10,000 个，依此次序',
  'table {table} has seats 1 to {most}, not {seat}': '牌桌 {table} 的座位为 1 至 {most}，没有 {seat}',
  'All {seats} seats of {table} are taken.': '{table} 的 {seats} 个座位已坐满。',
  'the demo has no role {role}: take {roles}': '演示没有角色 {role}：可选 {roles}',

  // Who may
  '{who} ({own}) may not {do}: it takes a {rank} or above': '{who}（{own}）无权{do}：须由{rank}或以上执行',
  '{one} may not {do}: it takes {who}': '{one}无权{do}：须由{who}执行',
  'a {role}': '{role}',
  'an {role}': '{role}',
  'a {role} or above': '{role}或以上',
  '{one} or {other}': '{one}或{other}',
  '{who} has no rank at the table': '{who} 在牌桌上没有职级',
  'see a table': '查看牌桌',
  deal: '发牌',
  'sign on or off at a table': '在牌桌上桌或下桌',
  'report an irregularity': '报告异常',
  'decide an irregularity': '裁决异常',
  'rule on a single bet': '裁定单独一注',
  'void a round': '作废一局',
  'freeze a round in a dispute': '留存争议局',
  'export the history of a round': '导出一局的记录',
  'open a table': '开台',
  'pause a table': '暂停牌桌',
  'resume a table': '恢复牌桌',
  'close a table': '关台',
  'change the limits of a table': '更改牌桌限额',
  'lock a terminal': '锁定终端',
  'unlock a terminal': '解锁终端',
  'clear a fault': '清除故障',
  'credit a terminal against cash': '收现金为终端充值',
  'pay out a voucher at the desk': '在柜台兑付票券',
  'void a voucher': '作废票券',
  "pay a terminal's credit out by hand": '人工派付终端余额',
  "see a cashier's drawer": '查看账房钱箱',
  'see accounts, transfers and meters': '查看账目、转账与计数器',
  'recall a round': '回看牌局',
  'see the reports': '查看报表',
  'see the significant events': '查看重要事件',
  'verify the journal': '核验日志',
  'manage staff accounts': '管理人员账户',
  'see staff accounts and devices': '查看员工账户与设备',
  'manage terminals, displays and readers': '管理终端、显示屏与读牌器',
  'make a backup': '备份',

  // The way to the server
  'A request holds at most {most} bytes.': '一次请求最多 {most} 字节。',
  'A page of {origin} may not act here: add it to allowed_origins if it should.':
    '来自 {origin} 的网页不得在此操作：如应允许，请加入 allowed_origins。',
  'The header {header} is missing or of another session: GET /api/me tells the right one.':
    '标头 {header} 缺失或属于另一登录：GET /api/me 会给出正确的。',
  'A body without a content-type is not taken here: send application/json.': '此处不接受没有 content-type 的内容：请发送 application/json。',
  '{kind} is not taken here: send application/json.': '此处不接受 {kind}：请发送 application/json。',
  'The body cannot be read as JSON: {why}.': '内容无法按 JSON 读取：{why}。',
  'it is not UTF-8': '不是 UTF-8',
  'it is nested too deeply': '嵌套过深',
  'The screens are not built: run `make web`, then start again.': '界面尚未生成：请运行 make web 后重新启动。',
  'There is no {name} here.': '此处没有 {name}。',
  'Metrics are for this machine and for staff who may see money.': '指标仅供本机及有权查看账目的员工。',
  'not ready: the tables are not recovered yet': '尚未就绪：牌桌还在恢复',
  'stopped: table {tables}': '已停止：牌桌 {tables}',
};

export default sentences;
