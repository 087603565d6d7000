import type { PlatformCallOptions, ShopLocale, TenantId } from "../../../src/index.ts";
import { toShop } from "../intake/shop-domain.ts";
import { askShop } from "../enforce/step.ts";
import type { AdminClient } from "./admin-client.ts";
import { SHOP_LOCALE } from "./operations.ts";

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
