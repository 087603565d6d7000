import type { ComparedOrder, FieldChange } from "../../order/material-change.ts";
import type { OrderContext } from "../../order/order-context.ts";
import type { LinkKind } from "../../order/link-kinds.ts";
import type { OrderEffects } from "../../order/order-effects.ts";
import type { Decision, DeclineReason, PersonAct } from "../../order/decision.ts";
import type { SkipReason } from "../../order/skip-reasons.ts";
import type { VerificationResult } from "../../order/result.ts";
import type { MappedOrder } from "../../platform/platform.ts";
import type { EnforcementStep, OrderEnd } from "../../platform/enforcement-step.ts";
import type { StoredFacts } from "../../policy/order-facts.ts";
import type { OrderState } from "./order-states.ts";
import type { OrderProblem, TimelineEvent } from "./timeline.ts";
import type { OrderKey } from "../statements.ts";

export interface NewOrder extends OrderKey {
  readonly platform: string;
  readonly name: string;
  readonly customerId: string | undefined;
  readonly receivedAtMs: number;
  readonly mapped: MappedOrder;
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  /** Default: `live`. */
  readonly effects?: OrderEffects | undefined;
  /** When to work on it. Default: at once. */
  readonly dueAtMs?: number | undefined;
  /** When the order was in this state on the platform, milliseconds since the epoch. Default: unknown. */
  readonly asOfMs?: number | undefined;
}

/** A stored order. `mapped` and `result` are null once erased. */
export interface OrderRecord extends OrderKey {
  readonly platform: string;
  readonly name: string;
  readonly customerId: string | null;
  readonly receivedAtMs: number;
  readonly state: OrderState;
  /** When to be claimed next; null for never. */
  readonly dueAtMs: number | null;
  /** Failed tries in the current state. */
  readonly attempts: number;
  /** Whether `mapped` already includes customer history and card facts. */
  readonly enriched: boolean;
  readonly mapped: MappedOrder | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly effects: OrderEffects;
  readonly fingerprint: string | null;
  readonly result: VerificationResult | null;
  /**
   * The facts for rules that name nobody, from the time of the decision. Kept after the content is erased. Null if not
   * stored.
   */
  readonly facts: StoredFacts | null;
  readonly decision: Decision | null;
  readonly decidedAtMs: number | null;
  readonly settledAtMs: number | null;
  readonly skipReason: SkipReason | null;
  /** What blocks it, as text (see {@link toProblemText}); null if nothing does. */
  readonly problem: string | null;
  /** The same as data. */
  readonly problems: readonly OrderProblem[];
  readonly holdDeadlineMs: number | null;
  /** From the ledger: answered, billed and unknown calls. */
  readonly creditsSpent: number;
  /**
   * The time of the newest state that the platform reported, milliseconds since the epoch, even if nothing had changed.
   * Reports about earlier states are ignored. Null if unknown.
   */
  readonly asOfMs: number | null;
  /** Identifies the newest stored change, by about when it happened on the platform; null if there is none. */
  readonly revisedAtMs: number | null;
  /** The order's newer content since it was screened; null once it has been handled, or if there is none. */
  readonly revision: OrderRevision | null;
  /** When to read the platform's other data about the order again, such as its own risk; null for never. */
  readonly rereadAtMs: number | null;
  /** A person's decision that the worker still has to carry out. */
  readonly review: PendingReview | null;
}

/** The fields of an order that every list shows. */
export type ListedOrder = Pick<
  OrderRecord,
  "orderId" | "name" | "receivedAtMs" | "state" | "amount" | "currency" | "skipReason"
>;

/** Fields that a transition may change, also to null. */
type Changeable =
  | ("state" | "dueAtMs" | "attempts" | "enriched" | "amount" | "currency" | "result" | "skipReason")
  | ("problem" | "problems" | "holdDeadlineMs");

/** Fields that a transition may write but not clear. */
type Writable = "mapped" | "fingerprint" | "facts" | "decision" | "decidedAtMs" | "settledAtMs";

/** What a transition changes. Absent fields stay. `null` clears. Without `problems`, `problem` is one code, or null. */
export interface OrderChanges
  extends
    Partial<Pick<OrderRecord, Changeable>>,
    Readonly<{ [Name in Writable]?: NonNullable<OrderRecord[Name]> }> {
  readonly revise?: RevisionChange;
  readonly reread?: RereadChange;
  /** It was handled. */
  readonly review?: null;
}

