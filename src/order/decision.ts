import type { ErrorCode } from "../base/errors.ts";
import type { BuyerCheckMethod, RightAnswer } from "./buyer-check.ts";
import type { LinkKind } from "./link-kinds.ts";
import type { Reason } from "./reasons.ts";
import type { RiskLevel } from "./risk-level.ts";
import type { SkipReason } from "./skip-reasons.ts";

/** What Holdfast can do with an order, mildest first. */
export const ACTIONS = ["allow", "tag", "hold", "cancel"] as const;
/** What Holdfast does with an order. */
export type Action = (typeof ACTIONS)[number];

/** Whether an action keeps the order from shipping. */
export function isStop(action: Action): boolean {
  return action === "hold" || action === "cancel";
}

/** What a person may decide about an order. `handle`: it has shipped, and leaves the queue without a verdict. */
export const PERSON_ACTS = ["approve", "decline", "handle", "recheck"] as const;
/** What a person may decide about an order. */
export type PersonAct = (typeof PERSON_ACTS)[number];

/** Why a person declines an order. */
export const DECLINE_REASONS = [
  "suspected-fraud",
  "stolen-payment",
  "false-details",
  "not-confirmed",
  "abuse",
  "customer-request",
  "other",
] as const;
/** Why a person declines an order. */
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** Who the answer behind a decision came from. */
export const DECISION_SOURCES = ["service", "cache", "local", "policy", "person"] as const;
/** Who the answer behind a decision came from. */
export type DecisionSource = (typeof DECISION_SOURCES)[number];

/** Why a configured service did not check an order. */
export type UncheckedCause = SkipReason | ErrorCode;

/** What an order must have before its risk can be called low. `detail`: half of what the local engine looks at. */
export type EssentialFact = "email" | "name" | "address" | "detail";

/**
 * A "low" of the local engine that isn't published as the order's level, because a configured service didn't check the
 * order, or because too little is known about it.
 */
export interface Guess {
  readonly riskLevel: "low";
  readonly riskScore: number;
  /** What the order lacks. */
  readonly missing: readonly EssentialFact[];
}

/** Why an order is held instead of canceled. */
export type HeldInstead =
  /** No answer of the service supports the cancel. */
  | "local-never-cancels"
  /** The customer is opted out of automated decisions. */
  | "opted-out"
  /** The shop saved no policy. */
  | "no-policy-saved"
  /** A person had released our hold before the decision. */
  | "hold-released"
  /** The policy changed while the order waited, and no longer cancels it. */
  | "policy-changed";

/** The kind of list that an order's buyer is on, and what the buyer was recognized by. */
export interface ListMatch {
  readonly list: "trust" | "block";
  readonly kind: LinkKind;
}

/** The rule or the channel of the policy that skips an order's check, by its name there. */
export interface Skip {
  readonly rule?: string | undefined;
  readonly channel?: string | undefined;
}

/** What led to a decision, for code. What doesn't apply is absent. Replays read it. */
export interface Causes {
  /** The name of the rule that applied. */
  readonly rule?: string | undefined;
  /** The rule only keeps the action from being milder. */
  readonly atLeast?: true | undefined;
  /** The list that counted. */
  readonly listed?: ListMatch | undefined;
  /** Names of rules that weren't applied, because they are snoozed for the buyer. */
  readonly snoozed?: readonly string[] | undefined;
  /** Why the order was not sent to the service. */
  readonly skipReason?: SkipReason | undefined;
  /** What said so, for `SKIPPED_BY_RULE`. */
  readonly skippedBy?: Skip | undefined;
  /** Why the service, which was asked or should have been, gave no answer. */
  readonly problem?: ErrorCode | undefined;
  /** A guess on changed content doesn't release what an answer held. */
  readonly holdKept?: true | undefined;
}

