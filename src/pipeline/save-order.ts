import { raiseAlert } from "../base/alerts.ts";
import { isHoldfastError, type ErrorCode } from "../base/errors.ts";
import type { OrderRecord, OrderTransition } from "../store/store.ts";
import { assertTransition } from "../store/orders/order-states.ts";
import { toSingleProblem } from "../store/orders/timeline.ts";
import type { OrderTask } from "./tasks.ts";
import { toProblemEntry } from "./timeline.ts";
import { REFUSED_RETRY_MS, toRetryAtMs } from "./order-life/retry-delay.ts";

type Lease = Pick<OrderTask, "store" | "owner">;

/** The content was erased while the order was worked on: don't send it anywhere any more. */
const ERASED = { mapped: null, result: null, facts: null, revision: null } as const;

/** Another process holds the order now, and repeats what this one didn't save. */
class LeaseLostError extends Error {
  override readonly name: string = "LeaseLostError";
}

/** The order was changed on the platform while it was worked on: the result is about its earlier content. */
class OvertakenError extends Error {
  override readonly name: string = "OvertakenError";
}

export function toSave(lease: Lease): OrderTask["save"] {
  return async (order, transition) => {
    const saved = await saveUnlessWithdrawn(lease, order, transition);
    if (saved === null) throw new OvertakenError();
    return saved;
  };
}

/** Write a transition that ends the work on the order for now. */
export async function release(
  { save }: Pick<OrderTask, "save">,
  order: OrderRecord,
  transition: Omit<OrderTransition, "release">,
): Promise<null> {
  await save(order, { ...transition, release: true });
  return null;
}

/** {@link OrderTask.save} for a transition that applies a person's decision. If that was undone, writes nothing and resolves to null. */
export async function saveUnlessWithdrawn(
  { store, owner }: Lease,
  order: OrderRecord,
  transition: OrderTransition,
): Promise<OrderRecord | null> {
  assertTransition(order.state, transition.changes.state);
  const saved = await store.saveOrder(order, owner, transition);
  if (saved === false) throw new LeaseLostError();
  if (saved === "withdrawn") return null;
  const { revise, reread, ...changes } = transition.changes;
  const revision = revise === undefined ? order.revision : revise.kept;
  const { problem, problems = problem === undefined ? order.problems : toSingleProblem(problem) } = changes;
  const rereadAtMs = reread === undefined ? order.rereadAtMs : reread.nextMs;
  const next = { ...order, ...changes, problems, revision, rereadAtMs };
  return saved === "erased" ? { ...next, ...ERASED } : next;
}

/** Stop work on the order until an operator acts. */
export async function failOrder(
  { store, owner, logger, now }: Lease & Pick<OrderTask, "logger" | "now">,
  order: OrderRecord,
  problem: string,
): Promise<void> {
  const state = "failed";
  // A person's decision that this work was applying ends here. A newer one still has to be applied.
  const applied = order.verdict === null ? {} : ({ verdict: null } as const);
  const changes = { state, problem, dueAtMs: null, settledAtMs: now(), ...applied } as const;
  const entries = [toProblemEntry(now(), state, [{ code: problem }])];
  // Before it is saved: nobody works on the order after that.
  raiseAlert(
    logger,
    "order_failed",
    { problem, tenant: order.tenant, orderId: order.orderId },
    "an order failed and needs an operator",
  );
  await store.saveOrder(order, owner, { changes, entries, release: true });
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(["PLATFORM_REFUSED", "PLATFORM_CALL_INVALID"]);

/** The work ended early: release the order so that it is worked on again, or fail it. */
export async function endWorkAfterError(task: OrderTask, order: OrderRecord, error: unknown): Promise<void> {
  const { store, owner, logger, now, signal } = task;
  const { tenant, orderId } = order;
  if (error instanceof LeaseLostError) {
    logger.warn({ orderId }, "another process took over an order");
    return;
  }
  if (error instanceof OvertakenError || signal.aborted || isHoldfastError(error, "SHUTTING_DOWN")) {
    await store.saveOrder(order, owner, { changes: { dueAtMs: now() }, release: true });
    return;
  }
  if (!isHoldfastError(error)) {
    raiseAlert(logger, "defect", { err: error, tenant, orderId }, "an unexpected error occurred on an order");
    return failOrder(task, order, "INTERNAL");
  }
  // Only for a step of a decision is a call that the platform can't accept the end: this call may have only read.
  const isRefused = REFUSALS.has(error.code);
  if (isRefused) {
    raiseAlert(
      logger,
      "platform_refused",
      { err: error, tenant, orderId },
      "the platform refuses the app's calls",
    );
  }
  if (!error.retryable && !isRefused) return failOrder(task, order, error.code);
  const attempts = order.attempts + 1;
  const dueAtMs = isRefused ? now() + REFUSED_RETRY_MS : toRetryAtMs(attempts, now(), error.retryAtMs);
  await store.saveOrder(order, owner, { changes: { attempts, dueAtMs }, release: true });
}
