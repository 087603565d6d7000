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
import type { VelocityStore } from "./velocity-store.ts";

/** A {@link VelocityStore} in the memory of one process. */
export interface MemoryVelocity extends Required<VelocityStore> {
  readonly size: number;
}

/** An order takes about a kilobyte. */
const MAX_ENTRIES = 20_000;
/** How many old orders are dropped per new one. More than one, so that their number falls. */
const FORGOTTEN_AT_ONCE = 8;

interface Entry extends Sighting {
  readonly id: string;
  /** The names of its lists. */
  readonly listed: readonly string[];
  /** Part of a flood, and dropped once enough others of it have arrived. */
  passing: boolean;
}

/**
 * Create a {@link MemoryVelocity}. It only knows orders of its own process since its start.
 *
 * @param maxEntries - The most orders to keep; the oldest are dropped first.
 */
export function createMemoryVelocity(maxEntries = MAX_ENTRIES): MemoryVelocity {
  const kept = createEntries(maxEntries);
  const remember: MemoryVelocity["remember"] = async (tenant, orderKey, keys, atMs) => {
    const names = nameLists(tenant, keys);
    const { email, card, billingPostcode, address, kin, manner } = keys;
    const id = `${tenant}\0${orderKey}`;
    const listed = Object.values(names);
    const remembered = { email, card, billingPostcode, address, kin, manner };
    const entry: Entry = { ...remembered, id, orderKey, atMs, listed, passing: false };
    kept.put(entry);
    const linked = kept.findLinked(names, atMs);
    entry.passing = findFlooded(linked, atMs).length > 0;
    return () => toVelocityCounts(linked, keys, atMs);
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
  const entries = new Map<string, Entry>();
  // Oldest first, at most as many as are compared.
  const lists = new Map<string, Entry[]>();

  function list(name: string, entry: Entry): void {
    const others = lists.get(name);
    if (others === undefined) {
      lists.set(name, [entry]);
      return;
    }
    insert(others, entry);
    const oldest = others.length > MOST_PER_KEY ? others.shift() : undefined;
    if (oldest?.passing === true) forget(oldest);
  }

  function forget(entry: Entry): void {
    entries.delete(entry.id);
    for (const name of entry.listed) {
      const others = lists.get(name);
      const at = others?.indexOf(entry) ?? -1;
      if (at >= 0) others?.splice(at, 1);
      if (others?.length === 0) lists.delete(name);
    }
  }

  function makeRoom(atMs: number): void {
    let looks = FORGOTTEN_AT_ONCE;
    for (const entry of entries.values()) {
      const isOld = entry.atMs < atMs - SIGHTING_KEPT_MS && looks > 0;
      if (!isOld && entries.size <= maxEntries) return;
      forget(entry);
      looks -= 1;
    }
  }

  return {
    size: () => entries.size,
    /** Store an order in its place, and drop those that are too old or too many. */
    put(entry: Entry): void {
      const former = entries.get(entry.id);
      if (former !== undefined) forget(former);
      entries.set(entry.id, entry);
      for (const name of entry.listed) list(name, entry);
      makeRoom(entry.atMs);
    },
    /** The entries that the lists with these names have now and that count for an order placed at `atMs`. */
    findLinked(names: Readonly<Partial<Record<Link, string>>>, atMs: number): LinkedSightings {
      const find = (link: Link): readonly Sighting[] => {
        const listed = lists.get(names[link] ?? "") ?? [];
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

function nameLists(
  tenant: string,
  keys: Readonly<Record<Link, string | undefined>>,
): Readonly<Partial<Record<Link, string>>> {
  const named = LINKS.flatMap((link) => {
    const key = keys[link];
    return key === undefined ? [] : [[link, `${tenant}\0${link}\0${key}`] as const];
  });
  return Object.fromEntries(named);
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
