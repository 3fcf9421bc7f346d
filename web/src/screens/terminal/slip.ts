// What a voucher's QR code says: natural9:NUMBER:CODE. A scanner types it key by key: it is read once the code is whole.

export function readSlip(text: string): { number: string; code: string } | null {
  const match = /^natural9:([^:]+):((?:[0-9A-Z]{4}-){3}[0-9A-Z]{4})$/i.exec(text.trim());
  return match ? { number: match[1]!, code: match[2]! } : null;
}
