import type { Logger } from "../base/logger.ts";
import type { LocalEngine } from "../engine/engine.ts";
import type { Platform, TenantId } from "../platform/platform.ts";
import type { ServiceAccess } from "../screening/screening-task.ts";
import type { Screening } from "../screening/screening.ts";
import type { Velocity } from "../screening/velocity.ts";
import type { PolicyOf } from "../settings/current-policy.ts";
import type { KeepingTimes } from "../store/retention/keeping-times.ts";
import type { ClaimedDelivery, OrderRecord, OrderTransition, Store } from "../store/store.ts";
import type { ProductLookup } from "./decide/product-lookups.ts";
import type { Metrics } from "./metrics.ts";

/** What everything in the pipeline is made of. A function names what it uses: `Pick<PipelineParts, "store" | "now">`. */
export interface PipelineParts {
  readonly store: Store;
  readonly platforms: readonly Platform[];
  readonly engine: LocalEngine;
  readonly policyOf: PolicyOf;
  /** The service a tenant's orders are asked of; null for the local engine alone. */
  readonly accessOf: (tenant: TenantId) => Promise<ServiceAccess | null> | ServiceAccess | null;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => number;
  /** Unique per process. */
  readonly owner: string;
  /** Default `DEFAULT_KEEPING_TIMES`. */
  readonly keep?: KeepingTimes | undefined;
}

/** What carries out deliveries. */
export interface DeliveryParts extends Pick<
  PipelineParts,
  "store" | "keep" | "policyOf" | "metrics" | "logger" | "now"
> {
  readonly screening: Pick<Screening, "forget">;
}

/** A claimed delivery's work: what it takes to carry it out. */
export interface DeliveryTask extends DeliveryParts {
  readonly delivery: ClaimedDelivery;
  readonly platform: Platform;
  /** Holder of the delivery's lease. */
  readonly owner: string;
  /** Fires when the work has to end. */
  readonly signal: AbortSignal;
}

/** A delivery that is not believed, and why, as the alert and the stored outcome name it. */
export interface Refused {
  readonly refused: string;
}

/** What became of a delivery, or a time to look again. */
export type Carried = string | Refused | { readonly retryAtMs: number };

/** A claimed order's work: what its phases need, and writing under its lease. */
export interface OrderTask extends Pick<
  PipelineParts,
  "store" | "engine" | "policyOf" | "accessOf" | "metrics" | "logger" | "now"
> {
  /** @throws {HoldfastError} `CONFIG_INVALID` when the order's platform is not configured. */
  readonly platform: Platform;
  readonly screening: Screening;
  /** Remembers orders for judging the next ones. */
  readonly velocity: Velocity;
  readonly lookUpProducts: ProductLookup;
  /** Holder of the order's lease. Once somebody else holds the order, every write does nothing. */
  readonly owner: string;
  /** Fires when the work has to end. */
  readonly signal: AbortSignal;
  /** Write a transition; resolves to the order as it is then. Throws, which ends the work, when the lease was lost. */
  readonly save: (order: OrderRecord, transition: OrderTransition) => Promise<OrderRecord>;
}
