// What is written on a voucher: its number, table and seat first, and its code, which has no I, L, O or U.

export const CODE_KEYS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The keys that the numbers of this venue's vouchers take: digits, the dash, and the letters of its tables. */
export function numberKeys(tables: readonly string[]): string {
  const letters = new Set(tables.flatMap((table) => [...table]).filter((one) => !'0123456789-'.includes(one)));
  return `0123456789-${[...letters].sort().join('')}`;
}

/** A code as it is printed, in groups of four, from whatever was typed of it. */
export function inGroups(typed: string): string {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '');
  return plain.match(/.{1,4}/g)?.join('-') ?? '';
}
