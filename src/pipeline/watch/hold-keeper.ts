import type { Reason } from "../../order/reasons.ts";
import type { Logger } from "../../base/logger.ts";
import type { Metrics } from "../metrics.ts";
import { toMachineDecision, type Decision } from "../../order/decision.ts";
import type { Policy } from "../../policy/policy.ts";
import type {
  OrderChanges,
  OrderRecord,
  OrderStore,
  StepRecord,
  IncidentStore,
  TimelineEntry,
} from "../../store/store.ts";
import { toProblemChanges, type TimelineEvent } from "../../store/orders/timeline.ts";
import type { PlatformWork, SaveOrder } from "../work/order-lease.ts";
import { isToCatchUp, toCatchUpMs } from "../decide/decide-again.ts";
import {
  toWarningsMs,
  judgeHold,
  toNextLookMs,
  type HoldFinding,
  warnOfLateHold,
  warnOfLosses,
} from "./hold-deadline.ts";
import type { PolicyOf } from "../../settings/current-policy.ts";
import type {
  EnforcementTarget,
  ObservedOrder,
  OrderEnd,
  Platform,
  StepOutcome,
} from "../../platform/platform.ts";
import { toEnd, toGapProblem, toPartialHoldEntry, toStepDetail, toTimelineEntry } from "../timeline.ts";

/** Parts of {@link createHoldKeeper}. */
export interface HoldKeeperOptions {
  readonly store: Pick<OrderStore, "listSteps" | "getOrder"> & Pick<IncidentStore, "openIncident">;
  readonly metrics: Pick<Metrics, "enforced">;
  readonly policyOf: PolicyOf;
  readonly logger: Logger;
  readonly now: () => number;
}

interface Watched {
  readonly order: OrderRecord;
  readonly decision: Decision;
  readonly policy: Policy;
  readonly platform: Platform;
  readonly signal: AbortSignal;
  readonly save: SaveOrder;
}

/**
 * Look after orders that are held: notice what people and other tools did to them, warn before the deadline and carry out
 * its default outcome. The order goes on when it has a new decision to carry out.
 */
export function createHoldKeeper(options: HoldKeeperOptions): PlatformWork {
  const { policyOf, now } = options;

  return async (order, platform, signal, save) => {
    const { decision, tenant, orderId } = order;
    if (decision === null) throw new TypeError("an order without a decision cannot be held");
    const { policy } = await policyOf(tenant);
    const watched: Watched = { order, decision, policy, platform, signal, save };
    // Shadow mode touches nothing: the order is looked at again when it may be touched.
    if (policy.mode === "shadow" && decision.source !== "person")
      return lookAgain(watched, toNextLookMs(null, order.attempts + 1, now()));
    const observed = await platform.observe(tenant, orderId, { signal });
    if (observed === null)
      return rest(options, watched, { kind: "failed", problems: LOST }, "the platform lost the order");
    const verdict = judgeHold(order, observed, policy, now());
    switch (verdict.kind) {
      case "ended":
        return restEnded(options, watched, verdict.ended);
      case "overridden":
        // Ours it was, if this process or the one before it ended between releasing the hold and saying so.
        return (await readMemory(options, order))["releasing"] === undefined
          ? rest(options, watched, { kind: "hold-overridden" }, OVERRIDDEN, "platform")
          : restReleased(options, watched);
      case "overdue":
        return meetDeadline(options, watched, verdict.outcome);
      case "held":
        return stay(options, watched, observed, verdict);
    }
  };
}

const LOST = [{ code: "order-not-found" }];
const OVERRIDDEN = "a person released the hold on the platform";

function restReleased(options: HoldKeeperOptions, watched: Watched): Promise<null> {
  return rest(options, watched, { kind: "hold-released" }, "released at its deadline");
}

async function restEnded(options: HoldKeeperOptions, watched: Watched, ended: OrderEnd): Promise<null> {
  const detail = ended === "shipped" ? "fulfilled" : "cancelled-on-platform";
  await rest(options, watched, { kind: "settled", problems: [], ended }, detail);
  const { tenant, orderId } = watched.order;
  if (ended === "shipped") {
    options.logger.error(
      { alert: "held_order_fulfilled", tenant, orderId },
      "an order shipped in spite of its hold",
    );
  }
  return null;
}

