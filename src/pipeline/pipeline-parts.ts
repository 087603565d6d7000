import type { Logger } from "../base/logger.ts";
import type { LocalEngine } from "../engine/engine.ts";
import type { Platform, TenantId } from "../platform/platform.ts";
import type { ServiceAccess } from "../screening/screening-task.ts";
import type { PolicyOf } from "../settings/current-policy.ts";
import type { Store } from "../store/store.ts";
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
}
