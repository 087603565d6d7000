import type { ErrorCode } from "../base/errors.ts";
import type { Reason } from "./reasons.ts";
import type { RiskLevel } from "./result.ts";

/** Why an order is not sent to the service. */
export const SKIP_REASONS = [
  "TEST_ORDER",
  "ZERO_AMOUNT",
  "CANCELLED",
  "NO_EMAIL",
  "NO_NAME",
  "NO_ADDRESS",
  "NO_AMOUNT",
  "PERSONAL_DATA_NOT_GRANTED",
  "SKIPPED_BY_RULE",
] as const;
/** Why an order is not sent to the service. */
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What Holdfast can do with an order, mildest first. */
export const ACTIONS = ["allow", "tag", "hold", "cancel"] as const;
/** What Holdfast does with an order. */
export type Action = (typeof ACTIONS)[number];

/** What a person may decide about an order. */
export const PERSON_ACTS = ["approve", "decline", "recheck"] as const;
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

/** What calling a risk low takes at least. `detail`: half of the sides of an order that the local engine looks at. */
export const ESSENTIAL_FACTS = ["email", "name", "address", "detail"] as const;
/** What calling a risk low takes at least. `detail`: half of the sides of an order that the local engine looks at. */
export type EssentialFact = (typeof ESSENTIAL_FACTS)[number];

/**
 * A "low" of the local engine that is not published as the order's level: a service is configured and did not check the
 * order, or too little is known of it.
 */
export interface Guess {
  readonly riskLevel: "low";
  readonly riskScore: number;
  /** What is not known of the order. */
  readonly missing: readonly EssentialFact[];
}

/** What Holdfast will do with an order, and why. Carries no personal data. */
export interface Decision {
  readonly action: Action;
  /** Tags to add on the platform, without duplicates. */
  readonly tags: readonly string[];
  /** Why, most important first. */
  readonly reasons: readonly Reason[];
  readonly source: DecisionSource;
  /** Decided without the service although an answer of it was wanted. */
  readonly degraded: boolean;
  /** Null when nobody judged the order, or when there is only a `guess`. */
  readonly riskLevel: RiskLevel | null;
  readonly riskScore: number | null;
  /**
   * Why the service did not check the order: a skip reason, or the code of the error that left it without an answer.
   * Absent when it did check it, when none is configured, and when there was nothing to check.
   */
  readonly unchecked?: UncheckedCause | undefined;
  /** The local engine's "low", where it is too weak to be published. Absent otherwise. */
  readonly guess?: Guess | undefined;
  /** False in shadow mode, and for an order that was taken in for the record: recorded, nothing touched. */
  readonly enforce: boolean;
  /** Version of the policy that decided. */
  readonly policyVersion: number;
  /** A bank asks about the payment: only a person releases this hold. */
  readonly disputed?: true | undefined;
  /** Who decided, `person:ID`, when a person did. */
  readonly actor?: string | undefined;
  /** Why that person declined it, where they said. */
  readonly declineReason?: DeclineReason | undefined;
  /** What Holdfast had decided by itself before a person or a deadline decided otherwise. */
  readonly machine?: MachineDecision | undefined;
  /** What was true on the platform because of us before this decision: an earlier decision's work, or the hold of a check. */
  readonly supersedes?: {
    /** Our hold was there. */
    readonly held: boolean;
    /** An answer of the service had asked for that hold, and none has released it since. */
    readonly heldByAnswer?: true | undefined;
    /** Our tags were there. */
    readonly tags: readonly string[];
    /** The hold was placed before anything was decided. */
    readonly whileChecking?: true | undefined;
  };
}

/** What Holdfast decided by itself, kept beside the word of a person or a deadline: replays are made from it. */
export type MachineDecision = Pick<
  Decision,
  "action" | "tags" | "reasons" | "source" | "degraded" | "policyVersion"
>;

/** What Holdfast itself decided, whoever decided since; a person's decision where only people have. */
export function toMachineDecision(decision: Decision): MachineDecision {
  if (decision.machine !== undefined) return decision.machine;
  const { action, tags, reasons, source, degraded, policyVersion } = decision;
  return { action, tags, reasons, source, degraded, policyVersion };
}
