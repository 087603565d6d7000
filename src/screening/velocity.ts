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
  /** How long an order waits for its counts, in milliseconds. It is recorded all the same. */
  readonly timeLimitMs: number;
}

/** An order that came in. */
export interface SeenOrder {
  readonly tenant: TenantId;
  readonly order: PartialVerificationRequest;
  /** When it counts as placed, milliseconds since the epoch. Default: its `orderTimestamp`, else now. */
  readonly placedAtMs?: number | undefined;
  /** The platform's or the storefront's. Default: the order goes by its fingerprint. */
  readonly orderId?: string | undefined;
  /** Of this state of the order: the same one seen again within minutes is not recorded again. */
  readonly fingerprint?: string | undefined;
  /** Names one check of an order without an id, each of which counts. Default: those of one content are one order. */
  readonly checkId?: string | undefined;
}

/** Remembers every order, for judging the next ones. */
export interface Velocity {
  /**
   * Record an order and tell what it shares with those before it. Never rejects: undefined when the store fails or
   * takes too long, or when nothing names the order.
   */
  note(seen: SeenOrder): Promise<VelocityCounts | undefined>;
  /** Resolves when what was noted is recorded, or the time limit has passed. */
  settle(): Promise<void>;
}

/** A checkout may ask several times about one order. */
const REMEMBERED_MS = 10 * 60_000;
const REMEMBERED_STATES = 5_000;

/** Create {@link Velocity} over a store. */
export function createVelocity(options: VelocityOptions): Velocity {
  const { store, keyring, logger, now, timeLimitMs } = options;
  const underWay = new Set<Promise<unknown>>();
  // What could not be counted is undefined, which is not kept.
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
      // Once for an outage, not once for each of its orders.
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
