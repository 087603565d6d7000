import { LRUCache } from "lru-cache";
import type { AccessState, PlatformCallOptions, TenantId, ShopLocale } from "../../../src/adapter-kit.ts";
import { parseAdminAnswer } from "./admin-answer.ts";
import { unavailable } from "../base/failures.ts";
import { type AdminClientOptions, createAdminTransport, type AdminClient } from "./admin-client.ts";
import { toStatusError, toStatusMeaning } from "./http-status.ts";
import { toShop } from "../base/shop-domain.ts";
import type { AccessOrigin, ShopTokens } from "./tokens.ts";
import { askShop } from "./ask.ts";

interface AccessCheckOptions extends Omit<AdminClientOptions, "tokens"> {
  readonly tokens: Pick<ShopTokens, "confirm" | "replaceRefused">;
}

/** How often the access of a shop is checked while somebody uses the app there. */
const CHECK_EVERY_MS = 15_000;
const SHOPS_KEPT = 5_000;

export function createAccessChecks(options: AccessCheckOptions) {
  const { tokens, logger, now = Date.now } = options;
  const send = createAdminTransport(options);
  const checkedAtMs = new LRUCache<string, number>({ max: SHOPS_KEPT });

  async function probe(shop: string, token: string, signal?: AbortSignal): Promise<AccessState> {
    const reply = await send(shop, token, "ConfirmAccess", {}, signal);
    if (reply.status === 401) return "refused";
    if (reply.status !== 200) {
      const meaning = toStatusMeaning(reply.status);
      if (meaning === "throttled" || meaning === "soon") throw toStatusError(reply, now());
      // Frozen, locked and closed shops, and calls from outside the allowlist, say nothing about the installation.
      return "unknown";
    }
    if (parseAdminAnswer(reply.body) === undefined) {
      throw unavailable("Shopify returned 200 without a GraphQL response");
    }
    return "works";
  }

  return {
    /**
     * The platform's `confirmAccess`. Shopify revokes an app's tokens when it is uninstalled, so an accepted token proves
     * that it is installed.
     */
    confirm: (tenant: TenantId, { signal }: PlatformCallOptions = {}): Promise<AccessState> => {
      const shop = toShop(tenant);
      return tokens.confirm(shop, (token) => probe(shop, token, signal));
    },
    /**
     * Somebody opened the app in a shop. Stored access that the shop no longer accepts is replaced in the background.
     * Checks at most every 15 seconds: in between, the first refused call discards the access, and the next session gets
     * new access. Never fails.
     */
    onOpened: (shop: string, sessionToken: string, access: AccessOrigin): void => {
      if (Math.abs(now() - (checkedAtMs.get(shop) ?? 0)) < CHECK_EVERY_MS) return;
      checkedAtMs.set(shop, now());
      if (access === "granted") return;
      tokens
        .replaceRefused(shop, sessionToken, (token) => probe(shop, token))
        .catch((error: unknown) => logger?.warn({ shop, err: error }, "couldn't check access to the shop"));
    },
  };
}

export function createReadLocale(client: AdminClient) {
  return async (tenant: TenantId, { signal }: PlatformCallOptions = {}): Promise<ShopLocale> => {
    const ask = askShop(client, tenant, signal);
    const { shop } = (await ask("ShopLocale", {})).data;
    return { currency: shop.currencyCode, timeZone: shop.ianaTimezone };
  };
}
