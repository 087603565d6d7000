import { HoldfastError } from "../base/errors.ts";
import type { CircuitSharing } from "../screening/circuit-sharing.ts";
import { createScreening } from "../screening/screening.ts";
import { createVelocity } from "../screening/velocity.ts";
import type { CircuitBreaker } from "../service/circuit-breaker.ts";
import { DEFAULT_KEEPING_TIMES } from "../store/retention/keeping-times.ts";
import type { OrderRecord } from "../store/store.ts";
import { holdWhileChecking } from "./decide/checking-hold.ts";
import { createCheckoutCheck, type CheckoutCheck } from "./decide/checkout-check.ts";
import { decide } from "./decide/decide.ts";
import { holdForInquiry } from "./decide/disputes.ts";
import { followPersonDecision, waitWhileUndoable } from "./decide/follow-person-decision.ts";
import { honorPolicy } from "./decide/honor-policy.ts";
import { honorRelease } from "./decide/honor-release.ts";
import { NO_PRODUCTS, type ProductLookups } from "./decide/product-lookups.ts";
import { readDetail } from "./decide/read-detail.ts";
import { refreshContext } from "./decide/refresh-context.ts";
import { enforce } from "./enforce/enforcement.ts";
import { createDeliveryWork } from "./intake/delivery-work.ts";
import { createIntake, type Intake } from "./intake/intake.ts";
import type { PipelineParts, OrderTask } from "./tasks.ts";
import { createCoverageWatch } from "./watch/coverage-watch.ts";
import { createLevelShiftWatch } from "./watch/level-shift-watch.ts";
import { createOutcomeWatch } from "./watch/outcome-watch.ts";
import { createReconciler } from "./watch/reconciler.ts";
import { createRetentionChore } from "./watch/retention-chore.ts";
import type { Claim } from "./work/claimer.ts";
import { ORDER_LEASE_MS } from "./work/lease-renewal.ts";
import { endWorkAfterError, toSave } from "./work/save-order.ts";
import { createWorker } from "./work/worker.ts";

/** Parts of {@link createPipeline}. */
export interface PipelineOptions extends PipelineParts {
  readonly breaker: CircuitBreaker;
  /** What other processes know about the service. Default: there are no others. */
  readonly sharing?: CircuitSharing | undefined;
  /** The free call that shows whether the service works again. Default: only answers show it. */
  readonly probe?: ((keyId: string) => Promise<unknown>) | undefined;
  /** Looks up an order's products in tenants' catalogs. Default: nothing is looked up. */
  readonly products?: Pick<ProductLookups, "lookUp"> | undefined;
  /** Paid or unknown calls allowed per order state. */
  readonly maxPaidAttempts: number;
  /** Calls to the service under way at once. */
  readonly maxInFlight: number;
  /** Time limit of one call to the service in milliseconds. */
  readonly timeoutMs: number;
}

/** Takes an order from its stored delivery to a decision that is applied on the platform. */
export interface Pipeline {
  readonly intake: Intake;
  /** Check an order that a shop is about to place. */
  readonly check: CheckoutCheck;
  /** Start to work on due orders and deliveries. */
  start(): void;
  /** Something may be due now. */
  wake(): void;
  /** Refuse new deliveries, finish what is under way within `graceMs`, release the rest. */
  stop(graceMs: number): Promise<void>;
}

/**
 * The phases that an order goes through after `intake/delivery-work.ts` received it, in the order of {@link PHASES}. A phase
 * resolves to the order for the next phase, or to null if it released the order. Its result is saved before the next phase
 * begins, so a process that dies repeats at most one phase. `ORDER_STATES` lists the states of an order.
 */
type OrderPhases = {
  /** A person decided and can still undo it: the order waits until then. */
  readonly waitWhileUndoable: OrderPhase;
  /** A person decided, or wants the order checked again. */
  readonly followPersonDecision: OrderPhase;
  /** An order stops here if its platform isn't configured, so nothing is paid for it. */
  readonly requirePlatform: OrderPhase;
  /** If the policy says so, hold the order before it is checked. */
  readonly holdWhileChecking: OrderPhase;
  /** Ask the platform, and the catalog, for what the webhook lacks. */
  readonly readDetail: OrderPhase;
  /** Ask the platform again if something around the order is new there. */
  readonly refreshContext: OrderPhase;
  /** Ask the service once, decide again, or check on an order that is at rest. */
  readonly decide: OrderPhase;
  /** A bank asks about the payment: nothing ships or is refunded before a person decides. */
  readonly holdForInquiry: OrderPhase;
  /** A person released our hold before the decision: the order is held instead of canceled. */
  readonly honorRelease: OrderPhase;
  /** The policy no longer cancels what waits to be canceled: the order is held instead. */
  readonly honorPolicy: OrderPhase;
  /** Assess, tag, hold, cancel or release on the platform, until the order is at rest or has to wait. */
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
  honorRelease,
  honorPolicy,
  enforce,
};

async function requirePlatform(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  // The getter throws if it isn't configured.
  void task.platform;
  return order;
}

/** Take a claimed order through as many phases as possible now, and release it. */
async function workOnOrder(task: OrderTask, claimed: OrderRecord): Promise<void> {
  let order = claimed;
  try {
    for (const phase of Object.values(PHASES)) {
      const next = await phase(task, order);
      if (next === null) return;
      order = next;
    }
  } catch (error) {
    await endWorkAfterError(task, order, error);
  }
}

/** Orders under way for each call to the service: while one waits for its answer, others are enriched and enforced. */
const ORDERS_PER_CALL = 3;
/** How long an order waits for the counts of other orders, in milliseconds, if the local engine judges it. */
const VELOCITY_WITHIN_MS = 2_000;

/**
 * Assemble the pipeline. The intake stores a delivery. A worker claims it, interprets it, admits its tenant and stores the
 * order. Whenever the order is due, a worker claims it and takes it through {@link OrderPhases}, until it is at rest. Chores
 * find orders whose webhook never arrived, and delete what is too old.
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
    leaseMs: ORDER_LEASE_MS,
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
