// Standard input and output: how Shopify gives a function its input and takes its output.
// https://shopify.dev/docs/apps/build/functions/programming-languages/webassembly-for-functions

@external("wasi_snapshot_preview1", "fd_read")
declare function fd_read(fd: u32, vectors: usize, count: u32, read: usize): u32;
@external("wasi_snapshot_preview1", "fd_write")
declare function fd_write(fd: u32, vectors: usize, count: u32, written: usize): u32;

/** Shopify sends at most 128,000 bytes, unless the cart is very large. */
const MOST_BYTES: u32 = 1_048_576;

/** Address and length of a buffer, and the number of bytes that were read or written. */
const call = memory.data(12);

/** Everything that Shopify sends; null if it can't be read. */
export function readInput(): string | null {
  const buffer = heap.alloc(MOST_BYTES);
  let length: u32 = 0;
  while (length < MOST_BYTES) {
    store<u32>(call, <u32>buffer + length);
    store<u32>(call, MOST_BYTES - length, 4);
    if (fd_read(0, call, 1, call + 8) != 0) return null;
    const read = load<u32>(call, 8);
    if (read == 0) return String.UTF8.decodeUnsafe(buffer, length);
    length += read;
  }
  return null;
}

export function writeOutput(text: string): void {
  const bytes = String.UTF8.encode(text);
  let from: u32 = 0;
  while (from < <u32>bytes.byteLength) {
    store<u32>(call, <u32>changetype<usize>(bytes) + from);
    store<u32>(call, <u32>bytes.byteLength - from, 4);
    if (fd_write(1, call, 1, call + 8) != 0) return;
    from += load<u32>(call, 8);
  }
}

/** Stops the function. Shopify then lets the buyer continue, because `blockOnFailure` is off. */
export function fail(_message: string | null, _file: string | null, _line: u32, _column: u32): void {
  unreachable();
}
