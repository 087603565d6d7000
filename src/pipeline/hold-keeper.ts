import type { Logger } from "../logger.ts";
import type { Decision } from "../policy/decision.ts";
import type { Policy } from "../policy/policy.ts";
import type { OrderChanges, OrderRecord, OrderStore, StepRecord } from "../store/store.ts";
import type { SaveOrder } from "./enforcement.ts";
import { isToCatchUp, toCatchUpMs } from "./catch-up.ts";
import { judgeHold, toNextLookMs, type HoldVerdict } from "./hold-watch.ts";
import type { CurrentPolicy } from "./order-decision.ts";
import type { EnforcementTarget, ObservedOrder, Platform, TenantId } from "./platform.ts";
import { toTimelineEntry } from "./timeline.ts";

/** Parts of {@link createHoldKeeper}. */
export interface HoldKeeperOptions {
  readonly store: Pick<OrderStore, "listSteps">;
  readonly policyOf: (tenant: TenantId) => Promise<CurrentPolicy>;
  readonly logger: Logger;
  readonly now: () => number;
}

/**
 * Looks after an order that is held: notices what people and other tools did to it, warns before the deadline and
 * carries out its default outcome. Resolves to `decided` when the order has a new decision to follow through.
 */
export type HoldKeeper = (
  order: OrderRecord,
  platform: Platform,
  signal: AbortSignal,
  save: SaveOrder,
) => Promise<OrderChanges | null>;

interface Watched {
  readonly order: OrderRecord;
  readonly decision: Decision;
  readonly policy: Policy;
  readonly platform: Platform;
  readonly signal: AbortSignal;
  readonly save: SaveOrder;
}

/** Create the {@link HoldKeeper} of an app. */
export function createHoldKeeper(options: HoldKeeperOptions): HoldKeeper {
  const { policyOf, now } = options;

  return async (order, platform, signal, save) => {
    const { decision, tenant, orderId } = order;
    if (decision === null) throw new TypeError("an order without a decision cannot be held");
    const { policy } = await policyOf(tenant);
    const watched: Watched = { order, decision, policy, platform, signal, save };
    // Shadow mode touches nothing: the order is looked at again when it may be touched.
    if (policy.mode === "shadow") return lookAgain(watched, toNextLookMs(null, order.attempts + 1, now()));
    const observed = await platform.observe(tenant, orderId, { signal });
    if (observed === null)
      return rest(options, watched, "failed", "order-not-found", "the platform lost the order");
    const verdict = judgeHold(order, observed, policy, now());
    switch (verdict.kind) {
      case "ended":
        return rest(options, watched, "settled", null, verdict.why);
      case "overridden":
        return rest(
          options,
          watched,
          "settled",
          null,
          "a person released the hold on the platform",
          "hold-overridden",
        );
      case "overdue":
        return meetDeadline(options, watched, verdict.outcome);
      case "held":
        return stay(options, watched, observed, verdict);
    }
  };
}

async function lookAgain({ order, save }: Watched, dueAtMs: number): Promise<null> {
  await save({ changes: { dueAtMs, attempts: order.attempts + 1 }, release: true });
  return null;
}

/** Nothing is left to watch. */
async function rest(
  { logger, now }: HoldKeeperOptions,
  { order, save }: Watched,
  state: "settled" | "failed",
  problem: string | null,
  detail: string,
  kind: string = state,
): Promise<null> {
  const entries = [
    toTimelineEntry(now(), kind, detail, kind === "hold-overridden" ? "platform" : "holdfast"),
  ];
  await save({
    changes: { state, problem, dueAtMs: null, attempts: 0, holdDeadlineMs: null },
    entries,
    release: true,
  });
  if (detail === "fulfilled") {
    logger.error(
      { alert: "held_order_fulfilled", orderId: order.orderId },
      "an order shipped in spite of its hold",
    );
  }
  return null;
}

