// HMAC-SHA-256 (RFC 2104, FIPS 180-4). AssemblyScript has no cryptography of its own.

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

// prettier-ignore
const ROUND: StaticArray<u32> = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
// prettier-ignore
const START: StaticArray<u32> = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

const state = new StaticArray<u32>(8);
const words = new StaticArray<u32>(64);

function takeBlock(bytes: Uint8Array, from: i32): void {
  for (let i = 0; i < 16; i++) words[i] = bswap(load<u32>(bytes.dataStart + from + i * 4));
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15];
    const late = words[i - 2];
    const first = rotr(early, 7) ^ rotr(early, 18) ^ (early >> 3);
    const second = rotr(late, 17) ^ rotr(late, 19) ^ (late >> 10);
    words[i] = words[i - 16] + first + words[i - 7] + second;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const one = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i];
    const two = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

function sha256(bytes: Uint8Array): Uint8Array {
  for (let i = 0; i < 8; i++) state[i] = START[i];
  const length = bytes.length;
  // The text, a one bit, zeros, and the length in bits.
  const padded = new Uint8Array(((length + 8) / BLOCK_BYTES + 1) * BLOCK_BYTES);
  padded.set(bytes);
  padded[length] = 0x80;
  store<u64>(padded.dataStart + padded.length - 8, bswap<u64>(<u64>length * 8));
  for (let from = 0; from < padded.length; from += BLOCK_BYTES) takeBlock(padded, from);
  const digest = new Uint8Array(DIGEST_BYTES);
  for (let i = 0; i < 8; i++) store<u32>(digest.dataStart + i * 4, bswap(state[i]));
  return digest;
}

function join(key: Uint8Array, mask: u8, text: Uint8Array): Uint8Array {
  const joined = new Uint8Array(BLOCK_BYTES + text.length);
  for (let i = 0; i < BLOCK_BYTES; i++) joined[i] = (i < key.length ? key[i] : 0) ^ mask;
  joined.set(text, BLOCK_BYTES);
  return joined;
}

/** The keyed digest of a text. The key has at most 64 bytes. */
export function hmacSha256(key: Uint8Array, text: Uint8Array): Uint8Array {
  return sha256(join(key, 0x5c, sha256(join(key, 0x36, text))));
}
