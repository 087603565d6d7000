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

export interface DeliveryTask extends DeliveryParts {
  readonly delivery: ClaimedDelivery;
  readonly platform: Platform;
  /** Holder of the delivery's lease. */
  readonly owner: string;
  /** Fires when the work must stop. */
  readonly signal: AbortSignal;
}

/** A delivery that isn't trusted, with the reason that the alert and the stored outcome name. */
export interface Refused {
  readonly refused: string;
}

/** The outcome of a delivery, or when to try again. */
export type Carried = string | Refused | { readonly retryAtMs: number };

/** A claimed order's work: what its phases need, and a way to save under its lease. */
export interface OrderTask extends Pick<
  PipelineParts,
  "store" | "engine" | "policyOf" | "accessOf" | "metrics" | "logger" | "now"
> {
  /** @throws {HoldfastError} `CONFIG_INVALID` if the order's platform isn't configured. */
  readonly platform: Platform;
  readonly screening: Screening;
  /** Remembers orders, to judge later ones. */
  readonly velocity: Velocity;
  readonly lookUpProducts: ProductLookup;
  /** When this process began to work on orders, milliseconds since the epoch. */
  readonly upSinceMs: number;
  /** Holder of the order's lease. After the lease is lost, no write has an effect. */
  readonly owner: string;
  /** Fires when the work must stop. */
  readonly signal: AbortSignal;
  /** Save a transition; resolves to the order after it. Throws if the lease was lost, which ends the work. */
  readonly save: (order: OrderRecord, transition: OrderTransition) => Promise<OrderRecord>;
}
