import type { Logger } from "../logger.ts";
import type { OrderRecord, OrderStore } from "../store/store.ts";

/** Keeps the leases of orders under way from running out. */
export interface LeaseRenewal {
  start(): void;
  stop(): void;
  /** Renew them now, because the clock says that they are about to run out, or have. */
  renew(): Promise<void>;
  /** Work on a claimed order while its lease is renewed; the signal fires when it was lost. */
  during(order: OrderRecord, owner: string, work: (lost: AbortSignal) => Promise<void>): Promise<void>;
}

/** Parts of {@link createLeaseRenewal}. */
export interface LeaseRenewalOptions {
  readonly store: Pick<OrderStore, "renewOrder">;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly logger: Logger;
}

interface HeldLease {
  readonly owner: string;
  readonly lost: AbortController;
  untilMs: number;
}

/** Create a {@link LeaseRenewal}. */
export function createLeaseRenewal(options: LeaseRenewalOptions): LeaseRenewal {
  const { store, leaseMs, now, logger } = options;
  const leased = new Map<OrderRecord, HeldLease>();
  let timer: NodeJS.Timeout | undefined;

  async function renewOne({ tenant, orderId }: OrderRecord, lease: HeldLease): Promise<void> {
    const untilMs = now() + leaseMs;
    try {
      if (await store.renewOrder({ tenant, orderId }, lease.owner, untilMs)) lease.untilMs = untilMs;
      else lease.lost.abort(new Error("the lease was lost"));
    } catch (error) {
      logger.warn({ err: error }, "a lease could not be renewed");
      // Others may claim the order now.
      if (now() >= lease.untilMs) lease.lost.abort(new Error("the lease ran out"));
    }
  }

  async function renewAll(): Promise<void> {
    await Promise.all(Array.from(leased, ([order, lease]) => renewOne(order, lease)));
  }

  return {
    start() {
      timer ??= setInterval(() => void renewAll(), leaseMs / 3).unref();
    },
    stop: () => clearInterval(timer),
    renew: renewAll,
    async during(order, owner, work) {
      const lost = new AbortController();
      leased.set(order, { owner, lost, untilMs: now() + leaseMs });
      try {
        await work(lost.signal);
      } finally {
        leased.delete(order);
      }
    },
  };
}
