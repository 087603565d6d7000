import { brotliCompressSync, constants } from "node:zlib";

/** Addresses from `start` to `end`, both included, that share a label. */
export interface LabelledRange {
  readonly start: bigint;
  readonly end: bigint;
  readonly label: string;
}

/** How coarsely a family is stored: the shortest piece of it that the internet routes. */
export interface Granularity {
  /** Bits cut off the right end of an address. */
  readonly bits: bigint;
}

/** IPv4 in blocks of 256 addresses, IPv6 in sites of 48 bits. */
export const GRANULARITY = { v4: { bits: 8n }, v6: { bits: 80n } } as const;

interface Block {
  readonly start: number;
  /** Excluded. */
  readonly end: number;
  readonly code: number;
}

/** Sort ranges, cut them into blocks and join neighbors; where two fall into one block, the first one keeps it. */
function toBlocks(
  ranges: readonly LabelledRange[],
  labels: readonly string[],
  { bits }: Granularity,
): Block[] {
  const codes = new Map(labels.map((label, code) => [label, code]));
  const sorted = ranges.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const blocks: Block[] = [];
  for (const range of sorted) {
    const code = codes.get(range.label);
    if (code === undefined) continue;
    const last = blocks.at(-1);
    const start = Math.max(Number(range.start >> bits), last?.end ?? 0);
    const end = Number(range.end >> bits) + 1;
    if (end <= start) continue;
    if (last?.end === start && last.code === code) blocks[blocks.length - 1] = { ...last, end };
    else blocks.push({ start, end, code });
  }
  return blocks;
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

/**
 * Pack ranges for `src/engine/tables/packed-ranges.ts`: how many, then the gaps before them, their lengths and their
 * labels, each in a separate column because similar bytes compress well; brotli; base64.
 */
export function packRanges(
  ranges: readonly LabelledRange[],
  labels: readonly string[],
  granularity: Granularity,
): { readonly packed: string; readonly count: number } {
  const blocks = toBlocks(ranges, labels, granularity);
  const [gaps, lengths]: [number[], number[]] = [[], []];
  let previousEnd = 0;
  for (const { start, end } of blocks) {
    pushVarint(gaps, start - previousEnd);
    pushVarint(lengths, end - start);
    previousEnd = end;
  }
  const head: number[] = [];
  pushVarint(head, blocks.length);
  const bytes = Buffer.from([...head, ...gaps, ...lengths, ...blocks.map(({ code }) => code)]);
  const options = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  };
  return { packed: brotliCompressSync(bytes, options).toString("base64"), count: blocks.length };
}
