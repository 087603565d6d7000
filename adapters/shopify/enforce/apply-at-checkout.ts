import type { CheckoutState, Platform } from "../../../src/adapter-kit.ts";
import type { AdminClient } from "../admin/admin-client.ts";
import { askShop } from "../admin/ask.ts";
import { PAYMENTS_SCOPE, VALIDATIONS_SCOPE } from "../admin/scopes.ts";
import { applyRule } from "./checkout-list.ts";
import { applyPayments } from "./payment-list.ts";

/** The ways in which the checkout treats blocked buyers. At most one has a list. */
const WAYS = [
  { name: "refuse", scope: VALIDATIONS_SCOPE, apply: applyRule },
  { name: "hidePayments", scope: PAYMENTS_SCOPE, apply: applyPayments },
] as const;

/** Create the platform's `applyAtCheckout`: each way that the lists don't want is taken away first. */
export function createApplyAtCheckout(
  apiKey: string,
  client: AdminClient,
): NonNullable<Platform["applyAtCheckout"]> {
  return async (tenant, lists, { signal } = {}) => {
    const ask = askShop(client, tenant, signal);
    const { data } = await ask("GrantedScopes", {});
    const granted = new Set(data.currentAppInstallation.accessScopes.map(({ handle }) => handle));
    // Without a scope, the app can neither see nor delete what it made. With only one, it made what that one is for.
    if (!WAYS.some(({ scope }) => granted.has(scope))) return "not-granted";
    const unwanted = WAYS.filter(({ name }) => lists[name] === null);
    for (const { scope, apply } of unwanted) if (granted.has(scope)) await apply(ask, apiKey, null);
    const state = { current: "open" as CheckoutState };
    for (const { name, scope, apply } of WAYS) {
      const list = lists[name];
      if (list !== null) state.current = granted.has(scope) ? await apply(ask, apiKey, list) : "not-granted";
    }
    return state.current;
  };
}
