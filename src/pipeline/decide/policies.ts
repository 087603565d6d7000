import { LRUCache } from "lru-cache";
import { DEFAULT_POLICY, parsePolicy, type Policy } from "../../policy/policy.ts";
import type { TenantStore } from "../../store/store.ts";
import { NO_POLICY_VERSION, type CurrentPolicy } from "./order-decision.ts";
import type { TenantId } from "../../platform/platform.ts";

const PARSED_KEPT = 1_000;

/** Read tenants' policies from the store. Each read sees what was saved last; a version is parsed once. */
export function createPolicies(
  store: Pick<TenantStore, "loadPolicy">,
): (tenant: TenantId) => Promise<CurrentPolicy> {
  const parsed = new LRUCache<string, Policy>({ max: PARSED_KEPT });

  return async (tenant) => {
    const saved = await store.loadPolicy(tenant);
    if (saved === null) return { policy: DEFAULT_POLICY, version: NO_POLICY_VERSION };
    // An erased tenant's versions begin again at 1.
    const key = `${saved.version}\0${saved.savedAtMs}\0${tenant}`;
    const policy = parsed.get(key) ?? parsePolicy(saved.document);
    parsed.set(key, policy);
    return { policy, version: saved.version };
  };
}
