import { LRUCache } from "lru-cache";
import type { Platform } from "../../../src/adapter-kit.ts";
import type { ShopifyBilling, ShopifyOptions } from "../base/options.ts";
import type { AdminClient } from "./admin-client.ts";
import { toShop } from "../base/shop-domain.ts";

interface EntitlementOptions extends Pick<ShopifyOptions, "logger"> {
  readonly billing: ShopifyBilling;
  readonly client: AdminClient;
  readonly now: () => number;
}

/** How long a plan counts without another query. */
const PLAN_KEPT_MS = 10 * 60_000;
/** The same for a shop without a plan: shorter, so that a shop that just chose one doesn't wait. */
const NO_PLAN_KEPT_MS = 30_000;
const SHOPS_KEPT = 10_000;
const ASK_WITHIN_MS = 5_000;

export function createEntitlement(options: EntitlementOptions): NonNullable<Platform["entitlement"]> {
  const { billing, client, now, logger } = options;
  async function ask(shop: string): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(ASK_WITHIN_MS);
      const { data } = await client.request(shop, "ActivePlans", {}, { signal });
      return data.currentAppInstallation.activeSubscriptions.some(({ status }) => status === "ACTIVE");
    } catch (error) {
      logger?.warn({ shop, err: error }, "can't ask Shopify for the shop's plan; the last answer counts");
      throw error;
    }
  }

  /** While Shopify can't be asked, the last answer counts, however old it is. */
  const plans = new LRUCache<string, { readonly isActive: boolean }>({
    max: SHOPS_KEPT,
    perf: { now },
    ttlResolution: 0,
    allowStaleOnFetchRejection: true,
    async fetchMethod(shop, _last, { options }) {
      const isActive = await ask(shop);
      options.ttl = isActive ? PLAN_KEPT_MS : NO_PLAN_KEPT_MS;
      return { isActive };
    },
  });

  /** A shop that could never be asked counts as subscribed: a fraud costs more than a credit. */
  const hasPlan = async (shop: string): Promise<boolean> => (await plans.fetch(shop))?.isActive ?? true;

  return async (tenant) => {
    if (billing.mode === "own-key") return { outcome: "own-key" };
    if (billing.mode === "included") return { outcome: "entitled" };
    const shop = toShop(tenant);
    if (await hasPlan(shop)) return { outcome: "entitled" };
    return { outcome: "no-plan", plansUrl: toPlansUrl(shop, billing.appHandle) };
  };
}

/** Shopify's own page on which a shop chooses one of the app's plans. */
function toPlansUrl(shop: string, appHandle: string): string {
  const store = shop.slice(0, -".myshopify.com".length);
  return `https://admin.shopify.com/store/${store}/charges/${encodeURIComponent(appHandle)}/pricing_plans`;
}
