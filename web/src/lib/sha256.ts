// SHA-256 by ourselves: browsers have it only for pages over TLS or from this machine.

type Bytes = Uint8Array<ArrayBuffer>;

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The first bits of what stands behind the point: of the cube roots of the first 64 primes, the square roots of 8. */
const PRIMES = [...Array(312).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((m) => m > 1 && n % m === 0));
const bits = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUND = PRIMES.slice(0, 64).map((prime) => bits(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => bits(Math.sqrt(prime)));

/** FIPS 180-4. */
export function sha256(message: Uint8Array): Bytes {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, (message.length << 3) >>> 0);
  const hash = Int32Array.from(START);
  const words = new Int32Array(64);
  const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = view.getInt32(block + 4 * i);
      else {
        const [two, fifteen] = [words[i - 2]!, words[i - 15]!];
        const small = turn(fifteen, 7) ^ turn(fifteen, 18) ^ (fifteen >>> 3);
        words[i] = words[i - 16]! + small + words[i - 7]! + (turn(two, 17) ^ turn(two, 19) ^ (two >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = [...hash] as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!) | 0;
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i]! += word));
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}
