import type { Logger } from "../logger.ts";
import type { ClaimedDelivery, OrderRecord, Store } from "../store/store.ts";
import { createLeaseRenewal } from "./lease-renewal.ts";
import { createTenantShares } from "./tenant-shares.ts";
import { createWorkPlaces } from "./work-places.ts";

/** Under what somebody works on something claimed. */
export interface Claim {
  /** Holder of the lease, another for each claim: a process that claims again what it lost is fenced from itself. */
  readonly owner: string;
  /** Fires when the work has to be let go. */
  readonly signal: AbortSignal;
}

/** Parts of {@link createClaimer}. */
export interface ClaimerOptions {
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

/** Claims what is due and gives it a place to be worked on. */
export interface Claimer {
  /** Claim what there is room for; whether anything was claimed. */
  claim(): Promise<boolean>;
  /** No place is free: what is due has to wait until work ends. */
  isFull(): boolean;
  /** Begin to renew the leases of what is claimed. */
  start(): void;
  /** Wait for what is under way. */
  settle(): Promise<void>;
  /** Ask what is under way to let go. */
  letGo(): void;
}

/** Deliveries under way at once: a flood of them, each of which is short, must not keep accepted orders waiting. */
const DELIVERIES_AT_ONCE = 50;
/** The most of the places that one tenant's orders get: one with a slow platform leaves room for the others. */
const TENANT_SHARE = 2 / 3;
const FULL_SHARE_RETRY_MS = 250;

/** Create a {@link Claimer}; `onFree` is called when a place is free again. */
export function createClaimer(options: ClaimerOptions, onFree: () => void): Claimer {
  const { store, owner, concurrency, leaseMs, now, logger } = options;
  const lettingGo = new AbortController();
  const deliveries = createWorkPlaces({ name: "a delivery", max: DELIVERIES_AT_ONCE, onFree, logger });
  const orders = createWorkPlaces({ name: "an order", max: concurrency, onFree, logger });
  const shares = createTenantShares(Math.ceil(concurrency * TENANT_SHARE));
  const renewal = createLeaseRenewal(options);
  let claims = 0;

  async function handleOrder(order: OrderRecord, holder: string): Promise<void> {
    if (!shares.take(order.tenant)) return putBack(store, order, holder, now() + FULL_SHARE_RETRY_MS);
    try {
      await renewal.during(order, holder, (lost) =>
        options.handleOrder(order, { owner: holder, signal: AbortSignal.any([lettingGo.signal, lost]) }),
      );
    } finally {
      shares.leave(order.tenant);
    }
  }

  return {
    async claim() {
      claims += 1;
      const holder = `${owner}/${claims}`;
      const claimOptions = { owner: holder, leaseMs, nowMs: now() };
      const places = deliveries.free();
      const dueDeliveries = places > 0 ? await store.claimDeliveries({ ...claimOptions, limit: places }) : [];
      const underClaim = { owner: holder, signal: lettingGo.signal };
      for (const delivery of dueDeliveries) deliveries.take(options.handleDelivery(delivery, underClaim));
      const room = orders.free();
      const dueOrders = room > 0 ? await store.claimOrders({ ...claimOptions, limit: room }) : [];
      for (const order of dueOrders) orders.take(handleOrder(order, holder));
      return dueDeliveries.length + dueOrders.length > 0;
    },
    isFull: () => deliveries.free() === 0 || orders.free() === 0,
    start: () => renewal.start(),
    async settle() {
      await Promise.all([deliveries.settle(), orders.settle()]);
    },
    letGo() {
      renewal.stop();
      lettingGo.abort(new Error("the worker is stopping"));
    },
  };
}

/** The tenant has its share of places: its order waits a moment, without counting as tried. */
async function putBack(
  store: Pick<Store, "saveOrder">,
  { tenant, orderId }: OrderRecord,
  owner: string,
  dueAtMs: number,
): Promise<void> {
  await store.saveOrder({ tenant, orderId }, owner, { changes: { dueAtMs }, release: true });
}
