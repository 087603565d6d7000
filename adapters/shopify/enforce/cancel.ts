import { setTimeout as sleep } from "node:timers/promises";
import { cutText, type StepOutcome } from "../../../src/adapter-kit.ts";
import { isHoldfastError } from "../../../src/index.ts";
import type { CancelJob } from "../operations/generated/operations.ts";
import { mutate } from "../admin/ask.ts";
import {
  CANCELED_BEFORE,
  NO_CODE,
  ORDER_NOT_FOUND,
  SHIPPED_BEFORE,
  toCodes,
  toCount,
  toRefusal,
  waitAgain,
  type Step,
  type StepContext,
} from "./step.ts";

/**
 * Pauses between checks. Most cancellations finish within a second, and checking costs less than another pass through
 * the queue.
 */
const QUICK_LOOKS_MS = [100, 300, 1_000];
const PAUSES_MS = [2_000, 5_000, 15_000, 60_000, 300_000];
const STAFF_NOTE_LENGTH_MAX = 255;
/** How long an order may stay unchanged after Shopify accepted its cancel without a job to follow. */
const UNSEEN_MS = 10 * 60_000;
/** How many refusals, over a minute, are final: Shopify also returns `INVALID` while another cancellation runs. */
const REFUSALS_MAX = 5;
const PASSING_REFUSALS: ReadonlySet<string> = new Set(["INVALID", "INTERNAL_ERROR", NO_CODE]);

/** Statuses in which goods have shipped or are about to. */
const TOO_LATE: ReadonlySet<string> = new Set([
  "FULFILLED",
  "PARTIALLY_FULFILLED",
  "IN_PROGRESS",
  "PENDING_FULFILLMENT",
]);

/**
 * Cancel the order and follow the cancellation to its end. It can't be undone and has no idempotency key, so each
 * attempt reads the order first, and a cancellation that has begun is remembered.
 */
export const cancel: Step = async (context) => {
  const { jobId, begun } = context.target.memory;
  const job = jobId === undefined ? null : await readJob(context, jobId).catch(toRefused);
  // If Shopify no longer has the job, or doesn't show it, its result is on the order.
  if (job !== null && job !== "refused") return conclude(context, job);
  const { order } = (await context.ask("OrderCancellation", { id: context.orderGid })).data;
  if (order === null) return ORDER_NOT_FOUND;
  if (order.cancelledAt !== null) return CANCELED_BEFORE;
  if (TOO_LATE.has(order.displayFulfillmentStatus)) return SHIPPED_BEFORE;
  if (job === "refused") return waitForEnd(context, jobId);
  // Shopify has accepted the cancel: asking again could start a second one.
  const isBegun = jobId !== undefined || begun !== undefined;
  return isBegun ? waitForEnd(context, undefined) : start(context);
};

async function start(context: StepContext): Promise<StepOutcome> {
  const { cancel: wanted, decision } = context.target;
  const payload = await mutate(context.ask, "CancelOrder", {
    orderId: context.orderGid,
    reason: "FRAUD",
    restock: wanted.restock && !isWithoutRestock(context),
    refundMethod: { originalPaymentMethodsRefund: wanted.refund },
    notifyCustomer: wanted.notifyCustomer,
    staffNote: cutText(`Canceled by Holdfast: ${decision.reasons.join(", ")}`, STAFF_NOTE_LENGTH_MAX),
  });
  const codes = toCodes(payload.orderCancelUserErrors);
  if (codes.length > 0) return explainRefusal(context, codes);
  // Waiting counts from now, not from an earlier refusal.
  const accepted = { ...context, target: { ...context.target, memory: toRestockMemory(context) } };
  // Without a job, only the order shows the result.
  if (payload.jobResult === null) return waitForEnd(accepted, undefined);
  return follow(accepted, payload.jobResult);
}

