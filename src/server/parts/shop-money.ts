import type { ShopMoney } from "../../mapping/exchange-rates.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { LocalParts } from "./shop-locales.ts";

/**
 * How a shop counts money: in the currency that the owner chose, or else in the shop's own. Rates and the price of a credit
 * that were entered in another currency don't count.
 */
export async function readShopMoney(
  { settings, localeOf }: Pick<LocalParts, "settings" | "localeOf">,
  tenant: TenantId,
): Promise<ShopMoney & { readonly creditPrice: number | null }> {
  const { money } = await settings.of(tenant);
  const currency = await readReportCurrency(localeOf, tenant, money.currency);
  const { rates, creditPrice } = money.enteredIn === currency ? money : NONE;
  return { currency, rates, creditPrice, timeZone: (await localeOf(tenant)).timeZone };
}

const NONE = { rates: [], creditPrice: null };

/** @param chosen - The owner's choice. Null: the shop's own currency, as far as the platform says it. */
export async function readReportCurrency(
  localeOf: LocalParts["localeOf"],
  tenant: TenantId,
  chosen: string | null,
): Promise<string | null> {
  return chosen ?? (await localeOf(tenant)).currency?.toUpperCase() ?? null;
}
