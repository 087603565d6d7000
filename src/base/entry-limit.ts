/**
 * Options of an `LRUCache` with at most so many entries, which takes memory as they come. Its own `max` takes it for all of
 * them at once: 50,000 entries delay the first check by up to 50 ms.
 */
export function atMost(entries: number): {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
} {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
