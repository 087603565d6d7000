/**
 * Needed to see and hold the fulfillment orders of fulfillment services. Without it, Shopify silently leaves them out.
 */
export const THIRD_PARTY_SCOPE = "write_third_party_fulfillment_orders";

/** Optional: Shopify sends the disputes of Shopify Payments to apps that have it. */
export const DISPUTES_SCOPE = "read_shopify_payments_disputes";

/**
 * Optional: fills in the form for a dispute's evidence, as a draft. Shopify grants it only to apps that it approved for it.
 */
export const EVIDENCE_SCOPE = "write_shopify_payments_dispute_evidences";

/**
 * Optional: without it, Shopify hides orders from day 60 on. Shopify grants it only to apps that it approved for it.
 */
export const ALL_ORDERS_SCOPE = "read_all_orders";

/** Optional: with it, the app turns its function at the checkout on and off, and gives it the block list. */
export const VALIDATIONS_SCOPE = "write_validations";

/** Optional: with it, the app turns its function for payment methods on and off, and gives it the block list. */
export const PAYMENTS_SCOPE = "write_payment_customizations";

/** Scopes that the adapter can't work without, as in `shopify.app.toml`. */
export const REQUIRED_SCOPES: readonly string[] = [
  "read_customers",
  "write_merchant_managed_fulfillment_orders",
  "write_orders",
  THIRD_PARTY_SCOPE,
];
