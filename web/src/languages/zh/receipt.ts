// Receipts: at the terminal, and the page that checks one.

export default {
  Receipt: '收据',
  'Back to the round': '返回该局',
  'Check a receipt': '核对收据',
  'It says': '内容',
  Time: '时间',
  Table: '桌',
  'Game no.': '局号',
  Entry: '记录号',
  'An entry of the kind “{kind}”': '一条“{kind}”记录',
  'Check it here': '在此核对',
  'This receipt holds.': '此收据有效。',
  'This receipt does not hold.': '此收据无效。',
  'The entry is unchanged: its hash is right.': '记录未被改动：哈希值正确。',
  'The entry was changed: its hash is another one.': '记录已被改动：哈希值不符。',
  'It stands in the journal: it is number {number} of the {size} entries that the checkpoint counts.':
    '记录在日志之中：检查点共计 {size} 条记录，它是第 {number} 条。',
  'It does not stand in the journal that the checkpoint is of.': '检查点所指的日志中没有这条记录。',
  'The checkpoint is signed with the key below.': '检查点由下列公钥签署。',
  'The key below has not signed the checkpoint.': '检查点并非由下列公钥签署。',
  'That is the key you gave.': '这就是您输入的公钥。',
  'That is not the key you gave: another house has made this receipt, or somebody else.':
    '这不是您输入的公钥：收据出自另一家赌场，或由他人制作。',
  '{name} has cosigned the checkpoint, by the key that the house names.': '{name} 已联署此检查点（按赌场列出的公钥核对）。',
  'The cosignature of {name} is wrong: somebody else made it, or it is of another checkpoint.':
    '{name} 的联署不正确：由他人制作，或属于另一检查点。',
  '{name} is said to have cosigned the checkpoint: not checked, the key is not known here.':
    '据称 {name} 已联署此检查点：未核对，此处没有其公钥。',
  'The key of the house': '赌场公钥',
  'Compare it with the key on the papers of the house: then nobody needs to be believed.':
    '请与赌场文件上的公钥比对：这样便无须相信任何人。',
  'This proves, without the casino, that the entry stands in its journal: nobody can change it or take it out unnoticed.':
    '凭此无须赌场即可证明该记录在其日志之中：任何人改动或删去它都会被发现。',
  'QR code of the receipt': '收据的二维码',
  'The QR code holds the whole receipt. Keep the text that it shows, and check it on any page of this kind: {page}':
    '二维码内含整张收据。请保存扫出的文字，并可在此类页面核对：{page}',
  'Save as a file': '存为文件',
  'Printed.': '已打印。',
  'A receipt proves that a bet or a voucher stands in the journal of the house. It is checked by this browser alone: nothing is sent anywhere.':
    '收据可证明一笔投注或一张票券在赌场的日志之中。核对只在本浏览器内进行，不会向任何地方发送内容。',
  'Choose the file': '选择文件',
  'Or paste the text of the receipt, as its QR code shows it': '或粘贴收据文字（即扫二维码所得）',
  'The key of the house, as its papers have it (if you have it)': '赌场文件上的公钥（如有）',
  'Another receipt': '另一张收据',
  'What the receipt says is shown here, and whether it holds.': '收据的内容及是否有效将显示在此。',
  'There is nothing here yet.': '这里还没有内容。',
  'This is no receipt: it is not written like one, or a part of it is missing.': '这不是收据：格式不符，或内容不全。',
  'This is no receipt: it is something else.': '这不是收据：是别的内容。',
  'This receipt is of a later program: check it there.': '此收据出自更新的程序：请在那里核对。',
  'This is no receipt: the file is too large.': '这不是收据：文件过大。',
  'The file cannot be read: choose it again.': '文件无法读取：请重新选择。',
};
