/** Shows the fulfillment orders of fulfillment services, and holds them. Without it, Shopify leaves them out silently. */
export const THIRD_PARTY_SCOPE = "write_third_party_fulfillment_orders";

/** Scopes that the adapter can't work without, as in `shopify.app.toml`. */
export const REQUIRED_SCOPES: readonly string[] = [
  "read_customers",
  "write_merchant_managed_fulfillment_orders",
  "write_orders",
  THIRD_PARTY_SCOPE,
];
