import type { RiskFactor } from "../order/result.ts";
import type { OrderFacts } from "./order-facts.ts";

/** Names of the groups of evidence. Signals of one group overlap, so the second of a group counts less. */
export const SIGNAL_GROUPS = [
  "email",
  "phone",
  "geo",
  "address",
  "card",
  "amount",
  "items",
  "account",
  "history",
  "time",
  "velocity",
  "userAgent",
  "ip",
  "combination",
] as const;
/** Name of a group of evidence. */
export type SignalGroupName = (typeof SIGNAL_GROUPS)[number];

/** What a signal saw on one order. */
export interface Observation {
  /** Ten points double the odds of fraud; below zero they speak for the customer. */
  readonly points: number;
  /** In place of the signal's own title. */
  readonly title?: string | undefined;
  /** What was seen, for a reviewer. Never holds personal data: values are named by kind, counted or left out. */
  readonly description: string;
}

/** One thing the engine looks for. Pure. */
export interface Signal {
  /** Stable, upper case, e.g. `EMAIL_DISPOSABLE`. */
  readonly code: string;
  readonly category: RiskFactor["category"];
  /** Short phrase for a reviewer, e.g. "Disposable email domain". */
  readonly title: string;
  /** Only says that the order is made of test data: left out in the sandbox, where all data is. */
  readonly testData?: boolean;
  /** Trust in the account counts less once this is seen, because the account may no longer be its owner's. */
  readonly shakesTrust?: boolean;
  /** Once this is seen, no credit counts: a customer who hides or makes things up chose the rest, too. */
  readonly voidsTrust?: boolean;
  /**
   * Of credit: it rests on what the customer typed, or on nothing being known. Small, and gone once something serious is
   * seen that the customer did not type.
   */
  readonly isClaim?: boolean;
  /** Whether it counts people at one place, which many honest ones may share: without another reason, the order is never high. */
  readonly isPlace?: (facts: OrderFacts) => boolean;
  /** What is seen on this order, or null. */
  readonly observe: (facts: OrderFacts) => Observation | null;
}

/** Signals that overlap. */
export interface SignalGroup {
  readonly name: SignalGroupName;
  readonly signals: readonly Signal[];
}

/** Signals about one side of an order, which the order may or may not tell. */
export interface EvidenceGroup extends SignalGroup {
  /** Whether the order says enough to look at this side. */
  readonly isKnown: (facts: OrderFacts) => boolean;
  /** What the answer misses when it does not, for a reviewer. */
  readonly limitation: string;
}

/** A {@link Signal} that was seen. */
export interface SeenSignal extends Observation {
  readonly title: string;
  readonly code: string;
  readonly group: SignalGroupName;
  readonly category: RiskFactor["category"];
  readonly shakesTrust: boolean;
  readonly voidsTrust: boolean;
  readonly isClaim: boolean;
  readonly isPlace: boolean;
}