/** Check a few times now, then leave it to a later attempt. From here on, the job's ID must not get lost. */
async function follow(context: StepContext, started: CancelJob): Promise<StepOutcome> {
  let job: CancelJob | null = started;
  try {
    for (const pauseMs of QUICK_LOOKS_MS) {
      if (job === null || isOver(job)) break;
      await sleep(pauseMs, undefined, { signal: context.signal });
      job = await readJob(context, started.id);
    }
  } catch (error) {
    // A failure that lasts is reported by the next attempt, which still has the ID.
    return waitForEnd(context, started.id, isHoldfastError(error) ? error.retryAtMs : undefined);
  }
  return job === null ? waitForEnd(context, undefined) : conclude(context, job);
}

async function conclude(context: StepContext, job: CancelJob): Promise<StepOutcome> {
  if (job.status === "FAILED") {
    const codes = toCodes(job.errors);
    if (mayBeRestock(context, codes)) return cancelWithoutRestock(context);
    return { outcome: "impossible", reason: `cancel-failed-${[...new Set(codes)].join(",") || "UNKNOWN"}` };
  }
  if (!isOver(job)) return waitForEnd(context, job.id);
  return { outcome: "done", detail: isWithoutRestock(context) ? "cancelled without restock" : "cancelled" };
}

/**
 * Shopify can't restock a paid order at a deactivated location, and has no error code for that. A wrong stock count is
 * better than shipping the goods.
 */
function mayBeRestock(context: StepContext, codes: readonly string[]): boolean {
  const { restock } = context.target.cancel;
  return (
    restock && !isWithoutRestock(context) && codes.length > 0 && codes.every((code) => code === "INVALID")
  );
}

function isWithoutRestock({ target }: StepContext): boolean {
  return target.memory["restock"] === "no";
}

function toRestockMemory(context: StepContext): Readonly<Record<string, string>> {
  return isWithoutRestock(context) ? { restock: "no" } : {};
}

/** Start again without the old job: the order may have been canceled or shipped by now. One refusal is final. */
function cancelWithoutRestock(context: StepContext): Promise<StepOutcome> {
  const memory = { restock: "no", refusals: String(REFUSALS_MAX - 1) };
  return cancel({ ...context, target: { ...context.target, memory } });
}

/** A job counts as succeeded once the order shows it too. */
function isOver(job: CancelJob): boolean {
  return (
    job.status === "FAILED" ||
    (job.status === "SUCCEEDED" && job.order !== null && job.order.cancelledAt !== null)
  );
}

function toRefused(error: unknown) {
  if (isHoldfastError(error, "PLATFORM_REFUSED", "PLATFORM_CALL_INVALID")) return "refused" as const;
  throw error;
}

async function readJob(context: StepContext, jobId: string): Promise<CancelJob | null> {
  const { node } = (await context.ask("CancelJob", { id: jobId })).data;
  return node?.__typename === "OrderCancelJobResult" ? node : null;
}

function waitForEnd(context: StepContext, jobId: string | undefined, retryAtMs?: number): StepOutcome {
  const waiting = waitAgain(context, {
    pausesMs: PAUSES_MS,
    reason: "cancelling",
    giveUp: "cancel-never-ended",
    ...(jobId === undefined ? { longestMs: UNSEEN_MS } : {}),
    memory: {
      ...(jobId === undefined ? { begun: "yes" } : { jobId }),
      ...toRestockMemory(context),
    },
    retryAtMs,
  });
  return waiting.outcome === "wait" ? { ...waiting, begun: true } : waiting;
}

function explainRefusal(context: StepContext, codes: readonly string[]): StepOutcome | Promise<StepOutcome> {
  const refusals = toCount(context.target.memory["refusals"]) + 1;
  const refusal = toRefusal(codes);
  const passing = codes.every((code) => PASSING_REFUSALS.has(code));
  if (refusals >= REFUSALS_MAX && mayBeRestock(context, codes)) return cancelWithoutRestock(context);
  if (!passing || refusals >= REFUSALS_MAX) return refusal;
  return waitAgain(context, {
    pausesMs: PAUSES_MS,
    reason: refusal.reason,
    memory: { refusals: String(refusals) },
  });
}
