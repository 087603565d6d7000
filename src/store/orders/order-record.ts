import type { ComparedOrder, FieldChange } from "../../order/material-change.ts";
import type { OrderContext } from "../../order/order-context.ts";
import type { Decision, DeclineReason, PersonAct } from "../../order/decision.ts";
import type { SkipReason } from "../../order/skip-reasons.ts";
import type { VerificationResult } from "../../order/result.ts";
import type { MappedOrder, TenantId } from "../../platform/platform.ts";
import type { EnforcementStep, OrderEnd } from "../../platform/enforcement-step.ts";
import type { StoredFacts } from "../../policy/rules.ts";
import type { OrderState } from "./order-states.ts";
import type { OrderProblem, TimelineEvent } from "./timeline.ts";

/** An order that came in. */
export interface NewOrder extends OrderKey {
  readonly platform: string;
  readonly name: string;
  readonly customerId: string | undefined;
  readonly receivedAtMs: number;
  readonly mapped: MappedOrder;
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  /** Decide and record only, whatever the policy: nothing is touched on the platform. Default: by the policy. */
  readonly recordOnly?: boolean | undefined;
  /** When it is worked on. Default: at once. */
  readonly dueAtMs?: number | undefined;
  /** When the platform saw the order like this, milliseconds since the epoch. Default: unknown. */
  readonly asOfMs?: number | undefined;
}

/** An order as kept. `mapped` and `result` are null once erased. */
export interface OrderRecord extends OrderKey {
  readonly platform: string;
  readonly name: string;
  readonly customerId: string | null;
  readonly receivedAtMs: number;
  readonly state: OrderState;
  /** When to be claimed next; null for never. */
  readonly dueAtMs: number | null;
  /** Tries of the current state that failed. */
  readonly attempts: number;
  /** Whether `mapped` already carries customer history and card facts. */
  readonly enriched: boolean;
  readonly mapped: MappedOrder | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly recordOnly: boolean;
  readonly fingerprint: string | null;
  readonly result: VerificationResult | null;
  /** What rules could ask about it and names nobody, from when it was decided; outlives its content. Null: not kept. */
  readonly facts: StoredFacts | null;
  readonly decision: Decision | null;
  readonly decidedAtMs: number | null;
  readonly settledAtMs: number | null;
  readonly skipReason: SkipReason | null;
  /** What keeps it from going on, in one text (see {@link toProblemText}); null when nothing does. */
  readonly problem: string | null;
  /** The same as data. An earlier version's text is shown as one code. */
  readonly problems: readonly OrderProblem[];
  readonly holdDeadlineMs: number | null;
  /** From the ledger: answered, billed failures and unknowns. */
  readonly creditsSpent: number;
  /**
   * The newest moment of which the platform told what the order was like, milliseconds since the epoch, whether or not
   * that was news; what it says of earlier ones does not count. Null: unknown.
   */
  readonly asOfMs: number | null;
  /** Names the newest change that was kept, by about when the platform saw it; null when none was. */
  readonly revisedAtMs: number | null;
  /** What the platform made of the order since it was screened; null when that was taken up, or there is nothing. */
  readonly revision: OrderRevision | null;
  /** When the platform is asked again what it says beyond the order, such as its own risk; null: it isn't. */
  readonly rereadAtMs: number | null;
  /** A person's word that the order's worker has to take up. */
  readonly verdict: PendingDecision | null;
}

/** What every list tells of an order. */
export type ListedOrder = Pick<
  OrderRecord,
  "orderId" | "name" | "receivedAtMs" | "state" | "amount" | "currency" | "skipReason"
>;

/** What a transition may change, also to null. */
type Changeable =
  | ("state" | "dueAtMs" | "attempts" | "enriched" | "amount" | "currency" | "result" | "skipReason")
  | ("problem" | "problems" | "holdDeadlineMs");

/** What a transition may write, but not clear. */
type Writable = "mapped" | "fingerprint" | "facts" | "decision" | "decidedAtMs" | "settledAtMs";

/** What a transition changes. Absent fields stay. `null` clears. Without `problems`, `problem` is one code, or null. */
export interface OrderChanges
  extends
    Partial<Pick<OrderRecord, Changeable>>,
    Readonly<{ [Name in Writable]?: NonNullable<OrderRecord[Name]> }> {
  readonly revise?: RevisionChange;
  readonly reread?: RereadChange;
  /** It was taken up. */
  readonly verdict?: null;
}

