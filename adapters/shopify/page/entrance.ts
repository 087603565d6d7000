import type { ShopifyQuery } from "./page.ts";
import { toShopDomain } from "../intake/shop-domain.ts";

/**
 * Where in Shopify's admin the app of a shop is, for somebody who opened it past the admin: with the shop's name, but
 * not in the admin's frame, where no session token comes from. Null for every other request.
 */
export function toEntrance(apiKey: string, query: ShopifyQuery): string | null {
  const shop = toShopDomain(query["shop"]);
  // With `host` App Bridge can tell whether it is in the frame, and goes there itself when it is not.
  if (shop === undefined || query["embedded"] === "1" || (query["host"] ?? "") !== "") return null;
  return `https://${shop}/admin/apps/${encodeURIComponent(apiKey)}`;
}
