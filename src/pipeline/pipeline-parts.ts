import type { Logger } from "../base/logger.ts";
import type { LocalEngine } from "../engine/engine.ts";
import type { Platform, TenantId } from "../platform/platform.ts";
import { DEFAULT_ORDERS_DAYS } from "../screening/kept-answers.ts";
import type { ServiceAccess } from "../screening/screening-task.ts";
import type { PolicyOf } from "../settings/current-policy.ts";
import type { Store } from "../store/store.ts";
import type { Metrics } from "./metrics.ts";

/** How long things are kept. */
export interface KeepingTimes {
  /** Days for which the content of orders is kept: request, answers, changes. */
  readonly contentDays: number;
  /** Days for which orders are kept, without their content in the end, and the answers that stand for them. */
  readonly ordersDays: number;
}

/** A month for a reviewer, and a quarter for whoever asks why. */
export const DEFAULT_KEEPING_TIMES: KeepingTimes = { contentDays: 30, ordersDays: DEFAULT_ORDERS_DAYS };

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
  /** Default {@link DEFAULT_KEEPING_TIMES}. */
  readonly keep?: KeepingTimes | undefined;
}
