import type { TenantId } from "../../../src/adapter-kit.ts";
import { refused } from "./failures.ts";

// Shopify's own library also accepts shopify.com, myshopify.io and shop.dev, which its staff uses. Webhooks of real
// shops carry the permanent myshopify.com domain, and the tenant's domain is where the Admin API client sends tokens.
// One DNS label has at most 63 characters.
const SHOP_DOMAIN = /^[a-z0-9][a-z0-9-]{0,62}\.myshopify\.com$/;

/** A shop's permanent domain in lower case, e.g. `demo.myshopify.com`, or undefined when `value` isn't one. */
export function toShopDomain(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const domain = value.toLowerCase();
  return SHOP_DOMAIN.test(domain) ? domain : undefined;
}

/** The tenant of a shop, e.g. `shopify:demo.myshopify.com`. */
export function toTenantId(shopDomain: string): TenantId {
  return `shopify:${shopDomain}`;
}

/** The shop of a tenant, or undefined when it is not a tenant of Shopify. */
export function findShop(tenant: TenantId): string | undefined {
  const shop = toShopDomain(tenant.replace(/^shopify:/, ""));
  return shop !== undefined && toTenantId(shop) === tenant ? shop : undefined;
}

/**
 * The shop of a tenant of this platform.
 *
 * @throws {HoldfastError} `PLATFORM_REFUSED` for any other tenant.
 */
export function toShop(tenant: TenantId): string {
  const shop = findShop(tenant);
  if (shop === undefined) throw refused("This tenant is not a Shopify shop");
  return shop;
}
