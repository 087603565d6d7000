import type { Logger } from "../../base/logger.ts";
import type { OrderRecord, OrderStore } from "../../store/store.ts";

/** A lease as it was claimed. */
export interface ClaimedLease {
  readonly owner: string;
  /** By `uptimeMs`, before it was asked for: so it ends here no later than in the store. */
  readonly sinceMs: number;
}

/** Parts of {@link createLeaseRenewal}. */
export interface LeaseRenewalOptions {
  readonly store: Pick<OrderStore, "renewOrder">;
  readonly leaseMs: number;
  readonly now: () => number;
  /** Milliseconds that no setting of the clock changes. Default `performance.now`. */
  readonly uptimeMs?: (() => number) | undefined;
  readonly logger: Logger;
}

interface HeldLease {
  readonly owner: string;
  readonly lost: AbortController;
  /** By `uptimeMs`. */
  untilMs: number;
}

/** Keeps the leases of orders under way from running out. */
export function createLeaseRenewal(options: LeaseRenewalOptions) {
  const { store, leaseMs, now, uptimeMs = () => performance.now(), logger } = options;
  const leased = new Map<OrderRecord, HeldLease>();
  let timer: NodeJS.Timeout | undefined;

  async function renewOne({ tenant, orderId }: OrderRecord, lease: HeldLease): Promise<void> {
    // Nothing more is done under a lease that this process slept through: others may have claimed the order.
    if (endIfOver(lease)) return;
    const untilMs = uptimeMs() + leaseMs;
    try {
      if (await store.renewOrder({ tenant, orderId }, lease.owner, { nowMs: now(), leaseMs }))
        lease.untilMs = untilMs;
      else lease.lost.abort(new Error("the lease was lost"));
    } catch (error) {
      logger.warn({ err: error }, "a lease could not be renewed");
      endIfOver(lease);
    }
  }

  function endIfOver(lease: HeldLease): boolean {
    if (uptimeMs() < lease.untilMs) return false;
    lease.lost.abort(new Error("the lease ran out"));
    return true;
  }

  async function renewAll(): Promise<void> {
    await Promise.all(Array.from(leased, ([order, lease]) => renewOne(order, lease)));
  }

  return {
    start(): void {
      timer ??= setInterval(() => void renewAll(), leaseMs / 3).unref();
    },
    stop: () => clearInterval(timer),
    /** Renew them now, because the clock says that they are about to run out, or have. */
    renew: renewAll,
    /** Work on a claimed order while its lease is renewed; the signal fires when it was lost. */
    async during(
      order: OrderRecord,
      { owner, sinceMs }: ClaimedLease,
      work: (lost: AbortSignal) => Promise<void>,
    ): Promise<void> {
      const lease = { owner, lost: new AbortController(), untilMs: sinceMs + leaseMs };
      leased.set(order, lease);
      try {
        endIfOver(lease);
        await work(lease.lost.signal);
      } finally {
        leased.delete(order);
      }
    },
  };
}
