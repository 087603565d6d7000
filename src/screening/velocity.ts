import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import type { CountOrders, VelocityCounts, VelocityStore } from "../engine/velocity/velocity-store.ts";
import { toVelocityKeys, toContentKey, toOrderKey, type TenantDigest } from "../engine/velocity/keys.ts";
import { withoutStrangers } from "../engine/velocity/sightings.ts";
import type { Logger } from "../base/logger.ts";
import type { PartialVerificationRequest } from "../order/request.ts";
import type { TenantId } from "../platform/platform.ts";
import type { Keyring } from "../store/sealing/keyring.ts";
import { createBackground, withinDeadline } from "../base/waiting.ts";
import { toPlacedAtMs } from "./burst.ts";

export interface VelocityOptions {
  readonly store: VelocityStore;
  readonly keyring: Pick<Keyring, "digest">;
  readonly logger: Logger;
  readonly now: () => number;
  /** How long an order waits for its counts, in milliseconds. It is recorded anyway. */
  readonly timeLimitMs: number;
}

export interface SeenOrder {
  readonly tenant: TenantId;
  readonly order: PartialVerificationRequest;
  /** The first digits of the card's number, if the platform says them. */
  readonly bin?: string | undefined;
  /** When it counts as placed, milliseconds since the epoch. Default: its `orderTimestamp`, else now. */
  readonly placedAtMs?: number | undefined;
  /** The platform's or the storefront's id. Default: the order is identified by its fingerprint. */
  readonly orderId?: string | undefined;
  /** Identifies this state of the order. If it is seen again within minutes, it isn't recorded again. */
  readonly fingerprint?: string | undefined;
}

/** What one order shares with earlier ones. */
export interface OrderCounts {
  /** Record the order, once, however often this is called. */
  begin(): void;
  /** Record it, and wait this many milliseconds for the counts. Default: as long as the store may take. */
  within(waitMs?: number): Promise<VelocityCounts | undefined>;
}

/** Remembers every order, to judge later ones. */
export type Velocity = ReturnType<typeof createVelocity>;

/** A checkout may check the same order several times. */
const REMEMBERED_MS = 10 * 60_000;
const REMEMBERED_STATES = 5_000;

export function createVelocity(options: VelocityOptions) {
  const { store, keyring, logger, now, timeLimitMs } = options;
  const underWay = createBackground();
  // Failed counts are undefined, which isn't cached.
  const lately = new LRUCache<
    string,
    VelocityCounts,
    { readonly orderKey: string; readonly seen: SeenOrder }
  >({
    ...atMost(REMEMBERED_STATES),
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf: { now },
    ignoreFetchAbort: true,
    fetchMethod: async (_state, _former, { context: { orderKey, seen } }) =>
      (await remember(orderKey, seen))?.(),
  });
  let isFailing = false;

  async function remember(orderKey: string, { tenant, order, bin, placedAtMs }: SeenOrder) {
    try {
      const atMs = placedAtMs ?? toPlacedAtMs(order, now());
      const keys = toVelocityKeys(order, toDigest(keyring, tenant), bin);
      const count = await (store.remember === undefined
        ? store.record(tenant, orderKey, keys, atMs).then((counts) => () => counts)
        : store.remember(tenant, orderKey, keys, atMs));
      isFailing = false;
      return () => withoutStrangers(count(), order.ipAddress);
    } catch (error) {
      // Log once for an outage, not for each order.
      if (!isFailing)
        logger.warn({ err: error }, "other orders can't be counted, so orders are checked without velocity");
      isFailing = true;
      return undefined;
    }
  }

  /** Undefined if it couldn't be recorded in time. It is still recorded. */
  const inTime = <T>(recorded: Promise<T>): Promise<T | undefined> =>
    withinDeadline(underWay.add(recorded), timeLimitMs);

  /**
   * Record an order and say what it shares with earlier orders. Never rejects: resolves to undefined if the store fails or takes
   * too long, or if nothing identifies the order.
   */
  async function note(seen: SeenOrder): Promise<VelocityCounts | undefined> {
    const orderKey = nameOrder(seen);
    if (orderKey === undefined) return undefined;
    const { tenant, fingerprint } = seen;
    if (fingerprint === undefined) return (await inTime(remember(orderKey, seen)))?.();
    return inTime(lately.fetch(`${tenant}\0${fingerprint}`, { context: { orderKey, seen } }));
  }

  return {
    note,
    /** The counts of one check, computed on request: an answer of the service doesn't need them. */
    ofCheck(seen: SeenOrder & { readonly fingerprint: string }): OrderCounts {
      const { orderId } = seen.order;
      const counts = recordOnce(async () => {
        if (orderId === undefined)
          return inTime(remember(toContentKey(seen.fingerprint, randomUUID()), seen));
        const noted = await note({ ...seen, orderId });
        return noted && (() => noted);
      });
      // Without an id, a repeat counts as another order, even if its answer is stored.
      if (orderId === undefined) counts.begin();
      return counts;
    },
    /** Resolves when everything is recorded, or the time limit has passed. */
    async settle() {
      await withinDeadline(underWay.settle(), timeLimitMs);
    },
  };
}

/** Make the keys of an order that isn't recorded. */
export function rehearseVelocity(keyring: VelocityOptions["keyring"], { tenant, order }: SeenOrder): void {
  toVelocityKeys(order, toDigest(keyring, tenant));
}

function toDigest(keyring: VelocityOptions["keyring"], tenant: TenantId): TenantDigest {
  return (purpose, text) => keyring.digest(tenant, purpose, text);
}

function recordOnce(record: () => Promise<CountOrders | undefined>): OrderCounts {
  let recorded: Promise<CountOrders | undefined> | undefined;
  const begin = () => (recorded ??= record());
  const count = async () => (await begin())?.();
  return { begin: () => void begin(), within: async (waitMs) => withinDeadline(count(), waitMs) };
}

function nameOrder({ orderId, fingerprint }: SeenOrder): string | undefined {
  if (orderId !== undefined) return toOrderKey(orderId);
  return fingerprint === undefined ? undefined : toContentKey(fingerprint);
}
