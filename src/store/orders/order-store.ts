import type { EnforcementStep, MappedOrder, SkipReason, TenantId } from "../../platform/platform.ts";
import type { Decision } from "../../order/decision.ts";
import type { Action } from "../../policy/policy.ts";
import type { StoredFacts } from "../../policy/rules.ts";
import type { RiskLevel, VerificationResult } from "../../order/result.ts";
import type { ClaimOptions } from "../deliveries/delivery-store.ts";
import type { OrderRevision, RevisionChange } from "./revision.ts";
import type { PendingVerdict } from "./verdicts.ts";

/** Where an order is in its life. */
export const ORDER_STATES = [
  "received",
  "screening",
  "decided",
  "enforcing",
  "waiting",
  "settled",
  "review",
  "failed",
] as const;
/** Where an order is in its life. */
export type OrderState = (typeof ORDER_STATES)[number];

/** An order that came in. */
export interface NewOrder {
  readonly tenant: TenantId;
  readonly orderId: string;
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
export interface OrderRecord {
  readonly tenant: TenantId;
  readonly orderId: string;
  readonly platform: string;
  readonly name: string;
  readonly customerId: string | null;
  readonly receivedAtMs: number;
  readonly state: OrderState;
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
  /** Code of what stopped it, for `failed` and `waiting`. */
  readonly problem: string | null;
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
  /** A person's word that the order's worker has to take up. */
  readonly verdict: PendingVerdict | null;
}

/** What a transition changes. Absent fields stay. `null` clears. */
export interface OrderChanges {
  readonly state?: OrderState;
  /** When to be claimed next; null for never. */
  readonly dueAtMs?: number | null;
  readonly attempts?: number;
  readonly enriched?: boolean;
  readonly mapped?: MappedOrder;
  readonly amount?: number | null;
  readonly currency?: string | null;
  readonly revise?: RevisionChange;
  readonly fingerprint?: string;
  readonly result?: VerificationResult | null;
  readonly facts?: StoredFacts;
  readonly decision?: Decision;
  readonly decidedAtMs?: number;
  readonly settledAtMs?: number;
  readonly skipReason?: SkipReason | null;
  readonly problem?: string | null;
  readonly holdDeadlineMs?: number | null;
  /** It was taken up. */
  readonly verdict?: null;
}

/** One line of an order's history. No personal data, but for a note. */
export interface TimelineEntry {
  readonly atMs: number;
  /** Stable kind, e.g. `received`, `answered`, `decided`, `step-done`. */
  readonly kind: string;
  readonly detail: string;
  /** `holdfast`, `platform`, or `person:ID`. */
  readonly actor: string;
  /** What a person wrote. Absent: nothing, or it was erased. Only {@link VerdictStore} keeps notes. */
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
  readonly memory: Readonly<Record<string, string>>;
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
  readonly takesUp?: PendingVerdict;
}

/** Filter of {@link OrderStore.listOrders}. */
export interface OrderFilter {
  readonly level?: RiskLevel | undefined;
  readonly action?: Action | undefined;
  readonly state?: OrderState | undefined;
  /** `queue`: what waits for a person, in states `review` and `failed`. Default: all, newest first. */
  readonly view?: "queue" | undefined;
  /** An order's name with or without `#`, its id, or the e-mail address it was placed with; exactly that. */
  readonly search?: string | undefined;
  readonly limit: number;
  /** Opaque, from an earlier page. A cursor that was not given out throws `ORDER_INVALID` with the field `cursor`. */
  readonly cursor?: string | undefined;
}

/** Newest first; of the queue those with the nearest deadline first, then the dearest. */
export interface OrderPage {
  readonly orders: readonly OrderRecord[];
  readonly nextCursor: string | null;
}

/** Work that is not finished. */
export interface Backlog {
  /** Deliveries and orders that still need work. */
  readonly pending: number;
  readonly oldestReceivedAtMs: number | null;
}

/** Orders, each of which is also the job of looking after it. */
export interface OrderStore {
  /** Keep an order once, in state `received`, due at once, with a timeline entry. `false`: it was there already (nothing changes but a timeline entry). */
  receiveOrder(order: NewOrder, entry: TimelineEntry): Promise<boolean>;
  /** Claim orders that are due, oldest due first, fair between tenants. A lease that ran out is due again. */
  claimOrders(options: ClaimOptions): Promise<readonly OrderRecord[]>;
  /** Let a lease last `leaseMs` from now on; `false` when it was lost. */
  renewOrder(
    key: OrderKey,
    owner: string,
    lease: { readonly nowMs: number; readonly leaseMs: number },
  ): Promise<boolean>;
  /**
   * One transition, in one transaction: changes, timeline, and the step's record if given. Keeps the lease unless
   * `release`. Resolves to `false`, changing nothing, when `owner` no longer holds the lease; to `"withdrawn"`, changing
   * nothing, when the word that it takes up was undone or changed; and to `"erased"` when what it wrote of the order's
   * content was erased meanwhile and is not kept.
   *
   * An order that was called for or ended on the platform while it was under lease is due at once, or settled, when it
   * is released.
   */
  saveOrder(
    key: OrderKey,
    owner: string,
    transition: OrderTransition,
  ): Promise<boolean | "erased" | "withdrawn">;
  /** Make an order that is in `waiting` or `review` due now, after its lease if it has one. `false`: it is in neither and nobody works on it. */
  wakeOrder(key: OrderKey, nowMs: number, entry: TimelineEntry): Promise<boolean>;
  /** Make every `waiting` order of a tenant due now; resolves to how many. */
  wakeTenant(tenant: TenantId, nowMs: number): Promise<number>;
  /**
   * The platform says the order was cancelled: it becomes `settled` and is never claimed again, one under lease as
   * soon as it is released; changes of it from before this moment do not count any more. An order that has not come yet is remembered as settled, so that it costs nothing.
   */
  endOrder(key: OrderKey, platform: string, nowMs: number, entry: TimelineEntry): Promise<void>;
  getOrder(key: OrderKey): Promise<OrderRecord | null>;
  listOrders(tenant: TenantId, filter: OrderFilter): Promise<OrderPage>;
  listTimeline(key: OrderKey): Promise<readonly TimelineEntry[]>;
  listSteps(key: OrderKey): Promise<readonly StepRecord[]>;
  backlog(): Promise<Backlog>;
  /** The earliest moment at which anything is due, or null. */
  nextDueAtMs(): Promise<number | null>;
}
