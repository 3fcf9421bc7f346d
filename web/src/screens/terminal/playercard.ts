// A player's card in words: what its QR code says, and points as people read them.

const PREFIX = 'natural9-card:';
const LETTERS = 12;

/** The code that a scanner typed, once it is whole; null for what somebody types. */
export function readCard(text: string): string | null {
  const typed = text.trim();
  if (!typed.toLowerCase().startsWith(PREFIX)) return null;
  const code = typed.slice(PREFIX.length);
  return code.length === LETTERS ? code : null;
}

/** Points are counted in hundredths; whole ones are shown. */
export function pointsText(hundredths: number): string {
  return Math.floor(hundredths / 100).toLocaleString('en');
}
