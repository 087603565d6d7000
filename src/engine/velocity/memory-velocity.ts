import { MOST_PER_KEY } from "../facts/velocity-counts.ts";
import {
  findFlooded,
  LINKS,
  LONGEST_WINDOW_MS,
  SIGHTING_KEPT_MS,
  toVelocityCounts,
  type Link,
  type LinkedSightings,
  type Sighting,
} from "./sightings.ts";
import { createMemoryTallies } from "./memory-tallies.ts";
import type { VelocityKeys } from "./keys.ts";
import type { VelocityStore } from "./velocity-store.ts";

/** A {@link VelocityStore} in the memory of one process. */
export interface MemoryVelocity extends Required<VelocityStore> {
  readonly size: number;
}

/** An order takes about a kilobyte, so these take about 25 MB. */
const MAX_ENTRIES = 20_000;
/** How many old orders are dropped per new one. More than one, so that their number falls. */
const FORGOTTEN_AT_ONCE = 8;

interface Entry extends Sighting, Pick<VelocityKeys, "mailbox" | "network"> {
  readonly tenant: string;
  /** Part of a flood, and dropped once enough others of it have arrived. */
  passing: boolean;
}

/** The orders with one key, oldest first, at most as many as are compared. Most keys have a single order. */
type Listed = Entry | Entry[];

/** One tenant's orders, and which of them share a key. */
interface Shop {
  readonly orders: Map<string, Entry>;
  readonly lists: Readonly<Record<Link, Map<string, Listed>>>;
}

/**
 * Create a {@link MemoryVelocity}. It only knows orders of its own process since its start.
 *
 * @param maxEntries - The most orders to keep; the oldest are dropped first.
 */
export function createMemoryVelocity(maxEntries = MAX_ENTRIES): MemoryVelocity {
  const kept = createEntries(maxEntries);
  const tallies = createMemoryTallies();
  const remember: MemoryVelocity["remember"] = async (tenant, orderKey, keys, atMs) => {
    const { mailbox, network, email, card, billingPostcode, address, kin, manner, shop } = keys;
    const shared = { mailbox, network, email, card, billingPostcode, address, kin, manner };
    const entry: Entry = { ...shared, tenant, orderKey, atMs, passing: false };
    const isNew = kept.put(entry);
    if (isNew && shop !== undefined) tallies.add(tenant, shop, atMs);
    const countForShop = shop === undefined ? () => undefined : tallies.capture(tenant, shop, atMs);
    const linked = kept.findLinked(entry);
    entry.passing = findFlooded(linked, atMs).length > 0;
    return () => {
      const ofShop = countForShop();
      return { ...toVelocityCounts(linked, keys, atMs), ...(ofShop && { shop: ofShop }) };
    };
  };
  return {
    get size() {
      return kept.size();
    },
    remember,
    record: async (...order) => (await remember(...order))(),
  };
}

/** The orders, and the lists of orders that share a key. */
function createEntries(maxEntries: number) {
  // In the order in which they were recorded.
  const entries = new Set<Entry>();
  const shops = new Map<string, Shop>();

  function open(tenant: string): Shop {
    const shop = shops.get(tenant) ?? createShop();
    shops.set(tenant, shop);
    return shop;
  }

  function forget(entry: Entry): void {
    entries.delete(entry);
    const shop = shops.get(entry.tenant);
    if (shop === undefined) return;
    shop.orders.delete(entry.orderKey);
    for (const link of LINKS) unlist(shop.lists[link], entry[link], entry);
    if (shop.orders.size === 0) shops.delete(entry.tenant);
  }

  function makeRoom(atMs: number): void {
    let looks = FORGOTTEN_AT_ONCE;
    for (const entry of entries) {
      const isOld = entry.atMs < atMs - SIGHTING_KEPT_MS && looks > 0;
      if (!isOld && entries.size <= maxEntries) return;
      forget(entry);
      looks -= 1;
    }
  }

  return {
    size: () => entries.size,
    /** Store an order in its place, and drop those that are too old or too many. True if it wasn't known. */
    put(entry: Entry): boolean {
      const former = shops.get(entry.tenant)?.orders.get(entry.orderKey);
      if (former !== undefined) forget(former);
      const { orders, lists } = open(entry.tenant);
      entries.add(entry);
      orders.set(entry.orderKey, entry);
      for (const link of LINKS) {
        const oldest = list(lists[link], entry[link], entry);
        if (oldest?.passing === true) forget(oldest);
      }
      makeRoom(entry.atMs);
      return former === undefined;
    },
    /** For each key of an order, the entries with that key that count for it now. */
    findLinked(own: Entry): LinkedSightings {
      const { atMs, tenant } = own;
      const find = (link: Link): readonly Sighting[] => {
        const listed = toList(shops.get(tenant)?.lists[link].get(own[link] ?? ""));
        return listed.filter((one) => one.atMs <= atMs && one.atMs > atMs - LONGEST_WINDOW_MS).toReversed();
      };
      return {
        mailbox: find("mailbox"),
        network: find("network"),
        card: find("card"),
        address: find("address"),
      };
    },
  };
}

function createShop(): Shop {
  return {
    orders: new Map(),
    lists: { mailbox: new Map(), network: new Map(), card: new Map(), address: new Map() },
  };
}

function toList(listed: Listed | undefined): readonly Entry[] {
  if (listed === undefined) return [];
  return Array.isArray(listed) ? listed : [listed];
}

/** Put an order among those with the same key. Returns the one that has no more room. */
function list(lists: Map<string, Listed>, key: string | undefined, entry: Entry): Entry | undefined {
  if (key === undefined) return undefined;
  const listed = lists.get(key);
  if (listed === undefined) {
    lists.set(key, entry);
    return undefined;
  }
  const others = Array.isArray(listed) ? listed : [listed];
  insert(others, entry);
  lists.set(key, others);
  return others.length > MOST_PER_KEY ? others.shift() : undefined;
}

function unlist(lists: Map<string, Listed>, key: string | undefined, entry: Entry): void {
  if (key === undefined) return;
  const others = toList(lists.get(key)).filter((other) => other !== entry);
  const [only] = others;
  if (only === undefined) lists.delete(key);
  else lists.set(key, others.length === 1 ? only : [...others]);
}

/** Orders nearly always arrive in the order of their time. */
function insert(list: Entry[], entry: Entry): void {
  let at = list.length;
  while (at > 0 && isLater(list[at - 1], entry)) at -= 1;
  list.splice(at, 0, entry);
}

function isLater(one: Entry | undefined, other: Entry): boolean {
  if (one === undefined) return false;
  return one.atMs > other.atMs || (one.atMs === other.atMs && one.orderKey > other.orderKey);
}
