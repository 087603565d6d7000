import type { TenantId } from "../../../src/index.ts";
import { toOrderGid } from "../intake/payload.ts";
import { findShop, toShopDomain } from "../intake/shop-domain.ts";
import type { ShopifyQuery } from "./page.ts";

/** The page of an order in the shop's admin. Null when the tenant is not a shop, or the id is not an order's. */
export function toAdminUrl(tenant: TenantId, orderId: string): string | null {
  const shop = findShop(tenant);
  if (shop === undefined || toOrderGid(orderId) === undefined) return null;
  // The admin names a shop by its permanent domain without the part that all shops share.
  const store = shop.slice(0, -".myshopify.com".length);
  return `https://admin.shopify.com/store/${store}/orders/${orderId}`;
}

/** A page of the app in a shop's admin. `path`: its own, `/` for the first. */
export function toAppUrl(shop: string, apiKey: string, path: string): string {
  return `https://${shop}/admin/apps/${encodeURIComponent(apiKey)}${path === "/" ? "" : path}`;
}

/**
 * The app's page in a shop's admin, for somebody who opened the app outside the admin's frame, where it gets no session
 * token. Null unless the request names a shop and doesn't come from the admin.
 */
export function toEntrance(apiKey: string, query: ShopifyQuery, path: string): string | null {
  const shop = toShopDomain(query["shop"]);
  // With `host`, App Bridge detects that it is outside the frame and redirects by itself.
  if (shop === undefined || query["embedded"] === "1" || (query["host"] ?? "") !== "") return null;
  return toAppUrl(shop, apiKey, path);
}
