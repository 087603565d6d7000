/**
 * Options of an `LRUCache` with at most so many entries, which grows with them: its own `max` makes room for all of them at once, and
 * 50,000 take as long as the first check of an order may.
 */
export function atMost(entries: number): {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
} {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
