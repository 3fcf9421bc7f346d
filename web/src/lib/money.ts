// Money is whole cents everywhere; only here does it become text, and text become cents.

export function showCents(cents: number): string {
  const sign = cents < 0 ? '−' : '';
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${sign}${whole.toLocaleString('en-US')}.${rest}`;
}

// As it stands on a chip or a spot: no cents where there are none.
export function shortCents(cents: number): string {
  if (cents % 100) return showCents(cents);
  const whole = cents / 100;
  if (whole >= 1_000_000 && whole % 100_000 === 0) return `${whole / 1_000_000}M`;
  if (whole >= 1_000 && whole % 100 === 0) return `${whole / 1_000}K`;
  return String(whole);
}

// What a person typed, or null if that is not an amount of money.
export function parseCents(text: string): number | null {
  const match = /^(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match?.[1]) return null;
  return Number(match[1].replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}
