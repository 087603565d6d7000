import { randomUUID } from "node:crypto";
import type { Logger } from "../base/logger.ts";
import type { TenantStore } from "../store/store.ts";
import type { ScreeningTask } from "./screening-task.ts";

/** Parts of {@link findHealthy}. */
export interface HealthOptions {
  readonly store: Pick<TenantStore, "takeQuota">;
  /** A free call with a key; rejects while the service does not work. Default: only answers tell that it works. */
  readonly probe?: ((keyId: string) => Promise<unknown>) | undefined;
  readonly logger: Logger;
  readonly now: () => number;
}

/** For so long after the last call failed, only an answer to another order says that the service works again. */
const ANSWERS_ONLY_MS = 3 * 60_000;
/** The free call may work while verification fails: so often one order of a tenant tries after it, in milliseconds. */
const PROBE_EVERY_MS = 10 * 60_000;

/**
 * Find out with the free call whether the service works again, for an order that has only its reserved attempt left and
 * whose tenant has no other orders to tell. Resolves to the moment at which it was seen to work; undefined when it was not,
 * or when another order of the tenant is finding out.
 *
 * @param failedAtMs - When a call for this order, or another one with its key, failed last.
 */
export async function findHealthy(
  { store, probe, logger, now }: HealthOptions,
  { input: { tenant, access } }: ScreeningTask,
  failedAtMs: number,
): Promise<number | undefined> {
  const nowMs = now();
  if (probe === undefined || nowMs < failedAtMs + ANSWERS_ONLY_MS) return undefined;
  const quota = { tenant, name: "health-probe", key: randomUUID(), max: 1 };
  if (!(await store.takeQuota({ ...quota, sinceMs: nowMs - PROBE_EVERY_MS, nowMs }))) return undefined;
  try {
    await probe(access.keyId);
    return now();
  } catch (error) {
    logger.debug({ err: error }, "the verification service does not work yet");
    return undefined;
  }
}
