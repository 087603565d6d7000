import type { BuyerAsking } from "../buyer-check/buyer-asking.ts";
import type { Logger } from "../base/logger.ts";
import type { LocalEngine } from "../engine/engine.ts";
import type { KnownProduct } from "../order/order-context.ts";
import type { MappedOrder, Platform, TenantId } from "../platform/platform.ts";
import type { ServiceAccess } from "../screening/screening-task.ts";
import type { Screening } from "../screening/screening.ts";
import type { Velocity } from "../screening/velocity.ts";
import type { PolicyOf } from "../settings/current-policy.ts";
import type { KeepingTimes } from "../store/retention/keeping-times.ts";
import type { ClaimedDelivery, OrderRecord, OrderTransition, Store } from "../store/store.ts";
import type { Metrics } from "./metrics.ts";
import type { Move } from "./order-life/moves.ts";
import type { Situation } from "./order-life/situation.ts";

/** The pipeline's dependencies. A function picks the ones it uses: `Pick<PipelineParts, "store" | "now">`. */
export interface PipelineParts {
  readonly store: Store;
  readonly platforms: readonly Platform[];
  readonly engine: LocalEngine;
  readonly policyOf: PolicyOf;
  /** The service that checks a tenant's orders; null if only the local engine does. */
  readonly accessOf: (tenant: TenantId) => Promise<ServiceAccess | null> | ServiceAccess | null;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => number;
  /** Unique per process. */
  readonly owner: string;
  /** Default `DEFAULT_KEEPING_TIMES`. */
  readonly keep?: KeepingTimes | undefined;
}

export interface DeliveryParts extends Pick<
  PipelineParts,
  "store" | "keep" | "policyOf" | "metrics" | "logger" | "now"
> {
  readonly screening: Pick<Screening, "forget">;
}

/** The claim under which an order or delivery is worked on. */
export interface Claim {
  /** Holder of the lease. It differs for each claim, so a process that lost a claim and claims again can't write under the old one. */
  readonly owner: string;
  /** Fires when the work must stop. */
  readonly signal: AbortSignal;
}

export interface OrderClaim extends Claim {
  /**
   * Throws if the work must stop. Unlike the signal, it also knows of a lease whose time is up when no timer could say so: after a
   * process was frozen, the answers that waited for it come first.
   */
  readonly assertHeld: () => void;
}

export interface DeliveryTask extends DeliveryParts, Claim {
  readonly delivery: ClaimedDelivery;
  readonly platform: Platform;
}

/** A delivery that isn't trusted, with the reason that the alert and the stored outcome name. */
export interface Refused {
  readonly refused: string;
}

/** The outcome of a delivery, or when to try again. */
export type Carried = string | Refused | { readonly retryAtMs: number };

export interface FoundProducts {
  readonly products: readonly KnownProduct[];
  /** `PRODUCTS_UNKNOWN` when the catalog didn't answer about all of them in time. */
  readonly limitations: readonly string[];
}

/** Looks up an order's products in the tenant's catalog, if it has one, within two seconds. Never rejects. */
export type ProductLookup = (
  order: Pick<OrderRecord, "tenant" | "effects">,
  mapped: MappedOrder,
) => Promise<FoundProducts>;

/** A claimed order's work: what its moves need, and a way to save under its lease. */
export interface OrderTask
  extends
    OrderClaim,
    Pick<PipelineParts, "store" | "engine" | "policyOf" | "accessOf" | "metrics" | "logger" | "now"> {
  /** @throws {HoldfastError} `CONFIG_INVALID` if the order's platform isn't configured. */
  readonly platform: Platform;
  readonly screening: Screening;
  /** Remembers orders, to judge later ones. */
  readonly velocity: Velocity;
  readonly lookUpProducts: ProductLookup;
  readonly buyers: BuyerAsking;
  /** When this process began to work on orders, milliseconds since the epoch. */
  readonly upSinceMs: number;
  /** Save a transition; resolves to the situation after it. Throws if the lease was lost, which ends the work. */
  readonly save: (situation: Situation, transition: Saved) => Promise<Situation>;
  /** The same, and give the order back: the work on it ends for now. */
  readonly end: (situation: Situation, transition: Saved) => Promise<null>;
  /** {@link OrderTask.save} for a transition that carries out a person's review. Null, and nothing is saved: it was undone. */
  readonly saveReview: (
    situation: Situation,
    transition: Saved & Pick<OrderTransition, "release" | "takesUp">,
  ) => Promise<Situation | null>;
  /** Read what is around the order again, after a call that may have taken long. Each save before the steps does it too. */
  readonly lookAround: (situation: Situation) => Promise<Situation>;
}

/** What a handler saves. */
export type Saved = Pick<OrderTransition, "changes" | "entries" | "step">;

/** Carries out one move. Resolves to the situation after it, or to null if the order was given back. */
export type Handler<Kind extends Move["kind"]> = (
  task: OrderTask,
  situation: Situation,
  move: Extract<Move, { readonly kind: Kind }>,
) => Promise<Situation | null>;
