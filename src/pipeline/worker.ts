import type { Logger } from "../logger.ts";
import { withinDeadline } from "../screening/flight.ts";
import type { ClaimedDelivery, OrderKey, OrderRecord, Store } from "../store/store.ts";

/** Claims due work and has it done, several pieces at once. */
export interface Worker {
  start(): void;
  /** Something may be due now. */
  wake(): void;
  /** Claim nothing more, give what is under way `graceMs` to finish, then ask it to let go. */
  stop(graceMs: number): Promise<void>;
}

/** Parts of {@link createWorker}. */
export interface WorkerOptions {
  readonly store: Store;
  /** Must leave the delivery finished or due again. */
  readonly handleDelivery: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<void>;
  /** Must leave the order released, also when `signal` fires. */
  readonly handleOrder: (order: OrderRecord, signal: AbortSignal) => Promise<void>;
  /** Unique per process. */
  readonly owner: string;
  /** Pieces of work under way at once. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Work made by others (another process, a due time moved) is seen within this. */
const LONGEST_SLEEP_MS = 1_000;
/** After a failure of the store, before asking it again. */
const STORE_RETRY_MS = 500;
/** For work that was asked to stop, to write that it is due again. */
const LET_GO_MS = 5_000;

/** Create a {@link Worker}. */
export function createWorker(options: WorkerOptions): Worker {
  const { store, owner, concurrency, leaseMs, now, logger } = options;
  const stopping = new AbortController();
  const active = new Set<Promise<void>>();
  const leased = new Map<OrderRecord, AbortController>();
  let running: Promise<void> | undefined;
  let stopped = false;
  let woken = false;
  let wakeUp: () => void = () => {};

  function wake(): void {
    woken = true;
    wakeUp();
  }

  function run(work: Promise<void>, what: string): void {
    const task = work
      .catch((error: unknown) => logger.error({ err: error }, `${what} failed and stays due`))
      .finally(() => {
        active.delete(task);
        wake();
      });
    active.add(task);
  }

  async function runOrder(order: OrderRecord): Promise<void> {
    const lost = new AbortController();
    leased.set(order, lost);
    try {
      await options.handleOrder(order, AbortSignal.any([stopping.signal, lost.signal]));
    } finally {
      leased.delete(order);
    }
  }

  /** Claim what there is room for; whether anything was claimed. */
  async function claim(): Promise<boolean> {
    const claimOptions = { owner, leaseMs, nowMs: now() };
    const deliveries = await store.claimDeliveries({ ...claimOptions, limit: concurrency - active.size });
    for (const delivery of deliveries) run(options.handleDelivery(delivery, stopping.signal), "a delivery");
    const room = concurrency - active.size;
    const orders = room > 0 ? await store.claimOrders({ ...claimOptions, limit: room }) : [];
    for (const order of orders) run(runOrder(order), "an order");
    return deliveries.length + orders.length > 0;
  }

  async function sleep(ms: number): Promise<void> {
    if (woken || stopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    wakeUp = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }

  async function untilDueMs(): Promise<number> {
    const dueAtMs = await store.nextDueAtMs();
    return dueAtMs === null ? LONGEST_SLEEP_MS : Math.min(Math.max(dueAtMs - now(), 1), LONGEST_SLEEP_MS);
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      woken = false;
      try {
        const full = active.size >= concurrency;
        if (full || !(await claim())) await sleep(full ? LONGEST_SLEEP_MS : await untilDueMs());
      } catch (error) {
        logger.error({ err: error, alert: "store_unavailable" }, "work could not be claimed");
        woken = false;
        await sleep(STORE_RETRY_MS);
      }
    }
  }

  async function renewLeases(): Promise<void> {
    for (const [order, lost] of leased) {
      const key: OrderKey = { tenant: order.tenant, orderId: order.orderId };
      try {
        if (!(await store.renewOrder(key, owner, now() + leaseMs)))
          lost.abort(new Error("the lease was lost"));
      } catch (error) {
        logger.warn({ err: error }, "a lease could not be renewed");
      }
    }
  }

  return {
    start() {
      running ??= loop();
      const renewal = setInterval(() => void renewLeases(), leaseMs / 3).unref();
      stopping.signal.addEventListener("abort", () => clearInterval(renewal), { once: true });
    },
    wake,
    async stop(graceMs) {
      stopped = true;
      wake();
      await running;
      const finished = Promise.allSettled(active);
      await withinDeadline(finished, graceMs);
      stopping.abort(new Error("the worker is stopping"));
      // What does not even let go is taken over when its lease runs out.
      await withinDeadline(finished, LET_GO_MS);
    },
  };
}
