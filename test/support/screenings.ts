import { HoldfastError, type ErrorCode, type Metered } from "../../src/base/errors.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createScreening, type Screening } from "../../src/screening/screening.ts";
import type { ScreeningInput, ScreeningParts } from "../../src/screening/screening-task.ts";
import { createCircuitBreaker } from "../../src/service/circuit-breaker.ts";
import type { Verifier } from "../../src/service/client.ts";
import type { Store } from "../../src/store/store.ts";
import { anOrder } from "./orders.ts";

export const TENANT = "test:shop";

/** A screening over a store, with a circuit breaker of its own. */
export function startScreening(
  store: Store,
  now: () => number,
  changes: Partial<ScreeningParts> = {},
): Screening {
  return createScreening({
    store,
    breaker: createCircuitBreaker({ now }),
    logger: SILENT_LOGGER,
    now,
    owner: "process-1",
    maxPaidAttempts: 2,
    maxInFlight: 50,
    timeoutMs: 10_000,
    ...changes,
  });
}

/** The question about an order, without a budget. */
export function ask(verifier: Verifier, changes: Partial<ScreeningInput> = {}): ScreeningInput {
  const access = { verifier, keyId: "key" };
  return { tenant: TENANT, request: anOrder(), access, budget: { daily: null, monthly: null }, ...changes };
}

export function failure(code: ErrorCode, metered: Metered, retryable = true): HoldfastError {
  return new HoldfastError(code, "as scripted", { retryable, metered });
}
