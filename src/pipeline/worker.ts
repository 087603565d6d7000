import type { Logger } from "../logger.ts";
import { withinDeadline } from "../screening/flight.ts";
import type { ClaimedDelivery, OrderRecord, Store } from "../store/store.ts";
import { createLeaseRenewal } from "./lease-renewal.ts";
import { createWakeUp } from "./wake-up.ts";
import { createWorkPlaces } from "./work-places.ts";

/** Claims due work and has it done, several pieces at once. */
export interface Worker {
  start(): void;
  /** Something may be due now. */
  wake(): void;
  /** Claim nothing more, give what is under way `graceMs` to finish, then ask it to let go. */
  stop(graceMs: number): Promise<void>;
}

/** Under what somebody works on something claimed. */
export interface Claim {
  /** Holder of the lease, another for each claim: a process that claims again what it lost is fenced from itself. */
  readonly owner: string;
  /** Fires when the work has to be let go. */
  readonly signal: AbortSignal;
}

/** Parts of {@link createWorker}. */
export interface WorkerOptions {
  readonly store: Store;
  /** Must leave the delivery finished or due again. */
  readonly handleDelivery: (delivery: ClaimedDelivery, claim: Claim) => Promise<void>;
  /** Must leave the order released, also when the claim's signal fires. */
  readonly handleOrder: (order: OrderRecord, claim: Claim) => Promise<void>;
  /** Unique per process. */
  readonly owner: string;
  /** Orders under way at once. Deliveries have places of their own. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Work made by others (another process, a due time moved) is seen within this. */
const LONGEST_SLEEP_MS = 1_000;
/** Deliveries under way at once: a flood of them, each of which is short, must not keep accepted orders waiting. */
const DELIVERIES_AT_ONCE = 50;
/** After a failure of the store, before asking it again. */
const STORE_RETRY_MS = 500;
/** For work that was asked to stop, to write that it is due again. */
const LET_GO_MS = 5_000;

/** Create a {@link Worker}. */
export function createWorker(options: WorkerOptions): Worker {
  const { store, owner, concurrency, leaseMs, now, logger } = options;
  // Stopping has two steps: nothing more is claimed, then what is under way lets go.
  const closing = new AbortController();
  const lettingGo = new AbortController();
  const wakeUp = createWakeUp();
  const onFree = () => wakeUp.wake();
  const deliveries = createWorkPlaces({ name: "a delivery", max: DELIVERIES_AT_ONCE, onFree, logger });
  const orders = createWorkPlaces({ name: "an order", max: concurrency, onFree, logger });
  const renewal = createLeaseRenewal(options);
  let running: Promise<void> | undefined;

  let claims = 0;

  function handleOrder(order: OrderRecord, holder: string): Promise<void> {
    return renewal.during(order, holder, (lost) =>
      options.handleOrder(order, { owner: holder, signal: AbortSignal.any([lettingGo.signal, lost]) }),
    );
  }

  /** Claim what there is room for; whether anything was claimed. */
  async function claim(): Promise<boolean> {
    claims += 1;
    const holder = `${owner}/${claims}`;
    const claimOptions = { owner: holder, leaseMs, nowMs: now() };
    const places = deliveries.free();
    const dueDeliveries = places > 0 ? await store.claimDeliveries({ ...claimOptions, limit: places }) : [];
    for (const delivery of dueDeliveries) {
      deliveries.take(options.handleDelivery(delivery, { owner: holder, signal: lettingGo.signal }));
    }
    const room = orders.free();
    const dueOrders = room > 0 ? await store.claimOrders({ ...claimOptions, limit: room }) : [];
    for (const order of dueOrders) orders.take(handleOrder(order, holder));
    return dueDeliveries.length + dueOrders.length > 0;
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      wakeUp.reset();
      try {
        if (await claim()) continue;
        // What is due and has no place is claimed as soon as work ends, which wakes this loop.
        const full = deliveries.free() === 0 || orders.free() === 0;
        await wakeUp.sleep(full ? LONGEST_SLEEP_MS : await untilDueMs(store, now));
      } catch (error) {
        logger.error({ err: error, alert: "store_unavailable" }, "work could not be claimed");
        wakeUp.reset();
        if (!closing.signal.aborted) await wakeUp.sleep(STORE_RETRY_MS);
      }
    }
  }

  return {
    start() {
      running ??= loop();
      renewal.start();
    },
    wake: () => wakeUp.wake(),
    async stop(graceMs) {
      closing.abort();
      wakeUp.wake();
      await running;
      const finished = Promise.all([deliveries.settle(), orders.settle()]);
      await withinDeadline(finished, graceMs);
      renewal.stop();
      lettingGo.abort(new Error("the worker is stopping"));
      // What does not even let go is taken over when its lease runs out.
      await withinDeadline(finished, LET_GO_MS);
    },
  };
}

/** How long to sleep until something is due, in milliseconds. */
async function untilDueMs(store: Pick<Store, "nextDueAtMs">, now: () => number): Promise<number> {
  const dueAtMs = await store.nextDueAtMs();
  return dueAtMs === null ? LONGEST_SLEEP_MS : Math.min(Math.max(dueAtMs - now(), 1), LONGEST_SLEEP_MS);
}