async function stay(
  options: HoldKeeperOptions,
  watched: Watched,
  observed: ObservedOrder,
  { expiring, holdable }: Extract<HoldVerdict, { readonly kind: "held" }>,
): Promise<null> {
  const { logger, now } = options;
  const { order, decision, platform, signal, save } = watched;
  const memory = await readMemory(options, order);
  const entries = [];
  // Fulfilment orders that came after the hold: splits, moves, late routing.
  if (holdable) await platform.enforce("hold", toTarget(watched, {}), { signal });
  const missing = decision.tags.filter((tag) => !observed.tags.includes(tag));
  if (missing.length > 0 && memory["tagged"] === undefined) {
    await platform.enforce("tag", toTarget(watched, {}), { signal });
    entries.push(toTimelineEntry(now(), "tag-repaired", missing.join(", ")));
  }
  const warn = expiring && memory["warned"] === undefined;
  if (warn) {
    entries.push(toTimelineEntry(now(), "hold-expiring", "the deadline of the hold is near"));
    logger.error({ alert: "hold_expiring", orderId: order.orderId }, "a hold is about to reach its deadline");
  }
  const kept = {
    ...memory,
    // A tag that is taken off again is taken off by somebody who means it.
    ...(missing.length > 0 ? { tagged: "again" } : {}),
    ...(warn ? { warned: "yes" } : {}),
  };
  const step: StepRecord = { step: "hold", state: "done", detail: "still held", memory: kept, atMs: now() };
  const looks = order.attempts + 1;
  const lookMs = toNextLookMs(order.holdDeadlineMs, looks, now());
  const dueAtMs = isToCatchUp(order, now()) ? Math.min(lookMs, toCatchUpMs(order, looks, now())) : lookMs;
  await save({ changes: { dueAtMs, attempts: order.attempts + 1 }, entries, step, release: true });
  return null;
}

async function meetDeadline(
  options: HoldKeeperOptions,
  watched: Watched,
  outcome: "keep" | "release" | "cancel",
): Promise<OrderChanges | null> {
  const { logger, now } = options;
  const { order, decision, platform, signal, save } = watched;
  if (outcome === "release") {
    const released = await platform.enforce("release", toTarget(watched, {}), { signal });
    if (released.outcome === "done" || released.outcome === "moot") {
      return rest(options, watched, "settled", null, "released at its deadline", "hold-released");
    }
    const dueAtMs =
      released.outcome === "wait" ? released.retryAtMs : toNextLookMs(null, order.attempts + 1, now());
    await save({
      changes: { dueAtMs, attempts: order.attempts + 1, problem: released.reason },
      release: true,
    });
    return null;
  }
  if (outcome === "cancel") {
    const reasons = ["deadline:cancel", ...decision.reasons];
    const changes: OrderChanges = {
      state: "decided",
      attempts: 0,
      decision: { ...decision, action: "cancel", reasons },
      decidedAtMs: now(),
      holdDeadlineMs: null,
    };
    await save({
      changes,
      entries: [toTimelineEntry(now(), "decided", "cancel (deadline of the hold)")],
      release: false,
    });
    return changes;
  }
  const memory = await readMemory(options, order);
  const entries =
    memory["overdue"] === undefined ? [toTimelineEntry(now(), "hold-overdue", "kept, by policy")] : [];
  if (entries.length > 0) {
    logger.error(
      { alert: "hold_overdue", orderId: order.orderId },
      "a hold is past its deadline and nobody decided",
    );
  }
  const step: StepRecord = {
    step: "hold",
    state: "done",
    detail: "still held",
    memory: { ...memory, overdue: "yes" },
    atMs: now(),
  };
  const dueAtMs = toNextLookMs(null, order.attempts + 1, now());
  await save({ changes: { dueAtMs, attempts: order.attempts + 1 }, entries, step, release: true });
  return null;
}

async function readMemory({ store }: HoldKeeperOptions, order: OrderRecord): Promise<StepRecord["memory"]> {
  return (await store.listSteps(order)).find(({ step }) => step === "hold")?.memory ?? {};
}

function toTarget({ order, decision, policy }: Watched, memory: StepRecord["memory"]): EnforcementTarget {
  const { tenant, orderId, result } = order;
  return { tenant, orderId, decision, result, formerTags: [], cancel: policy.cancel, memory };
}
