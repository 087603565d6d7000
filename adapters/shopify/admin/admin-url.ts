import type { TenantId } from "../../../src/index.ts";
import { toOrderGid } from "../mapping/order-id.ts";
import { toShopDomain, toTenantId } from "../intake/shop-domain.ts";

/** The page of an order in the shop's admin; null for what is no shop or no order's id. */
export function toAdminUrl(tenant: TenantId, orderId: string): string | null {
  const shop = toShopDomain(tenant.replace(/^shopify:/, ""));
  if (shop === undefined || toTenantId(shop) !== tenant || toOrderGid(orderId) === undefined) return null;
  // The admin names a shop by its permanent domain without what all of them share.
  const store = shop.slice(0, -".myshopify.com".length);
  return `https://admin.shopify.com/store/${store}/orders/${orderId}`;
}
