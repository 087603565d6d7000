import type { RiskFactor } from "../../order/result.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import type { Sentence } from "./sentence.ts";

/** The groups of evidence. Signals of one group overlap, so the second one counts less. */
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
export type SignalGroupName = (typeof SIGNAL_GROUPS)[number];

/** A signal's finding on one order. */
export interface Observation {
  /** Ten points double the odds of fraud. Negative points are credit for the customer. */
  readonly points: number;
  /** Replaces the signal's own title. */
  readonly title?: string | undefined;
  /** What was seen, for a reviewer. Never contains personal data: values are named by kind, counted or left out. */
  readonly says: Sentence;
  /** What it says instead if a factor with one of these codes is in the same answer, because that one states the rest. */
  readonly beside?:
    | {
        readonly codes: readonly string[];
        readonly says: Sentence;
        /** Only if that factor is listed first, because it is stronger. Default: wherever it stands. */
        readonly isFirst?: boolean;
      }
    | undefined;
  /** Somebody should check it, however few points it has and however low the risk is. */
  readonly needsCheck?: boolean | undefined;
}

/** Signals below this many points don't help a reviewer, so they aren't factors of an answer. */
export const FACTOR_POINTS = 3;

/** One thing the engine looks for. Pure. */
export interface Signal {
  /** Stable, upper case, e.g. `EMAIL_DISPOSABLE`. */
  readonly code: string;
  readonly category: RiskFactor["category"];
  /** Short phrase for a reviewer, e.g. "Disposable email domain". */
  readonly title: string;
  /** Only says that the order consists of test data. Ignored in the sandbox, where all data does. */
  readonly testData?: boolean;
  /** Reduces trust in the account, because somebody else may be using it. */
  readonly shakesTrust?: boolean;
  /** Voids all credit: a customer who hides or invents something may have invented the rest too. */
  readonly voidsTrust?: boolean;
  /**
   * For credit: it is based on typed data, or on the absence of data. Such credit is small, and void if there is a serious
   * signal that isn't based on typed data.
   */
  readonly isClaim?: boolean;
  /**
   * Whether a place that many honest people may share explains it: a count of people there, or what a new resident may buy. By
   * itself it never makes an order high.
   */
  readonly isPlace?: (facts: OrderFacts) => boolean;
  /** Codes of signals that its title repeats, so that a summary leaves them out beside it. */
  readonly joins?: readonly string[];
  readonly observe: (facts: OrderFacts) => Observation | null;
}

export interface SignalGroup {
  readonly name: SignalGroupName;
  readonly signals: readonly Signal[];
}

/** Signals about one aspect of an order. */
export interface EvidenceGroup extends SignalGroup {
  /** Whether the order has enough data for this aspect. */
  readonly isKnown: (facts: OrderFacts) => boolean;
  /** What the answer lacks if it hasn't, for a reviewer. */
  readonly limitation: string;
}

export interface SeenSignal extends Observation {
  readonly title: string;
  /** What it says, filled in. */
  readonly description: string;
  readonly code: string;
  readonly group: SignalGroupName;
  readonly category: RiskFactor["category"];
  readonly shakesTrust: boolean;
  readonly voidsTrust: boolean;
  readonly isClaim: boolean;
  readonly isPlace: boolean;
  readonly joins: readonly string[];
}
