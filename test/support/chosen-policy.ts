import { createPolicies } from "../../src/pipeline/decide/order-decision.ts";

/** The policies of shops that have chosen one: where nothing is saved, the defaults count as saved. */
export function createChosenPolicies(
  ...parts: Parameters<typeof createPolicies>
): ReturnType<typeof createPolicies> {
  const policyOf = createPolicies(...parts);
  return async (tenant) => {
    const { policy, version } = await policyOf(tenant);
    return { policy, version: Math.max(version, 1) };
  };
}
