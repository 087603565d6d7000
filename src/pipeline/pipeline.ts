import { NO_ASKING, type BuyerAsking } from "../buyer-check/buyer-asking.ts";
import { toConfigError } from "../base/errors.ts";
import { createScreening } from "../screening/screening.ts";
import type { ScreeningParts } from "../screening/screening-task.ts";
import { createVelocity } from "../screening/velocity.ts";
import { DEFAULT_KEEPING_TIMES } from "../store/retention/keeping-times.ts";
import type { OrderRecord } from "../store/store.ts";
import { createCheckoutCheck } from "./decide/checkout-check.ts";
import { NO_PRODUCTS, type ProductLookups } from "./decide/product-lookups.ts";
import { createDeliveryWork } from "./intake/delivery-work.ts";
import { createIntake } from "./intake/intake.ts";
import type { OrderClaim, PipelineParts, OrderTask } from "./tasks.ts";
import { createCheckoutListSync } from "./chores/checkout-list-sync.ts";
import { createCoverageWatch } from "./chores/coverage-watch.ts";
import { createDisputeMonthWatch } from "./chores/dispute-month-watch.ts";
import { createEvidenceWatch } from "./chores/evidence-watch.ts";
import { createAddressKeeper } from "./chores/address-keeper.ts";
import { createCardCodeEnding } from "./chores/card-code-ending.ts";
import { createOrderKeeper } from "./chores/order-keeper.ts";
import { createLevelShiftWatch } from "./chores/level-shift-watch.ts";
import { createOutcomeWatch } from "./chores/outcome-watch.ts";
import { createReconciler } from "./chores/reconciler.ts";
import { createRetentionChore } from "./chores/retention-chore.ts";
import { ORDER_LEASE_MS } from "./work/lease-renewal.ts";
import { workOnOrder } from "./work/order-work.ts";
import { createSaving } from "./work/save-order.ts";
import { createWorker } from "./work/worker.ts";

export interface PipelineOptions
  extends
    PipelineParts,
    Pick<ScreeningParts, "breaker" | "sharing" | "probe" | "maxPaidAttempts" | "maxInFlight" | "timeoutMs"> {
  /** Default: nothing is looked up. */
  readonly products?: Pick<ProductLookups, "lookUp"> | undefined;
  /** How buyers of held orders are asked. Default: they aren't. */
  readonly buyers?: BuyerAsking | undefined;
}

/** Orders under way for each call to the service: while one waits for its answer, others are enriched and enforced. */
const ORDERS_PER_CALL = 3;
/** How long an order waits for the counts of other orders, in milliseconds, if the local engine judges it. */
const VELOCITY_WITHIN_MS = 2_000;

export type Pipeline = ReturnType<typeof createPipeline>;

/**
 * Put the {@link Pipeline} together. The intake stores a delivery. A worker claims it, interprets it, admits its tenant and stores
 * the order. Then it claims the order and makes its moves, each time that the order is due, until it is at rest. Chores find orders whose webhook never arrived, and delete what is too old.
 */
export function createPipeline(options: PipelineOptions) {
  const { store, metrics, maxInFlight } = options;
  const { ordersDays } = options.keep ?? DEFAULT_KEEPING_TIMES;
  const platforms = new Map(options.platforms.map((platform) => [platform.name, platform]));
  const screening = createScreening({ ...options, observer: metrics, keepDays: ordersDays });
  const counting = { store: store.velocity, keyring: store.keyring, timeLimitMs: VELOCITY_WITHIN_MS };
  const velocity = createVelocity({ ...options, ...counting });
  const lookUpProducts = options.products?.lookUp ?? (async () => NO_PRODUCTS);
  const { buyers = NO_ASKING } = options;
  const parts = { ...options, screening, velocity, lookUpProducts, buyers, upSinceMs: options.now() };

  const toTask = (order: OrderRecord, claim: OrderClaim): OrderTask => ({
    ...parts,
    ...claim,
    ...createSaving({ ...options, owner: claim.owner }),
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
    handleOrder: (order, claim) => workOnOrder(toTask(order, claim), order, platforms.has(order.platform)),
    concurrency: maxInFlight * ORDERS_PER_CALL,
    leaseMs: ORDER_LEASE_MS,
  });
  const chores = createChores(options, () => worker.wake());
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

function createChores(options: PipelineOptions, onFound: () => void) {
  return [
    createReconciler({ ...options, onFound }),
    createRetentionChore(options),
    createCoverageWatch(options),
    createOutcomeWatch(options),
    createLevelShiftWatch(options),
    createEvidenceWatch(options),
    createDisputeMonthWatch(options),
    createOrderKeeper(options),
    createAddressKeeper(options),
    createCardCodeEnding(options),
    createCheckoutListSync(options),
  ];
}
