import { readFileSync } from "node:fs";
import { fromCommercetoolsOrder } from "../../adapters/commercetools/index.ts";
import { fromEverShopCart } from "../../adapters/evershop/index.ts";
import { fromMedusaCart, fromMedusaOrder } from "../../adapters/medusa/index.ts";
import { fromPayPalOrder } from "../../adapters/paypal/index.ts";
import { fromSaleorOrder } from "../../adapters/saleor/index.ts";
import { fromStripePaymentIntent, fromStripeSession } from "../../adapters/stripe/index.ts";
import { fromVendureOrder } from "../../adapters/vendure/index.ts";
import type { HostOrder } from "../../src/mapping.ts";

/** A payload of a real host for the test to change. */
export type HostPayload = Record<string, unknown>;

/** Read a payload as a host sent it. */
export function readHostPayload(name: string): HostPayload {
  return JSON.parse(readFileSync(`test/fixtures/hosts/${name}.json`, "utf8")) as HostPayload;
}

/** A mapping, with a payload that it maps. */
export interface HostMapping {
  readonly name: string;
  readonly map: (payload: unknown) => HostOrder;
  readonly fixture: string;
}

/** Every mapping of every host. */
export const HOST_MAPPINGS: readonly HostMapping[] = [
  { name: "fromMedusaCart", map: fromMedusaCart, fixture: "medusa-cart" },
  { name: "fromMedusaOrder", map: fromMedusaOrder, fixture: "medusa-order" },
  { name: "fromVendureOrder", map: fromVendureOrder, fixture: "vendure-order" },
  { name: "fromEverShopCart", map: fromEverShopCart, fixture: "evershop-cart" },
  { name: "fromStripeSession", map: fromStripeSession, fixture: "stripe-session" },
  { name: "fromStripePaymentIntent", map: fromStripePaymentIntent, fixture: "stripe-payment-intent" },
  { name: "fromCommercetoolsOrder", map: fromCommercetoolsOrder, fixture: "commercetools-order" },
  { name: "fromSaleorOrder", map: fromSaleorOrder, fixture: "saleor-order" },
  { name: "fromPayPalOrder", map: fromPayPalOrder, fixture: "paypal-order" },
];

/** A copy of `payload` with `value` at a dotted path. */
export function withValue(payload: HostPayload, path: string, value: unknown): HostPayload {
  const copy = structuredClone(payload);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let parent: HostPayload = copy;
  for (const key of keys) parent = parent[key] as HostPayload;
  parent[last] = value;
  return copy;
}
