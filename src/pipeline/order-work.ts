import { HoldfastError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import type { OrderRecord } from "../store/store.ts";
import type { EnforcementWork } from "./enforcement.ts";
import { enrich } from "./enrichment.ts";
import type { OrderDecided, OrderDecision } from "./order-decision.ts";
import { failOrder, letGoOfOrder, saveOrder, type OrderLeaseOptions } from "./order-lease.ts";
import type { Platform } from "./platform.ts";
import { toTimelineEntry } from "./timeline.ts";

/** Parts of {@link createOrderWork}. */
export interface OrderWorkOptions extends OrderLeaseOptions {
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly decideOrder: OrderDecision;
  readonly enforce: EnforcementWork;
  readonly metrics: Pick<Metrics, "decided">;
}

/** Carries one claimed order as far as it goes now, and releases it. */
export type OrderWork = (order: OrderRecord, signal: AbortSignal) => Promise<void>;

/** Create the {@link OrderWork} of an app: enrich, decide, enforce, each kept before the next begins. */
export function createOrderWork(options: OrderWorkOptions): OrderWork {
  return async (order, signal) => {
    const platform = options.platforms.get(order.platform);
    let current = order;
    try {
      if (platform === undefined) {
        throw new HoldfastError("CONFIG_INVALID", "the order's platform is not configured", {
          retryable: false,
        });
      }
      current = await prepare(options, current, platform, signal);
      const decided = await decide(options, current, signal);
      if (decided === null) return;
      current = decided;
      await options.enforce(current, platform, signal, (transition) =>
        saveOrder(options, current, transition),
      );
    } catch (error) {
      await letGoOfOrder(options, current, error, signal);
    }
  };
}

/** Fix the request before anything is paid for it, so that a repeat asks the very same question. */
async function prepare(
  options: OrderWorkOptions,
  order: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
): Promise<OrderRecord> {
  if (order.mapped === null || order.enriched || order.decision !== null) return order;
  const { mapped, limitations } = await enrich(order, order.mapped, platform, signal);
  signal.throwIfAborted();
  const changes = { mapped, enriched: true, state: "screening" } as const;
  const entries =
    limitations.length === 0 ? [] : [toTimelineEntry(options.now(), "less-detail", limitations.join(", "))];
  await saveOrder(options, order, { changes, entries, release: false });
  return { ...order, ...changes };
}

/** The decided order, or null when it was released: to wait, or to an operator. */
async function decide(
  options: OrderWorkOptions,
  order: OrderRecord,
  signal: AbortSignal,
): Promise<OrderRecord | null> {
  if (order.decision !== null) return order;
  if (order.mapped === null) {
    const unreadable = order.problem === "DATA_UNREADABLE";
    await failOrder(options, order, unreadable ? order.problem : "ERASED_BEFORE_DECISION");
    return null;
  }
  const decided = await options.decideOrder(order, order.mapped, signal);
  if (decided.outcome === "decided") {
    await saveOrder(options, order, { changes: decided.changes, entries: decided.entries, release: false });
    report(options, order, decided);
    return { ...order, ...decided.changes };
  }
  const { retryAtMs: dueAtMs, problem } = decided;
  const attempts = order.attempts + 1;
  const entries = order.problem === problem ? [] : [toTimelineEntry(options.now(), "waiting", problem)];
  const changes = { state: "waiting", dueAtMs, attempts, problem } as const;
  await saveOrder(options, order, { changes, entries, release: true });
  return null;
}

/** Count a decision once it is kept, and tell the operator what somebody has to mend. */
function report(
  { metrics, logger }: OrderWorkOptions,
  { platform }: OrderRecord,
  { decision, changes }: Extract<OrderDecided, { readonly outcome: "decided" }>,
): void {
  metrics.decided({ platform, ...decision });
  if (changes.skipReason === "PERSONAL_DATA_NOT_GRANTED") {
    const alert = "personal_data_not_granted";
    logger.error(
      { alert },
      "the platform withholds the personal data that verification needs: ask it for access",
    );
  }
  if (decision.degraded)
    logger.warn({ reasons: decision.reasons }, "an order was decided without the service");
}
