import type { Platform } from "../../../src/adapter-kit.ts";
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
type Way = (typeof WAYS)[number];

/** Create the platform's `applyAtCheckout`: each way that the lists don't want is taken away first. */
export function createApplyAtCheckout(
  apiKey: string,
  client: AdminClient,
): NonNullable<Platform["applyAtCheckout"]> {
  return async (tenant, lists, { signal } = {}) => {
    const ask = askShop(client, tenant, signal);
    const { data } = await ask("GrantedScopes", {});
    const granted = new Set(data.currentAppInstallation.accessScopes.map(({ handle }) => handle));
    // Without a scope, the app can neither see nor delete what it made.
    if (!WAYS.some(({ scope }) => granted.has(scope))) return "not-granted";
    const isWanted = ({ name }: Way): boolean => typeof lists[name] === "string";
    const unwanted = WAYS.filter((way) => !isWanted(way));
    for (const { scope, apply } of unwanted) if (granted.has(scope)) await apply(ask, apiKey, null);
    // A list that was there stays until its scope is granted again. The other one waits for that, so that there is one at most.
    if (unwanted.some(({ name, scope }) => lists[name] === null && !granted.has(scope))) return "not-granted";
    const wanted = WAYS.find(isWanted);
    if (wanted === undefined) return "open";
    return granted.has(wanted.scope) ? wanted.apply(ask, apiKey, lists[wanted.name] ?? null) : "not-granted";
  };
}
