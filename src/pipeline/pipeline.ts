import { toConfigError } from "../base/errors.ts";
import { createScreening } from "../screening/screening.ts";
import type { ScreeningParts } from "../screening/screening-task.ts";
import { createVelocity } from "../screening/velocity.ts";
import { DEFAULT_KEEPING_TIMES } from "../store/retention/keeping-times.ts";
import type { OrderRecord } from "../store/store.ts";
import { holdWhileChecking } from "./decide/checking-hold.ts";
import { createCheckoutCheck } from "./decide/checkout-check.ts";
import { decide } from "./decide/decide.ts";
import { holdForInquiry } from "./decide/inquiry.ts";
import { followPersonDecision, waitWhileUndoable } from "./decide/follow-person-decision.ts";
import { honorPolicy, honorRelease } from "./decide/reconsider.ts";
import { NO_PRODUCTS, type ProductLookups } from "./decide/product-lookups.ts";
import { readDetail } from "./decide/read-detail.ts";
import { refreshContext } from "./decide/refresh-context.ts";
import { enforce } from "./enforce/enforcement.ts";
import { createDeliveryWork } from "./intake/delivery-work.ts";
import { createIntake } from "./intake/intake.ts";
import type { Claim, PipelineParts, OrderTask } from "./tasks.ts";
import { createCoverageWatch } from "./chores/coverage-watch.ts";
import { createLevelShiftWatch } from "./chores/level-shift-watch.ts";
import { createOutcomeWatch } from "./chores/outcome-watch.ts";
import { createReconciler } from "./chores/reconciler.ts";
import { createRetentionChore } from "./chores/retention-chore.ts";
import { ORDER_LEASE_MS } from "./work/claimer.ts";
import { endWorkAfterError, toSave } from "./save-order.ts";
import { createWorker } from "./work/worker.ts";

export interface PipelineOptions
  extends
    PipelineParts,
    Pick<ScreeningParts, "breaker" | "sharing" | "probe" | "maxPaidAttempts" | "maxInFlight" | "timeoutMs"> {
  /** Default: nothing is looked up. */
  readonly products?: Pick<ProductLookups, "lookUp"> | undefined;
}

type OrderPhase = (task: OrderTask, order: OrderRecord) => Promise<OrderRecord | null>;

/**
 * The phases that an order goes through after `intake/delivery-work.ts` received it, in this order. A phase resolves to the
 * order for the next phase, or to null if it released the order. Its result is saved before the next phase begins, so a
 * process that dies repeats at most one phase. `ORDER_STATES` lists the states of an order.
 */
const PHASES: readonly OrderPhase[] = [
  /** A person decided and can still undo it: the order waits until then. */
  waitWhileUndoable,
  /** A person decided, or wants the order checked again. */
  followPersonDecision,
  /** An order stops here if its platform isn't configured, so nothing is paid for it. */
  requirePlatform,
  /** If the policy says so, hold the order before it is checked. */
  holdWhileChecking,
  /** Ask the platform, and the catalog, for what the webhook lacks. */
  readDetail,
  /** Ask the platform again if something around the order is new there. */
  refreshContext,
  /** Ask the service once, decide again, or check on an order that is at rest. */
  decide,
  /** A bank asks about the payment: nothing ships or is refunded before a person decides. */
  holdForInquiry,
  /** A person released our hold before the decision: the order is held instead of canceled. */
  honorRelease,
  /** The policy no longer cancels what waits to be canceled: the order is held instead. */
  honorPolicy,
  /** Assess, tag, hold, cancel or release on the platform, until the order is at rest or has to wait. */
  enforce,
];

async function requirePlatform(task: OrderTask, order: OrderRecord): Promise<OrderRecord> {
  // The getter throws if it isn't configured.
  void task.platform;
  return order;
}

/** Take a claimed order through as many phases as possible now, and release it. */
async function workOnOrder(task: OrderTask, claimed: OrderRecord): Promise<void> {
  let order = claimed;
  try {
    for (const phase of PHASES) {
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

export type Pipeline = ReturnType<typeof createPipeline>;

/**
 * Put the {@link Pipeline} together. The intake stores a delivery. A worker claims it, interprets it, admits its tenant and stores
 * the order. Then it claims the order and takes it through the {@link PHASES}, each time that the order is due, until it is
 * at rest. Chores find orders whose webhook never arrived, and delete what is too old.
 */
export function createPipeline(options: PipelineOptions) {
  const { store, metrics, maxInFlight } = options;
  const { ordersDays } = options.keep ?? DEFAULT_KEEPING_TIMES;
  const platforms = new Map(options.platforms.map((platform) => [platform.name, platform]));
  const screening = createScreening({ ...options, observer: metrics, keepDays: ordersDays });
  const counting = { store: store.velocity, keyring: store.keyring, timeLimitMs: VELOCITY_WITHIN_MS };
  const velocity = createVelocity({ ...options, ...counting });
  const lookUpProducts = options.products?.lookUp ?? (async () => NO_PRODUCTS);
  const parts = { ...options, screening, velocity, lookUpProducts, upSinceMs: options.now() };

  const toTask = (order: OrderRecord, { owner, signal }: Claim): OrderTask => ({
    ...parts,
    owner,
    signal,
    save: toSave({ store, owner }),
    get platform() {
      const platform = platforms.get(order.platform);
      if (platform !== undefined) return platform;
      throw toConfigError("the order's platform isn't configured");
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
    start(): void {
      stopListening = store.onWork(() => worker.wake());
      worker.start();
      for (const chore of chores) chore.start();
    },
    /** Something may be due now. */
    wake: () => worker.wake(),
    /** Refuse new deliveries, finish what is under way within `graceMs`, release the rest. */
    async stop(graceMs: number): Promise<void> {
      stopListening();
      await intake.stop();
      await Promise.all(chores.map((chore) => chore.stop()));
      await Promise.all([worker.stop(graceMs), screening.close()]);
      await velocity.settle();
    },
  };
}
