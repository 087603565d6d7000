import type { Platform } from "../../platform/platform.ts";
import type { Screening } from "../../screening/screening.ts";
import type { ClaimedDelivery } from "../../store/store.ts";
import type { PipelineParts } from "../pipeline-parts.ts";

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
