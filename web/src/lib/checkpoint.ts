// A checkpoint as the server shows it: a signed note, of which a screen shows the size and the root.

export interface CheckpointShown {
  note: string;
  origin: string;
  size: number;
  root: string; // in hexadecimal digits
  signers: string[]; // the house first, then whoever has cosigned
}

/** The note, read as it is written; whoever must not believe it verifies its signatures elsewhere. */
export function readCheckpoint(note: string): CheckpointShown {
  const end = note.lastIndexOf('\n\n');
  const [origin = '', size = '', root = ''] = note.slice(0, end).split('\n');
  const digits = [...atob(root)].map((one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  if (end < 0 || !origin || !/^\d+$/.test(size) || digits.length !== 64) throw new Error('no checkpoint');
  const signers = note
    .slice(end + 2)
    .split('\n')
    .filter((line) => line.startsWith('\u2014 '))
    .map((line) => line.split(' ')[1] ?? '');
  return { note, origin, size: Number(size), root: digits, signers };
}

/** In groups, so that it can be read aloud and compared. */
export function inGroups(root: string): string {
  return root.replace(/(.{8})(?=.)/g, '$1 ');
}
