import type { Logger } from "../logger.ts";
import type { OrderRecord, OrderStore } from "../store/store.ts";

/** Keeps the leases of orders under way from running out. */
export interface LeaseRenewal {
  start(): void;
  stop(): void;
  /** Work on a claimed order while its lease is renewed; the signal fires when it was lost. */
  during(order: OrderRecord, work: (lost: AbortSignal) => Promise<void>): Promise<void>;
}

/** Parts of {@link createLeaseRenewal}. */
export interface LeaseRenewalOptions {
  readonly store: Pick<OrderStore, "renewOrder">;
  readonly owner: string;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly logger: Logger;
}

interface HeldLease {
  readonly lost: AbortController;
  untilMs: number;
}

/** Create a {@link LeaseRenewal}. */
export function createLeaseRenewal(options: LeaseRenewalOptions): LeaseRenewal {
  const { store, owner, leaseMs, now, logger } = options;
  const leased = new Map<OrderRecord, HeldLease>();
  let timer: NodeJS.Timeout | undefined;

  async function renewAll(): Promise<void> {
    for (const [{ tenant, orderId }, lease] of leased) {
      const untilMs = now() + leaseMs;
      try {
        if (await store.renewOrder({ tenant, orderId }, owner, untilMs)) lease.untilMs = untilMs;
        else lease.lost.abort(new Error("the lease was lost"));
      } catch (error) {
        logger.warn({ err: error }, "a lease could not be renewed");
        // Others, this process included, may claim the order now; the store does not tell two claims of one process apart.
        if (now() >= lease.untilMs) lease.lost.abort(new Error("the lease ran out"));
      }
    }
  }

  return {
    start() {
      timer ??= setInterval(() => void renewAll(), leaseMs / 3).unref();
    },
    stop: () => clearInterval(timer),
    async during(order, work) {
      const lost = new AbortController();
      leased.set(order, { lost, untilMs: now() + leaseMs });
      try {
        await work(lost.signal);
      } finally {
        leased.delete(order);
      }
    },
  };
}
