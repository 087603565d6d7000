import { mapSome } from "../../base/waiting.ts";
import { readCheckoutListState } from "../../pipeline/chores/checkout-list-state.ts";
import type { Finding, Platform } from "../../platform/platform.ts";
import { describeCheckoutList } from "../../server/api/settings/checkout-finding.ts";
import { createPolicies } from "../../settings/current-policy.ts";
import type { Store } from "../../store/store.ts";
import { mergeByTenant } from "./platforms.ts";

/** Shops that are looked at at once. */
const CONCURRENCY = 4;

/** Name the shops whose checkout doesn't have the current block list. Reads what the app noted, and asks no platform. */
export async function checkCheckouts(
  store: Store,
  platforms: readonly Platform[],
  nowMs: number,
): Promise<readonly Finding[]> {
  const able = new Set(
    platforms.filter((platform) => platform.applyAtCheckout !== undefined).map(({ name }) => name),
  );
  if (able.size === 0) return [];
  const newest = (await store.policies.listNewest()).filter(({ platform }) => able.has(platform));
  const policyOf = createPolicies(store);
  const found = await mapSome(newest, CONCURRENCY, async ({ tenant, platform, installedAtMs }) => {
    const state = await readCheckoutListState({ store, policyOf }, tenant, { installedAtMs, nowMs });
    const said = describeCheckoutList(state);
    return said?.status === "warning"
      ? [{ tenant, finding: { id: `${platform}.checkout-list`, ...said } }]
      : [];
  });
  return mergeByTenant(found.flat());
}