/** One step of the keeper's own on the platform. */
async function take(
  { metrics }: HoldKeeperOptions,
  watched: Watched,
  step: "hold" | "tag" | "release",
  memory: StepRecord["memory"] = {},
): Promise<StepOutcome> {
  try {
    const target = toTarget(watched, memory);
    const outcome = await watched.platform.enforce(step, target, { signal: watched.signal });
    metrics.enforced(step, outcome.outcome);
    return outcome;
  } catch (error) {
    if (!watched.signal.aborted) metrics.enforced(step, "error");
    throw error;
  }
}

async function lookAgain({ order, save }: Watched, dueAtMs: number): Promise<null> {
  await save(order, { changes: { dueAtMs, attempts: order.attempts + 1 }, release: true });
  return null;
}

/** Nothing is left to watch. */
async function rest(
  { now }: HoldKeeperOptions,
  { order, save }: Watched,
  event: TimelineEvent,
  detail: string,
  actor?: "platform",
): Promise<null> {
  const problems = "problems" in event ? event.problems : [];
  const state = event.kind === "failed" ? "failed" : "settled";
  await save(order, {
    changes: { state, ...toProblemChanges(problems), dueAtMs: null, attempts: 0, holdDeadlineMs: null },
    entries: [toTimelineEntry(now(), event, detail, actor)],
    release: true,
  });
  return null;
}

async function stay(
  options: HoldKeeperOptions,
  watched: Watched,
  observed: ObservedOrder,
  { expiring, holdable }: Extract<HoldFinding, { readonly kind: "held" }>,
): Promise<null> {
  const { logger, now } = options;
  const { order, decision, save } = watched;
  const before = await readMemory(options, order);
  const rest = await holdRest(options, watched, holdable, before);
  const { memory } = rest;
  const entries = [...rest.entries];
  const missing = decision.enforce ? decision.tags.filter((tag) => !observed.tags.includes(tag)) : [];
  if (missing.length > 0 && memory["tagged"] === undefined) {
    await take(options, watched, "tag");
    entries.push(toTimelineEntry(now(), { kind: "tag-repaired" }, missing.join(", ")));
  }
  const warn = expiring && memory["warned"] === undefined;
  if (warn) {
    entries.push(toTimelineEntry(now(), { kind: "hold-expiring" }, "the deadline of the hold is near"));
    logger.error(
      { alert: "hold_expiring", tenant: order.tenant, orderId: order.orderId },
      "a hold is about to reach its deadline",
    );
  }
  const losses = warnOfLosses(options, order, memory);
  entries.push(...losses.entries);
  const kept = {
    ...memory,
    ...losses.memory,
    // A tag that is taken off again is taken off by somebody who means it.
    ...(missing.length > 0 ? { tagged: "again" } : {}),
    ...(warn ? { warned: "yes" } : {}),
  };
  const step = toHeld(kept, now());
  const looks = order.attempts + 1;
  const lookMs = Math.min(toNextLook(options, order, looks), rest.retryAtMs);
  const dueAtMs = isToCatchUp(order, now()) ? Math.min(lookMs, toCatchUpMs(order, looks, now())) : lookMs;
  // A look for the rest alone does not make the others rarer.
  const attempts = rest.retryAtMs === Number.POSITIVE_INFINITY ? looks : order.attempts;
  await save(order, { changes: { dueAtMs, attempts, ...rest.changes }, entries, step, release: true });
  return null;
}

function toNextLook({ now }: HoldKeeperOptions, order: OrderRecord, looks: number): number {
  return toNextLookMs(order.holdDeadlineMs, looks, now(), toWarningsMs(order));
}

/** What came of a look for goods that are not on hold. */
interface HeldRest {
  readonly memory: StepRecord["memory"];
  readonly changes: Pick<OrderChanges, "problem" | "problems">;
  readonly entries: readonly TimelineEntry[];
  readonly retryAtMs: number;
}

