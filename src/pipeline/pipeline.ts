import type { LocalEngine } from "../engine/engine.ts";
import type { Logger } from "../base/logger.ts";
import type { Metrics } from "./metrics.ts";
import type { CircuitSharing } from "../screening/circuit-sharing.ts";
import type { ServiceAccess } from "../screening/screening-task.ts";
import { createScreening } from "../screening/screening.ts";
import { createVelocity } from "../screening/velocity.ts";
import type { Store } from "../store/store.ts";
import type { CircuitBreaker } from "../service/circuit-breaker.ts";
import { createCheckingHold } from "./decide/checking-hold.ts";
import { createCheckoutCheck, type CheckoutCheck } from "./decide/checkout-check.ts";
import { createDeliveryWork } from "./intake/delivery-work.ts";
import { isToCatchUp, toCatchUpMs } from "./decide/decide-again.ts";
import { createEnforcement, type EnforcementOptions } from "./enforce/enforcement.ts";
import { NO_PRODUCTS, type ProductLookups } from "./decide/product-lookups.ts";
import { createHoldKeeper } from "./watch/hold-keeper.ts";
import { toNextLookMs, toWarningsMs } from "./watch/hold-deadline.ts";
import { createIntake, type Intake } from "./intake/intake.ts";
import { createOrderDecision } from "./decide/order-decision.ts";
import type { PolicyOf } from "../settings/current-policy.ts";
import { createOrderWork } from "./work/order-work.ts";
import type { Platform, TenantId } from "../platform/platform.ts";
import { createCoverageWatch } from "./watch/coverage-watch.ts";
import { createLevelShiftWatch } from "./watch/level-shift-watch.ts";
import { createOutcomeWatch } from "./watch/outcome-watch.ts";
import { createReconciler } from "./watch/reconciler.ts";
import { createRetention, DEFAULT_KEEPING_TIMES, type KeepingTimes } from "./watch/retention.ts";
import { createWorker } from "./work/worker.ts";

/** Parts of {@link createPipeline}. */
export interface PipelineOptions {
  readonly store: Store;
  readonly platforms: readonly Platform[];
  readonly engine: LocalEngine;
  readonly breaker: CircuitBreaker;
  /** What other processes found out about the service. Default: there are none. */
  readonly sharing?: CircuitSharing | undefined;
  /** The service a tenant's orders are asked of; null for the local engine alone. */
  readonly accessOf: (tenant: TenantId) => Promise<ServiceAccess | null> | ServiceAccess | null;
  /** The free call with a key, to find out whether the service works again. Default: only answers tell. */
  readonly probe?: ((keyId: string) => Promise<unknown>) | undefined;
  readonly policyOf: PolicyOf;
  /** What tenants' catalogs know of an order's products. Default: nothing. */
  readonly products?: Pick<ProductLookups, "lookUp"> | undefined;
  /** Paid or unknown calls allowed per order state. */
  readonly maxPaidAttempts: number;
  /** Calls to the service under way at once. */
  readonly maxInFlight: number;
  /** Time limit of one call to the service in milliseconds. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => number;
  /** Unique per process. */
  readonly owner: string;
  /** Default {@link DEFAULT_KEEPING_TIMES}. */
  readonly keep?: KeepingTimes | undefined;
}

/** From a kept delivery to a platform that follows the decision. */
export interface Pipeline {
  readonly intake: Intake;
  /** Check an order that a shop is about to place. */
  readonly check: CheckoutCheck;
  /** Begin to work on what is due. */
  start(): void;
  /** Something may be due now. */
  wake(): void;
  /** Refuse new deliveries, finish what is under way within `graceMs`, release the rest. */
  stop(graceMs: number): Promise<void>;
}

/** Orders under way for each call to the service: while one is asked about, others are enriched and enforced. */
const ORDERS_PER_CALL = 3;
/** How long an order that the local engine judges waits for others, in milliseconds. */
const VELOCITY_WITHIN_MS = 2_000;
/** A process that is gone is known to be gone after this. */
const LEASE_MS = 60_000;

/** Put the pipeline together. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { store, metrics } = options;
  const platforms = new Map(options.platforms.map((platform) => [platform.name, platform]));
  const { ordersDays } = options.keep ?? DEFAULT_KEEPING_TIMES;
  const screening = createScreening({ ...options, observer: metrics, keepDays: ordersDays });
  const velocity = createVelocity({
    ...options,
    store: store.velocity,
    keyring: store.keyring,
    timeLimitMs: VELOCITY_WITHIN_MS,
  });
  const deciding = { ...options, screening, velocity, keyring: store.keyring };
  const decideOrder = createOrderDecision(deciding);
  const holdWhileChecking = createCheckingHold({ ...options, keyring: store.keyring });
  const enforce = createEnforcement({ ...options, nextLook: createNextLook(options) });
  const keepHold = createHoldKeeper(options);
  const worker = createWorker({
    ...options,
    handleDelivery: createDeliveryWork({ ...options, platforms, screening }),
    handleOrder: createOrderWork({
      ...options,
      platforms,
      holdWhileChecking,
      decideOrder,
      enforce,
      keepHold,
      lookUpProducts: options.products?.lookUp ?? (async () => NO_PRODUCTS),
    }),
    concurrency: options.maxInFlight * ORDERS_PER_CALL,
    leaseMs: LEASE_MS,
  });
  const intake = createIntake({ store, onAccepted: () => worker.wake() });
  let stopListening = (): void => {};
  const chores = [
    createReconciler({ ...options, onFound: () => worker.wake() }),
    createRetention(options),
    createCoverageWatch(options),
    createOutcomeWatch(options),
    createLevelShiftWatch(options),
  ];

  return {
    intake,
    check: createCheckoutCheck({ ...deciding, decideOrder }),
    start() {
      stopListening = store.onWork(() => worker.wake());
      worker.start();
      for (const chore of chores) chore.start();
    },
    wake: () => worker.wake(),
    async stop(graceMs) {
      stopListening();
      await intake.stop();
      await Promise.all(chores.map((chore) => chore.stop()));
      await Promise.all([worker.stop(graceMs), screening.close()]);
      await velocity.settle();
    },
  };
}

/** Held orders are looked after until somebody decides; orders decided without the service until it answers. */
function createNextLook({ accessOf, now }: PipelineOptions): EnforcementOptions["nextLook"] {
  return async (order, state, holdDeadlineMs) => {
    const isAskedAgain = isToCatchUp(order, now()) && (await accessOf(order.tenant)) !== null;
    const looks = [
      ...(state === "review" ? [toNextLookMs(holdDeadlineMs, 0, now(), toWarningsMs(order))] : []),
      ...(isAskedAgain ? [toCatchUpMs(order, 0, now())] : []),
    ];
    return looks.length === 0 ? null : Math.min(...looks);
  };
}
