// What a voucher's QR code says: natural9:NUMBER:CODE.

export function readSlip(text: string): { number: string; code: string } | null {
  const match = /^natural9:([^:]+):([^:]+)$/.exec(text.trim());
  return match ? { number: match[1]!, code: match[2]! } : null;
}
