import type { OrderRecord, Store } from "../../store/store.ts";
import type { OrderClaim, PipelineParts } from "../tasks.ts";

/** How long a claimed order belongs to its process without renewal. A dead process is noticed after this at the latest. */
export const ORDER_LEASE_MS = 60_000;

export interface ClaimedLease {
  readonly owner: string;
  /** `uptimeMs` just before the claim, so the lease ends here no later than in the store. */
  readonly sinceMs: number;
  /** Fires when work must stop for another reason. */
  readonly ended: AbortSignal;
}

interface LeaseRenewalOptions extends Pick<PipelineParts, "now" | "logger"> {
  readonly store: { readonly orders: Pick<Store["orders"], "renew"> };
  /** How long a claim lasts without renewal, in milliseconds. */
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

/** Renews the leases of claimed orders while they are worked on, and says when one was lost. */
export function createLeaseRenewal(options: LeaseRenewalOptions) {
  const { store, leaseMs, now, uptimeMs = () => performance.now(), logger } = options;
  const leased = new Map<OrderRecord, HeldLease>();
  let timer: NodeJS.Timeout | undefined;

  async function renewOne({ tenant, orderId }: OrderRecord, lease: HeldLease): Promise<void> {
    // If this process was frozen until its lease ran out, another may have claimed the order.
    if (endIfOver(lease)) return;
    const untilMs = uptimeMs() + leaseMs;
    try {
      if (await store.orders.renew({ tenant, orderId }, lease.owner, { nowMs: now(), leaseMs }))
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
    renew: renewAll,
    /** Work on a claimed order while its lease is renewed. */
    async during(
      order: OrderRecord,
      { owner, sinceMs, ended }: ClaimedLease,
      work: (claim: OrderClaim) => Promise<void>,
    ): Promise<void> {
      const lease = { owner, lost: new AbortController(), untilMs: sinceMs + leaseMs };
      const signal = AbortSignal.any([ended, lease.lost.signal]);
      const assertHeld = (): void => {
        endIfOver(lease);
        signal.throwIfAborted();
      };
      leased.set(order, lease);
      try {
        endIfOver(lease);
        await work({ owner, signal, assertHeld });
      } finally {
        leased.delete(order);
      }
    },
  };
}
