import { brotliDecompressSync } from "node:zlib";

/** Address ranges, in the format of the generated tables. */
export interface PackedTable {
  /** The day of the data. */
  readonly asOf: string;
  /** The possible labels of a range, separated by spaces. */
  readonly labels: string;
  /** Of blocks of 256 IPv4 addresses. Packed by `scripts/local-tables/packed-ranges.ts`. */
  readonly v4: string;
  /** Of IPv6 sites, the first 48 bits of an address. Packed as above. */
  readonly v6: string;
}

/** A block of addresses: an IPv4 address without its last 8 bits, or the first 48 bits of an IPv6 address. */
export interface AddressBlock {
  readonly family: "v4" | "v6";
  readonly number: number;
}

/** Finds the label of a block, if its range is in the table. */
export type FindLabel = (block: AddressBlock) => string | undefined;

interface Ranges {
  /** Ascending. */
  readonly starts: Float64Array;
  /** Excluded. */
  readonly ends: Float64Array;
  readonly codes: Uint8Array;
}

const MORE = 128;

function unpack(packed: string): Ranges {
  const bytes = brotliDecompressSync(Buffer.from(packed, "base64"));
  let at = 0;
  function readNumber(): number {
    let [value, unit] = [0, 1];
    for (;;) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte % MORE) * unit;
      if (byte < MORE) return value;
      unit *= MORE;
    }
  }
  const count = readNumber();
  const starts = Float64Array.from({ length: count }, readNumber);
  const ends = new Float64Array(count);
  let previousEnd = 0;
  for (let index = 0; index < count; index += 1) {
    const start = previousEnd + (starts[index] ?? 0);
    previousEnd = start + readNumber();
    starts[index] = start;
    ends[index] = previousEnd;
  }
  return { starts, ends, codes: bytes.subarray(at) };
}

function findCode({ starts, ends, codes }: Ranges, number: number): number | undefined {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index >= 0 && number < (ends[index] ?? 0) ? codes[index] : undefined;
}

/** Open a packed table. Each address family is unpacked on first use and kept. */
export function openTable(table: PackedTable): FindLabel {
  const labels = table.labels.split(" ");
  const opened: { v4?: Ranges; v6?: Ranges } = {};
  return ({ family, number }) => {
    const ranges = (opened[family] ??= unpack(table[family]));
    const code = findCode(ranges, number);
    return code === undefined ? undefined : labels[code];
  };
}
