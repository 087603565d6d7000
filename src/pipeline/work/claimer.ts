import { isHoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { ClaimedDelivery, ClaimShares, OrderRecord, Store } from "../../store/store.ts";
import type { PipelineParts } from "../tasks.ts";
import { createLeaseRenewal, type ClaimedLease } from "./lease-renewal.ts";

/** Under what somebody works on something claimed. */
export interface Claim {
  /** Holder of the lease, another for each claim: a process that claims again what it lost is fenced from itself. */
  readonly owner: string;
  /** Fires when the work has to be let go. */
  readonly signal: AbortSignal;
}

/** Parts of {@link createClaimer}. */
export interface ClaimerOptions extends Pick<PipelineParts, "store" | "owner" | "now" | "logger"> {
  /** Must leave the delivery finished or due again. */
  readonly handleDelivery: (delivery: ClaimedDelivery, claim: Claim) => Promise<void>;
  /** Must leave the order released, also when the claim's signal fires. */
  readonly handleOrder: (order: OrderRecord, claim: Claim) => Promise<void>;
  /** Orders under way at once. Deliveries have places of their own. */
  readonly concurrency: number;
  /** How long a claim lasts without renewal, in milliseconds. */
  readonly leaseMs: number;
  /** Milliseconds that no setting of the clock changes. Default `performance.now`. */
  readonly uptimeMs?: (() => number) | undefined;
}

/** Deliveries under way at once: a flood of them, each of which is short, must not keep accepted orders waiting. */
const DELIVERIES_AT_ONCE = 50;
/** The most that one claim takes: opening what is sealed and beginning to work on it is done before others get a turn. */
const CLAIMED_AT_ONCE = 10;
/** The most of the places that one tenant's orders get: one with a slow platform leaves room for the others. */
const TENANT_SHARE = 2 / 3;
/** What an outage of the store ended in the middle is taken up again this long after it, in milliseconds. */
const STRANDED_RETRY_MS = 1_000;

/** Claims what is due and gives it a place to be worked on; `onFree` is called when a place is free again. */
export function createClaimer(options: ClaimerOptions, onFree: () => void) {
  const { store, owner, concurrency, leaseMs, now, uptimeMs = () => performance.now(), logger } = options;
  const ending = createEnding(store);
  const deliveries = createWorkPlaces("a delivery", DELIVERIES_AT_ONCE, onFree, logger);
  const orders = createWorkPlaces("an order", concurrency, onFree, logger);
  const shares = createTenantShares(Math.ceil(concurrency * TENANT_SHARE));
  const renewal = createLeaseRenewal(options);
  const stranded = createStrandedWork();
  let claims = 0;

  function handleOrder(order: OrderRecord, lease: ClaimedLease, ended: AbortSignal): Promise<void> {
    const { owner: holder } = lease;
    shares.take(order.tenant);
    const handle = (lost: AbortSignal): Promise<void> =>
      options.handleOrder(order, { owner: holder, signal: AbortSignal.any([ended, lost]) });
    const giveBack = () => store.saveOrder(order, holder, { changes: toDueAgain(now()), release: true });
    const handled = stranded.during(() => renewal.during(order, lease, handle), giveBack);
    return handled.finally(() => shares.leave(order.tenant));
  }

  function handleDelivery(delivery: ClaimedDelivery, holder: string, ended: AbortSignal): Promise<void> {
    const handle = () => options.handleDelivery(delivery, { owner: holder, signal: ended });
    const giveBack = () => store.retryDelivery(delivery, holder, toDueAgain(now()).dueAtMs, null);
    return stranded.during(handle, giveBack);
  }

  return {
    /** Claim what there is room for; whether anything was claimed. */
    async claim(): Promise<boolean> {
      claims += 1;
      const holder = `${owner}/${claims}`;
      const lease = { owner: holder, sinceMs: uptimeMs() };
      const ended = ending.signal();
      const claimOptions = { owner: holder, leaseMs, nowMs: now() };
      const places = Math.min(deliveries.free(), CLAIMED_AT_ONCE);
      const dueDeliveries = places > 0 ? await store.claimDeliveries({ ...claimOptions, limit: places }) : [];
      for (const delivery of dueDeliveries) {
        deliveries.take(store.onBehalfOf(delivery.tenant, () => handleDelivery(delivery, holder, ended)));
      }
      await stranded.giveBack();
      const room = Math.min(orders.free(), CLAIMED_AT_ONCE);
      const dueOrders =
        room > 0 ? await store.claimOrders({ ...claimOptions, limit: room, shares: shares.rest() }) : [];
      for (const order of dueOrders) {
        orders.take(store.onBehalfOf(order.tenant, () => handleOrder(order, lease, ended)));
      }
      return dueDeliveries.length + dueOrders.length > 0;
    },
    /** No place is free: what is due has to wait until work ends. */
    isFull: () => deliveries.free() === 0 || orders.free() === 0,
    /** A tenant has its share of places: what is due may be that tenant's and has to wait. */
    isShareFull: () => shares.isAnyFull(),
    /** Start to renew the leases of what is claimed, and drop it when the store says that they were lost. */
    start(): void {
      renewal.start();
      ending.start();
    },
    /** Renew them now: the clock went on by so much that they may have run out. */
    renew: () => renewal.renew(),
    /** Wait for what is under way. */
    async settle(): Promise<void> {
      await Promise.all([deliveries.settle(), orders.settle()]);
    },
    /** Ask what is under way to let go. */
    letGo(): void {
      renewal.stop();
      ending.letGo();
    },
  };
}

/** Ends claims: those until now when the leases were lost, all when the worker stops. */
function createEnding(store: Pick<Store, "onLeasesLost">) {
  const lettingGo = new AbortController();
  let losing = new AbortController();
  let stopListening = (): void => {};

  return {
    /** Fires when what is claimed from now on has to be let go. */
    signal: (): AbortSignal => AbortSignal.any([lettingGo.signal, losing.signal]),
    start(): void {
      stopListening = store.onLeasesLost(() => {
        losing.abort(new Error("the leases were lost"));
        losing = new AbortController();
      });
    },
    letGo(): void {
      stopListening();
      lettingGo.abort(new Error("the worker is stopping"));
    },
  };
}

function toDueAgain(nowMs: number): { readonly dueAtMs: number } {
  return { dueAtMs: nowMs + STRANDED_RETRY_MS };
}

/**
 * Places for work of one kind, all free. `name` is what the work is on, for the log; `onFree` is called when work has ended and
 * its place is free.
 */
function createWorkPlaces(name: string, max: number, onFree: () => void, logger: Logger) {
  const taken = new Set<Promise<void>>();

  return {
    /** How much more work may begin now. */
    free: () => max - taken.size,
    /** Give work that has begun a place until it ends. What it rejects with is logged. */
    take(work: Promise<void>): void {
      const task = work
        .catch((error: unknown) => logger.error({ err: error }, `work on ${name} failed; it stays due`))
        .finally(() => {
          taken.delete(task);
          onFree();
        });
      taken.add(task);
    },
    /** Wait for the work that has a place now. */
    async settle(): Promise<void> {
      await Promise.allSettled(taken);
    },
  };
}

/** How much of the places each tenant's work has: at most `max`, so that a slow or flooded tenant leaves room. */
function createTenantShares(max: number) {
  const taken = new Map<TenantId, number>();

  return {
    take: (tenant: TenantId) => void taken.set(tenant, (taken.get(tenant) ?? 0) + 1),
    leave(tenant: TenantId): void {
      const count = (taken.get(tenant) ?? 0) - 1;
      if (count > 0) taken.set(tenant, count);
      else taken.delete(tenant);
    },
    /** What may still be taken. */
    rest: (): ClaimShares => ({
      each: max,
      left: new Map(Array.from(taken, ([tenant, count]) => [tenant, max - count])),
    }),
    /** Whether somebody's share is taken up. */
    isAnyFull: () => [...taken.values()].some((count) => count >= max),
  };
}

/**
 * Remembers the leases of work that ended while the store was away, so that nobody could be told: without it, that work
 * would wait for its leases to run out.
 */
export function createStrandedWork() {
  const stranded = new Set<() => Promise<unknown>>();

  return {
    /** Do work under a lease. When it fails because the store is away, `release` is how to give the lease back later. */
    async during(work: () => Promise<void>, release: () => Promise<unknown>): Promise<void> {
      try {
        await work();
      } catch (error) {
        if (isHoldfastError(error, "STORE_UNAVAILABLE") && error.retryable) stranded.add(release);
        throw error;
      }
    },
    /** Give back what is remembered, now that the store answers; what fails again stays remembered. */
    async giveBack(): Promise<void> {
      for (const release of stranded) {
        await release();
        stranded.delete(release);
      }
    },
  };
}
