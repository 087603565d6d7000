import type {
  NewOrder,
  OrderRecord,
  TimelineEntry,
  OrderKey,
  StepRecord,
  OrderTransition,
} from "./order-record.ts";
import type { OrderState } from "./order-states.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Action } from "../../order/decision.ts";
import type { RiskLevel } from "../../order/result.ts";
import type { ClaimOptions } from "../engines/engine.ts";

/** How the queue can be sorted. `age`: those that came first. The others: what is due, worth or risks most comes first. */
export const QUEUE_SORTS = ["deadline", "amount", "score", "age"] as const;
/** One of {@link QUEUE_SORTS}. */
export type QueueSort = (typeof QUEUE_SORTS)[number];

/** Filter of {@link OrderStore.listOrders}. */
export interface OrderFilter {
  /** This level, or any of these. */
  readonly level?: RiskLevel | readonly RiskLevel[] | undefined;
  /** Received at this moment or later, milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  readonly action?: Action | undefined;
  readonly state?: OrderState | undefined;
  /** `queue`: what waits for a person, in states `review` and `failed`. Default: all, newest first. */
  readonly view?: "queue" | undefined;
  /** Of the queue alone. Amounts are compared as numbers, whatever their currency. Default: `deadline`. */
  readonly sort?: QueueSort | undefined;
  /** Held orders whose deadline is after the one moment and not after the other, milliseconds since the epoch. */
  readonly held?: { readonly afterMs: number; readonly untilMs: number } | undefined;
  /** True: only orders that were decided without the service. */
  readonly degraded?: true | undefined;
  /**
   * An order's name with or without `#`, its ID, or the email address it was placed with; where nothing is exactly that,
   * the beginning of an order's name, or of names of the buyer or recipient. Names are read of the newest 5,000 orders
   * of the list, without its other filters. At most 500 orders are found each way.
   */
  readonly search?: string | undefined;
  readonly limit: number;
  /** Opaque, from an earlier page. A cursor that was not given out throws `ORDER_INVALID` with the field `cursor`. */
  readonly cursor?: string | undefined;
}

/** Newest first; of the queue as {@link OrderFilter.sort} says: by deadline, those due at once by value. */
export interface OrderPage {
  /** `customerId`, `facts` and `revision` stay sealed, and are null. */
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
  /**
   * Have an order read again what the platform says beyond it: one at rest at once, any other when it is worked on next.
   * `false`: it is not known, or its content is erased.
   */
  rereadOrder(key: OrderKey, nowMs: number): Promise<boolean>;
  /** Make every `waiting` order of a tenant due now; resolves to how many. */
  wakeTenant(tenant: TenantId, nowMs: number): Promise<number>;
  /**
   * The platform says the order was cancelled: it becomes `settled` and is never claimed again, one under lease as
   * soon as it is released; changes of it from before this moment do not count any more. An order that has not come yet is remembered as settled, so that it costs nothing.
   */
  endOrder(key: OrderKey, platform: string, nowMs: number, entry: TimelineEntry): Promise<void>;
  getOrder(key: OrderKey): Promise<OrderRecord | null>;
  listOrders(tenant: TenantId, filter: OrderFilter, signal?: AbortSignal): Promise<OrderPage>;
  listTimeline(key: OrderKey): Promise<readonly TimelineEntry[]>;
  listSteps(key: OrderKey): Promise<readonly StepRecord[]>;
  backlog(): Promise<Backlog>;
  /** The earliest moment at which anything is due, or null. */
  nextDueAtMs(): Promise<number | null>;
}
