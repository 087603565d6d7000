import type { ObservedOrder } from "../../platform/platform.ts";
import type { OrderRecord, StepRecord } from "../../store/store.ts";
import { needsPerson } from "./buyer-check.ts";
import { judgeHold, toVisibleDeadlineMs, type HoldFinding } from "./hold-deadline.ts";
import type { Situation } from "./situation.ts";
import { findStep, isHoldingAgain, mayHoldAgain } from "./step-plan.ts";
import type { HoldNotes } from "./warning-times.ts";

/** The notes about a hold, from the platform's adapter and from Holdfast. */
export interface KnownHold {
  readonly memory: StepRecord["memory"];
  readonly notes: HoldNotes;
  /** When it was last known to be there. */
  readonly heldAtMs: number;
}

export function toKnownHold(steps: readonly StepRecord[], nowMs: number): KnownHold {
  const { memory = {}, notes = {}, atMs = nowMs } = findStep(steps, "hold") ?? {};
  return { memory, notes, heldAtMs: atMs };
}

/** The release of a hold that was let go: who did it is known from an earlier look. */
export const BY_APP = { by: "app" } as const;

/** What a look at a held order found. */
export type LookFinding =
  | HoldFinding
  /** The platform no longer has the order. */
  | { readonly kind: "lost" }
  /** The platform shows neither the order nor its goods. */
  | { readonly kind: "hidden" }
  /** A process died between releasing the hold and saving that: we released it ourselves. */
  | { readonly kind: "released-by-us" }
  /** Somebody released the hold. The platform may know in a moment who it was. */
  | { readonly kind: "unclear" };

/** A hold that is over. */
export type HoldEnd = Extract<
  LookFinding,
  { readonly kind: "lost" | "ended" | "released-by-us" | "overridden" }
>;

const ENDS: ReadonlySet<LookFinding["kind"]> = new Set(["lost", "ended", "released-by-us", "overridden"]);

export function isHoldEnd(finding: LookFinding): finding is HoldEnd {
  return ENDS.has(finding.kind);
}

/** A hold that stays. `expiring`: its deadline is near. `overdue`: its deadline has passed, and this is why it stays. */
export interface Stay {
  readonly holdable: boolean;
  readonly expiring?: boolean;
  readonly overdue?: "policy" | "hidden" | "disputed" | "buyer";
}

/** What a look at a held order found. Pure. */
export function judgeLook(situation: Situation, observed: ObservedOrder | "hidden" | null): LookFinding {
  const { order, steps, policy, nowMs } = situation;
  if (observed === null) return { kind: "lost" };
  if (observed === "hidden") return { kind: "hidden" };
  const { notes } = toKnownHold(steps, nowMs);
  const isWarned = notes["warned"] !== undefined;
  const now = { nowMs, isWarned, isForPerson: needsPerson(situation) };
  const finding = judgeHold(toCapped(order, observed, nowMs), observed, policy, now);
  switch (finding.kind) {
    case "ended":
      return finding;
    case "overridden":
    case "released":
      if (notes["releasing"] !== undefined) return { kind: "released-by-us" };
      return finding.release.by === "unknown" && notes["unclear"] === undefined
        ? { kind: "unclear" }
        : finding;
    default: {
      const isBegun = isHoldingAgain(notes) && mayHoldAgain(policy, notes);
      return isBegun ? { kind: "released", release: BY_APP } : finding;
    }
  }
}

/** A held order with a deadline before the platform hides it. */
export function toCapped(order: OrderRecord, observed: ObservedOrder, nowMs: number): OrderRecord {
  const holdDeadlineMs = toVisibleDeadlineMs(order, observed, nowMs);
  return holdDeadlineMs === order.holdDeadlineMs ? order : { ...order, holdDeadlineMs };
}
