import { HoldfastError } from "../base/errors.ts";
import type { CircuitSharing } from "../screening/circuit-sharing.ts";
import { createScreening } from "../screening/screening.ts";
import { createVelocity } from "../screening/velocity.ts";
import type { CircuitBreaker } from "../service/circuit-breaker.ts";
import type { OrderRecord } from "../store/store.ts";
import { holdWhileChecking } from "./decide/checking-hold.ts";
import { createCheckoutCheck, type CheckoutCheck } from "./decide/checkout-check.ts";
import { decide } from "./decide/decide.ts";
import { holdForInquiry } from "./decide/disputes.ts";
import { followPersonDecision, waitWhileUndoable } from "./decide/follow-person-decision.ts";
import { heedRelease } from "./decide/heed-release.ts";
import { NO_PRODUCTS, type ProductLookups } from "./decide/product-lookups.ts";
import { readDetail } from "./decide/detail.ts";
import { refreshContext } from "./decide/later-context.ts";
import { enforce } from "./enforce/enforcement.ts";
import { createDeliveryWork } from "./intake/delivery-work.ts";
import { createIntake, type Intake } from "./intake/intake.ts";
import { DEFAULT_KEEPING_TIMES, type PipelineParts, type OrderTask } from "./tasks.ts";
import { createCoverageWatch } from "./watch/coverage-watch.ts";
import { createLevelShiftWatch } from "./watch/level-shift-watch.ts";
import { createOutcomeWatch } from "./watch/outcome-watch.ts";
import { createReconciler } from "./watch/reconciler.ts";
import { createRetentionChore } from "./watch/retention-chore.ts";
import type { Claim } from "./work/claimer.ts";
import { letGoOfOrder, toSave } from "./work/order-lease.ts";
import { createWorker } from "./work/worker.ts";

/** Parts of {@link createPipeline}. */
export interface PipelineOptions extends PipelineParts {
  readonly breaker: CircuitBreaker;
  /** What other processes found out about the service. Default: there are none. */
  readonly sharing?: CircuitSharing | undefined;
  /** The free call with a key, to find out whether the service works again. Default: only answers tell. */
  readonly probe?: ((keyId: string) => Promise<unknown>) | undefined;
  /** What tenants' catalogs know of an order's products. Default: nothing. */
  readonly products?: Pick<ProductLookups, "lookUp"> | undefined;
  /** Paid or unknown calls allowed per order state. */
  readonly maxPaidAttempts: number;
  /** Calls to the service under way at once. */
  readonly maxInFlight: number;
  /** Time limit of one call to the service in milliseconds. */
  readonly timeoutMs: number;
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

/**
 * The phases of an order's way, from the delivery that took it in (`intake/delivery-work.ts`) to rest; they come in the order of
 * {@link PHASES}. A phase resolves to the order to go on with, or to null when it released the order. What it finds out is kept
 * before the next begins, so that a process that dies repeats at most one. `ORDER_STATES` says where an order is meanwhile.
 */
type OrderPhases = {
  /** A person decided and may still undo it: the order waits until that time is over. */
  readonly waitWhileUndoable: OrderPhase;
  /** A person decided, or wants the order checked again. */
  readonly followPersonDecision: OrderPhase;
  /** An order whose platform isn't configured goes no further, and nothing is paid for it. */
  readonly requirePlatform: OrderPhase;
  /** Where the policy says so, nothing ships before it is decided. */
  readonly holdWhileChecking: OrderPhase;
  /** Ask the platform, and the catalog, for what the webhook lacks. */
  readonly readDetail: OrderPhase;
  /** Ask the platform again where it has news beyond the order. */
  readonly refreshContext: OrderPhase;
  /** Ask the service once, decide again, or look after an order at rest. */
  readonly decide: OrderPhase;
  /** A bank asks about the payment: nothing ships or is refunded before a person decides. */
  readonly holdForInquiry: OrderPhase;
  /** A person released our hold before the decision: the order is held instead of canceled. */
  readonly heedRelease: OrderPhase;
  /** Assess, tag, hold, cancel or release on the platform, until the order rests or has to wait. */
  readonly enforce: OrderPhase;
};

type OrderPhase = (task: OrderTask, order: OrderRecord) => Promise<OrderRecord | null>;

const PHASES: OrderPhases = {
  waitWhileUndoable,
  followPersonDecision,
  requirePlatform,
  holdWhileChecking,
  readDetail,
  refreshContext,
  decide,
  holdForInquiry,
  heedRelease,
  enforce,
};

async function requirePlatform(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  // Throws where it isn't configured.
  void task.platform;
  return order;
}

/** Carry a claimed order as far as it goes now, and release it. */
async function workOnOrder(task: OrderTask, claimed: OrderRecord): Promise<void> {
  let order = claimed;
  try {
    for (const phase of Object.values(PHASES)) {
      const next = await phase(task, order);
      if (next === null) return;
      order = next;
    }
  } catch (error) {
    await letGoOfOrder(task, order, error);
  }
}

/** Orders under way for each call to the service: while one is asked about, others are enriched and enforced. */
const ORDERS_PER_CALL = 3;
/** How long an order that the local engine judges waits for others, in milliseconds. */
const VELOCITY_WITHIN_MS = 2_000;
/** A process that is gone is known to be gone after this. */
const LEASE_MS = 60_000;

/**
 * Put the pipeline together. On an order's way, the intake keeps the delivery that brings it; a worker claims the delivery,
 * has it interpreted, its tenant admitted and the order taken in; then it claims the order and takes it through
 * {@link OrderPhases}, again whenever it is due, until it rests. Chores find what never arrived, and clear up.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { store, metrics, maxInFlight } = options;
  const { ordersDays } = options.keep ?? DEFAULT_KEEPING_TIMES;
  const platforms = new Map(options.platforms.map((platform) => [platform.name, platform]));
  const screening = createScreening({ ...options, observer: metrics, keepDays: ordersDays });
  const counting = { store: store.velocity, keyring: store.keyring, timeLimitMs: VELOCITY_WITHIN_MS };
  const velocity = createVelocity({ ...options, ...counting });
  const lookUpProducts = options.products?.lookUp ?? (async () => NO_PRODUCTS);
  const parts = { ...options, screening, velocity, lookUpProducts };

  const toTask = (order: OrderRecord, { owner, signal }: Claim): OrderTask => ({
    ...parts,
    owner,
    signal,
    save: toSave({ store, owner }),
    get platform() {
      const platform = platforms.get(order.platform);
      if (platform !== undefined) return platform;
      throw new HoldfastError("CONFIG_INVALID", "the order's platform is not configured", {
        retryable: false,
      });
    },
  });

  const intake = createIntake({ store, onAccepted: () => worker.wake() });
  const worker = createWorker({
    ...options,
    handleDelivery: createDeliveryWork({ ...options, platforms, screening }),
    handleOrder: (order, claim) => workOnOrder(toTask(order, claim), order),
    concurrency: maxInFlight * ORDERS_PER_CALL,
    leaseMs: LEASE_MS,
  });
  const chores = [
    createReconciler({ ...options, onFound: () => worker.wake() }),
    createRetentionChore(options),
    createCoverageWatch(options),
    createOutcomeWatch(options),
    createLevelShiftWatch(options),
  ];
  let stopListening = (): void => {};

  return {
    intake,
    check: createCheckoutCheck(parts),
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
