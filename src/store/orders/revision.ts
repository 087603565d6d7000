import type { OrderRevision } from "./order-record.ts";
import type { ComparedOrder, FieldChange } from "../../order/material-change.ts";
import type { OrderContext } from "../../order/order-context.ts";
import type { OrderKey, OrderRecord, TimelineEntry } from "./order-record.ts";

/** One change of an order on the platform. */
export interface OrderDifference {
  readonly atMs: number;
  /** Whether it made the order a new question to the service. */
  readonly material: boolean;
  /** From the state before to this one. Empty once erased. */
  readonly fields: readonly FieldChange[];
}

/** A change of an order to keep. */
export interface NewRevision extends Omit<OrderDifference, "atMs"> {
  /** When the platform saw it, milliseconds since the epoch. */
  readonly asOfMs: number;
  readonly nowMs: number;
  readonly revision: OrderRevision;
  /** Kept if no customer was known. */
  readonly customerId: string | undefined;
  readonly entry: TimelineEntry;
  /** The order that the change was found against. */
  readonly seen: SeenOrder;
}

/** What tells whether an order is still the one that was looked at. */
export type SeenOrder = Pick<OrderRecord, "revisedAtMs" | "decidedAtMs" | "revision">;

/** The platform's word that an order is what it is known to be. */
export interface Confirmation {
  /** When the platform saw it, milliseconds since the epoch. */
  readonly asOfMs: number;
  /** The order that it was compared with. */
  readonly seen: SeenOrder;
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

/** How the store keeps what the platform changes about orders. */
export interface RevisionStore {
  /**
   * Keep a change of an order: the difference for good, the new content until it is taken up, and an order to rescreen
   * due now, whatever its state, or as soon as it is released. Resolves to `false`, changing nothing, when the order is
   * erased or gone, is no longer what `seen` says, or the platform has reported a later state: look again.
   */
  reviseOrder(key: OrderKey, change: NewRevision): Promise<boolean>;
  /**
   * Remember how new the platform's word of an order is although it said nothing new, so that older word does not pass
   * for news. Resolves to `false`, changing nothing, in the cases of {@link RevisionStore.reviseOrder}.
   */
  confirmOrder(key: OrderKey, confirmation: Confirmation): Promise<boolean>;
  /** The latest changes of an order, newest last. */
  listChanges(key: OrderKey): Promise<readonly OrderDifference[]>;
}
