import { isMadeUp } from "../order/order-effects.ts";
import type { ObservedOrder, Platform } from "../platform/platform.ts";
import type { OrderRecord, StepRecord, Store } from "../store/store.ts";

export interface SandboxPlatformOptions {
  /** The store has the steps anyway, so the platform keeps no state. */
  readonly store: Pick<Store, "orders">;
  readonly now: () => number;
}

export const SANDBOX_PLATFORM = "sandbox";

/** A person has looked at a sandbox order by this time. */
const ENDS_AFTER_MS = 24 * 3_600_000;
/** Nobody needs a warning about a deadline without consequences, so the order ends before it. */
const ENDS_BEFORE_DEADLINE_MS = 6 * 3_600_000;

/**
 * A platform of made-up orders: every step succeeds at once, touches nothing, and shows in the order. Orders end by
 * themselves after a day, or before somebody would be warned of their deadline. It accepts no webhooks.
 */
export function createSandboxPlatform({ store, now }: SandboxPlatformOptions): Platform {
  return {
    name: SANDBOX_PLATFORM,
    authenticate: () => ({ outcome: "unauthenticated", reason: "the sandbox takes no deliveries" }),
    interpret: () => ({ kind: "ignored", reason: "the sandbox takes no deliveries" }),
    enrich: async (_tenant, { mapped }) => ({ mapped, limitations: [] }),
    enforce: async (step) => ({
      outcome: "done",
      detail: `${step} in the sandbox, where nothing is touched`,
    }),
    async observe(tenant, orderId) {
      const key = { tenant, orderId };
      const order = await store.orders.get(key);
      if (order === null || !isMadeUp(order)) return null;
      return toObserved(order, await store.orders.listSteps(key), now());
    },
    readOrder: async () => null,
    confirmAccess: async () => "unknown",
    recentOrders: async () => ({ orders: [], nextCursor: null }),
    locate: async () => null,
    openSession: async () => null,
    page: () => null,
    close: async () => undefined,
  };
}

function toObserved(order: OrderRecord, steps: readonly StepRecord[], nowMs: number): ObservedOrder {
  const { decision, holdDeadlineMs, receivedAtMs } = order;
  const doneAtMs = (name: StepRecord["step"]): number => {
    const step = steps.find((record) => record.step === name && record.state === "done");
    return step === undefined ? -Infinity : step.atMs;
  };
  const isHeld = doneAtMs("hold") > doneAtMs("release");
  const isTagged = doneAtMs("tag") > -Infinity && doneAtMs("tag") >= doneAtMs("untag");
  const endsAtMs = Math.min(
    receivedAtMs + ENDS_AFTER_MS,
    (holdDeadlineMs ?? Infinity) - ENDS_BEFORE_DEADLINE_MS,
  );
  return {
    cancelled: doneAtMs("cancel") > -Infinity || nowMs >= endsAtMs,
    fulfilled: false,
    partlyFulfilled: false,
    holdable: false,
    tags: isTagged ? (decision?.tags ?? []) : [],
    holds: isHeld ? [{ holdId: order.orderId, reference: order.orderId }] : [],
    assessment: doneAtMs("assess") > -Infinity ? (decision?.riskLevel ?? null) : null,
    platformRisk: null,
  };
}
