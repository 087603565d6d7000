import type { EnforcementTarget, StepOutcome } from "../../../src/adapter-kit.ts";
import type { Ask } from "../admin/ask.ts";

export interface StepContext {
  readonly target: EnforcementTarget;
  readonly orderGid: string;
  readonly now: () => number;
  readonly signal: AbortSignal | undefined;
  readonly ask: Ask;
}

/** One enforcement step. Idempotent. */
export type Step = (context: StepContext) => Promise<StepOutcome>;

export const ORDER_NOT_FOUND = { outcome: "impossible", reason: "order-not-found" } satisfies StepOutcome;
/** Shopify no longer shows the order to the app: a person has to do it in Shopify. */
export const ORDER_HIDDEN = { outcome: "impossible", reason: "order-hidden" } satisfies StepOutcome;
export const CANCELED_BEFORE = {
  outcome: "moot",
  ended: "cancelled",
  reason: "already-cancelled",
} satisfies StepOutcome;
/** The order has shipped, or is about to: the step comes too late. */
export const SHIPPED_BEFORE = {
  outcome: "impossible",
  ended: "shipped",
  reason: "already-fulfilled",
} satisfies StepOutcome;

const LONGEST_WAIT_MS = 24 * 3_600_000;

/** Stands for the code of a user error that has none. */
export const NO_CODE = "UNKNOWN";

/** The codes of a mutation's user errors. Their messages are ignored, because they can quote what was sent. */
export function toCodes(errors: readonly { readonly code: string | null }[]): readonly string[] {
  return errors.map(({ code }) => code ?? NO_CODE);
}

export function toRefusal(codes: readonly string[]) {
  return { outcome: "impossible", reason: `refused-${[...new Set(codes)].join(",")}` } satisfies StepOutcome;
}

export interface WaitPlan {
  /** Pauses before the next attempts, in milliseconds; the last one repeats. */
  readonly pausesMs: readonly number[];
  /** Why it waits: a stable code. */
  readonly reason: string;
  /** Why the step gave up. Default: `reason`. */
  readonly giveUp?: string | undefined;
  /** How long it may wait before it gives up, in milliseconds. Default: a day. */
  readonly longestMs?: number | undefined;
  /** What to remember until the next attempt. */
  readonly memory?: Readonly<Record<string, string>> | undefined;
  /** Earliest time of the next attempt, milliseconds since the epoch. */
  readonly retryAtMs?: number | undefined;
}

/** Wait for the next attempt, longer each time. Impossible after the plan's longest wait. */
export function waitAgain({ target, now }: StepContext, plan: WaitPlan): StepOutcome {
  const tries = toCount(target.memory["tries"]);
  const sinceMs = toCount(target.memory["sinceMs"]) || now();
  if (now() - sinceMs >= (plan.longestMs ?? LONGEST_WAIT_MS))
    return { outcome: "impossible", reason: plan.giveUp ?? plan.reason };
  const pauseMs = plan.pausesMs[Math.min(tries, plan.pausesMs.length - 1)] ?? 0;
  return {
    outcome: "wait",
    reason: plan.reason,
    retryAtMs: Math.max(now() + pauseMs, plan.retryAtMs ?? 0),
    memory: { ...plan.memory, tries: String(tries + 1), sinceMs: String(sinceMs) },
  };
}

export function toCount(text: string | undefined): number {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
