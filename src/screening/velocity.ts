import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import type { VelocityCounts, VelocityStore } from "../engine/velocity/velocity-store.ts";
import { toVelocityKeys, toContentKey, toOrderKey } from "../engine/velocity/keys.ts";
import { withoutStrangers } from "../engine/velocity/sightings.ts";
import type { Logger } from "../base/logger.ts";
import type { PartialVerificationRequest } from "../order/request.ts";
import type { TenantId } from "../platform/platform.ts";
import type { Keyring } from "../store/sealing/keyring.ts";
import { withinDeadline } from "../base/waiting.ts";
import { toPlacedAtMs } from "./burst.ts";

/** Parts of {@link createVelocity}. */
export interface VelocityOptions {
  readonly store: VelocityStore;
  readonly keyring: Pick<Keyring, "digest">;
  readonly logger: Logger;
  readonly now: () => number;
  /** How long an order waits for its counts, in milliseconds. It is recorded anyway. */
  readonly timeLimitMs: number;
}

/** An order that came in. */
export interface SeenOrder {
  readonly tenant: TenantId;
  readonly order: PartialVerificationRequest;
  /** When it counts as placed, milliseconds since the epoch. Default: its `orderTimestamp`, else now. */
  readonly placedAtMs?: number | undefined;
  /** The platform's or the storefront's id. Default: the order is identified by its fingerprint. */
  readonly orderId?: string | undefined;
  /** Identifies this state of the order. If it is seen again within minutes, it isn't recorded again. */
  readonly fingerprint?: string | undefined;
  /** Identifies one check of an order without an id, where each check counts. Default: the same content is one order. */
  readonly checkId?: string | undefined;
}

/** Remembers every order, to judge later ones. */
export interface Velocity {
  /**
   * Record an order and say what it shares with earlier orders. Never rejects: resolves to undefined if the store fails or takes
   * too long, or if nothing identifies the order.
   */
  note(seen: SeenOrder): Promise<VelocityCounts | undefined>;
  /** Resolves when everything is recorded, or the time limit has passed. */
  settle(): Promise<void>;
}

/** A checkout may check the same order several times. */
const REMEMBERED_MS = 10 * 60_000;
const REMEMBERED_STATES = 5_000;

/** Create {@link Velocity} over a store. */
export function createVelocity(options: VelocityOptions): Velocity {
  const { store, keyring, logger, now, timeLimitMs } = options;
  const underWay = new Set<Promise<unknown>>();
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
    fetchMethod: (_state, _former, { context: { orderKey, seen } }) => record(orderKey, seen),
  });
  let isFailing = false;

  async function record(
    orderKey: string,
    { tenant, order, placedAtMs }: SeenOrder,
  ): Promise<VelocityCounts | undefined> {
    try {
      const atMs = placedAtMs ?? toPlacedAtMs(order, now());
      const keys = toVelocityKeys(order, (purpose, text) => keyring.digest(tenant, purpose, text));
      const counts = await store.record(tenant, orderKey, keys, atMs);
      isFailing = false;
      return withoutStrangers(counts, order.ipAddress);
    } catch (error) {
      // Log once for an outage, not for each order.
      if (!isFailing)
        logger.warn({ err: error }, "other orders can't be counted, so orders are checked without velocity");
      isFailing = true;
      return undefined;
    }
  }

  function recordOnce(orderKey: string, seen: SeenOrder): Promise<VelocityCounts | undefined> {
    const { tenant, fingerprint, checkId } = seen;
    const isOnce = fingerprint === undefined || checkId !== undefined;
    const recorded = isOnce
      ? record(orderKey, seen)
      : lately.fetch(`${tenant}\0${fingerprint}`, { context: { orderKey, seen } });
    underWay.add(recorded);
    void recorded.finally(() => underWay.delete(recorded));
    return recorded;
  }

  return {
    async note(seen) {
      const orderKey = nameOrder(seen);
      return orderKey === undefined ? undefined : withinDeadline(recordOnce(orderKey, seen), timeLimitMs);
    },
    async settle() {
      await withinDeadline(Promise.all(underWay), timeLimitMs);
    },
  };
}

function nameOrder({ orderId, fingerprint, checkId }: SeenOrder): string | undefined {
  if (orderId !== undefined) return toOrderKey(orderId);
  return fingerprint === undefined ? undefined : toContentKey(fingerprint, checkId);
}
