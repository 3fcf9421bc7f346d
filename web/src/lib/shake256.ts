// SHAKE-256 by ourselves: browsers do not have it.

const RATE = 136; // bytes of SHAKE-256 that are taken in and given out at a time
const MASK = (1n << 64n) - 1n;

function rotated(lane: bigint, by: number): bigint {
  return by ? ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK : lane;
}

/** Keccak-f[1600], FIPS 202: the five steps of 24 rounds. */
function keccak(state: BigUint64Array): void {
  let shift = 1; // of the generator of the round constants
  for (let round = 0; round < 24; round++) {
    const column = [0, 1, 2, 3, 4].map((x) => state[x]! ^ state[x + 5]! ^ state[x + 10]! ^ state[x + 15]! ^ state[x + 20]!);
    for (let i = 0; i < 25; i++) state[i]! ^= column[(i + 4) % 5]! ^ rotated(column[(i + 1) % 5]!, 1);
    let [x, y, current] = [1, 0, state[1]!];
    for (let t = 0; t < 24; t++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const at = x + 5 * y;
      [current, state[at]] = [state[at]!, rotated(current, (((t + 1) * (t + 2)) / 2) % 64)];
    }
    for (let row = 0; row < 25; row += 5) {
      const lanes = state.slice(row, row + 5);
      for (let i = 0; i < 5; i++) state[row + i] = lanes[i]! ^ (~lanes[(i + 1) % 5]! & MASK & lanes[(i + 2) % 5]!);
    }
    for (let bit = 0; bit < 7; bit++) {
      if (shift & 1) state[0]! ^= 1n << BigInt(2 ** bit - 1);
      shift = (shift << 1) ^ (shift & 0x80 ? 0x171 : 0);
    }
  }
}

/** The bytes of SHAKE-256, as many as are asked for. */
export function* shake256(message: Uint8Array): Generator<number, never> {
  const state = new BigUint64Array(25);
  const bytes = new Uint8Array(state.buffer); // little-endian, as every machine that runs a browser is
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length]! ^= 0x1f;
  padded[padded.length - 1]! ^= 0x80;
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE; i++) bytes[i]! ^= padded[block + i]!;
    keccak(state);
  }
  for (;;) {
    yield* bytes.slice(0, RATE);
    keccak(state);
  }
}
