import { LRUCache } from "lru-cache";
import type { TenantId } from "../platform/platform.ts";
import { DEFAULT_POLICY, parsePolicy, type Policy } from "../policy/policy.ts";
import type { Store } from "../store/store.ts";

/** Version of the default policy: the tenant has saved none. */
export const NO_POLICY_VERSION = 0;

/** A tenant's policy and its version, {@link NO_POLICY_VERSION} for the default one. */
export interface CurrentPolicy {
  readonly policy: Policy;
  readonly version: number;
}

/** A tenant's current policy. */
export type PolicyOf = (tenant: TenantId) => Promise<CurrentPolicy>;

const PARSED_KEPT = 1_000;

/** Read tenants' policies from the store. Each read sees what was saved last; a version is parsed once. */
export function createPolicies(store: Pick<Store, "policies">): PolicyOf {
  const parsed = new LRUCache<string, Policy>({ max: PARSED_KEPT });

  return async (tenant) => {
    const saved = await store.policies.load(tenant);
    if (saved === null) return { policy: DEFAULT_POLICY, version: NO_POLICY_VERSION };
    // An erased tenant's versions begin again at 1.
    const key = `${saved.version}\0${saved.savedAtMs}\0${tenant}`;
    const policy = parsed.get(key) ?? parsePolicy(saved.document);
    parsed.set(key, policy);
    return { policy, version: saved.version };
  };
}
