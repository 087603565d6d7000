import type { Decision } from "../../order/decision.ts";
import type { EnforcementStep, HoldRelease, StepOutcome } from "../../platform/enforcement-step.ts";
import type { ObservedOrder } from "../../platform/platform.ts";
import type { Policy } from "../../policy/policy.ts";
import type { BuyerCheck } from "../../store/buyer-checks/buyer-check.ts";
import type { KeptDispute } from "../../store/outcomes/disputes.ts";
import type { OrderRecord, OrderTransition, StepRecord } from "../../store/store.ts";

/** Everything that the next move of a claimed order depends on. */
export interface Situation extends Surroundings {
  readonly order: OrderRecord;
  /** The latest record of each step on the platform, in the order in which they were first tried. */
  readonly steps: readonly StepRecord[];
  /** Whether the order's platform is configured. */
  readonly hasPlatform: boolean;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly found: Found;
}

/** What may change around an order while it's worked on. It's read with the order, and again until the steps of its decision. */
export interface Surroundings {
  readonly policy: Policy;
  readonly policyVersion: number;
  /** Banks' disputes about the order's payment, oldest first. */
  readonly disputes: readonly KeptDispute[];
  /** What the order's buyer was asked, newest first. Read only if it is held. */
  readonly buyerChecks: readonly BuyerCheck[];
}

/** What was found out since the order was claimed. It isn't stored: the next claim finds it out again. */
export interface Found {
  /** The hold that comes before the check was tried, or isn't needed. */
  readonly triedToHold?: true | undefined;
  /** It was decided on what the service answered now, or on its silence. */
  readonly isDecided?: true | undefined;
  /** The service can't be asked about the new content now, and it's worth waiting for. */
  readonly postponed?: Postponed | undefined;
  /** The service was asked again and gave no answer; when it may be asked again, if that is known. */
  readonly unanswered?: { readonly askAgainAtMs?: number | undefined } | undefined;
  /** What is new around the order, not saved yet. Its decision stands. */
  readonly news?: Pick<OrderTransition, "changes" | "entries"> | undefined;
  /** What the platform shows of a held order; null if it has no such order. */
  readonly observed?: ObservedOrder | "hidden" | null | undefined;
  /** Nobody decided about a held order at the last moment, and it wasn't changed. */
  readonly noNews?: true | undefined;
  /** The hold was released at its deadline. */
  readonly isReleased?: true | undefined;
  /** Who released the hold from before the decision; null if nobody did. */
  readonly releasedBefore?: HoldRelease | null | undefined;
  /** Whether the policy, which changed since, still cancels the order. */
  readonly stillCancels?: boolean | undefined;
  /** The steps of the decision so far. Absent: none was taken. */
  readonly pass?: Pass | undefined;
}

/** What a change of the order waits for. */
interface Postponed {
  readonly retryAtMs: number;
  readonly problem: string;
  readonly isSaved?: true;
}

/** A step to try again: nothing is done yet, or only some of the goods are held. */
export type WaitingStep = Extract<StepOutcome, { readonly outcome: "wait" | "partial" }>;

/**
 * Why the hold that a cancel waits on is placed once more. `rest`: goods are no longer covered by it, after a split, a move, a
 * merge or late routing. `release`: an app released it, which isn't a verdict against the cancel.
 */
export type Loose = { readonly why: "rest" } | { readonly why: "release"; readonly release: HoldRelease };

/** The steps of one decision that are taken in one claim. What it begins with holds until its end. */
export interface Pass {
  /** The platform was already canceling the order. */
  readonly wasBegun: boolean;
  /** The hold of an earlier decision was there. */
  readonly isHeld: boolean;
  /** The cancel waits on hold first. */
  readonly coolOff: boolean;
  /** The hold that the cancel waits on has to be placed once more. */
  readonly loose: Loose | null;
  /** Steps to try again later. */
  readonly waits: ReadonlyMap<EnforcementStep, WaitingStep>;
}

/** The situation after something else was found out. */
export function learn(situation: Situation, found: Found): Situation {
  return { ...situation, found: { ...situation.found, ...found } };
}

/** The decision of an order that must have one. */
export function decisionOf({ decision }: Pick<OrderRecord, "decision">): Decision {
  if (decision === null) throw new TypeError("the order isn't decided");
  return decision;
}
