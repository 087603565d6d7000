import type { ShopCounts } from "../facts/shop-counts.ts";
import type { ShopKeys } from "./shop-keys.ts";
import {
  listTallies,
  listTallyWindows,
  listTraits,
  toShopCounts,
  type ShopTally,
  type TallySum,
} from "./shop-tallies.ts";

/** A shop's articles, issuers and networks of five weeks; the ones not seen for the longest time are dropped first. */
const MOST_LISTS = 20_000;

/** Old counters of a list are dropped when it reaches another multiple of this size: looking at all for each order takes longer. */
const CLEARED_EVERY = 32;

/** The counters of shops in the memory of one process. */
export function createMemoryTallies(mostLists = MOST_LISTS) {
  // Least recently counted first.
  const lists = new Map<string, Map<string, ShopTally>>();
  const nameList = (tenant: string, { trait, item }: Pick<ShopTally, "trait" | "item">): string =>
    `${tenant}\0${trait}\0${item}`;

  function open(name: string): Map<string, ShopTally> {
    const list = lists.get(name) ?? new Map<string, ShopTally>();
    lists.delete(name);
    lists.set(name, list);
    for (const oldest of lists.keys()) {
      if (lists.size <= mostLists) break;
      lists.delete(oldest);
    }
    return list;
  }

  return {
    /** Count an order. */
    add(tenant: string, keys: ShopKeys, atMs: number): void {
      for (const tally of listTallies(keys, atMs)) {
        const list = open(nameList(tenant, tally));
        const slot = `${tally.span}${tally.atMs}:${tally.step}`;
        const former = list.get(slot);
        if (former === undefined && list.size % CLEARED_EVERY === 0) forgetOld(list, atMs);
        const { newcomers = 0, known = 0 } = former ?? {};
        list.set(slot, {
          ...tally,
          newcomers: newcomers + tally.newcomers,
          known: known + tally.known,
        });
      }
    },
    /** What the shop's orders are like for an order placed at `atMs`: as of now, but computed on request. */
    capture(tenant: string, keys: ShopKeys, atMs: number): () => ShopCounts | undefined {
      const [hours, weeks] = listTallyWindows(atMs);
      const sums: TallySum[] = [];
      for (const trait of listTraits(keys)) {
        // Counters are replaced when they change, so these stay as they are.
        for (const tally of lists.get(nameList(tenant, trait))?.values() ?? []) {
          const window = tally.span === "hour" ? hours : weeks;
          if (tally.atMs >= window.fromMs && tally.atMs <= window.toMs) sums.push(tally);
        }
      }
      return () => toShopCounts(sums, keys, atMs);
    },
  };
}

function forgetOld(list: Map<string, ShopTally>, atMs: number): void {
  for (const [slot, { untilMs }] of list) if (untilMs < atMs) list.delete(slot);
}
