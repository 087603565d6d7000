import { raiseAlert } from "../../base/alerts.ts";
import { isHoldfastError, type ErrorCode } from "../../base/errors.ts";
import { raiseNotice } from "../../base/notices.ts";
import { splitReason } from "../../order/reasons.ts";
import type { OrderChanges, OrderRecord, OrderTransition, StepRecord } from "../../store/store.ts";
import { assertTransition } from "../../store/orders/order-states.ts";
import { toSingleProblem } from "../../store/orders/timeline.ts";
import type { Situation, Surroundings } from "../order-life/situation.ts";
import { findStep } from "../order-life/step-plan.ts";
import type { OrderTask } from "../tasks.ts";
import { toProblemEntry } from "../timeline.ts";
import { REFUSED_RETRY_MS, toRetryAtMs } from "../order-life/retry-delay.ts";

type Lease = Pick<OrderTask, "store" | "owner" | "policyOf" | "logger">;

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

/** How a claimed order's work saves, under its lease. */
export function createSaving(lease: Lease): Pick<OrderTask, "save" | "end" | "saveReview" | "lookAround"> {
  async function save(situation: Situation, transition: OrderTransition): Promise<Situation> {
    const saved = await saveUnlessWithdrawn(lease, situation, transition);
    if (saved === null) throw new OvertakenError();
    return saved;
  }

  return {
    save: (situation, transition) => save(situation, { ...transition, release: false }),
    async end(situation, { changes, ...rest }) {
      await save(situation, {
        ...rest,
        changes: { ...changes, ...toAskAgain(situation, changes) },
        release: true,
      });
      return null;
    },
    saveReview: (situation, transition) => saveUnlessWithdrawn(lease, situation, transition),
    async lookAround(situation) {
      return { ...situation, ...(await readSurroundings(lease, situation.order)) };
    },
  };
}

/** If a change waits for the service, the order is due again when the service can be asked, or earlier if a step is. */
function toAskAgain({ found: { postponed } }: Situation, { dueAtMs, problem }: OrderChanges): OrderChanges {
  if (postponed === undefined) return {};
  const { retryAtMs } = postponed;
  return { dueAtMs: Math.min(dueAtMs ?? retryAtMs, retryAtMs), problem: problem ?? postponed.problem };
}

/** Null, and nothing is saved: the person's decision was undone, or the order was changed. */
async function saveUnlessWithdrawn(
  lease: Lease,
  situation: Situation,
  transition: OrderTransition,
): Promise<Situation | null> {
  const { step, release } = transition;
  const order = await writeOrder(lease, situation.order, transition);
  if (order === null) return null;
  noticeHeld(lease, situation.order, order);
  const steps = step === undefined ? situation.steps : putStep(situation, step);
  // What a pass of steps begins with holds until its end.
  const isOver = release || situation.found.pass !== undefined;
  return { ...situation, order, steps, ...(isOver ? {} : await readSurroundings(lease, order)) };
}

/** A decision's problems are listed in the order in which its steps were first tried, so a step tried again keeps its place. */
function putStep({ order, steps }: Situation, step: StepRecord): readonly StepRecord[] {
  const former = findStep(steps, step.step);
  if (former === undefined || former.atMs < (order.decidedAtMs ?? 0))
    return [...steps.filter((other) => other !== former), step];
  return steps.map((other) => (other === former ? step : other));
}

/** Read what a claimed order's moves depend on. */
export async function readSituation(
  task: Lease & Pick<OrderTask, "now">,
  order: OrderRecord,
  hasPlatform: boolean,
): Promise<Situation> {
  const [steps, surroundings] = await Promise.all([
    task.store.orders.listSteps(order),
    readSurroundings(task, order),
  ]);
  return { order, steps, ...surroundings, hasPlatform, nowMs: task.now(), found: {} };
}

async function readSurroundings({ store, policyOf }: Lease, order: OrderRecord): Promise<Surroundings> {
  const { tenant, orderId, decision, review } = order;
  const isDisputable = decision !== null || review !== null;
  const [{ policy, version: policyVersion }, disputes, buyerChecks = []] = await Promise.all([
    policyOf(tenant),
    isDisputable ? store.outcomes.listDisputes(tenant, [orderId]) : undefined,
    decision?.action === "hold" ? store.buyerChecks.list(order) : undefined,
  ]);
  return { policy, policyVersion, disputes: disputes?.get(orderId) ?? [], buyerChecks };
}

async function writeOrder(
  { store, owner }: Lease,
  order: OrderRecord,
  transition: OrderTransition,
): Promise<OrderRecord | null> {
  assertTransition(order.state, transition.changes.state);
  const saved = await store.orders.save(order, owner, transition);
  if (saved === false) throw new LeaseLostError();
  if (saved === "withdrawn") return null;
  const { revise, reread, ...changes } = transition.changes;
  const revision = revise === undefined ? order.revision : revise.kept;
  const { problem, problems = problem === undefined ? order.problems : toSingleProblem(problem) } = changes;
  const rereadAtMs = reread === undefined ? order.rereadAtMs : reread.nextMs;
  const next = { ...order, ...changes, problems, revision, rereadAtMs };
  return saved === "erased" ? { ...next, ...ERASED } : next;
}

/** An order that came to the queue is news for whoever reviews. Of an inquiry, its own alert says so. */
function noticeHeld(
  { logger }: Lease,
  before: OrderRecord,
  { state, tenant, orderId, decision }: OrderRecord,
) {
  if (state !== "review" || before.state === "review") return;
  const { code, detail } = splitReason(decision?.reasons[0] ?? "");
  if (code === "dispute") return;
  // The other details are texts of people.
  const reason = code === "level" ? `level:${detail}` : (code ?? "unknown");
  raiseNotice(logger, { event: "held", tenant, orderId, reason }, "an order is held for review");
}

/** Stop work on the order until an operator acts. */
export async function failOrder(
  { store, owner, logger, now }: Pick<OrderTask, "store" | "owner" | "logger" | "now">,
  order: OrderRecord,
  problem: string,
): Promise<null> {
  const state = "failed";
  // A person's decision that this work was applying ends here. A newer one still has to be applied.
  const applied = order.review === null ? {} : ({ review: null } as const);
  const changes = { state, problem, dueAtMs: null, settledAtMs: now(), ...applied } as const;
  const entries = [toProblemEntry(now(), state, [{ code: problem }])];
  // Before it is saved: nobody works on the order after that.
  raiseAlert(
    logger,
    "order_failed",
    { problem, tenant: order.tenant, orderId: order.orderId },
    "an order failed and needs an operator",
  );
  await store.orders.save(order, owner, { changes, entries, release: true });
  return null;
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
    await store.orders.save(order, owner, { changes: { dueAtMs: now() }, release: true });
    return;
  }
  if (!isHoldfastError(error)) {
    raiseAlert(logger, "defect", { err: error, tenant, orderId }, "an unexpected error occurred on an order");
    await failOrder(task, order, "INTERNAL");
    return;
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
  if (!error.retryable && !isRefused) {
    await failOrder(task, order, error.code);
    return;
  }
  const attempts = order.attempts + 1;
  const dueAtMs = isRefused ? now() + REFUSED_RETRY_MS : toRetryAtMs(attempts, now(), error.retryAtMs);
  await store.orders.save(order, owner, { changes: { attempts, dueAtMs }, release: true });
}
