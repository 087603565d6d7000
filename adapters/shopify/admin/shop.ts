import type { AccessState, PlatformCallOptions, TenantId, ShopLocale } from "../../../src/index.ts";
import { parseAdminAnswer, unavailable } from "./admin-answer.ts";
import {
  DEFAULT_TIMEOUT_MS,
  toStatusError,
  type AdminClientOptions,
  createAdminTransport,
  type AdminClient,
} from "./admin-client.ts";
import { CONFIRM_ACCESS, SHOP_LOCALE } from "./operations.ts";
import { toShop } from "../intake/shop-domain.ts";
import type { ShopTokens } from "./tokens.ts";
import { askShop } from "../enforce/step.ts";

/** Parts of {@link createConfirmAccess}. */
interface ConfirmAccessOptions extends Omit<AdminClientOptions, "tokens"> {
  readonly tokens: Pick<ShopTokens, "confirm">;
}

/**
 * Create the platform's `confirmAccess`. Shopify revokes an app's tokens when it is uninstalled, so an accepted token
 * proves that it is installed.
 */
export function createConfirmAccess(options: ConfirmAccessOptions) {
  const { tokens, now = Date.now, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const send = createAdminTransport({ ...options, now, timeoutMs });

  return async (tenant: TenantId, { signal }: PlatformCallOptions = {}): Promise<AccessState> => {
    const shop = toShop(tenant);
    return tokens.confirm(shop, async (token) => {
      const reply = await send(shop, token, { query: CONFIRM_ACCESS, variables: {} }, signal);
      if (reply.status === 401) return "refused";
      if (reply.status === 429 || reply.status >= 500) throw toStatusError(reply, now());
      // Frozen, locked and closed shops, and calls from outside the allowlist, say nothing about the installation.
      if (reply.status !== 200) return "unknown";
      if (parseAdminAnswer(reply.body) === undefined) {
        throw unavailable("Shopify returned 200 without a GraphQL response");
      }
      return "works";
    });
  };
}

interface LocaleAnswer {
  readonly shop: { readonly currencyCode: string; readonly ianaTimezone: string };
}

/** Create the platform's `readLocale`: the currency that the shop sells in, and its time zone. */
export function createReadLocale(client: AdminClient) {
  return async (tenant: TenantId, { signal }: PlatformCallOptions = {}): Promise<ShopLocale> => {
    const ask = askShop(client, toShop(tenant), signal);
    const { currencyCode: currency, ianaTimezone: timeZone } = (await ask<LocaleAnswer>(SHOP_LOCALE, {})).data
      .shop;
    return { currency, timeZone };
  };
}
