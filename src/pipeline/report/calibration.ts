import { isStop } from "../../order/decision.ts";
import type { TenantId } from "../../platform/platform.ts";
import { toPastDecision } from "../../policy/past-decision.ts";
import { createTrainer, type KnownOrder, type Trained } from "../../engine/model/train.ts";
import {
  readDecidedPages,
  type DecidedWindow,
  type PageStore,
  toFraudOutcome,
  type TracedOrder,
  UNDISPUTED_AFTER_MS,
} from "./outcome.ts";

/** Orders of one level whose outcome is known. */
const newSums = () => ({
  fraud: 0,
  /** Fraud that Holdfast held or canceled, or would have in watch-only mode. */
  caught: 0,
  good: 0,
  /** Good orders that it held or canceled, or would have. */
  stopped: 0,
  /** Refunded in full, so neither. */
  refunded: 0,
});

/** Counts how decided orders turned out. Holdfast's own cancels don't count as an outcome: see `toFraudOutcome`. */
export function createOutcomeTally() {
  const byLevel = {
    low: newSums(),
    medium: newSums(),
    high: newSums(),
    critical: newSums(),
    none: newSums(),
  };
  let [decided, disputed] = [0, 0];
  return {
    /** @param nowMs - The time at which an order's age is measured, milliseconds since the epoch. */
    add({ order, trace }: TracedOrder, nowMs: number): void {
      decided += 1;
      if ((trace?.disputes ?? []).length > 0) disputed += 1;
      const outcome = toFraudOutcome(order, trace, nowMs);
      if (outcome === null) return;
      const sums = byLevel[order.decision.riskLevel ?? "none"];
      sums[outcome] += 1;
      if (outcome !== "refunded" && isStopped(order)) sums[outcome === "fraud" ? "caught" : "stopped"] += 1;
    },
    total: () => ({
      /** Decided orders of the window, with and without a known outcome. */
      decided,
      /** How many of them have a dispute of any kind. If none do, the shop may not share its disputes. */
      disputed,
      /** By the published level, whether from the service or the local engine; `none` for orders without one. */
      byLevel,
    }),
  };
}

/** By Holdfast's own decision, without later decisions of people or inquiries of banks. */
export function isStopped({ decision }: Parameters<typeof toFraudOutcome>[0]): boolean {
  const { action, source } = toPastDecision(decision);
  return source !== "person" && isStop(action);
}

/** A person sees the engine's reasons, so an approval proves less than time without a dispute. */
const APPROVAL_WEIGHT = 0.5;

/**
 * Fit a model to a tenant's orders that turned out to be fraud or good. Orders that the service judged aren't used, because the
 * engine saw no signals of them, nor are orders on which a model had a say. Requests are served between slices of the work.
 *
 * @param nowMs - The time at which an order's age is measured, milliseconds since the epoch.
 */
export async function trainModel(
  store: PageStore,
  tenant: TenantId,
  window: DecidedWindow,
  nowMs: number,
): Promise<Trained> {
  const trainer = createTrainer();
  pages: for await (const page of readDecidedPages(store, tenant, { ...window, content: "facts" })) {
    for (const traced of page) {
      const known = toKnownOrder(traced, nowMs);
      if (known !== null && !trainer.add(known)) break pages;
    }
  }
  const work = trainer.train();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await store.nextTurn(tenant, window.signal);
  }
}

/** What a model can learn from an order; null for nothing. */
function toKnownOrder({ order, trace }: TracedOrder, nowMs: number): KnownOrder | null {
  const { signals, receivedAtMs } = order;
  if (signals === null || signals.byModel === true) return null;
  const outcome = toFraudOutcome(order, trace, nowMs);
  if (outcome === null || outcome === "refunded") return null;
  const isFraud = outcome === "fraud";
  const isApproval = !isFraud && nowMs - receivedAtMs < UNDISPUTED_AFTER_MS;
  const { seen, measures, base } = signals;
  return { seen, measures, base, atMs: receivedAtMs, isFraud, weight: isApproval ? APPROVAL_WEIGHT : 1 };
}