/** Hold what came after the hold, or was out of reach then: splits, moves, late routing, goods at a fulfillment service. */
async function holdRest(
  options: HoldKeeperOptions,
  watched: Watched,
  holdable: boolean,
  { gap: former, ...memory }: StepRecord["memory"],
): Promise<HeldRest> {
  const { now } = options;
  const kept = former === undefined ? memory : { ...memory, gap: former };
  const untouched = { memory: kept, changes: {}, entries: [], retryAtMs: Number.POSITIVE_INFINITY };
  if (!holdable && former === undefined) return untouched;
  const held = await take(options, watched, "hold", kept);
  if (held.outcome === "wait")
    return { ...untouched, memory: { ...kept, ...held.memory }, retryAtMs: held.retryAtMs };
  if (held.outcome === "partial") {
    const problems = [toGapProblem(held.gap)];
    await warnOfLateHold(options, watched.order, problems);
    const entries = held.gap === former ? [] : [toPartialHoldEntry(now(), held.gap, held.detail)];
    const remembered = { ...memory, ...held.memory, gap: held.gap };
    return { memory: remembered, changes: toProblemChanges(problems), entries, retryAtMs: held.retryAtMs };
  }
  const isHeld = held.outcome === "done";
  const remembered = isHeld ? { ...memory, ...held.memory } : memory;
  if (former === undefined) return { ...untouched, memory: remembered };
  const event = { kind: isHeld ? "hold-done" : "hold-impossible", ended: toEnd(held) } as const;
  const entry = toTimelineEntry(now(), event, toStepDetail(held));
  return { ...untouched, memory: remembered, changes: isHeld ? toProblemChanges([]) : {}, entries: [entry] };
}

async function meetDeadline(
  options: HoldKeeperOptions,
  watched: Watched,
  outcome: "keep" | "release" | "cancel",
): Promise<OrderRecord | null> {
  // A person has decided in the last moment: what they said is taken up next.
  const heard = await options.store.getOrder(watched.order);
  if (heard?.verdict != null) return lookAgain(watched, options.now());
  if (outcome === "release") return releaseAtDeadline(options, watched);
  return outcome === "cancel" ? cancelAtDeadline(options, watched) : keepPastDeadline(options, watched);
}

async function releaseAtDeadline(options: HoldKeeperOptions, watched: Watched): Promise<null> {
  const { now } = options;
  const { order, save } = watched;
  const memory = { ...(await readMemory(options, order)), releasing: "at its deadline" };
  await save(order, { changes: {}, step: toHeld(memory, now()), release: false });
  const released = await take(options, watched, "release");
  if (released.outcome === "done" || released.outcome === "moot") return restReleased(options, watched);
  const attempts = order.attempts + 1;
  const dueAtMs = released.outcome === "wait" ? released.retryAtMs : toNextLookMs(null, attempts, now());
  await save(order, { changes: { dueAtMs, attempts, problem: toStepDetail(released) }, release: true });
  return null;
}

async function cancelAtDeadline({ now }: HoldKeeperOptions, watched: Watched): Promise<OrderRecord> {
  const { order, decision, save } = watched;
  const reasons: readonly Reason[] = ["deadline:cancel", ...decision.reasons];
  const event = { kind: "decided", action: "cancel", source: decision.source, reasons } as const;
  const changes: OrderChanges = {
    state: "decided",
    attempts: 0,
    decision: { ...decision, machine: toMachineDecision(decision), action: "cancel", reasons },
    decidedAtMs: now(),
    holdDeadlineMs: null,
  };
  const entries = [toTimelineEntry(now(), event, "cancel (deadline of the hold)")];
  return save(order, { changes, entries, release: false });
}

async function keepPastDeadline(options: HoldKeeperOptions, watched: Watched): Promise<null> {
  const { logger, now } = options;
  const { order, save } = watched;
  const memory = await readMemory(options, order);
  const isFirst = memory["overdue"] === undefined;
  const entries = isFirst ? [toTimelineEntry(now(), { kind: "hold-overdue" }, "kept, by policy")] : [];
  if (isFirst) {
    const alert = "hold_overdue";
    logger.error(
      { alert, tenant: order.tenant, orderId: order.orderId },
      "a hold is past its deadline and nobody decided",
    );
  }
  const attempts = order.attempts + 1;
  const losses = warnOfLosses(options, order, memory);
  const dueAtMs = toNextLook(options, { ...order, holdDeadlineMs: null }, attempts);
  const step = toHeld({ ...memory, ...losses.memory, overdue: "yes" }, now());
  const told = [...entries, ...losses.entries];
  await save(order, { changes: { dueAtMs, attempts }, entries: told, step, release: true });
  return null;
}

function toHeld(memory: StepRecord["memory"], atMs: number): StepRecord {
  return { step: "hold", state: "done", detail: "still held", memory, atMs };
}

async function readMemory({ store }: HoldKeeperOptions, order: OrderRecord): Promise<StepRecord["memory"]> {
  return (await store.listSteps(order)).find(({ step }) => step === "hold")?.memory ?? {};
}

function toTarget({ order, decision, policy }: Watched, memory: StepRecord["memory"]): EnforcementTarget {
  const { tenant, orderId, result } = order;
  return { tenant, orderId, decision, result, formerTags: [], cancel: policy.cancel, memory };
}
