import type { OrderRecord, Store } from "../../store/store.ts";
import type { PipelineParts } from "../tasks.ts";

/** How long a claimed order belongs to its process without renewal. A dead process is noticed after this at the latest. */
export const ORDER_LEASE_MS = 60_000;

/** A lease as it was claimed. */
export interface ClaimedLease {
  readonly owner: string;
  /** `uptimeMs` just before the claim, so the lease ends here no later than in the store. */
  readonly sinceMs: number;
}

/** Parts of {@link createLeaseRenewal}. */
interface LeaseRenewalOptions extends Pick<PipelineParts, "now" | "logger"> {
  readonly store: Pick<Store, "renewOrder">;
  readonly leaseMs: number;
  /** A clock in milliseconds that can't be set. Default `performance.now`. */
  readonly uptimeMs?: (() => number) | undefined;
}

interface HeldLease {
  readonly owner: string;
  readonly lost: AbortController;
  /** By `uptimeMs`. */
  untilMs: number;
}

/** Renews the leases of the orders that are being worked on. */
export function createLeaseRenewal(options: LeaseRenewalOptions) {
  const { store, leaseMs, now, uptimeMs = () => performance.now(), logger } = options;
  const leased = new Map<OrderRecord, HeldLease>();
  let timer: NodeJS.Timeout | undefined;

  async function renewOne({ tenant, orderId }: OrderRecord, lease: HeldLease): Promise<void> {
    // If this process was frozen until its lease ran out, another may have claimed the order.
    if (endIfOver(lease)) return;
    const untilMs = uptimeMs() + leaseMs;
    try {
      if (await store.renewOrder({ tenant, orderId }, lease.owner, { nowMs: now(), leaseMs }))
        lease.untilMs = untilMs;
      else lease.lost.abort(new Error("the lease was lost"));
    } catch (error) {
      logger.warn({ err: error }, "a lease couldn't be renewed");
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
    /** Renew them now, because the clock says that they run out soon or already have. */
    renew: renewAll,
    /** Work on a claimed order while its lease is renewed. The signal fires when the lease is lost. */
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