/** What Holdfast will do with an order, and why. Carries no personal data. */
export interface Decision {
  readonly action: Action;
  /** Tags to add on the platform, without duplicates. */
  readonly tags: readonly string[];
  /** Why, most important first. For people. */
  readonly reasons: readonly Reason[];
  /** Absent if only people decided. */
  readonly causes?: Causes | undefined;
  readonly source: DecisionSource;
  /** Decided without the service, although its answer was wanted. */
  readonly degraded: boolean;
  /** Null when nobody judged the order, or when there is only a `guess`. */
  readonly riskLevel: RiskLevel | null;
  readonly riskScore: number | null;
  /**
   * Why the service did not check the order: a skip reason, or the code of the error that left it without an answer.
   * Absent when it did check it, when none is configured, and when there was nothing to check.
   */
  readonly unchecked?: UncheckedCause | undefined;
  /** The local engine's "low", if it is too weak to be published. Otherwise absent. */
  readonly guess?: Guess | undefined;
  /**
   * False in shadow mode, and for an order that was imported for the record: the decision is recorded but not applied.
   */
  readonly enforce: boolean;
  /** Version of the policy that decided. */
  readonly policyVersion: number;
  /** Why it's a hold instead of a cancel. Absent for all other decisions. Only a person releases this hold. */
  readonly heldInstead?: HeldInstead | undefined;
  /** The order is held until the service has answered. */
  readonly heldToCheck?: true | undefined;
  /** The buyer of this held order is asked whether the order is theirs, and this is what a right answer does. */
  readonly verify?: RightAnswer | undefined;
  /** The buyer confirmed the order, and what that did. It's no verdict of a person. */
  readonly confirmed?: { readonly method: BuyerCheckMethod; readonly effect: RightAnswer } | undefined;
  /** The deadline of a hold decided this. */
  readonly atDeadline?: true | undefined;
  /** A bank asks about the payment: only a person releases this hold. */
  readonly disputed?: true | undefined;
  /** The person who decided, `person:ID`. Absent if no person did. */
  readonly actor?: string | undefined;
  /** Why that person declined the order, if they gave a reason. */
  readonly declineReason?: DeclineReason | undefined;
  /**
   * That person declined an order that had shipped, as far as Holdfast knew, and was told that nothing is canceled.
   * `unshipped`: the platform then said that it hasn't shipped after all.
   */
  readonly cancelsNothing?: "shipped" | "unshipped" | undefined;
  /** That person took the order, which had shipped, out of the queue. It's no verdict. */
  readonly handled?: true | undefined;
  /** What Holdfast had decided by itself before a person or a deadline changed it. */
  readonly machine?: MachineDecision | undefined;
  /**
   * What Holdfast had done on the platform before this decision: the steps of an earlier decision, or the hold of a
   * check.
   */
  readonly supersedes?: {
    /** Our hold was in place. */
    readonly held: boolean;
    /** An answer of the service caused that hold, and no later answer released it. */
    readonly heldByAnswer?: true | undefined;
    /** Our tags were in place. */
    readonly tags: readonly string[];
    /** The hold was placed before anything was decided. */
    readonly whileChecking?: true | undefined;
  };
}

/** What Holdfast decided by itself, stored beside the decision of a person or a deadline. Replays use it. */
export type MachineDecision = Pick<
  Decision,
  "action" | "tags" | "reasons" | "causes" | "source" | "degraded" | "policyVersion"
>;

/** Whether a decision rests on an answer of the service, new or kept. Only such an answer cancels. */
export function isServiceAnswer({ source, degraded }: Pick<Decision, "source" | "degraded">): boolean {
  return (source === "service" || source === "cache") && !degraded;
}

/** What the person behind a decision did. */
export function toPersonAct({ action, handled }: Pick<Decision, "action" | "handled">) {
  if (handled === true) return "handle";
  return action === "cancel" ? "decline" : "approve";
}

/** What Holdfast itself decided, even if somebody decided later; a person's decision if only people decided. */
export function toMachineDecision(decision: Decision): MachineDecision {
  if (decision.machine !== undefined) return decision.machine;
  const { action, tags, reasons, causes, source, degraded, policyVersion } = decision;
  return { action, tags, reasons, causes, source, degraded, policyVersion };
}
