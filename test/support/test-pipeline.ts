import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";
import { createPolicies } from "../../src/settings/current-policy.ts";
import { createMetrics } from "../../src/pipeline/metrics.ts";
import { createPipeline, type Pipeline, type PipelineOptions } from "../../src/pipeline/pipeline.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { createCircuitBreaker } from "../../src/service/circuit-breaker.ts";

/** A test's options for its pipeline. */
export interface TestPipelineOptions
  extends
    Pick<PipelineOptions, "store" | "accessOf" | "now">,
    Partial<
      Pick<PipelineOptions, "policyOf" | "metrics" | "logger" | "owner" | "maxPaidAttempts" | "buyers">
    > {
  readonly platform: Platform;
}

/** Start the pipeline of one process for one platform. Default: nothing is logged, and shops have chosen their policies. */
export function startPipeline({ platform, ...options }: TestPipelineOptions): Pipeline {
  const { store, now } = options;
  const pipeline = createPipeline({
    platforms: [platform],
    engine: createLocalEngine({ now }),
    breaker: createCircuitBreaker({ now }),
    policyOf: createChosenPolicies(store),
    maxPaidAttempts: 2,
    maxInFlight: 10,
    timeoutMs: 5_000,
    metrics: createMetrics(),
    logger: SILENT_LOGGER,
    owner: "app:test",
    ...options,
  });
  pipeline.start();
  return pipeline;
}

/** The policies of shops that have chosen one: where nothing is saved, the defaults count as saved. */
function createChosenPolicies(
  ...parts: Parameters<typeof createPolicies>
): ReturnType<typeof createPolicies> {
  const policyOf = createPolicies(...parts);
  return async (tenant) => {
    const { policy, version } = await policyOf(tenant);
    return { policy, version: Math.max(version, 1) };
  };
}