/** One line of an order's history. No personal data, except in a note. */
export interface TimelineEntry {
  readonly atMs: number;
  /** Stable kind, e.g. `received`, `decided`, `hold-done`. */
  readonly kind: string;
  /** For people. No code reads it. */
  readonly detail: string;
  /** The same for code. Absent: the entry was written by an earlier version. */
  readonly event?: TimelineEvent | undefined;
  /** `holdfast`, `platform`, or `person:ID`. */
  readonly actor: string;
  /** What a person wrote. Absent: nothing, or it was erased. Only people leave notes. */
  readonly note?: string | undefined;
}

/** Which order. */
export interface OrderKey {
  readonly tenant: TenantId;
  readonly orderId: string;
}

/** What is known of one enforcement step of one order. */
export interface StepRecord {
  readonly step: EnforcementStep;
  readonly state: "waiting" | "done" | "impossible" | "moot";
  readonly detail: string;
  /** What the platform's adapter remembers of it. */
  readonly memory: Readonly<Record<string, string>>;
  /** What Holdfast itself noted about it. Default: nothing. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
  /** Why there was nothing to do: the order has ended, or `shadow`: nothing may be touched. Absent: neither. */
  readonly cause?: OrderEnd | "shadow" | undefined;
  /** The platform is at it: it can't be called back, and must not begin twice. */
  readonly begun?: true | undefined;
  readonly atMs: number;
}

/** What is written of an order at once. */
export interface OrderTransition {
  readonly changes: OrderChanges;
  readonly entries?: readonly TimelineEntry[];
  readonly step?: StepRecord;
  /** Whether the lease ends with it. */
  readonly release: boolean;
  /** The person's word that it takes up: nothing is written unless it is still kept exactly like this. */
  readonly takesUp?: PendingDecision;
}

/** An order as the platform changed it, kept beside the one that was screened. */
export interface OrderRevision extends Pick<OrderRecord, "amount" | "currency" | "enriched"> {
  readonly mapped: MappedOrder;
  /** Whether the order is to be decided on with this content. */
  readonly rescreen: boolean;
  /** Tries to decide with this content that failed. */
  readonly attempts: number;
}

/** One change of an order on the platform. */
export interface OrderDifference {
  readonly atMs: number;
  /** Whether it made the order a new question to the service. */
  readonly material: boolean;
  /** From the state before to this one. Empty once erased. */
  readonly fields: readonly FieldChange[];
}

/** Everything that is kept of an order's content. */
type KnownOrder = ComparedOrder & { readonly context?: OrderContext };

/** What is kept of a customer in one order. */
export interface CustomerOrder {
  readonly orderId: string;
  readonly request: KnownOrder;
  /** As the platform changed it since it was screened. */
  readonly revised?: KnownOrder;
  readonly changes?: readonly OrderDifference[];
}

/** What becomes of an order's revision, unless the platform changed the order again. */
export interface RevisionChange {
  /** `revisedAtMs` of the order that was worked on. */
  readonly revisedAtMs: number | null;
  /** Null: it was taken up. */
  readonly kept: OrderRevision | null;
  /**
   * Nothing of the transition is written if the platform changed the order again: it's about what the order no longer
   * is. Default: the rest is written, and the newer revision stays.
   */
  readonly isLatest?: true;
}

/** When an order is read again next, unless the platform asked for it since. */
export interface RereadChange {
  /** `rereadAtMs` of the order that was worked on. */
  readonly seenMs: number | null;
  readonly nextMs: number | null;
}

/** A person's word on an order. */
export interface PersonDecision {
  readonly act: PersonAct;
  /** `person:ID`. */
  readonly actor: string;
  readonly atMs: number;
  /** Why they decline it. Absent: they didn't say. */
  readonly reason?: DeclineReason | undefined;
}

/** A person's word that waits for the order's worker. */
export interface PendingDecision extends PersonDecision {
  /**
   * For a recheck: answers and calls up to this moment, milliseconds since the epoch, do not count, those after it do,
   * so that a recheck which is begun again finds what it paid for. The moment of the press, or of the last call if that is
   * later: each recheck pays for an answer of its own.
   */
  readonly answersSinceMs: number;
  /**
   * When it takes effect at the earliest, milliseconds since the epoch: until a worker takes it up, it can be undone.
   * Absent: as soon as possible.
   */
  readonly effectiveAtMs?: number;
  /** `decidedAtMs` of the order that it was judged against. */
  readonly judgedDecidedAtMs?: number | null;
}