/** One line of an order's history. No personal data, except in a note. */
export interface TimelineEntry {
  readonly atMs: number;
  /** Stable kind, e.g. `received`, `decided`, `hold-done`. */
  readonly kind: string;
  /** For people. Code never reads it. */
  readonly detail: string;
  /** The same for code. */
  readonly event: TimelineEvent;
  /** `holdfast`, `platform`, or `person:ID`. */
  readonly actor: string;
  /** A person's note. Absent if there is none or it was erased. Only people write notes. */
  readonly note?: string | undefined;
}

export interface StepRecord {
  readonly step: EnforcementStep;
  readonly state: "waiting" | "done" | "impossible" | "moot";
  readonly detail: string;
  /** What the platform's adapter remembers about it. */
  readonly memory: Readonly<Record<string, string>>;
  /** What Holdfast itself noted about it. Default: nothing. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
  /** Why there was nothing to do: the order has ended, or `shadow`, where nothing may change. Otherwise absent. */
  readonly cause?: OrderEnd | "shadow" | undefined;
  /** The platform is carrying it out: it can't be stopped and must not be started twice. */
  readonly begun?: true | undefined;
  readonly atMs: number;
}

/** Everything that one transition of an order writes. */
export interface OrderTransition {
  readonly changes: OrderChanges;
  readonly entries?: readonly TimelineEntry[];
  readonly step?: StepRecord;
  /** Whether it also ends the lease. */
  readonly release: boolean;
  /** The person's decision that it carries out. Nothing is written unless that decision is still stored unchanged. */
  readonly takesUp?: PendingReview;
}

/** The changed order, stored beside the one that was screened. */
export interface OrderRevision extends Pick<OrderRecord, "amount" | "currency" | "enriched"> {
  readonly mapped: MappedOrder;
  /** Whether to decide on the order again with this content. */
  readonly rescreen: boolean;
  /** Failed tries to decide with this content. */
  readonly attempts: number;
  /** Since when the order waits for a decision on a change, milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** One change of an order on the platform. */
export interface OrderDifference {
  readonly atMs: number;
  /** Whether the change is material, so that the service is asked again. */
  readonly material: boolean;
  /** The changed fields. Empty once erased. */
  readonly fields: readonly FieldChange[];
}

/** All stored content of an order. */
type KnownOrder = ComparedOrder & { readonly context?: OrderContext | undefined };

/** The stored data of a customer in one order. */
export interface CustomerOrder {
  readonly orderId: string;
  readonly request: KnownOrder;
  /** The newer content since it was screened. */
  readonly revised?: KnownOrder;
  readonly changes?: readonly OrderDifference[];
}

/** The new state of an order's revision. It isn't written if the platform has changed the order again. */
export interface RevisionChange {
  /** `revisedAtMs` of the order that was worked on. */
  readonly revisedAtMs: number | null;
  /** Null once it has been handled. */
  readonly kept: OrderRevision | null;
  /**
   * Write nothing of the transition if the platform has changed the order again. Default: write the rest and keep the
   * newer revision.
   */
  readonly isLatest?: true;
}

/** When to read an order again next, unless the platform has asked for it since. */
export interface RereadChange {
  /** `rereadAtMs` of the order that was worked on. */
  readonly seenMs: number | null;
  readonly nextMs: number | null;
}

export interface Review {
  readonly act: PersonAct;
  /** `person:ID`. */
  readonly actor: string;
  readonly atMs: number;
  /** Why they decline it. Absent if they didn't say. */
  readonly reason?: DeclineReason | undefined;
  /** Whether the platform said then that the order has shipped. Absent: it wasn't asked, or didn't say. What is recorded counts. */
  readonly hasShipped?: boolean | undefined;
}

/** A person's decision that waits for the order's worker. */
export interface PendingReview extends Review {
  /**
   * For a recheck: answers and calls up to this time don't count, milliseconds since the epoch. Later ones do, so that
   * a recheck that restarts finds the answer it paid for. It is the time of the request, or of the last call if that is
   * later, so that each recheck pays for its own answer.
   */
  readonly answersSinceMs: number;
  /**
   * The earliest time it takes effect, milliseconds since the epoch. It can be undone until a worker begins it. Absent:
   * as soon as possible.
   */
  readonly effectiveAtMs?: number;
  /** `decidedAtMs` of the order when the person decided. */
  readonly judgedDecidedAtMs?: number | null;
  /** What a decline also blocks, and an undo takes off the list again. Absent: nothing. */
  readonly blocks?: readonly LinkKind[] | undefined;
}

/** Whether an order comes first in the queue: a bank asks about it, or it failed. */
export function isUrgent({ state, decision }: Pick<OrderRecord, "state" | "decision">): boolean {
  return state === "failed" || decision?.disputed === true;
}
