/**
 * Options of an `LRUCache` with a maximum number of entries that allocates memory as entries are added. The cache's own
 * `max` allocates it for all of them at once: 50,000 entries delay the first check by up to 50 ms.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
