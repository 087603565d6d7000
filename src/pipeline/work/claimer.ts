import { isHoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { ClaimedDelivery, ClaimShares, OrderRecord, Store } from "../../store/store.ts";
import { isLook } from "../../store/orders/looks.ts";
import type { Claim, OrderClaim, PipelineParts } from "../tasks.ts";
import { createLeaseRenewal, type ClaimedLease } from "./lease-renewal.ts";

export interface ClaimerOptions extends Pick<PipelineParts, "store" | "owner" | "now" | "logger"> {
  /** Must leave the delivery finished or due again. */
  readonly handleDelivery: (delivery: ClaimedDelivery, claim: Claim) => Promise<void>;
  /** Must leave the order released, also when the claim's signal fires. */
  readonly handleOrder: (order: OrderRecord, claim: OrderClaim) => Promise<void>;
  /** The most undecided orders under way at once. Deliveries and looks at orders at rest have their own places. */
  readonly concurrency: number;
  /** How long a claim lasts without renewal, in milliseconds. */
  readonly leaseMs: number;
  /** A clock in milliseconds that can't be set. Default `performance.now`. */
  readonly uptimeMs?: (() => number) | undefined;
}

/** The most deliveries under way at once. A flood of them must not delay accepted orders. */
const DELIVERIES_AT_ONCE = 50;
/** The most that one claim takes. Decrypting and starting on all of it blocks other work. */
const CLAIMED_AT_ONCE = 10;
/**
 * Looks at orders at rest have this many places for each place of an undecided order. Undecided orders never wait for looks,
 * however many are due, and looks go on however many orders arrive.
 */
const LOOKS_PER_ORDER = 1 / 2;
/** The largest share of the places for one tenant's orders, so that a tenant with a slow platform leaves room for others. */
const TENANT_SHARE = 2 / 3;
/** Work that an outage of the store interrupted is due again this long after the outage, in milliseconds. */
const STRANDED_RETRY_MS = 1_000;

/** Claims due work and runs it in a limited number of places. Calls `onFree` when a place is free again. */
export function createClaimer(options: ClaimerOptions, onFree: () => void) {
  const { store, owner, concurrency, leaseMs, now, uptimeMs = () => performance.now(), logger } = options;
  const ending = createEnding(store);
  const deliveries = createWorkPlaces("a delivery", DELIVERIES_AT_ONCE, onFree, logger);
  const orders = createOrderPlaces("an order", concurrency, onFree, logger);
  const looksAtOnce = Math.ceil(concurrency * LOOKS_PER_ORDER);
  const looks = createOrderPlaces("a look at an order", looksAtOnce, onFree, logger);
  const renewal = createLeaseRenewal(options);
  const stranded = createStrandedWork();
  let claims = 0;

  function handleOrder(order: OrderRecord, lease: ClaimedLease): Promise<void> {
    const handle = (claim: OrderClaim) => options.handleOrder(order, claim);
    const giveBack = () =>
      store.orders.save(order, lease.owner, { changes: toDueAgain(now()), release: true });
    return stranded.during(() => renewal.during(order, lease, handle), giveBack);
  }

  function handleDelivery(delivery: ClaimedDelivery, holder: string, ended: AbortSignal): Promise<void> {
    const handle = () => options.handleDelivery(delivery, { owner: holder, signal: ended });
    const giveBack = () => store.deliveries.retry(delivery, holder, toDueAgain(now()).dueAtMs, null);
    return stranded.during(handle, giveBack);
  }

  return {
    /** Claim as much as there are places for. Resolves to whether anything was claimed. */
    async claim(): Promise<boolean> {
      claims += 1;
      const holder = `${owner}/${claims}`;
      const ended = ending.signal();
      const lease = { owner: holder, sinceMs: uptimeMs(), ended };
      const claimOptions = { owner: holder, leaseMs, nowMs: now() };
      const places = Math.min(deliveries.free(), CLAIMED_AT_ONCE);
      const dueDeliveries =
        places > 0 ? await store.deliveries.claim({ ...claimOptions, limit: places }) : [];
      for (const delivery of dueDeliveries) {
        deliveries.take(store.onBehalfOf(delivery.tenant, () => handleDelivery(delivery, holder, ended)));
      }
      await stranded.giveBack();
      const dueOrders = await store.orders.claim({ ...claimOptions, ...orders.room(), looks: looks.room() });
      for (const order of dueOrders) {
        const work = store.onBehalfOf(order.tenant, () => handleOrder(order, lease));
        (isLook(order) ? looks : orders).take(order.tenant, work);
      }
      return dueDeliveries.length + dueOrders.length > 0;
    },
    /** Whether deliveries or undecided orders have no free place, so that due work may have to wait until other work ends. */
    isFull: () => deliveries.free() === 0 || orders.free() === 0,
    /** Whether looks have no free place, or a tenant uses its whole share: what is due may be theirs, and then has to wait. */
    isShareFull: () => orders.isAnyShareFull() || looks.isAnyShareFull() || looks.free() === 0,
    /** Start to renew the leases of claimed work, and stop that work when the store says that they were lost. */
    start(): void {
      renewal.start();
      ending.start();
    },
    /** Renew them now: the clock moved forward so far that they may have run out. */
    renew: () => renewal.renew(),
    async settle(): Promise<void> {
      await Promise.all([deliveries, orders, looks].map((places) => places.settle()));
    },
    stopWork(): void {
      renewal.stop();
      ending.stop();
    },
  };
}

/** Ends claims: the current ones when their leases were lost, all of them when the worker stops. */
function createEnding(store: Pick<Store, "onLeasesLost">) {
  const stopping = new AbortController();
  let losing = new AbortController();
  let stopListening = (): void => {};

  return {
    /** Fires when work that is claimed from now on must stop. */
    signal: (): AbortSignal => AbortSignal.any([stopping.signal, losing.signal]),
    start(): void {
      stopListening = store.onLeasesLost(() => {
        losing.abort(new Error("the leases were lost"));
        losing = new AbortController();
      });
    },
    stop(): void {
      stopListening();
      stopping.abort(new Error("the worker is stopping"));
    },
  };
}

function toDueAgain(nowMs: number): { readonly dueAtMs: number } {
  return { dueAtMs: nowMs + STRANDED_RETRY_MS };
}

/**
 * Places for work of one kind, which `name` names in the log. Calls `onFree` when work has ended and its place is free.
 */
function createWorkPlaces(name: string, max: number, onFree: () => void, logger: Logger) {
  const taken = new Set<Promise<void>>();

  return {
    /** How much more work may begin now. */
    free: () => max - taken.size,
    /** Give running work a place until it ends. If it rejects, the error is logged. */
    take(work: Promise<void>): void {
      const task = work
        .catch((error: unknown) => logger.error({ err: error }, `work on ${name} failed; it stays due`))
        .finally(() => {
          taken.delete(task);
          onFree();
        });
      taken.add(task);
    },
    async settle(): Promise<void> {
      await Promise.allSettled(taken);
    },
  };
}

/** Places for orders, of which each tenant gets at most its share. */
function createOrderPlaces(name: string, max: number, onFree: () => void, logger: Logger) {
  const places = createWorkPlaces(name, max, onFree, logger);
  const shares = createTenantShares(Math.ceil(max * TENANT_SHARE));

  return {
    free: () => places.free(),
    settle: () => places.settle(),
    isAnyShareFull: () => shares.isAnyFull(),
    /** What a claim may take now. */
    room: () => ({ limit: Math.min(places.free(), CLAIMED_AT_ONCE), shares: shares.rest() }),
    take(tenant: TenantId, work: Promise<void>): void {
      shares.take(tenant);
      places.take(work.finally(() => shares.leave(tenant)));
    },
  };
}

/** Counts the places that each tenant's work uses: at most `max`, so that a slow or flooded tenant leaves room for others. */
function createTenantShares(max: number) {
  const taken = new Map<TenantId, number>();

  return {
    take: (tenant: TenantId) => void taken.set(tenant, (taken.get(tenant) ?? 0) + 1),
    leave(tenant: TenantId): void {
      const count = (taken.get(tenant) ?? 0) - 1;
      if (count > 0) taken.set(tenant, count);
      else taken.delete(tenant);
    },
    rest: (): ClaimShares => ({
      each: max,
      left: new Map(Array.from(taken, ([tenant, count]) => [tenant, max - count])),
    }),
    isAnyFull: () => [...taken.values()].some((count) => count >= max),
  };
}

/**
 * Remembers the leases of work that failed because the store was unavailable. Without this, the work would have to wait until
 * its leases run out.
 */
export function createStrandedWork() {
  const stranded = new Set<() => Promise<unknown>>();

  return {
    /** Do work under a lease. If it fails because the store is unavailable, `release` gives the lease back later. */
    async during(work: () => Promise<void>, release: () => Promise<unknown>): Promise<void> {
      try {
        await work();
      } catch (error) {
        if (isHoldfastError(error, "STORE_UNAVAILABLE") && error.retryable) stranded.add(release);
        throw error;
      }
    },
    /** Give back the remembered leases, now that the store answers. Those that fail again stay remembered. */
    async giveBack(): Promise<void> {
      for (const release of stranded) {
        await release();
        stranded.delete(release);
      }
    },
  };
}
